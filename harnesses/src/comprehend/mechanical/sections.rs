//! Parses a worker view into its sections. Every text in it is on one line, so lines separate them.

use trace_model::event::Outcome;

use super::input::Input;
use super::marks::{outcome_named, without_cut_mark};

/// What a view shows.
#[derive(Debug, Clone, Default)]
pub(super) struct Sections<'a> {
    pub(super) goal: Option<&'a str>,
    pub(super) latest: Option<&'a str>,
    pub(super) turns: Option<usize>,
    /// Tools by calls of the main thread, most used first.
    pub(super) tools: Vec<(&'a str, usize)>,
    /// Calls without a result; none if the view does not say.
    pub(super) unanswered: Option<Vec<Open<'a>>>,
    pub(super) last_error: Option<&'a str>,
    /// The texts of failures, the newest first.
    pub(super) failures: Vec<&'a str>,
    pub(super) files: Vec<File<'a>>,
    /// The newest first.
    pub(super) episodes: Vec<Episode<'a>>,
    /// The last events, the oldest first.
    pub(super) events: Vec<Event<'a>>,
}

/// A call without a result.
#[derive(Debug, Clone)]
pub(super) struct Open<'a> {
    pub(super) at: u64,
    pub(super) tool: &'a str,
    pub(super) id: &'a str,
    pub(super) interrupted: bool,
    pub(super) input: Input,
}

/// A file with the main thread's numbers of reads and writes.
#[derive(Debug, Clone, Copy)]
pub(super) struct File<'a> {
    pub(super) path: &'a str,
    pub(super) reads: usize,
    pub(super) writes: usize,
}

/// A user turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Episode<'a> {
    pub(super) turn: usize,
    pub(super) calls: usize,
    pub(super) failed: usize,
    pub(super) asked: &'a str,
    pub(super) concluded: Option<&'a str>,
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
    Result(&'a str, Outcome),
    AgentSaid(&'a str),
    Other,
}

/// The section that list items belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Unanswered,
    Failures,
    Files,
    Episodes,
    Events,
    Other,
}

pub(super) fn parse(view: &str) -> Sections<'_> {
    let mut found = Sections::default();
    let mut section = Section::Other;
    for line in view.lines() {
        match line.strip_prefix("- ") {
            Some(entry) => {
                let _ = item(&mut found, section, entry);
            }
            None => section = heading(&mut found, line).unwrap_or(Section::Other),
        }
    }
    found
}

/// A line outside a list: its own content, and the list that it opens.
fn heading<'a>(found: &mut Sections<'a>, line: &'a str) -> Option<Section> {
    let text = || line.split_once("): ").map(|(_, text)| without_cut_mark(text));
    let (name, rest) = line.split_once([' ', ':'])?;
    match name {
        "GOAL" => found.goal = text(),
        "LATEST" => found.latest = text(),
        "COUNTS" => found.turns = rest.trim_start().split_once(" user turns")?.0.parse().ok(),
        "TOOLS" => {
            let tools = line.split_once("): ")?.1;
            let main = tools.split_once("; and ").map_or(tools, |(main, _)| main);
            found.tools = main.split(", ").filter_map(tool).collect();
        }
        "CALLS" => {
            found.unanswered = Some(Vec::new());
            return Some(Section::Unanswered);
        }
        "LAST" if rest.starts_with("ERROR: ") => {
            let text = without_cut_mark(rest.strip_prefix("ERROR: ")?);
            found.last_error = (text != "none").then_some(text);
        }
        "LAST" => return Some(Section::Events),
        "RECENT" => return Some(Section::Failures),
        "FILES" => return Some(Section::Files),
        "EPISODES" => return Some(Section::Episodes),
        _ => {}
    }
    Some(Section::Other)
}

/// `Read 7 (1 failed)`.
fn tool(text: &str) -> Option<(&str, usize)> {
    let text = text.split_once(" (").map_or(text, |(text, _)| text);
    let (name, calls) = text.rsplit_once(' ')?;
    Some((name, calls.parse().ok()?))
}

fn item<'a>(found: &mut Sections<'a>, section: Section, entry: &'a str) -> Option<()> {
    match section {
        Section::Unanswered => found.unanswered.get_or_insert_default().push(open(entry)?),
        Section::Failures => found.failures.push(failure(entry)?),
        Section::Files => found.files.push(file(entry)),
        Section::Episodes => found.episodes.push(episode(entry)?),
        Section::Events => found.events.push(event(entry)?),
        Section::Other => {}
    }
    Some(())
}

/// `TOOL [ID] STATE since TIME, event N: INPUT`.
fn open(entry: &str) -> Option<Open<'_>> {
    let (tool, rest) = entry.split_once(" [")?;
    let (id, rest) = rest.split_once("] ")?;
    let (state, rest) = rest.split_once("event ")?;
    let (at, input) = rest.split_once(':')?;
    Some(Open {
        at: at.parse().ok()?,
        tool,
        id,
        interrupted: state.starts_with("interrupted"),
        input: Input::of(input.trim_start()),
    })
}

/// `event N TOOL INPUT: TEXT`, the input being a JSON object, whole or cut.
fn failure(entry: &str) -> Option<&str> {
    let ends = ["}: ", " characters]: "].into_iter();
    let after = |end: &str| entry.find(end).map(|at| at + end.len());
    let text = ends.filter_map(after).min().map(|at| &entry[at..])?;
    Some(without_cut_mark(text))
}

/// `r2 w1 sr3 sw1 PATH`: reads and writes by the main thread, then by subagents.
fn file(entry: &str) -> File<'_> {
    let mut file = File { path: entry, reads: 0, writes: 0 };
    for letters in ["r", "w", "sr", "sw"] {
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

/// `N vV STATUS, events E-: C calls, F failed, $D; asked: TEXT; concluded: TEXT`.
fn episode(entry: &str) -> Option<Episode<'_>> {
    let (head, texts) = entry.split_once("; asked: ")?;
    let (asked, concluded) = texts.split_once("; concluded: ")?;
    let (_, counts) = head.split_once(": ")?;
    let (calls, rest) = counts.split_once(" calls, ")?;
    let (failed, _) = rest.split_once(" failed")?;
    Some(Episode {
        turn: head.split(' ').next()?.parse().ok()?,
        calls: calls.parse().ok()?,
        failed: failed.parse().ok()?,
        asked: without_cut_mark(asked),
        concluded: (concluded != "nothing").then(|| without_cut_mark(concluded)),
    })
}

/// `event N SOURCE: TEXT`, `event N agent calls TOOL: INPUT` or `event N tool TOOL OUTCOME: TEXT`.
fn event(entry: &str) -> Option<Event<'_>> {
    let (at, rest) = entry.strip_prefix("event ")?.split_once(' ')?;
    let (head, text) = rest.split_once(':')?;
    let text = text.trim_start();
    let kind = if let Some(tool) = head.strip_prefix("agent calls ") {
        EventKind::Call(tool, Input::of(text))
    } else if let Some(result) = head.strip_prefix("tool ") {
        let (tool, outcome) = result.rsplit_once(' ')?;
        EventKind::Result(tool, outcome_named(outcome)?)
    } else if head == "agent" {
        EventKind::AgentSaid(without_cut_mark(text))
    } else {
        EventKind::Other
    };
    Some(Event { at: at.parse().ok()?, kind })
}
