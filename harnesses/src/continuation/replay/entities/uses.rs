//! The entities that a call uses.

use std::collections::BTreeSet;

use super::branch::branches;
use super::command::stripped;
use super::path::Folder;
use super::reference::{gh_issues, issue_of_url, take_issues, take_urls};
use super::words::{entities, path_of, words};
use crate::continuation::replay::input::Place;
use crate::continuation::replay::items::Call;
use crate::continuation::replay::normal::normal;

/// What an entity is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::continuation::replay) enum EntityKind {
    /// A file or a folder.
    Path,
    /// A command without what changes from run to run.
    Command,
    /// A name of several words.
    Identifier,
    /// A test's name.
    Test,
    /// The id of a commit, or the like.
    Hash,
    /// A number of four or more digits.
    Number,
    /// An address.
    Url,
    /// A branch.
    Branch,
    /// An issue or a pull request.
    Issue,
    /// A command as it was given: for comparison, never pooled.
    WholeCommand,
}

impl EntityKind {
    /// All kinds, in the order in which they are listed.
    pub(in crate::continuation::replay) const ALL: [Self; 10] = [
        Self::Path,
        Self::Command,
        Self::Identifier,
        Self::Test,
        Self::Hash,
        Self::Number,
        Self::Url,
        Self::Branch,
        Self::Issue,
        Self::WholeCommand,
    ];

    /// Its name.
    pub(in crate::continuation::replay) fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Command => "command",
            Self::Identifier => "identifier",
            Self::Test => "test",
            Self::Hash => "hash",
            Self::Number => "number",
            Self::Url => "url",
            Self::Branch => "branch",
            Self::Issue => "issue",
            Self::WholeCommand => "whole command",
        }
    }
}

/// What a call uses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::continuation::replay) struct Entity {
    /// What it is.
    pub(in crate::continuation::replay) kind: EntityKind,
    /// Its text.
    pub(in crate::continuation::replay) text: String,
}

/// An entity that a call uses, and for a command the whole that it was given as.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::continuation::replay) struct Use {
    pub(in crate::continuation::replay) entity: Entity,
    pub(in crate::continuation::replay) whole: Option<String>,
}

impl Use {
    fn new(kind: EntityKind, text: String) -> Self {
        Self { entity: Entity { kind, text }, whole: None }
    }
}

/// What a call uses, each once, in order.
pub(in crate::continuation::replay) fn uses(call: &Call, folder: &Folder) -> Vec<Use> {
    let mut found = BTreeSet::new();
    let command = call.input.command().filter(|_| !call.writes);
    if let Some((left, whole)) = command.as_deref().and_then(stripped) {
        found.insert(Use::new(EntityKind::WholeCommand, whole.clone()));
        let entity = Entity { kind: EntityKind::Command, text: left };
        found.insert(Use { entity, whole: Some(whole) });
    }
    for path in path_fields(call, folder) {
        found.insert(Use::new(EntityKind::Path, path));
    }
    if !call.writes {
        let branches = command.as_deref().map(branches).unwrap_or_default();
        for branch in &branches {
            found.insert(Use::new(EntityKind::Branch, branch.clone()));
        }
        for (place, text) in call.input.strings() {
            if place != Place::Path {
                string(place, &text, &branches, folder, &mut |kind, text| {
                    found.insert(Use::new(kind, text));
                });
            }
        }
    }
    found.into_iter().collect()
}

/// The paths that fields and patches of a call name.
fn path_fields(call: &Call, folder: &Folder) -> Vec<String> {
    let strings = call.input.strings();
    let fields = strings.iter().filter(|(place, _)| *place == Place::Path).map(|(_, text)| text);
    let paths = fields.chain(&call.patched);
    paths.filter_map(|path| folder.path_form(normal(path).trim())).collect()
}

