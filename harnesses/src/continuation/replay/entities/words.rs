//! What a word of a string is.

use super::path::{Folder, is_file_name};
use super::uses::EntityKind;

/// The words of a text, as they are looked at.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_in = |c: char| c.is_ascii_alphanumeric() || "_./~-".contains(c);
    text.split(move |c: char| !is_in(c)).filter_map(|word| {
        if word.starts_with('-') {
            return None;
        }
        let mut word = word;
        while let Some(rest) = word.strip_prefix("./") {
            word = rest;
        }
        let word = word.trim_end_matches(['.', '/', '-']);
        word.bytes().any(|byte| byte.is_ascii_alphanumeric()).then_some(word)
    })
}

/// Gives what a word is; `branches` are those of its call.
pub(super) fn entities(
    word: &str,
    branches: &[String],
    folder: &Folder,
    give: &mut impl FnMut(EntityKind, String),
) {
    if branches.iter().any(|branch| branch == word) {
        give(EntityKind::Branch, word.to_owned());
    } else if is_hash(word) {
        give(EntityKind::Hash, word.to_owned());
    } else if is_number(word) {
        give(EntityKind::Number, word.to_owned());
    } else if is_path(word) {
        if let Some(path) = folder.path_form(word) {
            give(EntityKind::Path, path);
        }
    } else {
        for part in word.split(['.', '/', '~', '-']) {
            if part.len() < 4 || part.starts_with(|first: char| first.is_ascii_digit()) {
                continue;
            }
            if is_test(part) {
                give(EntityKind::Test, part.to_owned());
            } else if is_identifier(part) {
                give(EntityKind::Identifier, part.to_owned());
            }
        }
    }
}

/// The path that a word is, if it is one and nothing else.
pub(super) fn path_of(word: &str, branches: &[String], folder: &Folder) -> Option<String> {
    let other = branches.iter().any(|branch| branch == word) || is_hash(word) || is_number(word);
    if other || !is_path(word) { None } else { folder.path_form(word) }
}

fn is_hash(word: &str) -> bool {
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (7..=40).contains(&word.len())
        && word.bytes().all(hex)
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn is_number(word: &str) -> bool {
    (4..=12).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_path(word: &str) -> bool {
    match word.split_once('/') {
        Some((first, _)) => !is_test(first) && !matches!(first, "origin" | "upstream"),
        None => is_file_name(word),
    }
}

/// Whether a name is a test's.
fn is_test(name: &str) -> bool {
    let named_test = |rest: &str| rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
    name.starts_with("test_")
        || name.strip_prefix("Test").is_some_and(named_test)
        || name.ends_with("_test")
        || name.ends_with("_tests")
        || (name.chars().count() > 5 && (name.ends_with("Test") || name.ends_with("Tests")))
}

fn is_identifier(name: &str) -> bool {
    let bytes = name.as_bytes();
    let camel = |two: &[u8]| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase();
    let acronym = |three: &[u8]| {
        three[0].is_ascii_uppercase()
            && three[1].is_ascii_uppercase()
            && three[2].is_ascii_lowercase()
    };
    name.contains('_') || bytes.windows(2).any(camel) || bytes.windows(3).any(acronym)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let branches = ["fix/loop".to_owned()];
        let mut found = Vec::new();
        for word in words(text) {
            entities(word, &branches, &Folder::new("/w/repo"), &mut |kind, text| {
                found.push(format!("{} {text}", kind.name()));
            });
        }
        found
    }

    #[test]
    fn a_word_is_the_first_that_fits() {
        assert_eq!(found("fix/loop fix/loops"), ["branch fix/loop", "path fix/loops"]);
        assert_eq!(
            found("deadbee1 deadbeef 1234567 123 1234567890123"),
            ["hash deadbee1", "number 1234567"]
        );
        assert_eq!(
            found("./src/a.rs/ main.go. --flag=x.py -x.py"),
            ["path src/a.rs", "path main.go", "path x.py"]
        );
        assert_eq!(
            found("origin/main TestA/some_case test_x/y"),
            ["test TestA", "identifier some_case", "test test_x"]
        );
        assert_eq!(found("/w/repo /w /w/repo/x/y"), ["path x/y"]);
        assert_eq!(found("../up ~/x"), ["path ../up", "path ~/x"]);
        assert_eq!(found("... / - ._"), [""; 0]);
    }

    #[test]
    fn names_are_tests_or_identifiers() {
        assert_eq!(
            found("test_a Testing TestX Test_y a_test TestsX"),
            ["test test_a", "test TestX", "test Test_y", "test a_test", "identifier TestsX"]
        );
        assert_eq!(
            found("FooTest fooTests Test ATest"),
            ["test FooTest", "test fooTests", "identifier ATest"]
        );
        assert_eq!(
            found("ATest2 HTTPServer fooBar foo_bar FooBar FOO Foo foo a_b"),
            [
                "identifier ATest2",
                "identifier HTTPServer",
                "identifier fooBar",
                "identifier foo_bar",
                "identifier FooBar"
            ]
        );
        assert_eq!(found("self.fooBar-bazQux 9fooBar"), ["identifier fooBar", "identifier bazQux"]);
    }
}
