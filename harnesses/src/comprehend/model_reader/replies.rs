//! What a model replied to a run's calls, and what that cost: read from the run's folder, or just made.

use std::collections::BTreeMap;

use super::received::ReceivedReply;
use crate::model::Spend;

/// Which call: a pack's questions about a run under a condition, asked for the `repeat`th time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::comprehend) struct CallId {
    pub(in crate::comprehend) run: String,
    pub(in crate::comprehend) condition: String,
    pub(in crate::comprehend) pack: String,
    pub(in crate::comprehend) repeat: u32,
}

impl CallId {
    /// Its key among the run's calls.
    pub(in crate::comprehend) fn key(&self) -> String {
        let Self { run, condition, pack, repeat } = self;
        format!("{run}/{condition}/{pack}/{repeat}")
    }
}

/// Why a call has no answer, and the attempts made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::comprehend) struct NoAnswer {
    pub(in crate::comprehend) why: String,
    pub(in crate::comprehend) retries: u64,
}

/// The results of a run's calls.
#[derive(Debug, Default)]
pub(in crate::comprehend) struct Replies {
    /// Those with an answer, by their keys.
    pub(in crate::comprehend) calls: BTreeMap<String, ReceivedReply>,
    /// Why others have none, by their keys.
    pub(in crate::comprehend) failures: BTreeMap<String, NoAnswer>,
    /// Spending, including failed attempts.
    pub(in crate::comprehend) spend: Spend,
}

impl Replies {
    /// The models that answered, with the number of calls each.
    pub(in crate::comprehend) fn models(&self) -> BTreeMap<String, u64> {
        let mut models = BTreeMap::new();
        for reply in self.calls.values() {
            let name = reply.called.completion.model_returned.as_deref().unwrap_or("not stated");
            *models.entry(name.to_owned()).or_default() += 1;
        }
        models
    }

    /// Why a call has no answer.
    pub(in crate::comprehend) fn why_none(&self, key: &str) -> &str {
        self.failures.get(key).map_or("not asked yet", |failed| &failed.why)
    }
}
