//! Cells: what one arm did on one family, or what one reader answered under one condition, with
//! everything that must be equal before two of them may be pooled.
//!
//! Published figures and our scoreboards both become these; whatever prints or tests a result takes
//! cells and nothing else.

mod comprehend;
mod parts;
mod pool;
mod run;

use std::collections::BTreeMap;
use std::fmt;

pub use comprehend::{ComprehendCell, QuestionType, StatedInterval, conditions};
pub use parts::{PARTS, Part, of_parts};
pub use pool::{PoolError, Pooled, pool};
pub use run::{Ended, Run, Tokens};

use rust_decimal::Decimal;

/// Who measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The paper's authors: released figures.
    Published,
    /// A scoreboard of ours.
    Ours,
}

impl Source {
    /// Its name in print and in exported frames.
    pub fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Ours => "ours",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What makes two CONTINUE cells the same kind of thing. Cells that differ in any of it are not
/// pooled unless the difference is named.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Identity {
    /// Who measured.
    pub source: Source,
    /// The worker's context policy.
    pub arm: String,
    /// The family of tasks.
    pub family: String,
    /// Links of the chain; none where the family has no length.
    pub horizon: Option<u32>,
    /// The worker: a model, or `mechanical`.
    pub model: String,
    /// What compiled the view.
    pub renderer: String,
    /// Settings that change what a result means, such as `cached` and `errors`.
    pub protocol: BTreeMap<String, String>,
    /// The rule that decides whether a run is a success.
    pub grader: String,
}

impl Identity {
    /// The axes by name, in the order of print.
    pub fn axes(&self) -> Vec<(String, String)> {
        let horizon = self.horizon.map_or("none".to_owned(), |h| h.to_string());
        let mut axes = vec![
            ("source".to_owned(), self.source.to_string()),
            ("arm".to_owned(), self.arm.clone()),
            ("family".to_owned(), self.family.clone()),
            ("horizon".to_owned(), horizon),
            ("model".to_owned(), self.model.clone()),
            ("renderer".to_owned(), self.renderer.clone()),
            ("grader".to_owned(), self.grader.clone()),
        ];
        axes.extend(self.protocol.iter().map(|(name, value)| (name.clone(), value.clone())));
        axes
    }

    /// A setting of the protocol; `unknown` where it is not stated.
    pub fn setting(&self, name: &str) -> &str {
        self.protocol.get(name).map_or("unknown", String::as_str)
    }

    /// `family-horizon`, such as `chain-120`.
    pub fn task(&self) -> String {
        self.horizon.map_or(self.family.clone(), |h| format!("{}-{h}", self.family))
    }
}

/// One CONTINUE cell: its identity and its runs, one a seed.
#[derive(Debug, Clone, PartialEq)]
pub struct ContinueCell {
    /// Unique among the cells of its source, such as `v40b_minimal_tally_120`.
    pub id: String,
    /// What it is.
    pub identity: Identity,
    /// Its runs, in order of seed. Empty where only means were released.
    pub runs: Vec<Run>,
    /// Means that were released instead of runs, or beside them.
    pub means: Option<Means>,
    /// Where it comes from: a file and key, or a scoreboard's id.
    pub provenance: String,
}

/// Released figures of a cell whose runs were not released.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Means {
    /// Runs, where stated.
    pub n: Option<u64>,
    /// Share of successes (mean score, for families with partial credit).
    pub success_rate: Option<Decimal>,
    /// Mean dollars a run.
    pub dollars: Option<Decimal>,
    /// Mean input tokens a run.
    pub input_tokens: Option<Decimal>,
    /// Mean tokens read from the cache.
    pub cache_read: Option<Decimal>,
    /// Mean tokens written to the cache.
    pub cache_write: Option<Decimal>,
}

/// All cells of one source, or of several.
#[derive(Debug, Clone, Default)]
pub struct Cells {
    /// CONTINUE.
    pub runs: Vec<ContinueCell>,
    /// COMPREHEND.
    pub answers: Vec<ComprehendCell>,
    /// Anything a reader must know, such as what was skipped.
    pub notes: Vec<String>,
}

impl Cells {
    /// The CONTINUE cell of this id.
    pub fn find(&self, id: &str) -> Option<&ContinueCell> {
        self.runs.iter().find(|cell| cell.id == id)
    }

    /// What a reader answered under a condition to the questions of a cell, graded alike.
    pub fn answers_beside(
        &self,
        cell: &ComprehendCell,
        reader: &str,
        condition: &str,
    ) -> Option<&ComprehendCell> {
        let is_it = |other: &&ComprehendCell| {
            other.is_comparable(cell) && other.reader == reader && other.condition == condition
        };
        self.answers.iter().find(is_it)
    }

    /// Both sets, in order.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.runs.extend(other.runs);
        self.answers.extend(other.answers);
        self.notes.extend(other.notes);
        self
    }

    /// For each cell whose every run is also in a larger cell of the same arm and task: the id of
    /// that cell. Such runs count once.
    pub fn repetitions(&self) -> BTreeMap<&str, &str> {
        let mut found = BTreeMap::new();
        for small in self.runs.iter().filter(|cell| !cell.runs.is_empty()) {
            let holds = |large: &&ContinueCell| {
                large.runs.len() > small.runs.len()
                    && large.identity.arm == small.identity.arm
                    && large.identity.task() == small.identity.task()
                    && small.runs.iter().all(|run| large.runs.contains(run))
            };
            if let Some(large) = self.runs.iter().find(holds) {
                found.insert(small.id.as_str(), large.id.as_str());
            }
        }
        found
    }
}
