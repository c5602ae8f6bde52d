//! Masks secrets in text that leaves the machine or is shown to people: prompts made from
//! transcripts, excerpts on a page.
//!
//! The rules are those of [betterleaks](https://github.com/betterleaks/betterleaks) (MIT), the
//! successor of gitleaks by the same author: a regex per kind of secret, keywords that must occur
//! before it runs, and filters by entropy, stop words and context that keep digests, ids and
//! placeholders from being taken for secrets. [`rules`] runs them; a rule's regex is compiled when
//! one of its keywords first occurs. This module decides what becomes of what they find: each secret
//! gives way to `[redacted RULE]`, which holds no part of it. It adds two rules of its own.
//!
//! What no rule knows is not masked. It is a net, not a proof.

mod escapes;
mod own;
mod rules;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{LazyLock, Once};
use std::thread;

use serde::{Deserialize, Serialize};

use escapes::Unescaped;
use rules::RuleSet;

/// The rules in use and how they are applied, for callers that report how a text was masked.
pub const RULE_SET: &str = "betterleaks 1.8.1 (veloci 0.3.3)";

/// How a mark starts; the rule's id and a closing bracket follow.
const MARK: &str = "[redacted ";
/// No rule's id is longer.
const LONGEST_ID: usize = 80;
/// Rounds until nothing more is found. Each shortens the unmasked text, so few are needed; the bound is for a
/// text crafted to need many, and what then remains is masked as a whole.
const ROUNDS: usize = 16;
/// The rule named where the rounds ran out.
const EXHAUSTED: &str = "rounds-exhausted";

/// The id of a rule, as `github-pat`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RuleId(String);

impl RuleId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text without the secrets that were found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The text; borrowed where nothing was replaced.
    pub text: Cow<'a, str>,
    /// How many passages were replaced, by rule.
    pub replaced: BTreeMap<RuleId, u64>,
}

impl Redacted<'_> {
    /// How many passages were replaced.
    pub fn total(&self) -> u64 {
        self.replaced.values().sum()
    }
}

/// The rule set. A text may not excuse itself with an allow comment: it is not the reader's.
static RULES: LazyLock<RuleSet> = LazyLock::new(RuleSet::bundled);

/// Loads the rules in a thread of its own, so that who has a transcript to fold before there is anything to
/// mask need not wait for them afterwards.
pub fn load_ahead() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let load = || {
            LazyLock::force(&RULES);
        };
        // Without a thread they are loaded with the first text.
        let _ = thread::Builder::new().name("redaction rules".to_owned()).spawn(load);
    });
}

/// Masks secrets. Costs nothing to create: the rules are loaded once per process, with the first text or by
/// [`load_ahead`].
#[derive(Clone, Debug)]
pub struct Redactor {
    rules: &'static LazyLock<RuleSet>,
}

impl Default for Redactor {
    fn default() -> Self {
        Self::new()
    }
}

/// A passage to replace, and the rule that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Passage {
    range: Range<usize>,
    rule: RuleId,
}

impl Redactor {
    /// A redactor with the built-in rules.
    pub fn new() -> Self {
        Self { rules: &RULES }
    }

    /// Replaces each secret of a text, whether plain or escaped in a JSON string.
    ///
    /// Deterministic; a text without a match is returned as it is; a redacted text is not changed by
    /// redacting it again; JSON stays JSON.
    pub fn redact<'a>(&self, text: &'a str) -> Redacted<'a> {
        until_nothing_is_found(text, |text| self.passages(text))
    }

    /// What to replace between marks, in order and without overlaps.
    fn passages(&self, text: &str) -> Vec<Passage> {
        let mut found = Vec::new();
        for part in self.unmarked(text) {
            let inside = &text[part.clone()];
            let mut passages = self.detect(inside);
            if let Some(unescaped) = Unescaped::new(inside) {
                passages.extend(self.detect(&unescaped.text).into_iter().map(|passage| Passage {
                    range: unescaped.original(&passage.range),
                    ..passage
                }));
            }
            found.extend(passages.into_iter().filter_map(|Passage { range, rule }| {
                let Range { start, end } = escapes::whole(inside, range);
                let range = part.start + start..part.start + end;
                (start < end).then_some(Passage { range, rule })
            }));
        }
        merge(found)
    }

    fn detect(&self, text: &str) -> Vec<Passage> {
        let by_rules = self.rules.detect(text).into_iter();
        let by_rules = by_rules.map(|(range, id)| Passage { range, rule: RuleId(id.to_owned()) });
        by_rules.chain(own::detect(text)).collect()
    }

    /// The parts of a text that are not marks.
    fn unmarked(&self, text: &str) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = 0;
        for (at, _) in text.match_indices(MARK) {
            let rest = &text[at + MARK.len()..];
            let end = rest.bytes().take(LONGEST_ID + 1).position(|byte| byte == b']');
            let Some(id) = end.map(|end| &rest[..end]) else { continue };
            // Only a rule's id: anything else in brackets may be a secret.
            if at >= start && self.is_rule(id) {
                parts.push(start..at);
                start = at + MARK.len() + id.len() + 1;
            }
        }
        parts.push(start..text.len());
        parts.retain(|part| !part.is_empty());
        parts
    }

    fn is_rule(&self, id: &str) -> bool {
        id == EXHAUSTED || own::has(id) || self.rules.has(id)
    }
}

/// Replaces findings until there are no more, since masking one secret can expose another.
fn until_nothing_is_found(text: &str, find: impl Fn(&str) -> Vec<Passage>) -> Redacted<'_> {
    let mut result = Redacted { text: Cow::Borrowed(text), replaced: BTreeMap::new() };
    for round in 0.. {
        let mut passages = find(&result.text);
        if passages.is_empty() {
            break;
        }
        if round == ROUNDS {
            let rule = RuleId(EXHAUSTED.to_owned());
            passages = vec![Passage { range: 0..result.text.len(), rule }];
        }
        result.text = Cow::Owned(replace(&result.text, &passages));
        for passage in passages {
            *result.replaced.entry(passage.rule).or_default() += 1;
        }
    }
    result
}

/// Passages in order, those that overlap joined under the rule of the longest.
fn merge(mut passages: Vec<Passage>) -> Vec<Passage> {
    passages.sort_by(|a, b| {
        let by_start = a.range.start.cmp(&b.range.start);
        by_start.then(b.range.end.cmp(&a.range.end)).then_with(|| a.rule.cmp(&b.rule))
    });
    let mut merged: Vec<(Passage, usize)> = Vec::with_capacity(passages.len());
    for passage in passages {
        match merged.last_mut() {
            Some((last, longest)) if passage.range.start < last.range.end => {
                last.range.end = last.range.end.max(passage.range.end);
                if passage.range.len() > *longest {
                    *longest = passage.range.len();
                    last.rule = passage.rule;
                }
            }
            _ => {
                let length = passage.range.len();
                merged.push((passage, length));
            }
        }
    }
    merged.into_iter().map(|(passage, _)| passage).collect()
}

fn replace(text: &str, passages: &[Passage]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for Passage { range, rule } in passages {
        out.push_str(&text[copied..range.start]);
        out.push_str(MARK);
        out.push_str(rule.as_str());
        out.push(']');
        copied = range.end;
    }
    out.push_str(&text[copied..]);
    out
}
