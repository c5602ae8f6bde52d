//! What all runs of a grid have in common: part of the scoreboard's protocol and of the identity of
//! stored rows, so that rows of two protocols never meet.

use std::collections::BTreeMap;

use corpus_gen::tasks::{Family, Task};

use trace_model::fold::FactConfig;
use trace_model::view::worker::WorkerViewConfig;

use super::arms::{ArmSpec, Policy};
use crate::workbench::BenchConfig;

/// Protocol errors in a row that end a run.
pub const MAX_PROTOCOL_ERRORS: u32 = 3;

/// When a run is ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StepCap {
    /// By the task: see [`StepCap::of`].
    #[default]
    ByTask,
    /// After a fixed number of steps.
    Fixed(u32),
}

impl StepCap {
    /// Maximum steps of a run.
    ///
    /// By the task, a chain gets its links and 25 more, which is the cap that published runs of full
    /// context ended at (85 at 60 links, 145 at 120); with the tool that adds, which takes a second
    /// step a link and so meets twice the errors, twice that. Work on a folder gets twice its files
    /// and 25.
    #[must_use]
    pub fn of(self, task: &Task, arm: &ArmSpec) -> u32 {
        if let Self::Fixed(steps) = self {
            return steps;
        }
        let files = u32::try_from(task.files.len()).unwrap_or(u32::MAX);
        match task.spec.family {
            Family::Chain | Family::ProseChain | Family::AltChain => {
                files.saturating_add(25).saturating_mul(if arm.tally { 2 } else { 1 })
            }
            Family::Scatter | Family::Fix => files.saturating_mul(2).saturating_add(25),
        }
    }

    fn text(self) -> String {
        match self {
            Self::ByTask => {
                "a chain's links + 25, twice that with the tool that adds; twice the files + 25 of \
                 other families"
                    .to_owned()
            }
            Self::Fixed(steps) => steps.to_string(),
        }
    }
}

/// What all runs have in common.
#[derive(Debug, Clone, Default)]
pub struct Protocol {
    /// The bench: padding, error rate.
    pub bench: BenchConfig,
    /// Settings of arms.
    pub policy: Policy,
    /// When runs are ended.
    pub step_cap: StepCap,
}

impl Protocol {
    /// In words, by name.
    #[must_use]
    pub fn facts(&self) -> BTreeMap<String, String> {
        let facts = [
            ("tasks.generator_version", corpus_gen::GENERATOR_VERSION.to_string()),
            ("bench.padding_chars", self.bench.padding_chars.to_string()),
            ("bench.error_rate", self.bench.error_rate.to_string()),
            ("arms.every_k", self.policy.refresh_every.to_string()),
            ("arms.retrieved_m", self.policy.top_k.to_string()),
            ("arms.summary_chars", self.policy.summary_chars.to_string()),
            ("arms.extraction", format!("{:?}", self.policy.extraction)),
            ("arms.view", format!("{:?}", WorkerViewConfig::default())),
            ("arms.view_facts", FactConfig::default().in_view.to_string()),
            ("run.step_cap", self.step_cap.text()),
            ("run.protocol_errors_in_a_row", MAX_PROTOCOL_ERRORS.to_string()),
        ];
        facts.map(|(name, value)| (name.to_owned(), value)).into()
    }
}
