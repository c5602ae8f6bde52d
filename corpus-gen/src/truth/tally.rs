//! Counting while writing. The writer of records tells the tally what each record is; the tally keeps
//! the state of every call and gives the run's `Truth` at the end.

use std::collections::{BTreeMap, BTreeSet};

use super::background::{Background, TaskKind, TaskState};
use super::facts::{FactBook, Reading};
use super::run::{Dangling, Shapes, Truth};
use super::stated::StatedSums;
use super::tokens::Tokens;
use super::tracked::{Tracked, TrackedValues};
use super::turns::{Above, Turns};

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
    /// A record of a type that is not known.
    Unknown,
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
            Kind::Unknown => "unknown",
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
pub(crate) enum CallOutcome {
    Succeeded,
    Failed,
    Denied,
    Interrupted,
    /// Given up by the client because of another call.
    Cancelled,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// Closed by an interruption or a prompt, with no result so far.
    Closed,
    /// Never to be answered, since its agent is over.
    Abandoned,
    Answered(CallOutcome),
}

#[derive(Debug)]
struct Call {
    id: String,
    thread: Thread,
    tool: String,
    path: Option<String>,
    state: State,
    /// Whether an interruption or a prompt came before its result.
    closed: bool,
    /// The turn in which it was issued.
    turn: usize,
}

/// An agent's launch.
#[derive(Debug)]
struct Launch {
    agent: usize,
    /// The agent's id, if it may be a background task.
    id: String,
    call: String,
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
    launched: Vec<Launch>,
    agents: BTreeSet<usize>,
    facts: FactBook,
    turns: Turns,
    prompts: Vec<(usize, String)>,
    /// Paths that the main thread's calls read, by the turn in which the call was issued.
    read: BTreeSet<(usize, String)>,
    tasks: Background,
    /// Tasks that a call of the main thread launched.
    own_tasks: BTreeSet<String>,
    holding: TrackedValues,
    stated: StatedSums,
    /// Events so far, duplicates included: in all files, of complete records, and in the main file.
    counted: u64,
    complete: u64,
    ledger: u64,
    shapes: Shapes,
    truth: Truth,
}

/// Tools whose succeeded calls read the file at their path.
const READERS: [&str; 2] = ["Read", "NotebookRead"];
/// Tools whose succeeded calls write the file at their path.
const WRITERS: [&str; 4] = ["Write", "Edit", "MultiEdit", "NotebookEdit"];

impl Tally {
    pub(crate) fn event(&mut self, kind: Kind) {
        *self.events.entry(kind).or_default() += 1;
        self.counted += 1;
    }

    /// A record is complete, in the main file or not.
    pub(crate) fn written(&mut self, main: bool) {
        if main {
            self.ledger += self.counted - self.complete;
        }
        self.complete = self.counted;
    }

    pub(crate) fn events(&self) -> u64 {
        self.events.values().sum()
    }

    /// A person wrote `text` (after harness text is removed) in a record that hangs below `above`.
    pub(crate) fn prompt(&mut self, text: &str, above: &Above) {
        self.truth.prompts += 1;
        self.turns.begin(above);
        self.prompts.push((self.turns.now(), text.to_owned()));
        self.interruption(Thread::Main);
    }

    /// The record `uuid` of the main thread was written.
    pub(crate) fn stands(&mut self, uuid: &str) {
        self.turns.stands(uuid);
    }

    /// A record of the main thread's conversation, no prompt, names a parent.
    pub(crate) fn links(&mut self) {
        self.turns.links();
    }

    /// The record that comes next, of the main thread, states a value.
    pub(crate) fn state(&mut self, what: Tracked, value: &str) {
        self.holding.state(what, value, self.ledger);
    }

    /// A person interrupted `thread`: its calls in flight are closed.
    pub(crate) fn interruption(&mut self, thread: Thread) {
        for call in &mut self.calls {
            if call.thread == thread && call.state == State::Open {
                call.state = State::Closed;
                call.closed = true;
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
            closed: false,
            turn: self.turns.now(),
        });
    }

