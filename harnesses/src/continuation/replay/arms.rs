//! The arms of CONTINUE over a run that another client recorded: its calls and results as steps, its records
//! as the transcript, and the arms' own code to make the context. Dollars are simulated, as CONTINUE simulates
//! them for a worker without a model.

use std::sync::Arc;

use corpus_gen::tasks::Statistic;
use serde_json::json;
use trace_model::adapter::FileRole;
use trace_model::pricing::Dollars;

use super::items::{Call, Item, ItemKind};
use super::session::Session;
use crate::continuation::arms::{ARMS, Arm, ArmSpec, Policy, Setup};
use crate::continuation::context::{Segment, quoted};
use crate::continuation::history::{History, Step};
use crate::continuation::tokens;
use crate::continuation::worker::{PricedAs, SimulatedInput};
use crate::prefix_cache::CacheRules;
use crate::recording::{Recorder, STEP_SECONDS};
use crate::usage::TokenUsage;
use crate::workbench::{Action, CallOutcome, Observation};

/// How calls are priced.
#[derive(Clone, Debug)]
pub(super) struct Pricing {
    /// The prices.
    pub(super) priced: PricedAs,
    /// The cache's rules.
    pub(super) cache: CacheRules,
}

/// Why an arm cannot be made of a recorded run; none if it can.
pub(super) fn left_out(arm: &ArmSpec) -> Option<&'static str> {
    if arm.notes {
        Some("the worker's note is in no transcript")
    } else if arm.tally {
        Some("no agent had its tool")
    } else if arm.needs_model {
        Some("it asks a model")
    } else if arm.only.is_some() {
        Some("its extractor is made for one family of tasks")
    } else if arm.sums {
        Some("it is about a sum that the task declares")
    } else {
        None
    }
}

/// An arm's context at a cut.
#[derive(Clone, Debug)]
pub(super) struct ArmContext {
    /// Its text.
    pub(super) text: Arc<str>,
    /// Its tokens, estimated.
    pub(super) tokens: u64,
    /// What the calls up to the cut would have cost; none if some tokens have no price.
    pub(super) dollars: Option<Dollars>,
}

/// An arm that follows a run.
struct Following {
    number: usize,
    arm: Box<dyn Arm>,
    input: SimulatedInput,
    dollars: Option<Dollars>,
}

/// Gives each arm's context at each place where the run is cut, by the number of items before it.
///
/// # Errors
/// If an arm fails, as none does that asks no model.
pub(super) fn follow(
    session: &Session<'_>,
    pricing: &Pricing,
    give: &mut dyn FnMut(usize, usize, &ArmContext),
) -> anyhow::Result<()> {
    let setup = Setup {
        policy: Policy::default(),
        statistic: Statistic::None,
        helper: None,
        fallback: None,
    };
    let arms = ARMS.iter().enumerate().filter(|(_, arm)| left_out(arm).is_none());
    let mut arms: Vec<Following> = arms
        .map(|(number, arm)| Following {
            number,
            arm: arm.policy(&setup),
            input: SimulatedInput::new(pricing.cache),
            dollars: Some(Dollars::ZERO),
        })
        .collect();
    let mut replayed = Replayed::new(session.role.clone());
    for (at, item) in session.items.iter().enumerate() {
        replayed.copy(session.bytes, item.offset);
        if session.cuts.iter().any(|cut| cut.before == at) {
            replayed.settle();
            for arm in &mut arms {
                let prompt = arm.arm.context(&replayed.history)?;
                let context = ArmContext {
                    text: prompt.text().into(),
                    tokens: prompt.tokens(),
                    dollars: arm.dollars,
                };
                give(arm.number, at, &context);
            }
        }
        if item.kind == ItemKind::Call {
            let output = tokens::count(&replayed.reply(item));
            let seconds = replayed.request();
            for arm in &mut arms {
                let input = match seconds {
                    Some(seconds) => {
                        let prompt = arm.arm.context(&replayed.history)?;
                        arm.input.of(&prompt, seconds)?
                    }
                    None => TokenUsage::default(),
                };
                let usage = TokenUsage { output, ..input };
                let dollars = pricing.priced.dollars(&usage);
                arm.dollars = arm.dollars.zip(dollars).map(|(all, call)| all + call);
            }
        }
        replayed.take(item);
    }
    Ok(())
}