/// The paths that a call names in fields, in a patch, and as words of its command, in order.
pub(in crate::continuation::replay) fn paths_of(call: &Call, folder: &Folder) -> Vec<String> {
    let mut paths = path_fields(call, folder);
    if let Some(command) = call.input.command().filter(|_| !call.writes) {
        let branches = branches(&command);
        let mut rest = normal(&command);
        take_urls(&mut rest);
        paths.extend(words(&rest).filter_map(|word| path_of(word, &branches, folder)));
    }
    paths
}

fn string(
    place: Place,
    text: &str,
    branches: &[String],
    folder: &Folder,
    give: &mut impl FnMut(EntityKind, String),
) {
    // What follows the first line is a document that the agent writes.
    let text = text.trim();
    let mut rest = normal(text.split_once('\n').map_or(text, |(first, _)| first));
    let named = if place == Place::Command { gh_issues(&rest) } else { Vec::new() };
    for url in take_urls(&mut rest) {
        if let Some(issue) = issue_of_url(&url) {
            give(EntityKind::Issue, issue);
        }
        give(EntityKind::Url, url);
    }
    for issue in named.into_iter().chain(take_issues(&mut rest)) {
        give(EntityKind::Issue, issue);
    }
    for word in words(&rest) {
        entities(word, branches, folder, give);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::continuation::replay::input::Node;

    fn call(json: &str, writes: bool) -> Call {
        let input = Node::parse(json);
        Call { id: None, tool: "t".to_owned(), reads: false, writes, input, patched: Vec::new() }
    }

    fn found(call: &Call) -> Vec<String> {
        let uses = uses(call, &Folder::new("/w"));
        uses.iter().map(|it| format!("{} {}", it.entity.kind.name(), it.entity.text)).collect()
    }

    #[test]
    fn a_command_is_an_entity_and_so_are_its_words() {
        let call = call(
            r#"{"command":"cd /w && git checkout -b fix/a_b 2>&1 | tail -3","description":"see #7"}"#,
            false,
        );
        assert_eq!(
            found(&call),
            [
                "command git checkout -b fix/a_b",
                "branch fix/a_b",
                "issue #7",
                "whole command cd /w && git checkout -b fix/a_b 2>&1 | tail -3",
            ]
        );
        let whole = uses(&call, &Folder::new("/w"))[0].whole.clone();
        assert_eq!(whole.as_deref(), Some("cd /w && git checkout -b fix/a_b 2>&1 | tail -3"));
    }

    #[test]
    fn several_lines_are_no_command_and_only_the_first_is_looked_at() {
        let call = call(
            r#"{"cmd":["bash","-lc","aa_bb https://x.example/o/r/issues/3, 4321\nsee cc_dd"]}"#,
            false,
        );
        assert_eq!(
            found(&call),
            ["identifier aa_bb", "number 4321", "url https://x.example/o/r/issues/3", "issue #3"]
        );
    }

    #[test]
    fn a_field_that_names_a_file_is_a_path_whatever_it_looks_like() {
        let reading =
            call(r#"{"path":"/w/some_name","pattern":"fooBar","in":{"path":"x/y"}}"#, false);
        assert_eq!(found(&reading), ["path some_name", "path x/y", "identifier fooBar"]);
    }

    #[test]
    fn of_a_tool_that_writes_only_the_files_count() {
        let mut writing =
            call(r#"{"file_path":"/w/a.rs","content":"fooBar b.rs","command":"make all"}"#, true);
        assert_eq!(found(&writing), ["path a.rs"]);
        writing.patched = vec!["./src/c.rs".to_owned()];
        assert_eq!(found(&writing), ["path a.rs", "path src/c.rs"]);
    }

    #[test]
    fn paths_of_a_call_are_in_the_order_in_which_they_stand() {
        let call = call(r#"{"command":"cp b.rs src/a.rs; echo fooBar deadbee1"}"#, false);
        assert_eq!(paths_of(&call, &Folder::default()), ["b.rs", "src/a.rs"]);
    }
}
