//! The entities that a call uses.

use std::collections::BTreeSet;

use super::address::{taken_out, told_to_gh};
use super::branch::branches;
use super::command::{Command, command};
use super::entity::{Entity, Kind};
use super::normal::normal_form;
use super::path::path_form;
use super::words::{of_word, words};
use crate::oracle::Input;

/// What a call uses.
#[derive(Debug, Clone, Default)]
pub(super) struct Used {
    pub(super) entities: BTreeSet<Entity>,
    /// Its command, whose whole form stands for what is left of it too.
    pub(super) command: Option<Command>,
}

/// What a call uses, by its input and the run's folder.
pub(super) fn used(input: &Input, folder: Option<&str>) -> Used {
    let mut entities: BTreeSet<Entity> = of_path_fields(input, folder).collect();
    // "For a tool that writes files only its fields [...], its command text left aside."
    if input.writes {
        return Used { entities, command: None };
    }
    let command_text = input.command.as_deref().unwrap_or_default();
    let branches = branches(command_text);
    let strings = input.others.iter().map(String::as_str).chain([command_text]);
    entities.extend(strings.flat_map(|string| of_string(string, &branches, folder)));
    entities.extend(told_to_gh(&normal_form(first_line(command_text))));
    entities.extend(branches.into_iter().map(|branch| Entity::new(Kind::Branch, branch)));
    let command = command(command_text);
    if let Some(command) = &command {
        entities.insert(Entity::new(Kind::Command, &command.left));
        entities.insert(Entity::new(Kind::WholeCommand, &command.whole));
    }
    Used { entities, command }
}

/// "Each top-level field [...] that is a string, and each file that a patch names."
fn of_path_fields<'a>(
    input: &'a Input,
    folder: Option<&'a str>,
) -> impl Iterator<Item = Entity> + 'a {
    input.paths.iter().chain(&input.patched).filter_map(move |path| {
        let path = path_form(normal_form(path).trim_matches(' '), folder)?;
        Some(Entity::new(Kind::Path, path))
    })
}

/// "Trimmed, only the first line is looked at": what follows it is written, not looked up.
fn first_line(string: &str) -> &str {
    let string = string.trim();
    string.split_once('\n').map_or(string, |(first, _)| first)
}

/// The entities of a string that is no path.
fn of_string(string: &str, branches: &BTreeSet<String>, folder: Option<&str>) -> Vec<Entity> {
    let (mut entities, rest) = taken_out(&normal_form(first_line(string)));
    entities.extend(words(&rest).into_iter().flat_map(|word| of_word(word, branches, folder)));
    entities
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(input: &Input) -> Vec<String> {
        let used = used(input, Some("/w/run"));
        used.entities.into_iter().map(|it| format!("{} {}", it.kind.name(), it.text)).collect()
    }

    fn texts(of: &[&str]) -> Vec<String> {
        of.iter().map(|&it| it.to_owned()).collect()
    }

    #[test]
    fn a_call_uses_an_entity_under_every_kind_that_fits() {
        let command = Some("git push origin topic; gh pr view 4321 2>&1".to_owned());
        let input = Input { command, others: texts(&["topic #7"]), ..Input::default() };
        assert_eq!(
            of(&input),
            [
                "command git push origin topic; gh pr view 4321",
                "number 4321",
                "branch topic",
                "issue #4321",
                "issue #7",
                "whole command git push origin topic; gh pr view 4321 2>&1",
            ]
        );
    }

    #[test]
    fn of_a_tool_that_writes_only_paths_are_used() {
        let input = Input {
            writes: true,
            paths: texts(&["/w/run/a b.txt", "/w/run"]),
            patched: texts(&["./c/é"]),
            command: Some("view src/a.rs".into()),
            others: texts(&["foo_bar"]),
            ..Input::default()
        };
        assert_eq!(of(&input), ["path a b.txt", "path c/é"]);
        assert_eq!(of(&Input { writes: false, ..input }).len(), 6);
    }

    #[test]
    fn a_path_field_is_a_path_whatever_it_looks_like() {
        let input =
            Input { paths: texts(&[" #12 ", "https://a/b", "abc1234"]), ..Input::default() };
        assert_eq!(of(&input), ["path #12", "path abc1234", "path https://a/b"]);
    }

    #[test]
    fn a_command_of_several_lines_is_none_but_its_words_count() {
        let input =
            Input { command: Some("foo_bar\ngit checkout topic".into()), ..Input::default() };
        assert_eq!(of(&input), ["identifier foo_bar", "branch topic"]);
    }
}
