//! Parses a handover view into its parts. Every text in it is on one line and begins no line, so lines separate them.

use super::items::{
    Command, Event, Failure, File, Launch, NamedCall, Open, Refusal, Request, Turn, command, event,
    failure, file, launch, model, named_call, open, refusal, request, tool, turn,
};
use crate::comprehend::mechanical::marks::without_cut_mark;

/// What a view shows.
#[derive(Debug, Clone, Default)]
pub(in crate::comprehend::mechanical) struct Parts<'a> {
    /// The folder that relative paths in the view are below.
    pub(super) folder: Option<&'a str>,
    /// The number and text of the turn that set the goal.
    pub(super) goal: Option<(usize, &'a str)>,
    pub(super) latest: Option<&'a str>,
    pub(super) turn_count: Option<usize>,
    /// Calls without a result; where there are none the view has no such part.
    pub(super) unanswered: Vec<Open<'a>>,
    /// Whether there are calls without a result that the view leaves out.
    pub(super) leaves_unanswered_out: bool,
    pub(super) first_error: Option<&'a str>,
    pub(super) last_error: Option<&'a str>,
    pub(super) failures: Vec<Failure<'a>>,
    pub(super) refusals: Vec<Refusal<'a>>,
    pub(super) files: Vec<File<'a>>,
    pub(super) commands: Vec<Command<'a>>,
    /// The event and the text of the agent's last message.
    pub(super) last_answer: Option<(u64, &'a str)>,
    /// The last events, the oldest first.
    pub(super) events: Vec<Event<'a>>,
    /// Seconds of the run.
    pub(super) seconds: Option<u64>,
    /// Seconds since the last user turn.
    pub(super) since_prompt: Option<u64>,
    /// The newest first.
    pub(super) turns: Vec<Turn<'a>>,
    /// The newest first.
    pub(super) requests: Vec<Request<'a>>,
    pub(super) after_edit: Option<NamedCall<'a>>,
    pub(super) slowest: Option<NamedCall<'a>>,
    pub(super) subagents: Vec<Launch<'a>>,
    /// Tools by calls of the main thread, most used first.
    pub(super) tools: Vec<(&'a str, usize)>,
    /// Output tokens by model.
    pub(super) models: Vec<(&'a str, u64)>,
}

/// The part that list items belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum List {
    Unanswered,
    Failures,
    Refusals,
    Files,
    Commands,
    Events,
    Turns,
    Requests,
    Subagents,
    /// One that answers no question.
    Other,
}

pub(in crate::comprehend::mechanical) fn parse(view: &str) -> Parts<'_> {
    let mut found = Parts::default();
    let mut list = List::Other;
    for line in view.lines() {
        match line.strip_prefix("- ") {
            Some(entry) => {
                // An entry that is not as this reader knows it is not there for it.
                let _ = item(&mut found, list, entry);
            }
            None if line.starts_with("  ") => {}
            None => list = heading(&mut found, line).unwrap_or(List::Other),
        }
    }
    found
}

/// A line outside a list: its own content, and the list that it opens.
fn heading<'a>(found: &mut Parts<'a>, line: &'a str) -> Option<List> {
    let rest = |name: &str| line.strip_prefix(name);
    if let Some(rest) = rest("GOAL (turn ") {
        let (turn, _) = rest.split_once(',')?;
        found.goal = Some((turn.parse().ok()?, labelled(rest)?));
    } else if let Some(rest) = rest("LATEST REQUEST (turn ") {
        found.turn_count = rest.split_once(" of ")?.1.split_once(',')?.0.parse().ok();
        let text = labelled(rest)?;
        found.latest =
            if text == "the goal" { found.goal.map(|(_, goal)| goal) } else { Some(text) };
    } else if let Some(rest) = rest("LEFT OUT: ") {
        found.leaves_unanswered_out = rest.contains(" open calls");
    } else if let Some(text) = rest("LAST ERROR: ") {
        found.last_error = Some(without_cut_mark(text));
    } else if let Some(rest) = rest("FIRST ERROR (") {
        let text = labelled(rest)?;
        found.first_error = if text == "the last error" { found.last_error } else { Some(text) };
    } else if let Some(rest) = rest("LAST ANSWER (event ") {
        found.last_answer = Some((rest.split_once(')')?.0.parse().ok()?, labelled(rest)?));
    } else if let Some(rest) = rest("COUNTS: ") {
        found.turn_count = rest.split_once(" user turns")?.0.parse().ok();
    } else if let Some(rest) = rest("TIME: ") {
        found.seconds = rest.split_once(" s ")?.0.parse().ok();
        let (_, since) = rest.split_once("; ")?;
        found.since_prompt = since.split_once(" s ")?.0.parse().ok();
    } else if let Some(rest) = rest("TOOLS by calls of the main thread (") {
        let tools = rest.split_once("): ")?.1;
        let main = tools.split_once("; and ").map_or(tools, |(main, _)| main);
        found.tools = main.split(", ").filter_map(tool).collect();
    } else if let Some(rest) = rest("MODELS by output tokens (") {
        found.models = rest.split_once("): ")?.1.split("; ").filter_map(model).collect();
    } else if let Some(rest) = rest("AFTER THE LAST EDIT (event ") {
        found.after_edit = named_call(rest);
    } else if let Some(rest) = rest("SLOWEST CALL (event ") {
        found.slowest = named_call(rest);
    } else {
        return list(found, line);
    }
    None
}

/// What stands behind `...): `, without the mark of a cut.
fn labelled(rest: &str) -> Option<&str> {
    rest.split_once("): ").map(|(_, text)| without_cut_mark(text))
}

/// The heading of a list, or the line that says what is viewed.
fn list<'a>(found: &mut Parts<'a>, line: &'a str) -> Option<List> {
    let lists = [
        ("CALLS WITHOUT A RESULT ", List::Unanswered),
        ("FAILURES ", List::Failures),
        ("REFUSED CALLS ", List::Refusals),
        ("FILES ", List::Files),
        ("COMMANDS ", List::Commands),
        ("LAST EVENTS ", List::Events),
        ("TURNS (", List::Turns),
        ("REQUESTS (", List::Requests),
        ("SUBAGENTS ", List::Subagents),
    ];
    let opened = lists.into_iter().find(|(name, _)| line.starts_with(name) && line.ends_with("):"));
    if opened.is_none() && found.folder.is_none() {
        found.folder = folder(line);
    }
    opened.map(|(_, list)| list)
}

/// `in FOLDER, branch BRANCH, title TITLE, session ID`, of which any may be missing.
fn folder(line: &str) -> Option<&str> {
    let folder = line.strip_prefix("in ")?;
    let ends = [", branch ", ", title ", ", session "];
    let end = ends.into_iter().find_map(|end| folder.find(end));
    Some(end.map_or(folder, |end| &folder[..end]))
}

fn item<'a>(found: &mut Parts<'a>, list: List, entry: &'a str) -> Option<()> {
    match list {
        List::Unanswered => found.unanswered.push(open(entry)?),
        List::Failures => found.failures.push(failure(entry)?),
        List::Refusals => found.refusals.push(refusal(entry)?),
        List::Files => found.files.push(file(entry)),
        List::Commands => found.commands.push(command(entry)?),
        List::Events => found.events.push(event(entry)?),
        List::Turns => found.turns.push(turn(entry)?),
        List::Requests => found.requests.push(request(entry)?),
        List::Subagents => found.subagents.push(launch(entry)?),
        List::Other => {}
    }
    Some(())
}
