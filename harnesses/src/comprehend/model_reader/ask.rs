//! Asking a model: every call without a reply, concurrently; the runner records each as it comes.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::bail;
use ground_truth::graders::{RuleSet, Score};
use ground_truth::questions::QuestionSet;
use rust_decimal::Decimal;

use super::jobs::{Job, jobs};
use super::reader::Reader;
use super::received::ReceivedReply;
use super::replies::{CallId, NoAnswer, Replies};
use crate::common::{Reporter, Stage};
use crate::comprehend::setup::Setup;
use crate::model::{CallError, Called, Next, Runner, run_all};

/// Makes the calls that have no reply yet.
///
/// # Errors
/// If the run ends before all calls are made; finished calls are kept, and the message says how many.
pub(in crate::comprehend) async fn ask(
    setup: &Setup,
    reader: &Reader,
    runner: &Runner,
    done: BTreeMap<String, Called>,
    progress: &Reporter,
) -> anyhow::Result<Replies> {
    let mut open: Vec<Job<'_>> = jobs(setup, reader).collect();
    let all = open.len();
    let conditions = open.iter().map(|job| job.id.condition.clone()).collect();
    let mut state = State::new(done, conditions, progress.stage("asking", all));
    open.retain(|job| !state.calls.contains_key(&job.id.key()));
    let settings = reader.prompt_settings();
    let work = |Job { id, set, context }| {
        let (runner, request) = (runner.clone(), settings.request(set, context));
        async move {
            let called = runner.call(&request, id.repeat).await;
            (id, set, called)
        }
    };
    let ended = run_all(open, runner.jobs(), runner.stop(), work, |(id, set, called)| {
        Ok(state.done(&id, set, called, runner))
    })
    .await?;
    runner.ledger().sync()?;
    let State { calls, failures, fatal, .. } = state;
    let finished = calls.len();
    if let Some(error) = fatal {
        bail!("{error}; {finished} of {all} calls are done and kept");
    }
    if !ended.is_complete() {
        bail!(
            "stopped: {finished} of {all} calls are done and kept; run the same command to resume"
        );
    }
    Ok(Replies { calls, failures, spend: runner.ledger().spend() })
}

/// What has come so far.
struct State {
    calls: BTreeMap<String, ReceivedReply>,
    failures: BTreeMap<String, NoAnswer>,
    /// Conditions without a finished call. A text too long for the model is rejected under one condition and
    /// not under another, so one refusal says little about the rest.
    untried: BTreeSet<String>,
    /// Why the run cannot continue.
    fatal: Option<CallError>,
    stage: Stage,
    score: RunningScore,
}

impl State {
    fn new(calls: BTreeMap<String, Called>, untried: BTreeSet<String>, stage: Stage) -> Self {
        stage.already(calls.len());
        let received = calls.into_iter().map(|(key, called)| (key, ReceivedReply::new(called)));
        let (failures, score) = (BTreeMap::new(), RunningScore::default());
        Self { calls: received.collect(), failures, untried, fatal: None, stage, score }
    }

    fn done(
        &mut self,
        id: &CallId,
        set: &QuestionSet,
        called: Result<Called, CallError>,
        runner: &Runner,
    ) -> Next {
        self.untried.remove(&id.condition);
        let next = match called {
            Ok(called) => {
                let reply = ReceivedReply::new(called);
                for (_, grade) in reply.all_graded(set, RuleSet::STRICT) {
                    self.score.add(grade.score);
                }
                self.calls.insert(id.key(), reply);
                Next::Continue
            }
            Err(error) if error.kind.ends_run() || self.would_all_fail(&error) => {
                self.fatal.get_or_insert(error);
                Next::Stop
            }
            Err(error) => {
                let retries = error.retries() as u64;
                self.failures.insert(id.key(), NoAnswer { why: error.to_string(), retries });
                Next::Continue
            }
        };
        self.stage.done(&self.message(runner));
        next
    }

    /// Whether a call was turned away when none had been answered, though each condition had its turn.
    fn would_all_fail(&self, error: &CallError) -> bool {
        error.kind.is_final() && self.untried.is_empty() && self.calls.is_empty()
    }

    /// Running accuracy by the strict rules, spend and failures, for a person who waits.
    fn message(&self, runner: &Runner) -> String {
        let line = runner.status().line(self.score.mean());
        match self.failures.len() {
            0 => line,
            failed => format!("{line}, {failed} failed"),
        }
    }
}

/// The mean score of the replies that came now.
#[derive(Default)]
struct RunningScore {
    answers: u64,
    scores: Decimal,
}

impl RunningScore {
    fn add(&mut self, score: Score) {
        self.answers += 1;
        self.scores += Decimal::from(score.num) / Decimal::from(score.den);
    }

    fn mean(&self) -> Option<Decimal> {
        self.scores.checked_div(Decimal::from(self.answers))
    }
}
