//! Paths of files, as people and tools write them: with a line's number, as a URL, as a link, in either
//! normal form of Unicode.

use std::collections::BTreeSet;

use super::readings::readings;
use super::text::{bare, composed, is_count, pieces, quoted_part};
use crate::graders::grade::{Grade, Reason};
use crate::graders::path_index::PathIndex;
use crate::graders::reply::Reply;

pub(super) fn grade(accepted: &[String], known: &[String], reply: &Reply) -> Grade {
    let texts = readings(reply);
    if texts.is_empty() {
        return Grade::none(Reason::Several);
    }
    let paths = Paths::of(accepted.iter().chain(known));
    let right: BTreeSet<String> = accepted.iter().map(|path| normal(path)).collect();
    if texts.iter().any(|text| accepted.contains(text)) {
        return Grade::right();
    }
    match texts.iter().find_map(|text| paths.named(text)) {
        Some(path) => Grade::right_if(right.contains(path)),
        None => {
            let words = texts.iter().flat_map(|text| pieces(text));
            let named = words.filter_map(|word| paths.resolve(word));
            let several = named.into_iter().any(|path| right.contains(path));
            Grade::none(if several { Reason::Several } else { Reason::Wrong })
        }
    }
}

/// The paths of a run, in normal form.
#[derive(Debug)]
pub(in crate::graders) struct Paths(PathIndex);

impl Paths {
    pub(super) fn of<'a>(paths: impl Iterator<Item = &'a String>) -> Self {
        Self(PathIndex::of(paths.map(|path| normal(path))))
    }

    /// The one path that a text names, alone or in a frame that says nothing else.
    pub(super) fn named(&self, text: &str) -> Option<&str> {
        if let Some(path) = self.resolve(text) {
            return Some(path);
        }
        if let Some((before, inner, after)) = quoted_part(text)
            && [before, after].iter().all(|around| says_nothing(around))
        {
            return self.resolve(inner);
        }
        // A path with spaces in it, and something said of it behind.
        for sign in [" \u{2014} ", " \u{2013} ", " - ", " (", ": ", ", "] {
            if let Some((head, tail)) = text.split_once(sign)
                && says_nothing(tail)
                && let Some(path) = self.resolve(head)
            {
                return Some(path);
            }
        }
        let text = without_line(text).unwrap_or(text);
        let named: Vec<&str> = pieces(text).into_iter().filter(|piece| !is_count(piece)).collect();
        match named.as_slice() {
            [path] => self.resolve(path),
            _ => None,
        }
    }

    /// The one path that a text is.
    pub(super) fn resolve(&self, text: &str) -> Option<&str> {
        let text = bare(text);
        if let Some(path) = self.find(text) {
            return Some(path);
        }
        if let Some((label, target)) = link(text) {
            let path = self.resolve(target)?;
            let label = normal(bare(label)).to_lowercase();
            let label = without_place(&label).unwrap_or(&label);
            let whole = path.to_lowercase();
            return (whole == label || whole.ends_with(&format!("/{label}"))).then_some(path);
        }
        if let Some(inner) = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
            return self.resolve(inner);
        }
        if let Some(path) = of_url(text) {
            return self.find(&path).or_else(|| self.find(without_place(&path)?));
        }
        let shorter = without_place(text).or_else(|| without_line(text))?;
        self.find(bare(shorter))
    }

    fn find(&self, text: &str) -> Option<&str> {
        // The end of an address elsewhere is not a path.
        let text = Some(normal(text)).filter(|path| !path.is_empty() && !text.contains("://"))?;
        self.0.find(&text, is_end)
    }
}

fn says_nothing(around: &str) -> bool {
    pieces(around).iter().all(|piece| is_count(piece))
}

/// Whether one of two paths is the end of the other, two components of it at least.
fn is_end(left: &str, right: &str) -> bool {
    let (long, short) = if left.len() > right.len() { (left, right) } else { (right, left) };
    let boundary = long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
    short.contains('/') && !short.starts_with('/') && boundary
}

/// A path with `/` between its components, composed, without `.`, `..` and empty ones.
pub(super) fn normal(path: &str) -> String {
    let path = composed(path.trim());
    let path = if path.contains('\\') { path.replace('\\', "/") } else { path };
    // Most paths are normal.
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    if path.strip_prefix('/').unwrap_or(&path).split('/').all(is_plain) {
        return path;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    let joined = format!("{root}{}", parts.join("/"));
    if joined.is_empty() { path } else { joined }
}

/// `[label](target)`.
fn link(text: &str) -> Option<(&str, &str)> {
    let (label, target) = text.strip_prefix('[')?.strip_suffix(')')?.split_once("](")?;
    (!label.contains(']') && !target.contains("](")).then_some((label, target))
}

/// The path of a `file:` URL of this machine, its escapes read.
fn of_url(text: &str) -> Option<String> {
    let scheme = text.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("file:"))?;
    let rest = &text[scheme.len()..];
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let at = rest.find('/')?;
            let host = &rest[..at];
            (host.is_empty() || host.eq_ignore_ascii_case("localhost")).then(|| &rest[at..])?
        }
        None => rest.starts_with('/').then_some(rest)?,
    };
    let path = decoded(path)?;
    let drive = path.as_bytes().get(2) == Some(&b':') && path.as_bytes()[1].is_ascii_alphabetic();
    Some(if drive { path[1..].to_owned() } else { path })
}

