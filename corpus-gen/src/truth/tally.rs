//! Counting while writing. The writer of records tells the tally what each record is; the tally keeps
//! the state of every call and gives the run's `Truth` at the end.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{FactBook, Reading};
use super::{Dangling, Tokens, Truth};

/// A kind of event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Message,
    Thinking,
    ToolCall,
    ToolResult,
    Attachment,
    Compaction,
    SessionMeta,
    Error,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Message => "message",
            Kind::Thinking => "thinking",
            Kind::ToolCall => "tool_call",
            Kind::ToolResult => "tool_result",
            Kind::Attachment => "attachment",
            Kind::Compaction => "compaction",
            Kind::SessionMeta => "session_meta",
            Kind::Error => "error",
        }
    }
}

/// Who a record belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Thread {
    Main,
    /// The subagent with this number.
    Agent(usize),
}

/// How a result leaves its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Succeeded,
    Failed,
    Denied,
    Interrupted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// Closed by an interruption or a prompt, with no result so far.
    Closed,
    Answered(Outcome),
}

#[derive(Debug)]
struct Call {
    id: String,
    thread: Thread,
    tool: String,
    path: Option<String>,
    state: State,
}

/// Usage of an API call, as it is reported.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Usage {
    pub(crate) input: u64,
    pub(crate) output: u64,
    pub(crate) cache_read: u64,
    pub(crate) write_5m: u64,
    pub(crate) write_1h: u64,
}

impl Usage {
    pub(crate) fn tokens(self) -> Tokens {
        Tokens {
            input: self.input,
            output: self.output,
            cache_creation: self.write_5m + self.write_1h,
            cache_read: self.cache_read,
        }
    }
}

/// The counts so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    events: BTreeMap<Kind, u64>,
    calls: Vec<Call>,
    by_id: BTreeMap<String, usize>,
    launched: Vec<(usize, String)>,
    agents: BTreeSet<usize>,
    facts: FactBook,
    truth: Truth,
}

/// Tools whose succeeded calls read the file at their path.
const READERS: [&str; 2] = ["Read", "NotebookRead"];
/// Tools whose succeeded calls write the file at their path.
const WRITERS: [&str; 4] = ["Write", "Edit", "MultiEdit", "NotebookEdit"];

impl Tally {
    pub(crate) fn event(&mut self, kind: Kind) {
        *self.events.entry(kind).or_default() += 1;
    }

    pub(crate) fn events(&self) -> u64 {
        self.events.values().sum()
    }

    /// A person wrote `text` (after harness text is removed).
    pub(crate) fn prompt(&mut self, text: &str) {
        self.truth.prompts += 1;
        self.truth.goal.get_or_insert_with(|| text.to_owned());
        self.truth.latest_request = Some(text.to_owned());
        self.interruption(Thread::Main);
    }

    /// A person interrupted `thread`: what is in flight there is closed.
    pub(crate) fn interruption(&mut self, thread: Thread) {
        for call in &mut self.calls {
            if call.thread == thread && call.state == State::Open {
                call.state = State::Closed;
            }
        }
    }

    pub(crate) fn call(&mut self, thread: Thread, id: &str, tool: &str, path: Option<&str>) {
        self.seen(thread);
        *self.truth.per_tool.entry(tool.to_owned()).or_default() += 1;
        if thread == Thread::Main {
            *self.truth.main.per_tool.entry(tool.to_owned()).or_default() += 1;
        }
        self.by_id.insert(id.to_owned(), self.calls.len());
        self.calls.push(Call {
            id: id.to_owned(),
            thread,
            tool: tool.to_owned(),
            path: path.map(str::to_owned),
            state: State::Open,
        });
    }

    /// The first result of a call.
    pub(crate) fn result(
        &mut self,
        id: &str,
        outcome: Outcome,
        text: &str,
        reading: Option<Reading>,
    ) {
        let Some(&at) = self.by_id.get(id) else {
            self.truth.orphan_results += 1;
            return;
        };
        let call = &mut self.calls[at];
        call.state = State::Answered(outcome);
        self.truth.results += 1;
        if outcome == Outcome::Failed && call.thread == Thread::Main {
            self.truth.last_error = Some(text.to_owned());
        }
        if outcome != Outcome::Succeeded {
            return;
        }
        if let Some(path) = &call.path {
            if READERS.contains(&call.tool.as_str()) {
                self.truth.files_read.insert(path.clone());
            }
            if WRITERS.contains(&call.tool.as_str()) {
                self.truth.files_written.insert(path.clone());
                if call.thread == Thread::Main {
                    self.truth.main.files_written.insert(path.clone());
                }
                self.facts.wrote(path);
            }
        }
        if let (Thread::Main, Some(reading)) = (call.thread, reading) {
            self.facts.read(reading);
        }
    }

