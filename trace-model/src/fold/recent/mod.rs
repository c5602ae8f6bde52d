//! What the main thread's agent has used and named last: commands, paths in them, names, references. Agents go on to
//! need it (`docs/METHODOLOGY.md`, "Replay"); the handover view lists it.
//!
//! Bounded: tables keep what was used last, and only the start of a text is searched. What results and messages
//! merely mention is kept apart from what the agent itself used.

mod command;
mod open;
mod pieces;
mod references;
mod shapes;
mod table;

use serde::{Deserialize, Serialize};

use self::command::{COMMAND_CHARS, branches, failing_tests, first_line, stripped};
use self::open::OpenCommands;
use self::pieces::{Piece, pieces};
use self::references::References;
use self::shapes::{Any, MayName, MayNameOrLead, Wanted, Word, words};
use self::table::{Entry, Table};
use super::input::CallInput;
use crate::event::Outcome;
use crate::ids::{Digest64, Seq};
use crate::json::Tree;
use crate::text::head;

pub use references::{Reference, ReferenceKind};
pub(crate) use table::standing;

/// Characters of a call's text or a message that are searched for names.
const SEARCHED_CHARS: usize = 2000;
/// Characters of a result that are.
const RESULT_CHARS: usize = 1500;
/// Characters of a path or a name that is kept.
const WORD_CHARS: usize = 400;

/// A command, as it is run again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandUse<'a> {
    /// Its first line without the folder before, redirections, and what only shortens the output.
    pub text: &'a str,
    /// Whether it is longer than what is kept of it.
    pub cut: bool,
    /// How many lines followed the first in its last run.
    pub more_lines: u64,
    /// How often it was run.
    pub runs: u64,
    /// How many of these runs failed.
    pub failed: u64,
    /// The event of the last run.
    pub last_at: Seq,
    /// How that ended; none if there is no result yet.
    pub last: Option<Outcome>,
    /// Tests that its last result says have failed.
    pub failing: &'a [String],
}

/// A path or a name that was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordUse<'a> {
    /// Its text; a path below the run's folder is given from there.
    pub text: &'a str,
    /// How often.
    pub uses: u64,
    /// The event of the last use.
    pub last_at: Seq,
}

/// Where a name stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameSource {
    /// In the input of a call that writes no file: a command, a search.
    Call,
    /// In a message of the agent or a person.
    Said,
    /// In a result.
    Result,
}

/// What is known of a command besides its text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct CommandWork {
    cut: bool,
    more_lines: u64,
    failed: u64,
    last: Option<Outcome>,
    failing: Vec<String>,
}

/// What was used last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recent {
    folder: Option<String>,
    commands: Table<CommandWork>,
    /// The commands of calls that have no result yet.
    open: OpenCommands,
    paths: Table<()>,
    mentioned: Table<()>,
    called: Table<()>,
    said: Table<()>,
    seen: Table<()>,
    references: References,
}

impl Default for Recent {
    fn default() -> Self {
        Self {
            folder: None,
            commands: Table::new(400),
            open: OpenCommands::default(),
            paths: Table::new(400),
            mentioned: Table::new(300),
            called: Table::new(500),
            said: Table::new(500),
            seen: Table::new(300),
            references: References::default(),
        }
    }
}

/// Reading.
impl Recent {
    /// The folder that the run works in: the first that the main thread states. Paths are given from there.
    pub fn folder(&self) -> Option<&str> {
        self.folder.as_deref()
    }

    /// The commands run last, by recency and use.
    pub fn commands(&self) -> Vec<CommandUse<'_>> {
        self.commands.most_used_first().into_iter().map(command_use).collect()
    }

    /// How many commands there were, kept or not.
    pub fn command_count(&self) -> u64 {
        self.commands.count()
    }

    /// The paths that commands named last, newest first.
    pub fn paths(&self) -> Vec<WordUse<'_>> {
        word_uses(&self.paths)
    }

    /// The paths of files that messages and results mentioned last, newest first.
    pub fn mentioned_paths(&self) -> Vec<WordUse<'_>> {
        word_uses(&self.mentioned)
    }

    /// The names that stood there last, newest first.
    pub fn names(&self, source: NameSource) -> Vec<WordUse<'_>> {
        word_uses(match source {
            NameSource::Call => &self.called,
            NameSource::Said => &self.said,
            NameSource::Result => &self.seen,
        })
    }

    /// Commits, branches, issues, addresses and numbers, newest first.
    pub fn references(&self) -> Vec<Reference<'_>> {
        self.references.newest_first()
    }
}

fn command_use(entry: &Entry<CommandWork>) -> CommandUse<'_> {
    let CommandWork { cut, more_lines, failed, last, failing } = &entry.value;
    CommandUse {
        text: &entry.text,
        cut: *cut,
        more_lines: *more_lines,
        runs: entry.uses,
        failed: *failed,
        last_at: entry.last_at,
        last: *last,
        failing,
    }
}

fn word_uses(table: &Table<()>) -> Vec<WordUse<'_>> {
    let entries = table.newest_first().into_iter();
    entries
        .map(|Entry { text, uses, last_at, .. }| WordUse { text, uses: *uses, last_at: *last_at })
        .collect()
}

/// Folding.
impl Recent {
    /// The main thread states its working folder.
    pub(super) fn work_in(&mut self, folder: &str) {
        if self.folder.is_none() && !folder.is_empty() {
            self.folder = Some(folder.to_owned());
        }
    }

