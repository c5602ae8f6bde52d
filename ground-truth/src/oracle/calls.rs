//! Calls matched with their results, the state in which each ends, and what is counted of them.
//!
//! `docs/DEFINITIONS.md`, "Calls and their results". The same for every format: what a result says of its call,
//! what closes calls, and which call launched which agent, its reader tells.

use std::collections::{BTreeMap, BTreeSet};

use super::event::{Event, counted};
use super::task::{TaskState, Tasks};
use super::tool_call::{Call, CallState};
use super::turns::Turns;

/// All counted calls, in ledger order. "A second call with a known id is a duplicate and is not counted."
/// With the state that its result gives a call.
pub(super) fn matched(
    events: &[Event],
    state_by_result: impl Fn(usize, &Event) -> CallState,
) -> Vec<Call<'_>> {
    let results = first_results(events);
    let mut known = BTreeSet::new();
    let mut calls = Vec::new();
    for (at, event) in events.iter().enumerate() {
        let id = event.call_id.as_ref();
        let is_call = event.kind == "tool_call" && !event.duplicate;
        if is_call && id.is_none_or(|id| known.insert(id.clone())) {
            let result = id.and_then(|id| results.get(id)).map(|&at| (at, &events[at]));
            let state = result.map(|(at, result)| state_by_result(at, result));
            calls.push(Call { at, event, result, state });
        }
    }
    calls
}

/// The position of the first result with each call id, whether its call comes before or after it.
fn first_results(events: &[Event]) -> BTreeMap<String, usize> {
    let mut first = BTreeMap::new();
    for (at, event) in events.iter().enumerate() {
        if let Some(id) = result_id(event) {
            first.entry(id.to_owned()).or_insert(at);
        }
    }
    first
}

pub(super) fn result_id(event: &Event) -> Option<&str> {
    let is_result = event.kind == "tool_result" && !event.duplicate;
    event.call_id.as_deref().filter(|_| is_result)
}

/// Gives the calls without a result their states.
pub(super) fn close(calls: &mut [Call], closings: &Closings, tasks: &Tasks) {
    for call in calls.iter_mut().filter(|call| call.state.is_none()) {
        call.state = state_without_result(closings, tasks, call);
    }
}

/// The state of a call that has no result, if it has an id.
fn state_without_result(closings: &Closings, tasks: &Tasks, call: &Call) -> Option<CallState> {
    call.id()?;
    if closings.closed(call) {
        Some(CallState::Interrupted)
    } else if closings.is_over(call.event.agent.as_deref(), tasks, &mut BTreeSet::new()) {
        Some(CallState::Abandoned)
    } else {
        Some(CallState::InFlight)
    }
}

/// What closes calls that have no result.
pub(super) struct Closings<'a> {
    /// The positions of interruptions and prompts among the records, each with its thread.
    records: Vec<(usize, Option<&'a str>)>,
    calls: &'a [Call<'a>],
    /// The id of the call that launched each agent.
    launching: BTreeMap<String, String>,
}

impl<'a> Closings<'a> {
    /// `stops` are the positions of the records that close calls; `thread` gives a record's.
    pub(super) fn new(
        stops: BTreeSet<usize>,
        thread: impl Fn(usize) -> Option<&'a str>,
        calls: &'a [Call<'a>],
        launching: BTreeMap<String, String>,
    ) -> Self {
        Self { records: stops.into_iter().map(|at| (at, thread(at))).collect(), calls, launching }
    }

    /// "A call without a result becomes interrupted when, later in the ledger, an interruption or a
    /// prompt comes in its own thread; or, wherever it is in the ledger, when the call that launched its
    /// agent was closed by one." An answered call was closed if that came between the call and its result.
    fn closed(&self, call: &Call) -> bool {
        !self.closing(call, &mut BTreeSet::new()).is_empty()
    }

    /// The positions of the records that closed a call. `passed` are the calls already looked at: agents
    /// that launched one another end there.
    fn closing(&self, call: &Call, passed: &mut BTreeSet<usize>) -> BTreeSet<usize> {
        if !passed.insert(call.at) {
            return BTreeSet::new();
        }
        let agent = call.event.agent.as_deref();
        let answered = call.result.map(|(_, result)| result.record);
        let is_between =
            |at: usize| at > call.event.record && answered.is_none_or(|answered| at < answered);
        let in_thread = self.records.iter().filter(|(_, thread)| *thread == agent);
        let mut closing: BTreeSet<usize> =
            in_thread.map(|(at, _)| *at).filter(|&at| is_between(at)).collect();
        if let Some(launching) = agent.and_then(|agent| self.launching_call(agent)) {
            let inherited = self.closing(launching, passed).into_iter();
            closing.extend(inherited.filter(|&at| answered.is_none() || is_between(at)));
        }
        closing
    }

    /// Whether an agent is over: "an agent that is a background task is over when the task is not running;
    /// another when its launching call has a matched result, or is interrupted or abandoned". The main thread
    /// never is. `passed` are the agents already looked at.
    fn is_over(&self, agent: Option<&str>, tasks: &Tasks, passed: &mut BTreeSet<String>) -> bool {
        let Some(agent) = agent.filter(|agent| passed.insert((*agent).to_owned())) else {
            return false;
        };
        let launching_id = self.launching.get(agent).map(String::as_str);
        if let Some(task) = tasks.of_agent(agent, launching_id) {
            return task.state != TaskState::Running;
        }
        self.launching_call(agent).is_some_and(|call| {
            call.result.is_some()
                || self.closed(call)
                || self.is_over(call.event.agent.as_deref(), tasks, passed)
        })
    }

    fn launching_call(&self, agent: &str) -> Option<&Call<'a>> {
        let id = self.launching.get(agent)?;
        self.calls.iter().find(|call| call.id() == Some(id))
    }
}

