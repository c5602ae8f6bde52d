//! The rule set: what it holds and how it finds the secrets of a text. Only [`super`] uses it.
//!
//! The rules are those of betterleaks, in `data/betterleaks`. They are applied as the crate `veloci` 0.3.3 does
//! (MIT, Patrick Hayes), whose findings these are checked against: a rule runs where one of its keywords
//! occurs; a match is discarded by the filters ([`filter`]) and where a rule that must match nearby does not
//! ([`proximity`]); every occurrence of what remains is a secret, unless it is a placeholder.

mod efficiency;
mod entropy;
mod file;
mod filter;
mod lines;
mod placeholder;
mod proximity;
mod rule;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ops::Range;

use aho_corasick::AhoCorasick;
use memchr::memmem;

use file::Unreadable;
use filter::{Candidate, Filter};
use lines::Lines;
use rule::{Finding, Rule};

/// The rules of betterleaks 1.8.1.
const BUNDLED: &str = include_str!("../../../data/betterleaks/rules.toml");

/// Rules that are ready to be applied. A rule's regex and filter are compiled when they are first needed.
#[derive(Debug)]
pub(super) struct RuleSet {
    rules: Vec<Rule>,
    keywords: AhoCorasick,
    /// The rules of each keyword.
    by_keyword: Vec<Vec<usize>>,
    /// What no rule's match may be.
    filter: Filter,
}

impl RuleSet {
    /// The bundled rules.
    pub(super) fn bundled() -> Self {
        // Without its rules the program must not go on as if there were nothing to mask.
        file::read(BUNDLED).expect("the bundled rules are read in a test")
    }

    fn new(rules: Vec<Rule>, filter: Filter) -> Result<Self, Unreadable> {
        let mut words: Vec<&str> = Vec::new();
        let mut by_keyword: Vec<Vec<usize>> = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            for keyword in rule.keywords() {
                let at = words.iter().position(|word| *word == keyword).unwrap_or_else(|| {
                    words.push(keyword);
                    by_keyword.push(Vec::new());
                    words.len() - 1
                });
                by_keyword[at].push(index);
            }
        }
        let keywords = AhoCorasick::builder().ascii_case_insensitive(true).build(&words)?;
        Ok(Self { rules, keywords, by_keyword, filter })
    }

    /// Whether a rule has this id.
    pub(super) fn has(&self, id: &str) -> bool {
        self.rules.iter().any(|rule| rule.id() == id)
    }

    /// Every occurrence of every secret, and the id of the rule that found it.
    pub(super) fn detect(&self, text: &str) -> Vec<(Range<usize>, &str)> {
        let mut found = Vec::new();
        for (secret, rule) in self.secrets(text) {
            let Ok(plain) = std::str::from_utf8(secret) else { continue };
            if placeholder::is_placeholder(plain) {
                continue;
            }
            let starts = memmem::find_iter(text.as_bytes(), secret);
            let ranges = starts.map(|start| whole_characters(text, start..start + secret.len()));
            found.extend(ranges.map(|range| (range, rule)));
        }
        found
    }

    /// Each secret once, with the first rule that found it.
    fn secrets<'t>(&self, text: &'t str) -> Vec<(&'t [u8], &str)> {
        let candidates = self.candidates(text);
        if candidates.is_empty() {
            return Vec::new();
        }
        let lines = Lines::new(text.as_bytes());
        let mut seen = HashSet::new();
        let mut secrets = Vec::new();
        for rule in candidates {
            for finding in self.find(rule, text, &lines) {
                if seen.insert(finding.secret) {
                    secrets.push((finding.secret, rule.id()));
                }
            }
        }
        secrets
    }

    /// The rules of which a keyword occurs, in their order.
    fn candidates(&self, text: &str) -> Vec<&Rule> {
        let mut occurs = vec![false; self.rules.len()];
        for keyword in self.keywords.find_overlapping_iter(text) {
            for &rule in &self.by_keyword[keyword.pattern().as_usize()] {
                occurs[rule] = true;
            }
        }
        let rules =
            self.rules.iter().zip(occurs).filter(|(rule, occurs)| *occurs && rule.reports());
        rules.map(|(rule, _)| rule).collect()
    }

    /// What a rule finds near what the rules that it requires find.
    fn find<'t>(&self, rule: &Rule, text: &'t str, lines: &Lines) -> Vec<Finding<'t>> {
        let mut found = self.find_alone(rule, text, lines);
        for required in rule.required() {
            if found.is_empty() {
                break;
            }
            let others = self.find_alone(&self.rules[required.rule], text, lines);
            found.retain(|one| others.iter().any(|other| required.window.holds(one, other)));
        }
        found
    }

    fn find_alone<'t>(&self, rule: &Rule, text: &'t str, lines: &Lines) -> Vec<Finding<'t>> {
        let matches = rule.matches(text).into_iter();
        let kept = matches.filter(|found| {
            let candidate = Candidate::new(text, found);
            !self.filter.discards(&candidate) && !rule.discards(&candidate)
        });
        kept.map(|found| Finding::new(&found, lines)).collect()
    }
}

/// A range of bytes, widened to whole characters.
fn whole_characters(text: &str, mut range: Range<usize>) -> Range<usize> {
    while !text.is_char_boundary(range.start) {
        range.start -= 1;
    }
    while !text.is_char_boundary(range.end) {
        range.end += 1;
    }
    range
}
