//! Who works on a task: replies to a context, and what each reply cost.

use std::collections::HashMap;
use std::sync::Arc;

use corpus_gen::tasks::TaskSpec;
use trace_model::pricing::{Dollars, PriceTable};

use super::context::Prompt;
use super::helper::HelperModel;
use super::mechanical::Mechanical;
use super::tokens;
use crate::prefix_cache::{Block, CacheRules, Lifetime, Part, PrefixCache};
use crate::usage::TokenUsage;

/// A reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// What the worker wrote.
    pub text: String,
    /// Tokens by class.
    pub usage: TokenUsage,
    /// Their cost; `None` if they have no price.
    pub dollars: Option<Dollars>,
    /// The model that answered, if one did.
    pub model: Option<String>,
}

/// Who replies. One is made for each run.
pub trait Worker {
    /// The reply to a context, asked for at a second of the run.
    ///
    /// # Errors
    /// If no reply can be had.
    fn reply(&mut self, prompt: &Prompt, at_seconds: u64) -> anyhow::Result<Reply>;
}

/// Makes the workers of a grid's runs.
pub trait Workers: Sync {
    /// The worker of a run.
    fn worker(&self, task: TaskSpec) -> Box<dyn Worker + '_>;

    /// The model that arms may ask, if there is one.
    fn helper(&self) -> Option<Arc<dyn HelperModel>> {
        None
    }

    /// The model that arms may ask about what the first refuses.
    fn fallback(&self) -> Option<Arc<dyn HelperModel>> {
        None
    }
}

/// The prices of one model.
#[derive(Debug, Clone)]
pub struct PricedAs {
    /// The model.
    pub model: String,
    /// The table.
    pub prices: PriceTable,
    /// The day of the prices.
    pub date: String,
}

impl PricedAs {
    /// What tokens cost.
    #[must_use]
    pub fn dollars(&self, usage: &TokenUsage) -> Option<Dollars> {
        let call = usage.for_pricing(Some(&self.date));
        self.prices.price(&self.model, &call).dollars()
    }
}

/// The worker without a model, its tokens estimated and its cache simulated.
pub struct MechanicalWorkers {
    /// What its tokens would cost.
    pub priced: PricedAs,
    /// The cache's rules.
    pub cache: CacheRules,
}

impl Workers for MechanicalWorkers {
    fn worker(&self, _: TaskSpec) -> Box<dyn Worker + '_> {
        Box::new(MechanicalWorker {
            priced: &self.priced,
            mechanical: Mechanical::default(),
            input: SimulatedInput::new(self.cache),
        })
    }
}

struct MechanicalWorker<'a> {
    priced: &'a PricedAs,
    mechanical: Mechanical,
    input: SimulatedInput,
}

impl Worker for MechanicalWorker<'_> {
    fn reply(&mut self, prompt: &Prompt, at_seconds: u64) -> anyhow::Result<Reply> {
        let text = self.mechanical.next(prompt);
        let output = tokens::count(&text);
        let usage = TokenUsage { output, ..self.input.of(prompt, at_seconds)? };
        Ok(Reply { text, usage, dollars: self.priced.dollars(&usage), model: None })
    }
}

/// The input of a run's calls, its tokens estimated and its cache simulated.
pub(super) struct SimulatedInput {
    cache: PrefixCache,
    /// Blocks by the digests of their segments.
    blocks: HashMap<u64, Block>,
}

impl SimulatedInput {
    /// Before the first call.
    pub(super) fn new(rules: CacheRules) -> Self {
        Self { cache: PrefixCache::new(rules), blocks: HashMap::new() }
    }

    /// What a call with this context reads, at a second of the run.
    pub(super) fn of(&mut self, prompt: &Prompt, at_seconds: u64) -> anyhow::Result<TokenUsage> {
        if !prompt.messages.iter().any(|message| message.breakpoint) {
            return Ok(TokenUsage { input: prompt.tokens(), ..TokenUsage::default() });
        }
        let mut parts = Vec::new();
        for message in &prompt.messages {
            for segment in &message.segments {
                let block = self
                    .blocks
                    .entry(segment.digest())
                    .or_insert_with(|| self.cache.block(segment.shared(), |_| segment.tokens()));
                parts.push(Part::new(*block));
            }
            if let Some(last) = parts.last_mut().filter(|_| message.breakpoint) {
                last.breakpoint = Some(Lifetime::FiveMinutes);
            }
        }
        Ok(self.cache.request(at_seconds, &parts)?)
    }
}
