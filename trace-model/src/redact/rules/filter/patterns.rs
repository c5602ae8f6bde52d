//! The lists of patterns and of terms in filters, compiled when they are first needed.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use regex::Regex;

/// Regexes, one of which must match.
#[derive(Debug)]
pub(super) struct Patterns {
    written: Vec<String>,
    compiled: OnceLock<Option<Regex>>,
}

impl Patterns {
    pub(super) fn new(written: Vec<String>) -> Self {
        Self { written, compiled: OnceLock::new() }
    }

    /// Where the first of them matches. What does not compile matches nothing.
    pub(super) fn find(&self, text: &str) -> Option<Range<usize>> {
        Some(self.regex()?.find(text)?.range())
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }

    pub(super) fn regex(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| self.compile()).as_ref()
    }

    fn compile(&self) -> Option<Regex> {
        let alternatives: Vec<_> = self.written.iter().map(|one| format!("(?:{one})")).collect();
        if alternatives.is_empty() { None } else { Regex::new(&alternatives.join("|")).ok() }
    }
}

/// Words, one of which must occur, in whatever case.
#[derive(Debug)]
pub(super) struct Terms {
    written: Vec<String>,
    compiled: OnceLock<Option<AhoCorasick>>,
}

impl Terms {
    pub(super) fn new(written: Vec<String>) -> Self {
        Self { written, compiled: OnceLock::new() }
    }

    pub(super) fn occur(&self, text: &str) -> bool {
        self.automaton().is_some_and(|terms| terms.is_match(&text.to_lowercase()))
    }

    fn automaton(&self) -> Option<&AhoCorasick> {
        self.compiled.get_or_init(|| self.compile()).as_ref()
    }

    fn compile(&self) -> Option<AhoCorasick> {
        let lower = self.written.iter().map(|term| term.to_lowercase());
        if self.written.is_empty() { None } else { AhoCorasick::new(lower).ok() }
    }
}
