//! The entities among the words of a string.

use std::collections::BTreeSet;

use super::entity::{Entity, Kind};
use super::path::{is_file_name, path_form};

/// Names of remotes, which make no path.
const REMOTES: [&str; 2] = ["origin", "upstream"];

/// The fewest characters of a test or an identifier.
const SHORTEST_NAME: usize = 4;

/// The words of a string: "maximal runs of `[A-Za-z0-9_./~-]`", without what is dropped.
pub(super) fn words(string: &str) -> Vec<&str> {
    let runs = string.split(|it: char| !(it.is_ascii_alphanumeric() || "_./~-".contains(it)));
    runs.filter(|run| !run.is_empty()).filter_map(word).collect()
}

fn word(run: &str) -> Option<&str> {
    if run.starts_with('-') {
        return None;
    }
    let mut word = run;
    while let Some(rest) = word.strip_prefix("./") {
        word = rest;
    }
    let word = word.trim_end_matches(['.', '/', '-']);
    word.contains(|it: char| it.is_ascii_alphanumeric()).then_some(word)
}

/// The entities that a word is: "the first of these that fits".
pub(super) fn of_word(
    word: &str,
    branches: &BTreeSet<String>,
    folder: Option<&str>,
) -> Vec<Entity> {
    let one = |kind| vec![Entity::new(kind, word)];
    if branches.contains(word) {
        one(Kind::Branch)
    } else if is_hash(word) {
        one(Kind::Hash)
    } else if is_number(word) {
        one(Kind::Number)
    } else if is_path(word) {
        path_form(word, folder).map(|path| Entity::new(Kind::Path, path)).into_iter().collect()
    } else {
        word.split(['.', '/', '~', '-']).filter_map(name).collect()
    }
}

fn is_hash(word: &str) -> bool {
    (7..=40).contains(&word.len())
        && word.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
        && word.contains(|it: char| it.is_ascii_digit())
        && word.contains(|it: char| it.is_ascii_lowercase())
}

fn is_number(word: &str) -> bool {
    (4..=12).contains(&word.len()) && word.bytes().all(|it| it.is_ascii_digit())
}

fn is_path(word: &str) -> bool {
    match word.split_once('/') {
        Some((first, _)) => !is_test_name(first) && !REMOTES.contains(&first),
        None => is_file_name(word),
    }
}

/// The test or identifier that a part of a word is.
fn name(part: &str) -> Option<Entity> {
    if part.len() < SHORTEST_NAME || part.starts_with(|it: char| it.is_ascii_digit()) {
        None
    } else if is_test_name(part) {
        Some(Entity::new(Kind::Test, part))
    } else {
        is_identifier(part).then(|| Entity::new(Kind::Identifier, part))
    }
}

fn is_test_name(name: &str) -> bool {
    let is_type = name
        .strip_prefix("Test")
        .is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_uppercase() || it == '_'));
    name.starts_with("test_")
        || is_type
        || name.ends_with("_test")
        || name.ends_with("_tests")
        || (name.len() > 5 && (name.ends_with("Test") || name.ends_with("Tests")))
}

fn is_identifier(name: &str) -> bool {
    let bytes = name.as_bytes();
    let has_hump =
        bytes.windows(2).any(|it| it[0].is_ascii_lowercase() && it[1].is_ascii_uppercase());
    let has_end_of_capitals = bytes.windows(3).any(|it| {
        it[0].is_ascii_uppercase() && it[1].is_ascii_uppercase() && it[2].is_ascii_lowercase()
    });
    name.contains('_') || has_hump || has_end_of_capitals
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(string: &str) -> Vec<String> {
        let branches = BTreeSet::from(["main".to_owned(), "feat/x".to_owned()]);
        let entities =
            words(string).into_iter().flat_map(|it| of_word(it, &branches, Some("/w/run")));
        entities.map(|it| format!("{} {}", it.kind.name(), it.text)).collect()
    }

    #[test]
    fn words_are_runs_without_what_only_surrounds_them() {
        assert_eq!(words("a b/c. ././d/- (e-f) g=h é~i"), ["a", "b/c", "d", "e-f", "g", "h", "~i"]);
        assert_eq!(words("--flag=x -y ... ~ ./ __ ./-z"), ["x", "-z"]);
        assert_eq!(words("naïve"), ["na", "ve"]);
    }

    #[test]
    fn a_word_is_the_first_kind_that_fits() {
        assert_eq!(of("main feat/x feat/x/"), ["branch main", "branch feat/x", "branch feat/x"]);
        assert_eq!(
            of("abc1234 abcdefa 1234567 123456789012"),
            ["hash abc1234", "number 1234567", "number 123456789012"]
        );
        assert_eq!(of("123 1234567890123 ABC1234 abc123"), [""; 0]);
        assert_eq!(of(&"a1".repeat(21)), [""; 0]);
    }

    #[test]
    fn a_path_has_a_slash_or_is_a_file_name() {
        assert_eq!(
            of("/w/run/src/a.rs a/b README.md ~/x/y C:\\a\\b.rs ../up"),
            [
                "path src/a.rs",
                "path a/b",
                "path README.md",
                "path ~/x/y",
                "path b.rs",
                "path ../up"
            ]
        );
        assert_eq!(of("/w/run /w origin/next upstream/next"), [""; 0]);
        assert_eq!(
            of("TestThing/sub_case test_a/b_c"),
            ["test TestThing", "identifier sub_case", "test test_a",]
        );
        assert_eq!(
            of(".env.local .env"),
            ["path .env.local"],
            "something stands before the ending"
        );
    }

    #[test]
    fn names_are_told_from_prose() {
        for test in ["test_x", "TestX", "Test_x", "x_test", "x_tests", "fooTest", "FooTests"] {
            assert_eq!(of(test), [format!("test {test}")], "{test}");
        }
        for name in ["a_bc", "fooBar", "HTTPServer", "_abc", "Testing_x", "aTest1"] {
            assert_eq!(of(name), [format!("identifier {name}")], "{name}");
        }
        for none in ["word", "Word", "WORD", "a_b", "xY", "1a_bc", "Testing", "contest", "ÉtéÉté"]
        {
            assert_eq!(of(none), [""; 0], "{none}");
        }
        assert_eq!(
            of("aTest a.fooBar-x_yz"),
            ["identifier aTest", "identifier fooBar", "identifier x_yz"]
        );
    }

    #[test]
    fn a_pattern_is_read_like_any_text() {
        assert_eq!(
            of(r"fn (foo_bar|fooBar)\b.*\.rs$"),
            ["identifier foo_bar", "identifier fooBar"]
        );
    }
}
