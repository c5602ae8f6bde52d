//! The operations that recompute a figure. Each combines runs, or released parts; an operation that returns a
//! released number unchanged ([`Operation::is_part`]) is used only inside another.

use rust_decimal::Decimal;
use scoreboards::{Group, Instrument, Method};
use serde::Deserialize;

/// Cells whose runs are pooled.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Select {
    /// Their ids.
    pub cells: Vec<String>,
    /// In what they may differ.
    #[serde(default)]
    pub across: Vec<String>,
}

/// One reader under one condition.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    /// The corpus.
    pub corpus: String,
    /// The reader.
    pub reader: String,
    /// The condition.
    pub condition: String,
}

/// A number that runs have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunMeasure {
    /// Dollars of the worker.
    Dollars,
    /// Dollars of what helped it.
    HelperDollars,
    /// Both.
    AllDollars,
    /// Uncached input tokens.
    InputTokens,
    /// Tokens read from the cache.
    CacheRead,
    /// Tokens written to the cache.
    CacheWrite,
    /// Refused batches.
    Refusals,
}

/// Dollars per million tokens.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Input.
    pub input: Decimal,
    /// Output.
    pub output: Decimal,
    /// Cache reads.
    pub cache_read: Decimal,
    /// Cache writes.
    pub cache_write: Decimal,
}

/// How a figure is recomputed.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case", tag = "op", deny_unknown_fields)]
pub enum Operation {
    /// Successes of runs, as `k/n`.
    Successes(Select),
    /// The share of successes.
    SuccessRate(Select),
    /// Mean over runs.
    Mean {
        /// Of what.
        of: RunMeasure,
        /// The runs.
        over: Select,
    },
    /// Sum over runs.
    Sum {
        /// Of what.
        of: RunMeasure,
        /// The runs.
        over: Select,
    },
    /// Mean dollars over success rate.
    CostPerSuccess(Select),
    /// Mean dollars, recomputed from tokens and prices.
    PricedTokens {
        /// The runs.
        over: Select,
        /// The prices.
        price: Price,
    },
    /// The price of a written token that the runs' dollars imply, as a multiple of an input token's.
    ImpliedWritePremium {
        /// The runs.
        over: Select,
        /// The other prices.
        price: Price,
    },
    /// Seeds that only `a` passed, and that only `b` passed.
    Discordant {
        /// One arm.
        a: Select,
        /// The other.
        b: Select,
    },
    /// `McNemar`'s exact p over the seeds of both.
    #[serde(rename = "mcnemar")]
    McNemar {
        /// One arm.
        a: Select,
        /// The other.
        b: Select,
    },
    /// Of the seeds that `failed` did not pass, how many `now` passes.
    Recovered {
        /// Where they failed.
        failed: Select,
        /// Where they ran again.
        now: Select,
    },
    /// Runs that failed.
    Failures(Select),
    /// Whether `a` succeeds on a smaller or equal share than `b`.
    NoBetter {
        /// The one.
        a: Select,
        /// The other.
        b: Select,
    },
    /// Mean score over questions, from the accuracies by type.
    Accuracy(Answers),
    /// Mean over types, leaving some out.
    MacroAverage {
        /// Which answers.
        of: Answers,
        /// Types left out.
        without: Vec<String>,
    },
    /// Share of all lost score that was lost on these types.
    LostShare {
        /// Which answers.
        of: Answers,
        /// The types.
        types: Vec<String>,
    },
    /// The means over transcripts that the accuracies by type leave possible.
    PossibleTranscriptMean(Answers),
    /// Whether the stated intervals of two conditions are disjoint, the first above.
    Disjoint {
        /// Above.
        above: Answers,
        /// Below.
        below: Answers,
    },
    /// A released total; only inside a ratio.
    InputTokens(Answers),
    /// A released total; only inside a ratio.
    AnswerDollars(Answers),
    /// A released mean; only inside a ratio.
    ReleasedMeanDollars {
        /// The cell.
        cell: String,
    },
    /// One divided by the other.
    Ratio {
        /// Above the line.
        num: Box<Operation>,
        /// Below the line.
        den: Box<Operation>,
    },
    /// DETECT's precision from released counts.
    DetectPrecision,
    /// DETECT's recall from released counts.
    DetectRecall,
    /// Labelled instances: found and missed.
    DetectInstances,
    /// Fields without a mismatch, of all fields.
    FidelityFields,
    /// Matched calls of all calls of the correlation that was stated as a share.
    CorrelationShare,
    /// An aggregate over the rows of a scoreboard of ours.
    OurRun {
        /// Of which instrument.
        instrument: Instrument,
        /// Which rows.
        over: Group,
        /// How.
        method: Method,
    },
    /// Not recomputed.
    NotComputable {
        /// Why.
        why: String,
    },
}

/// What a recomputed figure rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// Outcomes, dollars or tokens of single runs.
    Runs,
    /// Released totals, counts and accuracies, combined.
    Parts,
    /// A run of ours.
    OurRun,
    /// Nothing.
    Nothing,
}

impl Basis {
    /// Its name in print.
    pub fn name(self) -> &'static str {
        match self {
            Self::Runs => "single runs",
            Self::Parts => "released parts",
            Self::OurRun => "a run of ours",
            Self::Nothing => "",
        }
    }
}

impl Operation {
    /// Whether it returns a released number as it is.
    pub fn is_part(&self) -> bool {
        matches!(
            self,
            Self::InputTokens(_) | Self::AnswerDollars(_) | Self::ReleasedMeanDollars { .. }
        )
    }

    /// What it rests on.
    pub fn basis(&self) -> Basis {
        match self {
            Self::Accuracy(_)
            | Self::MacroAverage { .. }
            | Self::LostShare { .. }
            | Self::PossibleTranscriptMean(_)
            | Self::Disjoint { .. }
            | Self::InputTokens(_)
            | Self::AnswerDollars(_)
            | Self::ReleasedMeanDollars { .. }
            | Self::DetectPrecision
            | Self::DetectRecall
            | Self::DetectInstances
            | Self::FidelityFields
            | Self::CorrelationShare => Basis::Parts,
            Self::OurRun { .. } => Basis::OurRun,
            Self::NotComputable { .. } => Basis::Nothing,
            Self::Ratio { num, .. } => num.basis(),
            _ => Basis::Runs,
        }
    }

    /// The ids of the cells whose runs it reads.
    pub fn cells(&self) -> Vec<&str> {
        let selects: Vec<&Select> = match self {
            Self::Successes(s)
            | Self::SuccessRate(s)
            | Self::CostPerSuccess(s)
            | Self::Failures(s)
            | Self::Mean { over: s, .. }
            | Self::Sum { over: s, .. }
            | Self::PricedTokens { over: s, .. }
            | Self::ImpliedWritePremium { over: s, .. } => vec![s],
            Self::Discordant { a, b }
            | Self::McNemar { a, b }
            | Self::NoBetter { a, b }
            | Self::Recovered { failed: a, now: b } => vec![a, b],
            Self::Ratio { num, den } => return [num.cells(), den.cells()].concat(),
            _ => Vec::new(),
        };
        selects.iter().flat_map(|select| &select.cells).map(String::as_str).collect()
    }
}
