//! A context policy, its inputs, and its configuration.

use std::sync::Arc;

use corpus_gen::tasks::Statistic;
use trace_model::extract::ExtractionConfig;

use crate::continuation::context::Prompt;
use crate::continuation::helper::{HelperModel, HelperUsage};
use crate::continuation::history::History;

/// A context policy.
pub trait Arm: Send {
    /// The context for the next step.
    ///
    /// # Errors
    /// If a model that the policy needs cannot be asked.
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt>;

    /// The policy's spending on its own models so far.
    fn helper_usage(&self) -> HelperUsage {
        HelperUsage::default()
    }

    /// Number of views compiled, summaries written or the like.
    fn refreshes(&self) -> u32 {
        0
    }
}

/// Settings of arms. All of them are part of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// K: steps between two refreshes, and raw steps that bounded arms show.
    pub refresh_every: usize,
    /// M: past steps that `retrieval` finds.
    pub top_k: usize,
    /// Characters of a capped summary.
    pub summary_chars: usize,
    /// How facts are extracted from prose.
    pub extraction: ExtractionConfig,
}

impl Default for Policy {
    /// K = 5 is the paper's; M and the cap are ours.
    fn default() -> Self {
        let extraction = ExtractionConfig::default();
        Self { refresh_every: 5, top_k: 8, summary_chars: 2000, extraction }
    }
}

/// Inputs of a new arm.
#[derive(Clone)]
pub struct Setup {
    /// The arguments.
    pub policy: Policy,
    /// The statistic that the task declares.
    pub statistic: Statistic,
    /// The model that it may ask; without, it does without.
    pub helper: Option<Arc<dyn HelperModel>>,
    /// The model that it may ask about what the first refuses.
    pub fallback: Option<Arc<dyn HelperModel>>,
}
