//! What happened in a run, as far as a text shows it, in its order.

use std::collections::{BTreeMap, BTreeSet};

use trace_model::event::Outcome;
use trace_model::ids::Millis;

use super::input::Input;

/// A user turn.
#[derive(Debug, Clone)]
pub(super) struct Prompt {
    /// Its place among all that is shown.
    pub(super) at: usize,
    pub(super) time: Option<Millis>,
    /// Its text, where that is shown.
    pub(super) text: Option<String>,
}

/// A tool call.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) at: usize,
    pub(super) id: Option<String>,
    pub(super) tool: String,
    pub(super) time: Option<Millis>,
    pub(super) input: Input,
}

/// The result of a call that is shown or not.
#[derive(Debug, Clone)]
pub(super) struct Answered {
    pub(super) time: Option<Millis>,
    pub(super) outcome: Outcome,
    pub(super) text: String,
    /// Whether its call is shown, and before it.
    pub(super) after_call: bool,
}

/// What a text shows of the main thread.
#[derive(Debug, Clone, Default)]
pub(super) struct Shown {
    next: usize,
    pub(super) prompts: Vec<Prompt>,
    /// What the agent said.
    pub(super) said: Vec<String>,
    pub(super) calls: Vec<Call>,
    /// The results in order; of several with one id the first counts.
    pub(super) results: Vec<Answered>,
    by_id: BTreeMap<String, usize>,
    call_ids: BTreeSet<String>,
    /// Where the person stopped the agent or wrote.
    halts: Vec<usize>,
    /// The earliest and the latest time.
    pub(super) span: Option<(Millis, Millis)>,
    /// Output tokens by model, where they are shown.
    pub(super) output_tokens: BTreeMap<String, u64>,
}

impl Shown {
    fn place(&mut self) -> usize {
        self.next += 1;
        self.next
    }

    pub(super) fn moment(&mut self, time: Option<Millis>) {
        if let Some(time) = time {
            let (first, last) = self.span.unwrap_or((time, time));
            self.span = Some((first.min(time), last.max(time)));
        }
    }

    pub(super) fn prompt(&mut self, time: Option<Millis>, text: Option<String>) {
        let at = self.place();
        self.halts.push(at);
        self.prompts.push(Prompt { at, time, text });
    }

    pub(super) fn interruption(&mut self) {
        let at = self.place();
        self.halts.push(at);
    }

    pub(super) fn say(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.said.push(text.to_owned());
        }
    }

    pub(super) fn call(
        &mut self,
        id: Option<&str>,
        tool: &str,
        time: Option<Millis>,
        input: Input,
    ) {
        if id.is_some_and(|id| !self.call_ids.insert(id.to_owned())) {
            return;
        }
        let (at, id) = (self.place(), id.map(str::to_owned));
        self.calls.push(Call { at, id, tool: tool.to_owned(), time, input });
    }

    pub(super) fn result(
        &mut self,
        id: Option<&str>,
        outcome: Outcome,
        time: Option<Millis>,
        text: &str,
    ) {
        let Some(id) = id.filter(|id| !self.by_id.contains_key(*id)) else { return };
        self.place();
        self.by_id.insert(id.to_owned(), self.results.len());
        let after_call = self.call_ids.contains(id);
        self.results.push(Answered { time, outcome, text: text.to_owned(), after_call });
    }

    /// The result of a call.
    pub(super) fn result_of(&self, call: &Call) -> Option<&Answered> {
        self.results.get(*self.by_id.get(call.id.as_ref()?)?)
    }

    /// Whether a call ended so.
    pub(super) fn ended(&self, call: &Call, outcome: Outcome) -> bool {
        self.result_of(call).is_some_and(|result| result.outcome == outcome)
    }

    /// Whether a person or a rule refused a call, or a person stopped it.
    pub(super) fn was_refused(&self, call: &Call) -> bool {
        match self.result_of(call) {
            Some(result) => matches!(result.outcome, Outcome::Denied | Outcome::Interrupted),
            None => call.id.is_some() && self.halts.iter().any(|halt| *halt > call.at),
        }
    }
}
