//! One run: a worker on a task under an arm, step by step, until it is done or ended.

use std::collections::BTreeMap;
use std::sync::Arc;

use corpus_gen::tasks::Task;
use serde::{Deserialize, Serialize};
use trace_model::pricing::Dollars;

use super::arms::{ArmSpec, Setup};
use super::context::{Segment, quoted};
use super::counting::{Counts, Tally};
use super::helper::{HelperCost, HelperModel};
use super::history::{History, Step};
use super::instructions::instructions;
use super::protocol::Protocol;
use super::reply::{ParsedReply, parse};
use super::worker::{PricedAs, Reply, Worker};
use crate::recording::{Recorder, RunLabel};
use crate::usage::TokenUsage;
use crate::workbench::{Action, BenchConfig, Workbench};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The worker said that it was done.
    Done,
    /// It had taken as many steps as it may.
    StepCap,
    /// It had replied with no readable call too often in a row.
    ProtocolErrors,
}

impl EndReason {
    /// Its name in rows.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::StepCap => "step_cap",
            Self::ProtocolErrors => "protocol_errors",
        }
    }
}

/// A run's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunRow {
    /// Whether the end state is right.
    pub success: bool,
    /// The credit of a correct prefix.
    pub partial: (u64, u64),
    /// How it ended.
    pub ended: EndReason,
    /// What the check found.
    pub why: String,
    /// What the worker said, at its last write, that it was not shown.
    pub missing: Option<String>,
    /// Numbers.
    pub counts: Counts,
    /// What the worker's tokens cost; none if some have no price.
    pub dollars: Option<Dollars>,
    /// What the arm's own model cost; none if some of its tokens have no price.
    #[serde(rename = "aside_dollars")]
    pub helper_dollars: Option<Dollars>,
    /// The models that answered, with counts.
    pub models: BTreeMap<String, u64>,
}

/// A finished run: its result and its transcript.
#[derive(Debug)]
pub struct Finished {
    /// The result.
    pub row: RunRow,
    /// The transcript, as the fold reads it.
    pub transcript: Vec<u8>,
}

/// What a run is made of.
#[derive(Clone, Copy)]
pub struct RunSpec<'a> {
    /// The task.
    pub task: &'a Task,
    /// The arm.
    pub arm: &'a ArmSpec,
    /// What it shares with other runs.
    pub protocol: &'a Protocol,
    /// How an arm's own tokens are priced where they are estimated.
    pub priced: &'a PricedAs,
    /// The model that the arm may ask.
    pub helper: Option<&'a Arc<dyn HelperModel>>,
    /// The model that it may ask about what the first refuses.
    pub fallback: Option<&'a Arc<dyn HelperModel>>,
}

/// Runs a worker on a task.
///
/// # Errors
/// If a model cannot be called. A bad reply of the worker is not an error.
pub fn run(spec: RunSpec<'_>, worker: &mut dyn Worker) -> anyhow::Result<Finished> {
    let RunSpec { task, arm, protocol, priced, helper, fallback } = spec;
    let config = BenchConfig { tally: arm.tally, ..protocol.bench };
    let mut bench = Workbench::new(task, config);
    let label = RunLabel {
        session: format!("{}/{}", task.spec, arm.name),
        title: format!("{} under {}", task.spec, arm.name),
        model: priced.model.clone(),
    };
    let mut history = History {
        instructions: instructions(arm, &bench.tools()),
        task: Segment::new(format!("[task]\n{}", quoted(&task.goal))),
        steps: Vec::new(),
        recorder: Recorder::new(&label),
    };
    history.recorder.goal(&task.goal);
    let setup = Setup {
        policy: protocol.policy.clone(),
        statistic: task.statistic,
        helper: helper.cloned(),
        fallback: fallback.cloned(),
    };
    let mut policy = arm.policy(&setup);
    let mut tally = Tally::default();
    let cap = protocol.step_cap.of(task, arm);
    let ended = loop {
        if tally.counts.steps >= u64::from(cap) {
            break EndReason::StepCap;
        }
        let prompt = policy.context(&history)?;
        tally.counts.largest_context = tally.counts.largest_context.max(prompt.tokens());
        let reply = worker.reply(&prompt, history.recorder.seconds())?;
        tally.paid(&reply);
        if let Some(ended) = step(&mut history, &mut bench, &mut tally, &reply) {
            break ended;
        }
    };
    tally.counts.refreshes = u64::from(policy.refreshes());
    let helper_usage = policy.helper_usage();
    (tally.counts.helper_calls, tally.counts.helper_input) =
        (helper_usage.calls, helper_usage.input);
    tally.counts.helper_output = helper_usage.output;
    (tally.counts.refusals, tally.counts.fallbacks) =
        (helper_usage.refusals, helper_usage.fallbacks);
    tally.counts.not_verbatim = helper_usage.not_verbatim;
    let estimated = TokenUsage {
        input: helper_usage.input,
        output: helper_usage.output,
        ..TokenUsage::default()
    };
    let helper_dollars = match helper_usage.cost {
        HelperCost::Paid(dollars) => Some(dollars),
        HelperCost::Estimated => priced.dollars(&estimated),
        HelperCost::Unpriced => None,
    };
    let verdict = bench.verdict();
    let row = RunRow {
        success: verdict.success,
        partial: (verdict.partial.num, verdict.partial.den),
        ended,
        why: verdict.why,
        missing: tally.missing,
        counts: tally.counts,
        dollars: tally.dollars,
        helper_dollars,
        models: tally.models,
    };
    Ok(Finished { row, transcript: history.recorder.into_bytes() })
}

/// Applies a reply: its action, its record, and whether it ends the run.
fn step(
    history: &mut History,
    bench: &mut Workbench,
    tally: &mut Tally,
    reply: &Reply,
) -> Option<EndReason> {
    let number = u32::try_from(tally.counts.steps).unwrap_or(u32::MAX);
    let parsed = match parse(&reply.text) {
        Ok(parsed) => parsed,
        Err(unreadable) => {
            let complaint = unreadable.to_string();
            history.recorder.turn(&reply.text, None, reply.usage);
            history.recorder.protocol_error(&complaint);
            history.steps.push(Step::unreadable(number, &reply.text, &complaint));
            return tally.unreadable().then_some(EndReason::ProtocolErrors);
        }
    };
    let ParsedReply { tool, args, action, note, missing } = parsed;
    let observation = bench.take(action.as_ref());
    if let Ok(Action::WriteFile { .. } | Action::Done) = &action {
        tally.missing = missing.or(tally.missing.take());
    }
    tally.called(action.as_ref().ok(), observation.outcome);
    history.recorder.turn(&note, Some((&tool, &args)), reply.usage);
    history.recorder.result(&observation.text, observation.outcome.is_error());
    history.steps.push(Step::called(number, &reply.text, action.ok(), &observation));
    observation.done.then_some(EndReason::Done)
}