/// How many calls end in a state.
pub(super) fn in_state(calls: &[Call], state: CallState) -> u64 {
    calls.iter().filter(|call| call.state == Some(state)).count() as u64
}

/// The ids of the calls in flight, sorted.
pub(super) fn open_call_ids(calls: &[Call]) -> Vec<String> {
    let open = calls.iter().filter(|call| call.state == Some(CallState::InFlight));
    sorted(open.filter_map(Call::id))
}

/// "Dangling calls are those of the main thread without a matched result": their ids, sorted.
pub(super) fn dangling(calls: &[Call]) -> Vec<String> {
    let unanswered =
        calls.iter().filter(|call| call.event.agent.is_none() && call.result.is_none());
    sorted(unanswered.filter_map(Call::id))
}

/// Matched results.
pub(super) fn results(calls: &[Call]) -> u64 {
    calls.iter().filter(|call| call.result.is_some()).count() as u64
}

/// "A result that comes after that (a late result)": results of calls that had been closed.
pub(super) fn late_results(closings: &Closings, calls: &[Call]) -> u64 {
    let answered = calls.iter().filter(|call| call.result.is_some());
    answered.filter(|call| closings.closed(call)).count() as u64
}

/// Results after the first one with the id of a call.
pub(super) fn duplicate_results(events: &[Event], calls: &[Call]) -> u64 {
    let known: BTreeSet<&str> = calls.iter().filter_map(Call::id).collect();
    let of_calls = events.iter().filter_map(result_id).filter(|id| known.contains(id));
    of_calls.count() as u64 - results(calls)
}

/// "A result whose call never comes is an orphan result."
pub(super) fn orphan_results(events: &[Event], calls: &[Call]) -> u64 {
    let known: BTreeSet<&str> = calls.iter().filter_map(Call::id).collect();
    let is_orphan = |event: &&Event| {
        event.kind == "tool_result" && result_id(event).is_none_or(|id| !known.contains(id))
    };
    counted(events).filter(is_orphan).count() as u64
}

/// Calls whose id an earlier call has.
pub(super) fn duplicate_calls(events: &[Event], calls: &[Call]) -> u64 {
    let all = counted(events).filter(|event| event.kind == "tool_call").count();
    (all - calls.len()) as u64
}

/// The number of calls of each tool.
pub(super) fn per_tool(calls: &[Call]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for call in calls {
        *counts.entry(call.tool().to_owned()).or_insert(0) += 1;
    }
    counts
}

/// The number of failed calls of each tool that has any.
pub(super) fn per_tool_failed(calls: &[Call]) -> BTreeMap<String, u64> {
    let failed = calls.iter().filter(|call| call.state == Some(CallState::Failed));
    per_tool(&failed.copied().collect::<Vec<_>>())
}

/// "Files read are the paths of succeeded calls of ...", sorted. "Of the reads of the main thread only those
/// whose call was issued in a turn in force."
pub(super) fn files_read(calls: &[Call], turns: &Turns) -> Vec<String> {
    let in_force = turns.in_force();
    let counts = |call: &&Call| {
        let is_main = call.event.agent.is_none();
        call.reads() && (!is_main || in_force.contains(&turns.under_way(call.event.record)))
    };
    sorted(succeeded(calls).filter(counts).filter_map(Call::path))
}

/// "Files written", sorted.
pub(super) fn files_written(calls: &[Call]) -> Vec<String> {
    sorted(
        succeeded(calls)
            .filter(|call| call.writes())
            .flat_map(|it| &it.event.paths)
            .map(String::as_str),
    )
}

/// "Last error: of the failed results of calls of the main thread that come before their result, and of the
/// records that made a task failed which a call of the main thread launched, the last one's text."
pub(super) fn last_error(calls: &[Call], tasks: &Tasks) -> Option<String> {
    let failed = calls.iter().filter(|call| call.state == Some(CallState::Failed));
    let of_calls = failed.filter_map(Call::result_in_main).map(|(at, it)| (at, it.text.as_str()));
    let of_tasks = tasks.failures_in_main.iter().map(|(at, text)| (*at, text.as_str()));
    of_calls.chain(of_tasks).max_by_key(|(at, _)| *at).map(|(_, text)| text.to_owned())
}

/// The succeeded calls.
pub(super) fn succeeded<'a, 'b>(calls: &'b [Call<'a>]) -> impl Iterator<Item = &'b Call<'a>> {
    calls.iter().filter(|call| call.state == Some(CallState::Succeeded))
}

fn sorted<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    texts.collect::<BTreeSet<_>>().into_iter().map(str::to_owned).collect()
}
