//! Names of things: identifiers, files, hosts.

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

/// `retry_window`.
pub(crate) fn snake(draw: &mut Draw) -> String {
    format!("{}_{}", noun(draw), noun(draw))
}

/// `flush_retry_window`.
pub(crate) fn function(draw: &mut Draw) -> String {
    format!("{}_{}_{}", verb(draw), noun(draw), noun(draw))
}

/// `RetryWindow`.
pub(crate) fn pascal(draw: &mut Draw) -> String {
    let mut name = String::new();
    for part in [noun(draw), noun(draw)] {
        push_capital(&mut name, part);
    }
    name
}

/// `flushRetryWindow`.
pub(crate) fn camel(draw: &mut Draw) -> String {
    let mut name = verb(draw).to_owned();
    for part in [noun(draw), noun(draw)] {
        push_capital(&mut name, part);
    }
    name
}

/// `retry-window`.
pub(crate) fn kebab(draw: &mut Draw) -> String {
    format!("{}-{}", noun(draw), noun(draw))
}

/// `src/retry/window_cache`: a path without its extension, below a project's root.
pub(crate) fn stem(draw: &mut Draw) -> String {
    let mut path = DIRS[draw.bits(5)].to_owned();
    for _ in 0..=draw.bits(1) {
        path.push('/');
        path.push_str(noun(draw));
    }
    path.push('/');
    path.push_str(&snake(draw));
    path
}

/// Lower-case hexadecimal digits.
pub(crate) fn hex(draw: &mut Draw, digits: usize) -> String {
    (0..digits).map(|_| char::from(crate::json::HEX[draw.bits(4)])).collect()
}

/// Appends `word` with its first letter in upper case.
pub(crate) fn push_capital(out: &mut String, word: &str) {
    let mut chars = word.chars();
    if let Some(first) = chars.next() {
        out.extend(first.to_uppercase());
        out.push_str(chars.as_str());
    }
}
