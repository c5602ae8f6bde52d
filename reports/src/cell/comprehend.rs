//! A COMPREHEND cell: one reader under one condition over one corpus, graded by one rule set.

use std::collections::BTreeMap;

use ground_truth::stats::ClusterSum;
use rust_decimal::Decimal;
use scoreboards::measures::comprehend::{ConditionLabel, NO_CONTEXT};

use super::Source;

/// One reader under one condition. Cells of two rule sets, packs or corpora are never pooled.
#[derive(Debug, Clone, PartialEq)]
pub struct ComprehendCell {
    /// Who measured.
    pub source: Source,
    /// What the questions are about.
    pub corpus: String,
    /// Who answers.
    pub reader: String,
    /// What the reader is shown: a label of a condition, or `none` for the blind one.
    pub condition: String,
    /// The question pack.
    pub pack: String,
    /// The rule set of the grader.
    pub grader: String,
    /// What made the text that was shown.
    pub renderer: String,
    /// By type of question.
    pub questions: BTreeMap<String, QuestionType>,
    /// The accuracy that was released, to more digits than its parts by type have.
    pub stated_accuracy: Option<Decimal>,
    /// Sum of scores and questions by transcript, in order of its name; none where scores per
    /// transcript were not released.
    pub clusters: Option<Vec<(String, ClusterSum)>>,
    /// Transcripts.
    pub transcripts: u64,
    /// The interval that was stated, around the mean that was stated with it.
    pub stated: Option<StatedInterval>,
    /// Input tokens over all questions (or an estimate, where the provenance says so).
    pub input_tokens: Option<u64>,
    /// Dollars over all questions.
    pub dollars: Option<Decimal>,
    /// Where it comes from.
    pub provenance: String,
}

/// All answers to one type of question in a cell.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QuestionType {
    /// Questions.
    pub n: u64,
    /// Answers without a score.
    pub missing: u64,
    /// Their scores, summed.
    pub sum: Decimal,
    /// Score by transcript, and by place where a transcript has several such questions; empty where
    /// not released. What pairs two conditions.
    pub scores: BTreeMap<(String, u32), Decimal>,
}

impl QuestionType {
    /// Mean score; none without questions.
    pub fn mean(&self) -> Option<Decimal> {
        self.sum.checked_div(Decimal::from(self.n))
    }
}

/// A published interval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedInterval {
    /// The mean that was stated with it.
    pub mean: Decimal,
    /// Lower end.
    pub lo: Decimal,
    /// Upper end.
    pub hi: Decimal,
}

/// The conditions of cells, each once, in the order in which tables and figures show them.
pub fn conditions<'a>(cells: impl IntoIterator<Item = &'a ComprehendCell>) -> Vec<&'a str> {
    let shown = cells.into_iter().map(|cell| cell.condition.as_str());
    let mut conditions: Vec<&str> = shown.filter(|name| *name != NO_CONTEXT).collect();
    conditions.sort_by_key(|name| ConditionLabel::place(name));
    conditions.dedup();
    conditions
}

impl ComprehendCell {
    /// Questions with a score.
    pub fn n(&self) -> u64 {
        self.questions.values().map(|q| q.n).sum()
    }

    /// Mean score over questions, each weighing the same; none without questions.
    pub fn accuracy(&self) -> Option<Decimal> {
        let sum: Decimal = self.questions.values().map(|q| q.sum).sum();
        sum.checked_div(Decimal::from(self.n()))
    }

    /// Mean input tokens of a transcript; none where they are not known.
    pub fn mean_tokens(&self) -> Option<Decimal> {
        Decimal::from(self.input_tokens?).checked_div(Decimal::from(self.transcripts))
    }

    /// Mean over types of question of their mean scores, without the types named.
    pub fn macro_average(&self, without: &[String]) -> Option<Decimal> {
        let kept = self.questions.iter().filter(|(name, _)| !without.contains(name));
        let means: Vec<Decimal> = kept.filter_map(|(_, q)| q.mean()).collect();
        means.iter().sum::<Decimal>().checked_div(Decimal::from(means.len()))
    }

    /// Whether both answer the same questions and are graded by the same rules.
    pub fn is_comparable(&self, other: &Self) -> bool {
        self.source == other.source
            && self.corpus == other.corpus
            && self.pack == other.pack
            && self.grader == other.grader
    }

    /// `corpus / reader / condition`, in print.
    pub fn title(&self) -> String {
        format!("{} / {} / {}", self.corpus, self.reader, self.condition)
    }
}
