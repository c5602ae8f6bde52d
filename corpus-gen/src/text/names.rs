//! Names of things: identifiers, files, hosts.

use super::put::{put, string};
use super::words::{ADJECTIVES, DIRS, NOUNS, VERBS};
use crate::rng::Draw;

pub(crate) fn noun(draw: &mut Draw) -> &'static str {
    NOUNS[draw.bits(8)]
}

pub(crate) fn verb(draw: &mut Draw) -> &'static str {
    VERBS[draw.bits(7)]
}

pub(crate) fn adjective(draw: &mut Draw) -> &'static str {
    ADJECTIVES[draw.bits(7)]
}

/// Names as pieces of a line, which are not strings of their own.
pub(crate) mod pieces {
    use super::{noun, verb};
    use crate::rng::Draw;
    use crate::text::put::{Cased, Joined};

    /// `retry_window`.
    pub(crate) fn snake(draw: &mut Draw) -> Joined<2> {
        Joined([noun(draw), noun(draw)], "_")
    }

    /// `flush_retry_window`.
    pub(crate) fn function(draw: &mut Draw) -> Joined<3> {
        Joined([verb(draw), noun(draw), noun(draw)], "_")
    }

    /// `RetryWindow`.
    pub(crate) fn pascal(draw: &mut Draw) -> Cased<2> {
        Cased { words: [noun(draw), noun(draw)], lower: 0 }
    }

    /// `flushRetryWindow`.
    pub(crate) fn camel(draw: &mut Draw) -> Cased<3> {
        Cased { words: [verb(draw), noun(draw), noun(draw)], lower: 1 }
    }

    /// `retry-window`.
    pub(crate) fn kebab(draw: &mut Draw) -> Joined<2> {
        Joined([noun(draw), noun(draw)], "-")
    }
}

/// `retry_window`.
pub(crate) fn snake(draw: &mut Draw) -> String {
    string(&pieces::snake(draw))
}

/// `flush_retry_window`.
pub(crate) fn function(draw: &mut Draw) -> String {
    string(&pieces::function(draw))
}

/// `RetryWindow`.
pub(crate) fn pascal(draw: &mut Draw) -> String {
    string(&pieces::pascal(draw))
}

/// `retry-window`.
pub(crate) fn kebab(draw: &mut Draw) -> String {
    string(&pieces::kebab(draw))
}

/// `src/retry/window_cache`: a path without its extension, below a project's root.
pub(crate) fn stem(draw: &mut Draw) -> String {
    let mut path = String::with_capacity(64);
    put_stem(draw, &mut path);
    path
}

/// Appends such a path.
pub(crate) fn put_stem(draw: &mut Draw, path: &mut String) {
    path.push_str(DIRS[draw.bits(5)]);
    for _ in 0..=draw.bits(1) {
        put!(path, "/", noun(draw));
    }
    put!(path, "/", pieces::snake(draw));
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(draw: &mut Draw, digits: usize) -> String {
    (0..digits).map(|_| char::from(crate::json::HEX[draw.bits(4)])).collect()
}

/// Appends `word` with its first letter in upper case.
pub(crate) fn push_capital(out: &mut String, word: &str) {
    let mut chars = word.chars();
    match chars.next() {
        Some(first) if first.is_ascii() => out.push(first.to_ascii_uppercase()),
        Some(first) => out.extend(first.to_uppercase()),
        None => {}
    }
    out.push_str(chars.as_str());
}
