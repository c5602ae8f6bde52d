//! The labels of COMPREHEND's conditions: what a reader is shown, and within how many characters. Written by the
//! instrument; tables and figures order conditions by them.

use std::fmt;
use std::str::FromStr;

/// What a reader is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// The transcript's end.
    Raw,
    /// One line an event.
    FlatLog,
    /// The worker view behind the paper's figures, `worker/1`. It knows no budget.
    View,
    /// The handover view, `worker/2`.
    Handover,
    /// The vendor's own summary at the last compaction. It has the length that it has.
    Summary,
}

impl Family {
    /// All of them, in the order in which tables and figures show them.
    pub const ALL: [Self; 5] =
        [Self::Raw, Self::FlatLog, Self::View, Self::Handover, Self::Summary];

    /// The label without a budget.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raw => super::comprehend::BASELINE,
            Self::FlatLog => super::comprehend::FLATLOG,
            Self::View => super::comprehend::VIEW,
            Self::Handover => "view/2",
            Self::Summary => "summary",
        }
    }

    /// What stands before the `@` of a label with a budget; none where there cannot be one.
    const fn within(self) -> Option<&'static str> {
        match self {
            Self::Raw => Some("raw"),
            Self::FlatLog => Some("flatlog"),
            Self::Handover => Some("view"),
            Self::View | Self::Summary => None,
        }
    }
}

/// A condition: `raw`, `view/2`, `flatlog@9500`. In the order in which tables and figures show them: by family,
/// without a budget first, then the smallest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConditionLabel {
    family: Family,
    most_chars: Option<u32>,
}

impl ConditionLabel {
    /// The smallest budget in characters. Below it a view is little but its first line.
    pub const LEAST_CHARS: u32 = 1000;

    /// The conditions of a run that names none.
    pub const DEFAULT: [Self; 4] = [
        Self::whole(Family::Raw),
        Self::whole(Family::FlatLog),
        Self::whole(Family::View),
        Self::whole(Family::Handover),
    ];

    /// What a family shows without a budget.
    #[must_use]
    pub const fn whole(family: Family) -> Self {
        Self { family, most_chars: None }
    }

    /// What is shown.
    #[must_use]
    pub const fn family(self) -> Family {
        self.family
    }

    /// Within how many characters; none without a budget.
    #[must_use]
    pub const fn most_chars(self) -> Option<u32> {
        self.most_chars
    }

    /// The place of a label among others: those that are known first, in their order.
    #[must_use]
    pub fn place(label: &str) -> (bool, Option<Self>, &str) {
        let known = label.parse().ok();
        (known.is_none(), known, label)
    }
}

impl fmt::Display for ConditionLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.most_chars.zip(self.family.within()) {
            Some((most, family)) => write!(f, "{family}@{most}"),
            None => f.write_str(self.family.name()),
        }
    }
}

/// No condition has this label.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownCondition {
    /// The name is not one of those there are.
    #[error(
        "no condition is named {0:?}; there are {names}, and raw@N, flatlog@N and view@N (view/2 within N \
         characters)",
        names = Family::ALL.map(Family::name).join(", ")
    )]
    Name(String),
    /// The budget is not a number, or too small.
    #[error(
        "{0:?} is no number of characters from {least} up, as in view@9500",
        least = ConditionLabel::LEAST_CHARS
    )]
    Budget(String),
}

impl FromStr for ConditionLabel {
    type Err = UnknownCondition;

    fn from_str(label: &str) -> Result<Self, UnknownCondition> {
        let unknown = || UnknownCondition::Name(label.to_owned());
        let mut families = Family::ALL.into_iter();
        let Some((name, budget)) = label.split_once('@') else {
            return families.find(|it| it.name() == label).map(Self::whole).ok_or_else(unknown);
        };
        let family = families.find(|it| it.within() == Some(name)).ok_or_else(unknown)?;
        // One label a condition: no sign, no zero in front.
        let most = budget.parse().ok().filter(|most: &u32| most.to_string() == budget);
        let most = most.filter(|most| *most >= Self::LEAST_CHARS);
        let most = most.ok_or_else(|| UnknownCondition::Budget(budget.to_owned()))?;
        Ok(Self { family, most_chars: Some(most) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_reads_as_it_is_written() {
        for label in ["raw", "flatlog", "view", "view/2", "summary", "view@9500", "raw@1000"] {
            let parsed: ConditionLabel = label.parse().expect(label);
            assert_eq!(parsed.to_string(), label);
        }
    }

    #[test]
    fn what_is_no_condition_says_which_there_are() {
        for label in ["", "raws", "view@", "view@999", "view@+9500", "view@09500", "summary@2000"] {
            assert!(label.parse::<ConditionLabel>().is_err(), "{label}");
        }
        insta::assert_snapshot!("raws".parse::<ConditionLabel>().unwrap_err(), @"");
        insta::assert_snapshot!("view@999".parse::<ConditionLabel>().unwrap_err(), @"");
    }

    #[test]
    fn they_are_ordered_by_family_and_budget() {
        let mut labels =
            ["goal", "view@9500", "summary", "view@2000", "view/2", "view", "raw@5000", "raw"];
        labels.sort_by_key(|label| ConditionLabel::place(label));
        assert_eq!(
            labels,
            ["raw", "raw@5000", "view", "view/2", "view@2000", "view@9500", "summary", "goal"]
        );
    }
}
