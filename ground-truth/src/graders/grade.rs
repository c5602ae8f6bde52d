//! What a grader says of an answer.

use serde::{Deserialize, Serialize};

use super::score::Score;

/// How right an answer is, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// From 0, wrong, to 1, right.
    pub score: Score,
    /// Why.
    pub reason: Reason,
}

/// Why an answer got its score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// It is right.
    Right,
    /// Some of it is right.
    PartlyRight,
    /// It says something else.
    Wrong,
    /// No answer.
    Empty,
    /// It is not what was asked for: no number, no list of that length, a text around it that may mean
    /// anything.
    Unreadable,
    /// It names several where one was asked for.
    Several,
    /// It fits another text of the run as well or better.
    Ambiguous,
    /// More than half of the list is wrong.
    Dump,
}

impl Grade {
    pub(super) fn right() -> Self {
        Self { score: Score::ONE, reason: Reason::Right }
    }

    pub(super) fn none(reason: Reason) -> Self {
        Self { score: Score::ZERO, reason }
    }

    pub(super) fn right_if(right: bool) -> Self {
        if right { Self::right() } else { Self::none(Reason::Wrong) }
    }

    pub(super) fn partial(score: Score) -> Self {
        let reason = match score {
            Score::ONE => Reason::Right,
            Score::ZERO => Reason::Wrong,
            _ => Reason::PartlyRight,
        };
        Self { score, reason }
    }
}
