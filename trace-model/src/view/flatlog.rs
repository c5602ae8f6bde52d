//! The flat log: one line an event, in the order of the ledger. The baseline that views are measured
//! against; subagents' events are left out, as the worker view's main thread has none of them.

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::reference;
use super::renderer::Renderer;
use super::words::{outcome_name, source_name};
use crate::event::{Body, Event, Record, Thread};
use crate::fold::{FoldConfig, RunState, RunTurn};
use crate::ids::Seq;
use crate::run::FoldObserver;
use crate::text::one_line;

const NAME: &str = "flatlog";
const VERSION: u32 = 1;

/// Characters shown of an event's text.
pub const EVENT_CHARS: usize = 240;

/// The renderer of flat logs.
pub fn renderer() -> Renderer {
    static FINGERPRINT: LazyLock<String> =
        LazyLock::new(|| reference::fingerprint(&reference_log()));
    Renderer { name: NAME, version: VERSION, fingerprint: FINGERPRINT.clone() }
}

/// A flat log in progress: it observes a fold and takes the records of the session's file; then take the text.
#[derive(Clone, Debug, Default)]
pub struct FlatLog {
    body: String,
    next: u64,
    lines: u64,
    /// Whether each turn before the next record is in force.
    in_force: Vec<bool>,
}

impl FlatLog {
    /// Adds a line for each of a record's events that is of the main thread; and before them one for
    /// what no event says: that a command turned out to be a prompt, that turns were taken back.
    /// `state` has folded the record in, and nothing after it.
    fn push(&mut self, record: &Record<'_>, state: &RunState) {
        self.push_turns(record, state);
        for event in &record.events {
            if record.thread == Thread::Main {
                self.lines += 1;
                write_event(&mut self.body, record, event, Seq(self.next));
            }
            self.next += 1;
        }
    }

    fn push_turns(&mut self, record: &Record<'_>, state: &RunState) {
        let Self { body, next, in_force, .. } = self;
        let turns = state.turns();
        let Some(newest) = turns.last().filter(|_| turns.len() > in_force.len()) else { return };
        let (old, new) = turns.split_at(in_force.len());
        let taken_back_by = |by: u64| {
            let was_in_force = old.iter().zip(in_force.iter()).filter(|(_, was)| **was);
            let turns = was_in_force.filter(|(turn, _)| turn.taken_back_by == Some(by));
            turns.map(|(turn, _)| turn.number).collect::<Vec<_>>()
        };
        for turn in new {
            let by = turn.number;
            let latest =
                state.conversation().latest_request().filter(|prompt| prompt.at == turn.at);
            if let Some(command) = latest.filter(|prompt| prompt.at.0 < *next) {
                let change = TurnChange::Command { at: command.at, text: &command.text.text };
                write_change(body, record, &change, Seq(*next));
            }
            let turns = taken_back_by(by);
            if !turns.is_empty() {
                write_change(body, record, &TurnChange::TakenBack { turns, by }, Seq(*next));
            }
        }
        let returned =
            old.iter().zip(in_force.iter()).filter(|(turn, was)| !**was && turn.is_in_force());
        let turns: Vec<u64> = returned.map(|(turn, _)| turn.number).collect();
        if !turns.is_empty() {
            let by = newest.number;
            write_change(body, record, &TurnChange::Returned { turns, by }, Seq(*next));
        }
        *in_force = turns_in_force(state);
    }

    /// The log with its stamp, which is its last line.
    pub fn finish(mut self) -> String {
        let (events, lines, renderer) = (self.next, self.lines, renderer());
        let _ = writeln!(
            self.body,
            "# {renderer}: {lines} lines for the main thread's events among the run's first {events}"
        );
        self.body
    }
}

impl FoldObserver for FlatLog {
    fn after(&mut self, state: &RunState, record: &Record<'_>, file: u32) {
        if file == 0 {
            self.push(record, state);
        }
    }
}

fn turns_in_force(state: &RunState) -> Vec<bool> {
    state.turns().iter().map(RunTurn::is_in_force).collect()
}

/// What a record changed of the turns, beyond going on.
enum TurnChange<'a> {
    /// A command of an earlier event turned out to be a prompt.
    Command { at: Seq, text: &'a str },
    /// The newest turn took these back.
    TakenBack { turns: Vec<u64>, by: u64 },
    /// The newest turn put these in force again.
    Returned { turns: Vec<u64>, by: u64 },
}

/// The lines of the reference run, without the stamp.
pub(super) fn reference_log() -> String {
    let mut log = FlatLog::default();
    reference::fold(FoldConfig::default(), &mut log);
    log.body
}

fn write_change(out: &mut String, record: &Record<'_>, change: &TurnChange<'_>, seq: Seq) {
    let _ = write!(out, "{seq} ");
    match record.time {
        Some(time) => {
            let _ = write!(out, "{time} ");
        }
        None => out.push_str("- "),
    }
    let _ = match change {
        TurnChange::Command { at, text } => {
            writeln!(out, "user command of event {at}: {}", one_line(text, EVENT_CHARS, None))
        }
        TurnChange::TakenBack { turns, by } => writeln!(
            out,
            "system rewind: turns {} taken back by turn {by}, no part of the conversation any more",
            ranges(turns)
        ),
        TurnChange::Returned { turns, by } => writeln!(
            out,
            "system return: turns {} in force again, turn {by} goes on from them",
            ranges(turns)
        ),
    };
}

/// "2-4, 7" of numbers in order.
fn ranges(numbers: &[u64]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let runs = runs.filter_map(|run| match run {
        [] => None,
        [one] => Some(one.to_string()),
        [first, .., last] => Some(format!("{first}-{last}")),
    });
    runs.collect::<Vec<_>>().join(", ")
}

fn write_event(out: &mut String, record: &Record<'_>, event: &Event<'_>, seq: Seq) {
    let _ = write!(out, "{seq} ");
    match record.time {
        Some(time) => {
            let _ = write!(out, "{time} ");
        }
        None => out.push_str("- "),
    }
    out.push_str(source_name(event.source));
    out.push(' ');
    let text = event.body.text();
    match &event.body {
        Body::ToolCall { id, name, .. } => {
            let _ = write!(
                out,
                "call {} [{}] ",
                one_line(name, EVENT_CHARS, None),
                one_line(id.as_deref().unwrap_or("-"), EVENT_CHARS, None)
            );
        }
        Body::ToolResult { call_id, outcome, .. } => {
            let _ = write!(
                out,
                "result [{}] {} ",
                one_line(call_id.as_deref().unwrap_or("-"), EVENT_CHARS, None),
                outcome_name(*outcome)
            );
        }
        other => {
            out.push_str(other.kind().name());
            out.push(' ');
        }
    }
    out.push_str(&one_line(text, EVENT_CHARS, None));
    while out.ends_with(' ') {
        out.pop();
    }
    out.push('\n');
}
