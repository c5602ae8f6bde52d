//! What is being worked on: files, commands, names, references.

use std::collections::{BTreeMap, HashSet};

use super::Scope;
use crate::event::Outcome;
use crate::fold::{
    CommandUse, FileUse, NameSource, ReferenceKind, RunState, ShownFact, WordUse, standing,
};
use crate::ids::Seq;
use crate::text::one_line;
use crate::view::handover::part::Part;
use crate::view::handover::worth::{self, Worth};
use crate::view::words::outcome_name;

/// How files are ordered, and what the letters before a path count.
const ABOUT_FILES: &str = "; r read, w written, sr and sw by subagents, c in commands";

/// Characters shown of a path or a word.
const WORD_CHARS: usize = 200;

/// `stated` are the facts that the view shows: lists of what results said do not repeat their keys and values.
pub(super) fn add<'a>(
    parts: &mut Vec<Part<'a>>,
    state: &'a RunState,
    scope: Scope,
    stated: &[ShownFact<'a>],
) {
    let stated: HashSet<&str> = stated.iter().flat_map(|fact| [fact.key, fact.value]).collect();
    parts.push(files(state, scope));
    parts.push(commands(state, scope));
    let names = [
        (&worth::NAMES_CALLED, NameSource::Call),
        (&worth::NAMES_SAID, NameSource::Said),
        (&worth::NAMES_SEEN, NameSource::Result),
    ];
    parts.extend(names.map(|(worth, source)| names_of(state, scope, worth, source, &stated)));
    parts.push(paths_seen(state, scope));
    parts.push(references(state, scope, &stated));
}

/// What was done to a file: with tools of its own, and by naming it in commands.
#[derive(Default)]
struct FileWork<'a> {
    used: Option<&'a FileUse>,
    named: u64,
    last_at: Seq,
}

impl FileWork<'_> {
    fn uses(&self) -> u64 {
        self.named + self.used.map_or(0, |file| file.reads() + file.writes())
    }
}

fn files(state: &RunState, scope: Scope) -> Part<'_> {
    let mut files: BTreeMap<&str, FileWork<'_>> = BTreeMap::new();
    for (path, file) in state.files() {
        if file.reads() + file.writes() > 0 {
            let work = files.entry(below_folder(state, path)).or_default();
            work.used = Some(file);
            work.last_at = file.last_at;
        }
    }
    for WordUse { text, uses, last_at } in state.recent().paths() {
        let work = files.entry(text).or_default();
        work.named = uses;
        work.last_at = work.last_at.max(last_at);
    }
    let mut files: Vec<_> =
        files.into_iter().filter(|(_, work)| scope.shows(work.last_at)).collect();
    files.sort_by_key(|(path, work)| {
        (std::cmp::Reverse(standing(work.last_at, work.uses())), *path)
    });
    let total = files.len() as u64;

    Part::lines(
        &worth::FILES,
        total,
        ABOUT_FILES,
        files.into_iter().map(|(path, work)| file(path, &work)),
    )
}

fn file(path: &str, work: &FileWork<'_>) -> String {
    let (main, subagents) = work.used.map(|file| (file.main, file.subagents)).unwrap_or_default();
    let uses = [
        ("r", main.reads),
        ("w", main.writes),
        ("sr", subagents.reads),
        ("sw", subagents.writes),
        ("c", work.named),
    ];
    let mut line = "-".to_owned();
    for (letter, count) in uses.into_iter().filter(|(_, count)| *count > 0) {
        line.push(' ');
        line.push_str(letter);
        line.push_str(&count.to_string());
    }
    line.push(' ');
    line.push_str(&one_line(path, 2 * WORD_CHARS, None));
    line
}

/// A path as the view shows it: below the run's folder it is given from there.
pub(super) fn below_folder<'a>(state: &'a RunState, path: &'a str) -> &'a str {
    let folder = state.recent().folder().unwrap_or_default();
    let below = path.strip_prefix(folder).and_then(|path| path.strip_prefix('/'));
    below.filter(|below| !below.is_empty() && !folder.is_empty()).unwrap_or(path)
}

fn commands(state: &RunState, scope: Scope) -> Part<'_> {
    let all = state.recent().commands();
    let dropped = state.recent().command_count().saturating_sub(all.len() as u64);
    let commands: Vec<CommandUse<'_>> =
        all.into_iter().filter(|command| scope.shows(command.last_at)).collect();
    let total = commands.len() as u64 + dropped;
    let about = ", how each ended last";
    Part::lines(&worth::COMMANDS, total, about, commands.into_iter().map(|it| command(&it)))
}

fn command(command: &CommandUse<'_>) -> String {
    let ended = command.last.map_or("no result", outcome_name);
    let runs = match (command.runs, command.failed) {
        (1, _) => String::new(),
        (runs, 0) => format!(" x{runs}"),
        (runs, failed) if command.last == Some(Outcome::Failed) && runs == failed => {
            format!(" x{runs}")
        }
        (runs, failed) => format!(" x{runs}, {failed} failed"),
    };
    let more = match command.more_lines {
        0 => String::new(),
        lines => format!(" [and {lines} more lines]"),
    };
    let cut = if command.cut { "…" } else { "" };
    let failing = match command.failing {
        [] => String::new(),
        names => format!("; failing: {}", one_line(&names.join(", "), WORD_CHARS, None)),
    };
    format!("- {ended}{runs}: {}{cut}{more}{failing}", one_line(command.text, WORD_CHARS, None))
}

fn names_of<'a>(
    state: &'a RunState,
    scope: Scope,
    worth: &'static Worth,
    source: NameSource,
    stated: &HashSet<&str>,
) -> Part<'a> {
    let names = state.recent().names(source);
    // What the agent named itself is listed in any case: facts give way early.
    let is_fact = |name: &str| matches!(source, NameSource::Result) && stated.contains(name);
    let is_shown = |name: &WordUse<'_>| scope.shows(name.last_at) && !is_fact(name.text);
    let names: Vec<_> = names.into_iter().filter(is_shown).collect();
    let total = names.len() as u64;
    let words = names.into_iter().map(|name| one_line(name.text, WORD_CHARS, None));
    Part::words(worth, total, "", words)
}

fn paths_seen(state: &RunState, scope: Scope) -> Part<'_> {
    let paths = state.recent().mentioned_paths();
    let is_used = |path: &str| state.files().contains_key(path);
    let paths: Vec<_> =
        paths.into_iter().filter(|path| scope.shows(path.last_at) && !is_used(path.text)).collect();
    let total = paths.len() as u64;
    let words = paths.into_iter().map(|path| one_line(path.text, WORD_CHARS, None));
    Part::words(&worth::PATHS_SEEN, total, "", words)
}

fn references<'a>(state: &'a RunState, scope: Scope, stated: &HashSet<&str>) -> Part<'a> {
    let references = state.recent().references().into_iter();
    let references: Vec<_> =
        references.filter(|it| scope.shows(it.last_at) && !stated.contains(it.text)).collect();
    let total = references.len() as u64;
    let words = references.into_iter().map(|reference| {
        let text = one_line(reference.text, WORD_CHARS, None);
        match reference.kind {
            ReferenceKind::Commit => format!("commit {text}"),
            ReferenceKind::Branch => format!("branch {text}"),
            ReferenceKind::Issue | ReferenceKind::Url | ReferenceKind::Number => text,
        }
    });
    Part::words(&worth::REFERENCES, total, "", words)
}
