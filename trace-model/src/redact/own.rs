//! Rules in addition to the rule set's. The rule set finds credentials in HTTP headers only in `curl` commands,
//! although transcripts have them as often in code and logs; and it ignores an AWS key id without its key,
//! which suits a scanner that tries keys out, but the id still names an account.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::{Passage, RuleId};

/// A rule: its first group is masked, unless the check says that it is a placeholder.
struct Rule {
    id: &'static str,
    pattern: &'static str,
    check: fn(&str) -> bool,
}

const RULES: [Rule; 2] = [
    Rule {
        id: "authorization-header",
        pattern: r#"(?i)\bauthorization["']?\s{0,3}[:=,]\s{0,3}["'`]?(?:bearer|basic|token)\s{1,3}([a-z0-9_~+/.=-]{16,})"#,
        // Names have no digit.
        check: |token| token.bytes().any(|byte| byte.is_ascii_digit()),
    },
    Rule {
        id: "aws-access-key-id",
        pattern: r"\b((?:AKIA|ASIA)[A-Z2-7]{16})\b",
        // As all keys in documentation do.
        check: |id| !id.ends_with("EXAMPLE"),
    },
];

static COMPILED: LazyLock<Vec<(Rule, Regex)>> = LazyLock::new(|| {
    let compiled = RULES.into_iter().map(|rule| (Regex::new(rule.pattern), rule));
    compiled.filter_map(|(regex, rule)| Some((rule, regex.ok()?))).collect()
});

/// Whether a rule of this id is among these.
pub(super) fn has(id: &str) -> bool {
    RULES.iter().any(|rule| rule.id == id)
}

/// What these rules find in a text.
pub(super) fn detect(text: &str) -> impl Iterator<Item = Passage> {
    COMPILED.iter().flat_map(move |(rule, regex)| {
        let secrets = regex.captures_iter(text).filter_map(|captures| captures.get(1));
        let secrets = secrets.filter(|secret| (rule.check)(secret.as_str()));
        secrets.map(|secret| passage(rule.id, secret.range()))
    })
}

fn passage(id: &str, range: Range<usize>) -> Passage {
    Passage { range, rule: RuleId(id.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_a_regex() {
        assert_eq!(COMPILED.len(), RULES.len());
    }
}
