//! The rule sets that answers are graded by.

use ground_truth::graders::RuleSet;

/// The rule sets of a run, in the order in which tables show them.
pub(super) const RULE_SETS: [RuleSet; 2] = RuleSet::DEFAULT;

/// The strict rules for reading repeats, calls and the answers in rows.
pub(super) fn headline(rule_sets: &[RuleSet]) -> RuleSet {
    rule_sets.iter().copied().find(|it| it.is_strict()).unwrap_or(RuleSet::STRICT)
}