/// A call without a result.
struct Open {
    id: String,
    reply: String,
    action: Option<Action>,
}

/// A history that is made of a run's items as they come.
struct Replayed {
    history: History,
    copied: usize,
    calls: u32,
    requests: u64,
    /// The steps that there were at the last request.
    requested_at: Option<usize>,
    /// Whether the task is known.
    has_task: bool,
    /// What the agent has said since its last call.
    said: String,
    /// Calls without a result, in order.
    open: Vec<Open>,
}

impl Replayed {
    fn new(role: FileRole) -> Self {
        let history = History {
            instructions: Segment::new(String::new()),
            task: Segment::new("[task]\n".to_owned()),
            steps: Vec::new(),
            recorder: Recorder::copying(role),
        };
        Self {
            history,
            copied: 0,
            calls: 0,
            requests: 0,
            requested_at: None,
            has_task: false,
            said: String::new(),
            open: Vec::new(),
        }
    }

    /// Takes over the records before this offset.
    fn copy(&mut self, bytes: &[u8], until: usize) {
        if let Some(records) = bytes.get(self.copied..until) {
            self.history.recorder.copy(records);
            self.copied = until;
        }
    }

    /// The reply that a call is: what the agent said before it, and the call.
    fn reply(&self, item: &Item) -> String {
        let call = item.call.as_ref();
        let call = call.map(|call| json!({ "tool": call.tool, "args": call.input }));
        format!("{}{}", self.said, call.unwrap_or_default())
    }

    /// The second at which the next call is asked for; none if it came with the one before, as calls do that
    /// nothing came between.
    fn request(&mut self) -> Option<u64> {
        let steps = Some(self.history.steps.len());
        if self.requested_at == steps {
            return None;
        }
        self.requested_at = steps;
        self.requests += 1;
        Some(self.requests * STEP_SECONDS)
    }

    fn number(&self) -> u32 {
        u32::try_from(self.history.steps.len() + 1).unwrap_or(u32::MAX)
    }

    fn take(&mut self, item: &Item) {
        match item.kind {
            ItemKind::Said => {
                self.said.push_str(&item.text);
                self.said.push('\n');
            }
            ItemKind::Put if item.by_person && !self.has_task => {
                self.has_task = true;
                self.history.task = Segment::new(format!("[task]\n{}", quoted(&item.text)));
            }
            ItemKind::Put if item.by_person => {
                self.settle();
                let request = Step::request(self.number(), &item.text);
                self.history.steps.push(request);
            }
            ItemKind::Put | ItemKind::Summary => {}
            ItemKind::Call => {
                let reply = self.reply(item);
                self.said.clear();
                self.calls += 1;
                if let Some(call) = &item.call {
                    let id = call.id.clone().unwrap_or_else(|| format!("call {}", self.calls));
                    self.open.push(Open { id, reply, action: action(call) });
                }
            }
            ItemKind::Result => {
                let Some((id, failed)) = &item.answers else { return };
                if let Some(at) = self.open.iter().position(|open| open.id == *id) {
                    let open = self.open.remove(at);
                    self.step(open, &item.text, *failed);
                }
            }
        }
    }

    /// Ends the calls that have no result, and what was said last, as steps.
    fn settle(&mut self) {
        for open in std::mem::take(&mut self.open) {
            self.step(open, "(no result)", true);
        }
        if !self.said.is_empty() {
            let said = std::mem::take(&mut self.said);
            let step = Step::unreadable(self.number(), &said, "(no call)");
            self.history.steps.push(step);
        }
    }

    fn step(&mut self, open: Open, text: &str, failed: bool) {
        let outcome = if failed { CallOutcome::ToolError } else { CallOutcome::Ok };
        let seen = Observation { text: text.into(), outcome, done: false, call_index: None };
        let step = Step::called(self.number(), &open.reply, open.action, &seen);
        self.history.steps.push(step);
    }
}

/// A call as the bench knows it, for arms that look for readings and writings.
fn action(call: &Call) -> Option<Action> {
    let path = call.input.path().or_else(|| call.patched.first().cloned())?;
    if call.writes {
        Some(Action::WriteFile { path, content: String::new() })
    } else if call.reads {
        Some(Action::ReadFile { path })
    } else {
        None
    }
}