    /// The agent calls a tool. Of what it writes into files nothing is kept: agents rarely go on to need a name that
    /// stood only there.
    pub(super) fn call(
        &mut self,
        id: Option<Digest64>,
        input: &CallInput<'_>,
        writes: bool,
        at: Seq,
    ) {
        let Some(value) = input.value().filter(|_| !writes) else { return };
        let command = input.command();
        let branches = command.as_deref().map(|text| branches(head(text, SEARCHED_CHARS)));
        let branches = branches.unwrap_or_default();
        if let Some(text) = &command {
            self.command(id, text, &branches, at);
        }
        let called = &mut self.called;
        each_string(value, &mut |text| {
            note_names(called, head(text, SEARCHED_CHARS), &branches, at);
        });
    }

    fn command(&mut self, id: Option<Digest64>, text: &str, branches: &[&str], at: Seq) {
        let (line, more_lines) = first_line(text);
        let line = head(line, 4 * COMMAND_CHARS);
        if let Some(left) = stripped(line) {
            let kept = head(&left, COMMAND_CHARS);
            let key = Digest64::of(kept);
            let work = self.commands.use_key(key, kept, at, CommandWork::default);
            work.cut = kept.len() < left.len();
            work.more_lines = more_lines;
            work.last = None;
            work.failing.clear();
            if let Some(id) = id {
                self.open.insert(id, key, at);
            }
        }
        for branch in branches {
            self.references.note(ReferenceKind::Branch, head(branch, WORD_CHARS), at);
        }
        self.references.asked(line, at);
        for piece in pieces(line) {
            match piece {
                Piece::Url(url) => self.references.url(url, at),
                Piece::Text(text) => {
                    self.references.issues(text, at);
                    words::<Any>(text)
                        .filter(|word| !branches.contains(&word.text))
                        .for_each(|word| self.word(word, at));
                }
            }
        }
    }

    /// A word of a command.
    fn word(&mut self, word: Word<'_>, at: Seq) {
        if word.is_hash() {
            self.references.note(ReferenceKind::Commit, word.text, at);
        } else if word.is_number() {
            self.references.note(ReferenceKind::Number, word.text, at);
        } else if word.is_path()
            && let Some(path) = path_form(word.text, self.folder.as_deref())
        {
            self.paths.use_text(path, at, || ());
        }
    }

    /// A call was answered. `text` is what its tool said.
    pub(super) fn result(&mut self, id: Digest64, outcome: Outcome, text: &str, at: Seq) {
        if let Some((command, issued_at)) = self.open.remove(id)
            && let Some(entry) = self.commands.get_mut(command)
        {
            entry.value.failed += u64::from(outcome == Outcome::Failed);
            // A run that began since has not ended yet, or has said how.
            if entry.last_at == issued_at {
                entry.value.last = Some(outcome);
                entry.value.failing = failing_tests(text);
            }
        }
        let start = head(text, RESULT_CHARS);
        self.references.of_git(start, at);
        self.mention::<MayNameOrLead>(start, at, NameSource::Result);
    }

    /// The agent or a person says something.
    pub(super) fn say(&mut self, text: &str, at: Seq) {
        let start = head(text, SEARCHED_CHARS);
        self.references.asked(start, at);
        self.mention::<Any>(start, at, NameSource::Said);
    }

    /// `W` are the words that may be something there.
    fn mention<W: Wanted>(&mut self, text: &str, at: Seq, source: NameSource) {
        let Self { folder, mentioned, seen, said, references, .. } = self;
        let is_said = source == NameSource::Said;
        let table = if is_said { said } else { seen };
        for piece in pieces(text) {
            let text = match piece {
                Piece::Text(text) => text,
                Piece::Url(url) => {
                    references.url(url, at);
                    continue;
                }
            };
            references.issues(text, at);
            for word in words::<W>(text) {
                if word.is_path() {
                    if is_file_below_a_folder(word.text)
                        && let Some(path) = path_form(word.text, folder.as_deref())
                    {
                        mentioned.use_text(path, at, || ());
                    }
                } else if is_said && word.is_hash() {
                    references.note(ReferenceKind::Commit, word.text, at);
                } else {
                    word.names(|name| note(table, name, at));
                }
            }
        }
    }
}

fn note_names(table: &mut Table<()>, text: &str, branches: &[&str], at: Seq) {
    for piece in pieces(text) {
        let Piece::Text(text) = piece else { continue };
        for word in
            words::<MayName>(text).filter(|word| !word.is_path() && !branches.contains(&word.text))
        {
            word.names(|name| note(table, name, at));
        }
    }
}

fn note(table: &mut Table<()>, name: &str, at: Seq) {
    if name.len() <= WORD_CHARS {
        table.use_text(name, at, || ());
    }
}

/// Whether a path has a folder, and ends in a file's name.
fn is_file_below_a_folder(word: &str) -> bool {
    let file = word.rsplit_once('/').map(|(_, file)| file);
    file.is_some_and(shapes::is_file_name) && !word.starts_with("//")
}

/// A path as it is given: below the run's folder from there. None for the folder, those that lead to it, and what is
/// too short or too long to be looked for.
fn path_form<'p>(path: &'p str, folder: Option<&str>) -> Option<&'p str> {
    let path = path.trim_end_matches('/');
    let below =
        folder.and_then(|folder| path.strip_prefix(folder)).and_then(|rest| rest.strip_prefix('/'));
    let leads = folder.is_some_and(|folder| {
        folder.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    let path = below.unwrap_or(path);
    (!leads && (3..=WORD_CHARS).contains(&path.len())).then_some(path)
}

/// Gives every string of a value, in order.
fn each_string(value: &Tree<'_>, give: &mut impl FnMut(&str)) {
    match value {
        Tree::Text(text) => give(text),
        Tree::List(list) => list.iter().for_each(|value| each_string(value, give)),
        Tree::Object(fields) => fields.iter().for_each(|(_, value)| each_string(value, give)),
        Tree::Scalar(_) => {}
    }
}

#[cfg(test)]
mod tests;