/// With `%20` and the like read.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let code = digit(rest.next())? * 16 + digit(rest.next())?;
            bytes.push(u8::try_from(code).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

/// Without a place in the file: `:12`, `:12:5`, `:12-20`, `#L12`, `#L12-L20`, `#L12C5`.
fn without_place(text: &str) -> Option<&str> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((path, place)) = text.rsplit_once('#') {
        let fits = |place: &str| {
            let place = place.strip_prefix(['L', 'l']).unwrap_or(place);
            place.split(['C', 'c', ':']).all(digits)
        };
        let lines = place.starts_with(['L', 'l']) && place.split('-').all(fits);
        return (lines && !path.is_empty()).then_some(path);
    }
    // "a.rs(12,5)"
    if let Some((path, place)) = text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
        let fits = !path.is_empty() && !path.ends_with(' ') && place.split(',').all(digits);
        return fits.then_some(path);
    }
    let mut rest = text;
    for _ in 0..2 {
        match rest.rsplit_once(':') {
            Some((path, place))
                if !path.is_empty()
                    && place.strip_prefix('L').unwrap_or(place).split('-').all(digits) =>
            {
                rest = path;
            }
            _ => break,
        }
    }
    (rest.len() < text.len()).then_some(rest)
}

/// Without `, line 12`, ` (line 12)`, ` at line 12`, ` (lines 12-20)`.
fn without_line(text: &str) -> Option<&str> {
    let text = text.trim_end_matches(['.', ')']);
    let (before, place) = text.rsplit_once(' ')?;
    let is_place =
        !place.is_empty() && place.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let before = before.strip_suffix("line").or_else(|| before.strip_suffix("lines"))?;
    let before = before.strip_suffix(['(', ' ']).filter(|_| is_place)?.trim_end();
    let before =
        before.strip_suffix(" at").or_else(|| before.strip_suffix(" on")).unwrap_or(before);
    Some(before.trim_end_matches([',', '(', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths() -> Paths {
        let known: Vec<String> = [
            "/r/src/a.rs",
            "/r/lib/a.rs",
            "/r/lib/B.rs",
            "/r/lib/b.rs",
            "c\\d.rs",
            "e.rs",
            "/r/my notes/caf\u{e9}.md",
            "/r/log:12",
        ]
        .map(str::to_owned)
        .into();
        Paths::of(known.iter())
    }

    #[test]
    fn a_path_is_known_in_what_is_written_around_it() {
        let paths = paths();
        for text in [
            "src/a.rs",
            "\\r\\SRC\\a.rs",
            "/r/src/a.rs:12",
            "/r/src/a.rs:12:5",
            "src/a.rs:12-20",
            "/r/src/a.rs#L12",
            "/r/src/a.rs#L12-L20",
            "/r/src/a.rs#L3C4",
            "file:///r/src/a.rs",
            "file://localhost/r/src/a.rs",
            "FILE:///r/src/a.rs:7",
            "[a.rs](/r/src/a.rs)",
            "[`src/a.rs`](file:///r/src/a.rs#L4)",
            "</r/src/a.rs>",
            "`/r/src/a.rs`",
            "/r/./src//a.rs",
            "/r/lib/../src/a.rs",
            "/r/src/a.rs (line 12)",
            "/r/src/a.rs, line 12",
            "It is `/r/src/a.rs`.",
            "/r/src/a.rs \u{2014} 4 edits",
            "/r/src/a.rs (4 edits)",
            "The file /r/src/a.rs at line 4.",
            "[src/a.rs:12](/r/src/a.rs#L12)",
            "/r/src/a.rs:L12",
            "/r/src/a.rs(12,5)",
            "\"/r/src/a.rs\", line 12",
        ] {
            assert_eq!(paths.named(text), Some("/r/src/a.rs"), "{text}");
        }
        for text in [
            "/r/my notes/cafe\u{301}.md",
            "file:///r/my%20notes/caf%C3%A9.md",
            "It is `/r/my notes/caf\u{e9}.md`",
        ] {
            assert_eq!(paths.named(text), Some("/r/my notes/caf\u{e9}.md"), "{text}");
        }
        assert_eq!(paths.named("/r/log:12"), Some("/r/log:12"), "a name with a colon in it");
        for text in [
            "a.rs",
            "rc/a.rs",
            "",
            "/",
            "/e.rs",
            "/x/e.rs",
            "/R/lib/b.rs",
            "/r/src/a.rs.bak",
            "not /r/src/a.rs",
            "[b.rs](/r/src/a.rs)",
            "file://elsewhere/r/src/a.rs",
            "/r/src/a.rs:main",
            "/r/src/a.rs#main",
            "/r/src/a.rs and /r/lib/a.rs",
            "https://x.org/r/src/a.rs",
            "/r/src/a.rs was not changed",
        ] {
            assert_eq!(paths.named(text), None, "{text}");
        }
    }
}
