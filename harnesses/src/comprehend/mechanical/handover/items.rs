//! The items of a handover view's parts.

use trace_model::event::Outcome;

use crate::comprehend::mechanical::input::Input;
use crate::comprehend::mechanical::marks::{outcome_named, without_cut_mark};

/// A call without a result.
#[derive(Debug, Clone)]
pub(super) struct Open<'a> {
    pub(super) at: u64,
    pub(super) id: &'a str,
    pub(super) interrupted: bool,
}

/// `TOOL [ID] STATE since TIME, event N: INPUT`.
pub(super) fn open(entry: &str) -> Option<Open<'_>> {
    let (_, rest) = entry.split_once(" [")?;
    let (id, rest) = rest.split_once("] ")?;
    let (state, rest) = rest.split_once("event ")?;
    let (at, _) = rest.split_once(':')?;
    Some(Open { at: at.parse().ok()?, id, interrupted: state.starts_with("interrupted") })
}

/// A call that failed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failure<'a> {
    pub(super) at: u64,
    pub(super) text: &'a str,
}

/// `event N TOOL INPUT: TEXT`, and where it was mended `; succeeded at event M`. The input is a JSON object, whole or
/// cut.
pub(super) fn failure(entry: &str) -> Option<Failure<'_>> {
    let at = entry.strip_prefix("event ")?.split(' ').next()?.parse().ok()?;
    let ends = ["}: ", " characters]: "].into_iter();
    let after = |end: &str| entry.find(end).map(|at| at + end.len());
    let text = ends.filter_map(after).min().map(|at| &entry[at..])?;
    let mended = text.rsplit_once("; succeeded at event ");
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = mended.filter(|(_, by)| is_number(by)).map_or(text, |(text, _)| text);
    Some(Failure { at, text: without_cut_mark(text) })
}

/// A call that was refused, or stopped.
#[derive(Debug, Clone)]
pub(super) struct Refusal<'a> {
    pub(super) at: u64,
    pub(super) outcome: Outcome,
    pub(super) call: NamedCall<'a>,
}

/// `event N OUTCOME TOOL [ID]: INPUT; the person said: TEXT`.
pub(super) fn refusal(entry: &str) -> Option<Refusal<'_>> {
    let mut words = entry.strip_prefix("event ")?.splitn(3, ' ');
    let at = words.next()?.parse().ok()?;
    let outcome = outcome_named(words.next()?)?;
    let (tool, rest) = words.next()?.split_once(" [")?;
    let (id, input) = rest.split_once("]: ")?;
    let input = input.split_once("; the person said: ").map_or(input, |(input, _)| input);
    Some(Refusal { at, outcome, call: NamedCall { tool, id: known(id), input: Input::of(input) } })
}

/// A call by tool, id and input.
#[derive(Debug, Clone)]
pub(super) struct NamedCall<'a> {
    pub(super) tool: &'a str,
    pub(super) id: Option<&'a str>,
    pub(super) input: Input,
}

/// `N): TOOL [ID] SECONDS s: INPUT`, or without the seconds.
pub(super) fn named_call(rest: &str) -> Option<NamedCall<'_>> {
    let (_, rest) = rest.split_once("): ")?;
    let (tool, rest) = rest.split_once(" [")?;
    let (id, rest) = rest.split_once(']')?;
    let (_, input) = rest.split_once(": ")?;
    Some(NamedCall { tool, id: known(id), input: Input::of(input) })
}

fn known(id: &str) -> Option<&str> {
    (id != "-").then_some(id)
}

/// A file with the main thread's numbers of reads and writes.
#[derive(Debug, Clone, Copy)]
pub(super) struct File<'a> {
    pub(super) path: &'a str,
    pub(super) reads: usize,
    pub(super) writes: usize,
}

/// `r2 w1 sr3 sw1 c2 PATH`: reads and writes by the main thread, then by subagents, then by name in commands.
pub(super) fn file(entry: &str) -> File<'_> {
    let mut file = File { path: entry, reads: 0, writes: 0 };
    for letters in ["r", "w", "sr", "sw", "c"] {
        let used = file.path.split_once(' ').and_then(|(used, path)| {
            Some((used.strip_prefix(letters)?.parse::<usize>().ok()?, path))
        });
        let Some((count, path)) = used else { continue };
        file.path = path;
        match letters {
            "r" => file.reads = count,
            "w" => file.writes = count,
            _ => {}
        }
    }
    file.path = without_cut_mark(file.path);
    file
}

/// A command with how often it was run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Command<'a> {
    pub(super) text: &'a str,
    pub(super) runs: usize,
}

