//! Commands without what changes from one run of them to the next.

use std::sync::LazyLock;

use regex::Regex;

use crate::continuation::replay::normal::normal;

/// The fewest and the most characters that must be left of a command.
const LENGTH: std::ops::RangeInclusive<usize> = 4..=200;

/// A command text as it is compared: without changes of folder, redirections, and what only cuts its output;
/// and whole. None if it has several lines, or too little or too much is left.
pub(in crate::continuation::replay) fn stripped(text: &str) -> Option<(String, String)> {
    if text.trim().contains('\n') {
        return None;
    }
    let whole = normal(text).trim().to_owned();
    let left = without_redirections(without_folder(&whole));
    let left = without_pager(&left).trim().to_owned();
    LENGTH.contains(&left.chars().count()).then_some((left, whole))
}

/// Without leading changes of folder.
fn without_folder(command: &str) -> &str {
    static CD: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r#"^cd (?:"[^"]*"|'[^']*'|[^ ]+?) ?(?:&&|;) ?"#).ok());
    let mut rest = command;
    while let Some(found) = CD.as_ref().and_then(|cd| cd.find(rest)) {
        rest = &rest[found.end()..];
    }
    rest
}

fn without_redirections(command: &str) -> String {
    let mut kept = Vec::new();
    let mut parts = command.split(' ').filter(|part| !part.is_empty());
    while let Some(part) = parts.next() {
        match redirection(part) {
            Redirection::None => kept.push(part),
            Redirection::Whole => {}
            Redirection::WithNext => {
                parts.next();
            }
        }
    }
    kept.join(" ")
}

enum Redirection {
    None,
    /// The part is one.
    Whole,
    /// The part and the one after it.
    WithNext,
}

fn redirection(part: &str) -> Redirection {
    let target = match part.strip_prefix('<') {
        Some(target) => target,
        None => {
            let arrow = part.strip_prefix(|c: char| c.is_ascii_digit() || c == '&').unwrap_or(part);
            let Some(target) = arrow.strip_prefix('>') else { return Redirection::None };
            let target = target.strip_prefix('>').unwrap_or(target);
            if let Some(to) = target.strip_prefix('&') {
                let mut to = to.bytes();
                let single = to.next().is_some_and(|byte| byte.is_ascii_digit() || byte == b'-');
                return if single && to.next().is_none() {
                    Redirection::Whole
                } else {
                    Redirection::None
                };
            }
            target
        }
    };
    match target.chars().next() {
        None => Redirection::WithNext,
        Some('&' | '<' | '(' | '>') => Redirection::None,
        Some(_) => Redirection::Whole,
    }
}

/// Without `tail` and `head` at its end.
fn without_pager(command: &str) -> &str {
    let mut rest = command;
    while let Some((before, last)) = rest.rsplit_once(" | ") {
        if !matches!(last.split(' ').next(), Some("tail" | "head")) {
            break;
        }
        rest = before;
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Option<String> {
        stripped(text).map(|(left, _)| left)
    }

    #[test]
    fn what_changes_from_run_to_run_is_stripped() {
        for (text, expected) in [
            ("cd /x && cargo test 2>&1 | tail -20", "cargo test"),
            ("cd \"a b\" && cd c; make  all", "make all"),
            ("cd a ; make all", "make all"),
            ("make all > out.txt 2>&1", "make all"),
            ("make all >out 2>/dev/null < in", "make all"),
            ("make all >> log &>x", "make all"),
            ("a | head -3 | tail -1 | head", "a | head -3 | tail -1 | head"),
            ("grep x y | head -5 | tail -1", "grep x y"),
            ("cat <<EOF", "cat <<EOF"),
            ("diff <(a) >(b)", "diff <(a) >(b)"),
            ("echo 12>&3", "echo 12>&3"),
            ("make 2>&-", "make"),
        ] {
            let expected = (expected.len() >= 4).then(|| expected.to_owned());
            let expected = if text.starts_with("a | head") { None } else { expected };
            assert_eq!(left(text), expected, "{text}");
        }
    }

    #[test]
    fn several_lines_and_extreme_lengths_are_no_command() {
        assert_eq!(left("one\ntwo"), None);
        assert_eq!(left("\nmake\n").as_deref(), Some("make"));
        assert_eq!(left("abc"), None);
        assert_eq!(left(&"x".repeat(201)), None);
        assert_eq!(
            stripped("cd x &&  make").map(|(_, whole)| whole).as_deref(),
            Some("cd x && make")
        );
    }
}