    /// The first result of a call.
    pub(crate) fn result(
        &mut self,
        id: &str,
        outcome: CallOutcome,
        text: &str,
        reading: Option<Reading>,
    ) {
        let Some(&at) = self.by_id.get(id) else {
            self.truth.orphan_results += 1;
            return;
        };
        let call = &mut self.calls[at];
        let turn = call.turn;
        call.state = State::Answered(outcome);
        self.truth.results += 1;
        if outcome == CallOutcome::Failed && call.thread == Thread::Main {
            self.truth.last_error = Some(text.to_owned());
        }
        if outcome != CallOutcome::Succeeded {
            return;
        }
        if let Some(path) = &call.path {
            if READERS.contains(&call.tool.as_str()) {
                if call.thread == Thread::Main {
                    self.read.insert((turn, path.clone()));
                } else {
                    self.truth.files_read.insert(path.clone());
                }
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
            self.facts.read(reading, turn, &self.turns);
        }
    }

    /// The call `call` started agent number `agent`, whose id is `id`.
    pub(crate) fn launch(&mut self, agent: usize, id: &str, call: &str) {
        self.launched.push(Launch { agent, id: id.to_owned(), call: call.to_owned() });
    }

    /// The result of the call `call` is the receipt of a background task.
    pub(crate) fn receipt(&mut self, call: &str, task: &str, kind: TaskKind) {
        self.tasks.launched(task, kind);
        if self.by_id.get(call).is_some_and(|&at| self.calls[at].thread == Thread::Main) {
            self.own_tasks.insert(task.to_owned());
        }
    }

    /// A notification, a result or a call says how a task stands; of a failed one `summary` is the
    /// failure's text.
    pub(crate) fn task_says(&mut self, task: &str, state: TaskState, summary: &str) {
        let known = self.tasks.says(task, state);
        if known && state == TaskState::Failed && self.own_tasks.contains(task) {
            self.truth.last_error = Some(summary.to_owned());
        }
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

    /// A call that states the output of the stream's start alone, beside far more text.
    pub(crate) fn unfinished(&mut self) {
        *self.shapes.unfinished_usage.get_or_insert(0) += 1;
    }

    /// The run's calls were all written so that it is known which have unfinished usage.
    pub(crate) fn knows_unfinished(&mut self) {
        self.shapes.unfinished_usage.get_or_insert(0);
    }

    /// A call whose iterations do not tell what the top level holds.
    pub(crate) fn unreconciled(&mut self) {
        self.shapes.unreconciled_iterations += 1;
    }

    /// An entry of `usage.iterations` of a type that is not known.
    pub(crate) fn unknown_iteration(&mut self, kind: &str) {
        *self.shapes.unknown_iterations.entry(kind.to_owned()).or_default() += 1;
    }

    /// A `result` record states what the process used of a model.
    pub(crate) fn stated_model(&mut self, model: &str, used: Tokens) {
        self.stated.model(model, used);
    }

    /// A `result` record states what it all cost.
    pub(crate) fn stated_cost(&mut self, usd: &str) {
        self.stated.cost = Some(usd.to_owned());
    }

    /// Tokens of a model's calls so far.
    pub(crate) fn of_model(&self, model: &str) -> Tokens {
        self.truth.by_model.get(model).copied().unwrap_or_default()
    }

    pub(crate) fn retry(&mut self) {
        self.truth.retries += 1;
    }

    pub(crate) fn duplicate(&mut self) {
        self.truth.duplicates += 1;
        self.counted += 1;
    }

    pub(crate) fn bad_line(&mut self) {
        self.truth.bad_lines += 1;
    }

    pub(crate) fn orphan(&mut self) {
        self.truth.orphans += 1;
    }

    /// The run's truth.
    pub(crate) fn finish(mut self) -> Truth {
        self.settle_agents();
        let mut truth = self.truth;
        for call in self.calls {
            let unanswered = matches!(call.state, State::Open | State::Closed | State::Abandoned);
            *match call.state {
                State::Open => &mut truth.open_tool_calls,
                State::Closed | State::Answered(CallOutcome::Interrupted) => {
                    &mut truth.interrupted_calls
                }
                State::Abandoned => &mut self.shapes.abandoned_calls,
                State::Answered(CallOutcome::Succeeded) => &mut truth.succeeded_calls,
                State::Answered(CallOutcome::Failed) => &mut truth.failed_calls,
                State::Answered(CallOutcome::Denied) => &mut truth.denied_calls,
                State::Answered(CallOutcome::Cancelled) => &mut self.shapes.cancelled_calls,
            } += 1;
            truth.tool_calls += 1;
            if unanswered && call.thread == Thread::Main {
                truth.dangling.push(Dangling { id: call.id, tool: call.tool });
            }
        }
        let turns = &self.turns;
        let mut asked = self.prompts.into_iter().filter(|(turn, _)| turns.in_force(*turn));
        truth.goal = asked.next().map(|(_, text)| text);
        truth.latest_request =
            asked.next_back().map(|(_, text)| text).or_else(|| truth.goal.clone());
        let read = self.read.into_iter().filter(|(turn, _)| turns.in_force(*turn));
        truth.files_read.extend(read.map(|(_, path)| path));
        truth.facts = self.facts.aggregates(turns);
        truth.errors = self.events.get(&Kind::Error).copied().unwrap_or(0);
        truth.compactions = self.events.get(&Kind::Compaction).copied().unwrap_or(0);
        truth.subagents = self.agents.len() as u64;
        truth.events_by_kind =
            self.events.into_iter().map(|(kind, count)| (kind.name().to_owned(), count)).collect();
        let mut shapes = self.shapes;
        shapes.stated_cost_usd = self.stated.cost.take();
        shapes.unattributed_tokens = self.stated.unattributed(&mut truth.by_model);
        truth.tokens.add(shapes.unattributed_tokens);
        // Nothing says how long these live: they count as five-minute writes.
        truth.cache_writes.five_minutes += shapes.unattributed_tokens.cache_creation;
        (shapes.turns, shapes.turns_taken_back) = self.turns.list();
        shapes.background_tasks = self.tasks.list();
        let TrackedValues { cwd, branch, model, permission_mode } = self.holding;
        (shapes.cwd, shapes.branch) = (cwd, branch);
        (shapes.model, shapes.permission_mode) = (model, permission_mode);
        truth.shapes = shapes;
        truth
    }

    /// Closes and abandons what agents left unanswered, until nothing more follows from it: an agent's
    /// call may have launched another agent.
    fn settle_agents(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for launch in &self.launched {
                let Some(&at) = self.by_id.get(&launch.call) else { continue };
                let (state, closed) = (self.calls[at].state, self.calls[at].closed);
                let over = match self.tasks.state(&launch.id) {
                    Some(task) => task != TaskState::Running,
                    None => state != State::Open,
                };
                if !closed && !over {
                    continue;
                }
                for call in &mut self.calls {
                    if call.thread == Thread::Agent(launch.agent) && call.state == State::Open {
                        call.state = if closed { State::Closed } else { State::Abandoned };
                        call.closed |= closed;
                        changed = true;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_calls() -> Tally {
        let mut tally = Tally::default();
        tally.call(Thread::Main, "a", "Task", None);
        tally.call(Thread::Agent(0), "b", "Bash", None);
        tally.launch(0, "agent", "a");
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
    fn a_late_result_moves_an_interrupted_call_and_opens_nothing_again() {
        let mut tally = two_calls();
        tally.prompt("next", &Above::Nothing);
        tally.result("a", CallOutcome::Succeeded, "", None);
        let truth = tally.finish();
        assert_eq!((truth.succeeded_calls, truth.interrupted_calls, truth.results), (1, 1, 1));
        assert!(truth.dangling.is_empty());
    }

    #[test]
    fn an_answered_launch_abandons_what_its_agent_left_also_two_levels_down() {
        let mut tally = two_calls();
        tally.call(Thread::Agent(0), "c", "Task", None);
        tally.call(Thread::Agent(1), "d", "Bash", None);
        tally.launch(1, "inner", "c");
        tally.result("a", CallOutcome::Succeeded, "", None);
        let truth = tally.finish();
        assert_eq!((truth.shapes.abandoned_calls, truth.open_tool_calls), (3, 0));
    }

    #[test]
    fn a_background_agent_is_over_when_its_task_is() {
        for (state, abandoned) in [(TaskState::Running, 0), (TaskState::Stopped, 1)] {
            let mut tally = two_calls();
            tally.result("a", CallOutcome::Succeeded, "", None);
            tally.receipt("a", "agent", TaskKind::Agent);
            tally.task_says("agent", state, "");
            let truth = tally.finish();
            assert_eq!(truth.shapes.abandoned_calls, abandoned, "{state:?}");
            assert_eq!(truth.open_tool_calls, 1 - abandoned, "{state:?}");
        }
    }
}
