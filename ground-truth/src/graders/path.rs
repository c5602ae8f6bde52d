//! Paths of files.

use std::collections::BTreeSet;

use super::grade::{Grade, Reason};
use super::path_index::PathIndex;
use super::reply::Reply;
use super::rules::Rules;
use super::text::{unframed, unwrapped};

pub(super) fn grade(rules: &Rules, accepted: &[String], known: &[String], reply: &Reply) -> Grade {
    if reply.is_empty() {
        return Grade::none(Reason::Empty);
    }
    let readings = reply.readings();
    if readings.is_empty() {
        return Grade::none(Reason::Several);
    }
    let paths = Paths::of(accepted.iter().chain(known));
    let right: BTreeSet<String> = accepted.iter().map(|path| normal(path)).collect();
    let is_right = |text: &str| {
        accepted.iter().any(|path| path == text)
            || paths.resolve(rules, text).is_some_and(|path| right.contains(path))
    };
    if readings.iter().any(|text| is_right(text)) {
        return Grade::right();
    }
    let text = readings.last().map(String::as_str).unwrap_or_default();
    match unframed(text).as_slice() {
        [path] if rules.sentences => Grade::right_if(is_right(path)),
        [_] | [] => Grade::none(Reason::Wrong),
        several if several.iter().any(|path| is_right(path)) => Grade::none(Reason::Several),
        _ => Grade::none(Reason::Wrong),
    }
}

/// The paths of a run, in normal form.
#[derive(Debug)]
pub(super) struct Paths(PathIndex);

impl Paths {
    pub(super) fn of<'a>(paths: impl Iterator<Item = &'a String>) -> Self {
        Self(PathIndex::of(paths.map(|path| normal(path))))
    }

    /// The one path that a text names: all of it, or enough of its end. Case matters only where it tells
    /// two paths apart.
    pub(super) fn resolve(&self, rules: &Rules, text: &str) -> Option<&str> {
        let text = normal(unwrapped(text));
        if text.is_empty() {
            return None;
        }
        self.0.find(&text, |path, text| is_end(rules, path, text))
    }
}

/// Whether one of two paths is the end of the other: its file's name at least, or two components of it.
fn is_end(rules: &Rules, left: &str, right: &str) -> bool {
    let (long, short) = if left.len() > right.len() { (left, right) } else { (right, left) };
    let enough = rules.file_names || short.trim_start_matches('/').contains('/');
    let boundary = long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
    enough && !short.starts_with('/') && boundary
}

/// A path with `/` between its components, and without `./` before or `/` after it.
pub(super) fn normal(path: &str) -> String {
    let path = path.trim().replace('\\', "/");
    let mut rest = path.as_str();
    while let Some(shorter) = rest.strip_prefix("./") {
        rest = shorter;
    }
    let ended = rest.trim_end_matches('/');
    if ended.is_empty() { rest.to_owned() } else { ended.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graders::rules::{PAPER, STRICT};

    #[test]
    fn enough_of_a_path_names_it() {
        let known: Vec<String> =
            ["/r/src/a.rs", "/r/lib/a.rs", "/r/lib/B.rs", "/r/lib/b.rs", "c\\d.rs", "e.rs"]
                .map(str::to_owned)
                .into();
        let paths = Paths::of(known.iter());
        let strict = |text| paths.resolve(&STRICT, text);
        assert_eq!(strict("src/a.rs"), Some("/r/src/a.rs"));
        assert_eq!(strict("\\r\\SRC\\a.rs"), Some("/r/src/a.rs"));
        assert_eq!(strict("./c/d.rs"), Some("c/d.rs"));
        assert_eq!(strict("/home/c/d.rs"), Some("c/d.rs"), "the longer form of a relative path");
        assert_eq!(strict("/r/lib/b.rs"), Some("/r/lib/b.rs"));
        assert_eq!(strict("/R/lib/b.rs"), None, "two differ in case");
        for text in ["a.rs", "d.rs", "rc/a.rs", "", "/", "/e.rs", "/x/e.rs"] {
            assert_eq!(strict(text), None, "{text}");
        }
        let paper = |text| paths.resolve(&PAPER, text);
        assert_eq!(paper("d.rs"), Some("c/d.rs"));
        assert_eq!(paper("a.rs"), None, "two have the name");
    }
}
