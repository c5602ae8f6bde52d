//! The truth of a question, as it is found in a run.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::answers::Truth;

/// The truth of a question and the values of its parameters.
#[derive(Debug)]
pub(super) struct FoundTruth {
    pub(super) truth: Truth,
    pub(super) params: BTreeMap<String, Value>,
}

impl FoundTruth {
    /// With the value of a parameter.
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }
}

impl From<Truth> for FoundTruth {
    fn from(truth: Truth) -> Self {
        Self { truth, params: BTreeMap::new() }
    }
}

/// The truth, or why this run has none.
pub(super) type TruthResult = Result<FoundTruth, &'static str>;