    /// The call `id` started agent number `agent`.
    pub(crate) fn launch(&mut self, agent: usize, id: &str) {
        self.launched.push((agent, id.to_owned()));
    }

    /// A record of `thread` was written.
    pub(crate) fn seen(&mut self, thread: Thread) {
        if let Thread::Agent(agent) = thread {
            self.agents.insert(agent);
        }
    }

    /// An API call with its final usage.
    pub(crate) fn api_call(&mut self, model: &str, usage: Usage) {
        let tokens = usage.tokens();
        self.truth.calls += 1;
        self.truth.tokens.add(tokens);
        self.truth.by_model.entry(model.to_owned()).or_default().add(tokens);
        self.truth.cache_writes.five_minutes += usage.write_5m;
        self.truth.cache_writes.one_hour += usage.write_1h;
        let context = tokens.input + tokens.cache_read + tokens.cache_creation;
        self.truth.over_200k_calls += u64::from(context > 200_000);
    }

    /// Usage as one record of a call states it.
    pub(crate) fn stated_usage(&mut self, usage: Usage) {
        self.truth.naive_tokens.add(usage.tokens());
    }

    pub(crate) fn retry(&mut self) {
        self.truth.retries += 1;
    }

    pub(crate) fn duplicate(&mut self) {
        self.truth.duplicates += 1;
    }

    pub(crate) fn bad_line(&mut self) {
        self.truth.bad_lines += 1;
    }

    pub(crate) fn orphan(&mut self) {
        self.truth.orphans += 1;
    }

    /// The run's truth. Calls of an agent whose launching call was closed are closed with it.
    pub(crate) fn finish(mut self) -> Truth {
        for (agent, id) in &self.launched {
            if self.by_id.get(id).is_some_and(|&at| self.calls[at].state == State::Closed) {
                for call in &mut self.calls {
                    if call.thread == Thread::Agent(*agent) && call.state == State::Open {
                        call.state = State::Closed;
                    }
                }
            }
        }
        let mut truth = self.truth;
        for call in self.calls {
            let unanswered = matches!(call.state, State::Open | State::Closed);
            *match call.state {
                State::Open => &mut truth.open_tool_calls,
                State::Closed | State::Answered(Outcome::Interrupted) => {
                    &mut truth.interrupted_calls
                }
                State::Answered(Outcome::Succeeded) => &mut truth.succeeded_calls,
                State::Answered(Outcome::Failed) => &mut truth.failed_calls,
                State::Answered(Outcome::Denied) => &mut truth.denied_calls,
            } += 1;
            truth.tool_calls += 1;
            if unanswered && call.thread == Thread::Main {
                truth.dangling.push(Dangling { id: call.id, tool: call.tool });
            }
        }
        truth.errors = self.events.get(&Kind::Error).copied().unwrap_or(0);
        truth.compactions = self.events.get(&Kind::Compaction).copied().unwrap_or(0);
        truth.subagents = self.agents.len() as u64;
        truth.facts = self.facts.aggregates();
        truth.events_by_kind =
            self.events.into_iter().map(|(kind, count)| (kind.name().to_owned(), count)).collect();
        truth
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_calls() -> Tally {
        let mut tally = Tally::default();
        tally.call(Thread::Main, "a", "Task", None);
        tally.call(Thread::Agent(0), "b", "Bash", None);
        tally.launch(0, "a");
        tally
    }

    #[test]
    fn a_closed_launch_closes_its_agents_calls() {
        let mut tally = two_calls();
        tally.interruption(Thread::Main);
        let truth = tally.finish();
        assert_eq!((truth.interrupted_calls, truth.open_tool_calls), (2, 0));
        assert_eq!(truth.dangling.len(), 1);
    }

    #[test]
    fn a_late_result_moves_an_interrupted_call() {
        let mut tally = two_calls();
        tally.prompt("next");
        tally.result("a", Outcome::Succeeded, "", None);
        let truth = tally.finish();
        assert_eq!((truth.succeeded_calls, truth.open_tool_calls, truth.results), (1, 1, 1));
        assert!(truth.dangling.is_empty());
    }
}
