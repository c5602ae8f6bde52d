//! One rule, and its matches in a text.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Captures, Regex, RegexBuilder};

use super::filter::{Candidate, Filter};
use super::lines::Lines;
use super::proximity::Window;

/// What a search may keep in memory of its automaton. Large expressions refill the default of 2 MiB on long
/// texts.
const DFA_CACHE: usize = 8 << 20;

/// A rule of the set.
#[derive(Debug, Default)]
pub(super) struct Rule {
    pub(super) id: String,
    /// None if it is only for files of certain paths: a text has no path.
    pub(super) pattern: Option<String>,
    /// In lower case.
    pub(super) keywords: Vec<String>,
    /// The group that is the secret; 0 for the first that is not empty, or else the whole match.
    pub(super) group: usize,
    /// It is only there for others to require it.
    pub(super) silent: bool,
    pub(super) required: Vec<Required>,
    pub(super) filter: Option<Filter>,
    pub(super) compiled: OnceLock<Option<Regex>>,
}

/// A rule that must match near another's match.
#[derive(Debug)]
pub(super) struct Required {
    pub(super) rule: usize,
    pub(super) window: Window,
}

/// A match of a rule, before filters.
#[derive(Debug)]
pub(super) struct Match<'t> {
    /// With the newlines around it.
    pub(super) range: Range<usize>,
    /// Without them.
    pub(super) matched: &'t [u8],
    pub(super) secret: &'t [u8],
}

/// A match that the filters kept, and where it is.
#[derive(Debug)]
pub(super) struct Finding<'t> {
    pub(super) secret: &'t [u8],
    pub(super) first_line: usize,
    pub(super) last_line: usize,
    /// Bytes from the start of its line.
    pub(super) column: usize,
    pub(super) length: usize,
}

impl Rule {
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn keywords(&self) -> impl Iterator<Item = &str> {
        self.keywords.iter().map(String::as_str).filter(|_| self.pattern.is_some())
    }

    pub(super) fn required(&self) -> &[Required] {
        &self.required
    }

    /// Whether what it finds is a secret by itself.
    pub(super) fn reports(&self) -> bool {
        !self.silent && self.pattern.is_some()
    }

    pub(super) fn discards(&self, candidate: &Candidate<'_>) -> bool {
        self.filter.as_ref().is_some_and(|filter| filter.discards(candidate))
    }

    pub(super) fn matches<'t>(&self, text: &'t str) -> Vec<Match<'t>> {
        let Some(regex) = self.regex() else { return Vec::new() };
        let bytes = text.as_bytes();
        if regex.captures_len() == 1 {
            let matches = regex.find_iter(bytes);
            return matches.filter_map(|it| matched(it.range(), it.as_bytes(), None)).collect();
        }
        let matches = regex.captures_iter(bytes).filter_map(|groups| {
            let whole = groups.get(0)?;
            matched(whole.range(), whole.as_bytes(), self.secret(&groups))
        });
        matches.collect()
    }

    /// The group of a match that is the secret; none if the whole match is.
    fn secret<'t>(&self, groups: &Captures<'t>) -> Option<&'t [u8]> {
        if self.group > 0 {
            return Some(groups.get(self.group).map_or(&[], |group| group.as_bytes()));
        }
        let mut groups = groups.iter().skip(1).flatten().map(|group| group.as_bytes());
        groups.find(|group| !group.is_empty())
    }

    pub(super) fn regex(&self) -> Option<&Regex> {
        let pattern = self.pattern.as_deref()?;
        self.compiled.get_or_init(|| compile(pattern).ok()).as_ref()
    }
}

impl<'t> Finding<'t> {
    pub(super) fn new(found: &Match<'t>, lines: &Lines) -> Self {
        let start = found.range.start;
        let end = start + found.matched.len();
        let first_line = lines.of(start);
        Self {
            secret: found.secret,
            first_line,
            last_line: lines.of(end.saturating_sub(1).max(start)),
            column: start - lines.start(first_line),
            length: found.matched.len(),
        }
    }
}

/// A match; none if it is nothing but newlines.
fn matched<'t>(
    range: Range<usize>,
    bytes: &'t [u8],
    secret: Option<&'t [u8]>,
) -> Option<Match<'t>> {
    let matched = without_newlines(bytes);
    let secret = secret.unwrap_or(matched);
    (!matched.is_empty()).then_some(Match { range, matched, secret })
}

fn without_newlines(mut bytes: &[u8]) -> &[u8] {
    while let [b'\n', rest @ ..] | [rest @ .., b'\n'] = bytes {
        bytes = rest;
    }
    bytes
}

/// The rules are written for Go's RE2, whose classes hold ASCII alone. Those that need Unicode have it.
fn compile(pattern: &str) -> Result<Regex, regex::Error> {
    let ascii = RegexBuilder::new(pattern).unicode(false).dfa_size_limit(DFA_CACHE).build();
    ascii.or_else(|_| Regex::new(pattern))
}
