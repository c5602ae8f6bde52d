//! The rule sets, and what differs between them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A versioned set of rules; scoreboards record it by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum RuleSet {
    /// The lenient reading, for comparison with published figures.
    #[serde(rename = "paper/1")]
    Paper1,
    /// What a careful person would accept.
    #[serde(rename = "strict/1")]
    Strict1,
    /// The same by closed grammars: what is not understood is not right.
    #[serde(rename = "strict/2")]
    Strict2,
}

/// No rule set has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no grader is named {name:?}; there are paper/1, strict/1, strict/2")]
pub struct UnknownRuleSet {
    /// The name asked for.
    pub name: String,
}

impl RuleSet {
    /// All rule sets.
    pub const ALL: [Self; 3] = [Self::Paper1, Self::Strict1, Self::Strict2];

    /// The rule sets that grade a run by default; tables show the first in full.
    pub const DEFAULT: [Self; 2] = [Self::Strict2, Self::Paper1];

    /// The strict rules that hold now: the headline of a run.
    pub const STRICT: Self = Self::Strict2;

    /// The name with the version.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper1 => "paper/1",
            Self::Strict1 => "strict/1",
            Self::Strict2 => "strict/2",
        }
    }

    /// The fields in which the first two rule sets differ; none for a set with its own code.
    pub(super) fn rules(self) -> Option<Rules> {
        match self {
            Self::Paper1 => Some(PAPER),
            Self::Strict1 => Some(STRICT),
            Self::Strict2 => None,
        }
    }

    /// Whether its strict rules are this set or an earlier version of it.
    #[must_use]
    pub fn is_strict(self) -> bool {
        self != Self::Paper1
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for RuleSet {
    type Err = UnknownRuleSet;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|rule_set| rule_set.name() == name);
        found.ok_or_else(|| UnknownRuleSet { name: name.to_owned() })
    }
}

/// When a quotation is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    /// It is contained in the truth, or contains it.
    Contained,
    /// It has the truth's words, and is not nearer to another text of the run.
    Identified,
}

/// Which number of a text is the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// The first.
    First,
    /// The only one, which is neither negated nor hedged, and may be written in words.
    Only,
}

/// What the score of several parts is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parts {
    /// Their mean.
    Mean,
    /// 1 if each is right.
    All,
}

/// Where an answer may say that the trace does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Silence {
    /// Anywhere in it, a guess beside it or not.
    Anywhere,
    /// In a short answer without a guess.
    Alone,
}

/// What differs between the first two rule sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    pub(super) quoting: Quoting,
    pub(super) numbers: Numbers,
    /// Whether a name or path may be in a sentence that says nothing else.
    pub(super) sentences: bool,
    /// Whether a path may be given by its file's name; else at least two of its last components, if no
    /// other path of the run ends in them.
    pub(super) file_names: bool,
    /// A list that is right to less than this share, in percent, scores nothing.
    pub(super) least_precision: u64,
    /// Whether `null` or an empty text is an empty list, and `null` says that the trace does not say.
    pub(super) nothing_counts: bool,
    pub(super) silence: Silence,
    pub(super) parts: Parts,
}

pub(super) const PAPER: Rules = Rules {
    quoting: Quoting::Contained,
    numbers: Numbers::First,
    sentences: false,
    file_names: true,
    least_precision: 0,
    nothing_counts: true,
    silence: Silence::Anywhere,
    parts: Parts::Mean,
};

pub(super) const STRICT: Rules = Rules {
    quoting: Quoting::Identified,
    numbers: Numbers::Only,
    sentences: true,
    file_names: false,
    least_precision: 50,
    nothing_counts: false,
    silence: Silence::Alone,
    parts: Parts::All,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for rule_set in RuleSet::ALL {
            assert_eq!(rule_set.name().parse(), Ok(rule_set));
            let json = serde_json::to_string(&rule_set).unwrap();
            assert_eq!(json, format!("\"{rule_set}\""));
        }
        let unknown = "strict/9".parse::<RuleSet>().unwrap_err().to_string();
        assert!(unknown.contains("\"strict/9\"") && unknown.contains("strict/2"));
    }
}
