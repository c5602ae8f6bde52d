//! The filters of the rules: expressions over a match that are true if it is no secret after all.
//!
//! The language is the part of [expr](https://expr-lang.org) that the bundled rules use. A filter that cannot be
//! read or applied discards nothing: in doubt, a match is masked.

mod call;
mod evaluate;
mod lexer;
mod node;
mod parser;
mod patterns;
#[cfg(test)]
mod tests;
mod value;

use std::sync::OnceLock;

use super::rule::Match;
use node::Program;
use value::Value;

/// An expression, compiled when a match first needs it.
#[derive(Debug)]
pub(super) struct Filter {
    source: String,
    program: OnceLock<Option<Program>>,
}

impl Filter {
    pub(super) fn new(source: String) -> Self {
        Self { source, program: OnceLock::new() }
    }

    pub(super) fn discards(&self, candidate: &Candidate<'_>) -> bool {
        let value = self.program().map(|program| evaluate::run(program, candidate));
        matches!(value, Some(Ok(Value::Bool(true))))
    }

    pub(super) fn program(&self) -> Option<&Program> {
        self.program.get_or_init(|| parser::parse(&self.source).ok()).as_ref()
    }
}

/// A match as filters see it.
#[derive(Debug)]
pub(super) struct Candidate<'t> {
    text: &'t str,
    matched: &'t [u8],
    secret: &'t [u8],
    start: usize,
    end: usize,
}

impl<'t> Candidate<'t> {
    pub(super) fn new(text: &'t str, found: &Match<'t>) -> Self {
        let Match { range, matched, secret } = found;
        Self { text, matched, secret, start: range.start, end: range.end }
    }

    /// All of the lines that the match is on.
    fn line(&self) -> &'t [u8] {
        let bytes = self.text.as_bytes();
        let last = (self.start + self.matched.len()).saturating_sub(1).max(self.start);
        let start = bytes[..self.start].iter().rposition(|byte| *byte == b'\n');
        let end = bytes[last..].iter().position(|byte| *byte == b'\n');
        &bytes[start.map_or(0, |at| at + 1)..end.map_or(bytes.len(), |at| last + at)]
    }

    /// The start of the line in which the match starts.
    fn line_start(&self) -> usize {
        let before = &self.text.as_bytes()[..self.start];
        before.iter().rposition(|byte| is_line_break(*byte)).map_or(0, |at| at + 1)
    }

    /// The end of the line in which it ends.
    fn line_end(&self) -> usize {
        let after = &self.text.as_bytes()[self.end..];
        after
            .iter()
            .position(|byte| is_line_break(*byte))
            .map_or(self.text.len(), |at| self.end + at)
    }
}

fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}
