//! Summaries of COMPREHEND cells.

use ground_truth::stats::{ClusterSum, bootstrap};
use rust_decimal::Decimal;

use super::bounds::{Bounds, bootstrap_or_percentile};
use crate::cell::ComprehendCell;

/// Summary of a cell's answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerSummary {
    /// Mean score over questions; as released, where it was.
    pub accuracy: Option<Decimal>,
    /// Its interval over transcripts.
    pub interval: Bounds,
    /// Sum of scores.
    pub sum: Decimal,
    /// Questions with a score.
    pub n: u64,
    /// Questions without one.
    pub missing: u64,
    /// Transcripts.
    pub clusters: u64,
}

/// Summarizes a cell.
pub fn summarize_answers(cell: &ComprehendCell) -> AnswerSummary {
    AnswerSummary {
        accuracy: cell.stated_accuracy.or_else(|| cell.accuracy()),
        interval: interval(cell),
        sum: match cell.stated_accuracy {
            Some(accuracy) => accuracy * Decimal::from(cell.n()),
            None => cell.questions.values().map(|q| q.sum).sum(),
        },
        n: cell.n(),
        missing: cell.questions.values().map(|q| q.missing).sum(),
        clusters: cell.transcripts,
    }
}

fn interval(cell: &ComprehendCell) -> Bounds {
    match (&cell.clusters, &cell.stated) {
        (Some(clusters), _) => {
            let sums: Vec<ClusterSum> = clusters.iter().map(|(_, sum)| *sum).collect();
            bootstrap_or_percentile(sums.len(), |spec| bootstrap::ratio(&sums, spec))
        }
        (None, Some(stated)) => Bounds::Ends {
            lo: stated.lo,
            hi: stated.hi,
            kind: format!("as stated, around {}", stated.mean),
        },
        (None, None) => Bounds::None("scores per transcript were not released".to_owned()),
    }
}