/// `ENDED xRUNS, N failed: TEXT`, with remarks on what is not shown of it and what failed behind it.
pub(super) fn command(entry: &str) -> Option<Command<'_>> {
    let (head, text) = entry.split_once(": ")?;
    let runs = head
        .split_once(" x")
        .map_or(Some(1), |(_, runs)| runs.split(',').next().and_then(|runs| runs.parse().ok()))?;
    let text = text.rsplit_once("; failing: ").map_or(text, |(text, _)| text);
    let cut = text.rsplit_once(" [and ").filter(|(_, rest)| rest.ends_with(" more lines]"));
    let text = cut.map_or(text, |(text, _)| text);
    Some(Command { text: without_cut_mark(text), runs })
}

/// What a user turn took.
#[derive(Debug, Clone)]
pub(super) struct Turn<'a> {
    pub(super) number: usize,
    pub(super) calls: usize,
    pub(super) by_tool: Vec<(&'a str, usize)>,
    pub(super) failed: usize,
    /// The tool called last, of the newest turn.
    pub(super) last_tool: Option<&'a str>,
    /// The file that was read or written last, of the newest turn.
    pub(super) last_file: Option<&'a str>,
}

/// `N STATUS: C calls (TOOL N, TOOL N), F failed, $D; last call: TOOL; last file: PATH`.
pub(super) fn turn(entry: &str) -> Option<Turn<'_>> {
    let (entry, last_file) = match entry.split_once("; last file: ") {
        Some((entry, path)) => (entry, Some(without_cut_mark(path))),
        None => (entry, None),
    };
    let (number, counts) = entry.split_once(": ")?;
    let (calls, rest) = counts.split_once(" calls")?;
    let (by_tool, rest) = match rest.strip_prefix(" (") {
        Some(rest) => rest.split_once("), ")?,
        None => ("", rest.strip_prefix(", ")?),
    };
    Some(Turn {
        number: number.split(' ').next()?.parse().ok()?,
        calls: calls.parse().ok()?,
        by_tool: by_tool.split(", ").filter_map(tool).collect(),
        failed: rest.split_once(" failed")?.0.parse().ok()?,
        last_tool: rest.split_once("; last call: ").map(|(_, tool)| tool),
        last_file,
    })
}

/// What a user turn asked for and came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request<'a> {
    pub(super) turn: usize,
    pub(super) asked: &'a str,
    pub(super) concluded: Option<&'a str>,
}

/// `N: TEXT; concluded: TEXT`.
pub(super) fn request(entry: &str) -> Option<Request<'_>> {
    let (turn, texts) = entry.split_once(": ")?;
    let (asked, concluded) = match texts.split_once("; concluded: ") {
        Some((asked, concluded)) => (asked, Some(without_cut_mark(concluded))),
        None => (texts, None),
    };
    Some(Request { turn: turn.parse().ok()?, asked: without_cut_mark(asked), concluded })
}

/// `Read 7 (1 failed)`.
pub(super) fn tool(text: &str) -> Option<(&str, usize)> {
    let text = text.split_once(" (").map_or(text, |(text, _)| text);
    let (name, calls) = text.rsplit_once(' ')?;
    Some((name, calls.parse().ok()?))
}

/// `NAME 12,345`.
pub(super) fn model(text: &str) -> Option<(&str, u64)> {
    let (name, tokens) = text.rsplit_once(' ')?;
    Some((name, tokens.replace(',', "").parse().ok()?))
}

/// A subagent that was launched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Launch<'a> {
    pub(super) description: &'a str,
}

/// `event N: DESCRIPTION`.
pub(super) fn launch(entry: &str) -> Option<Launch<'_>> {
    let (_, description) = entry.split_once(": ")?;
    Some(Launch { description: without_cut_mark(description) })
}

/// One of the last events.
#[derive(Debug, Clone)]
pub(super) struct Event<'a> {
    pub(super) at: u64,
    pub(super) kind: EventKind<'a>,
}

/// What an event is.
#[derive(Debug, Clone)]
pub(super) enum EventKind<'a> {
    Call(&'a str, Input),
    AgentSaid(&'a str),
    Other,
}

/// `event N SOURCE: TEXT`, `event N agent calls TOOL: INPUT` or `event N tool TOOL OUTCOME: TEXT`.
pub(super) fn event(entry: &str) -> Option<Event<'_>> {
    let (at, rest) = entry.strip_prefix("event ")?.split_once(' ')?;
    let (head, text) = rest.split_once(':')?;
    let text = text.trim_start();
    let kind = if let Some(tool) = head.strip_prefix("agent calls ") {
        EventKind::Call(tool, Input::of(text))
    } else if head == "agent" {
        EventKind::AgentSaid(without_cut_mark(text))
    } else {
        EventKind::Other
    };
    Some(Event { at: at.parse().ok()?, kind })
}
