//! The model that answers, and how it is asked.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::prompt::{PromptSettings, VERSION};
use crate::model::{Provider, Thinking};

/// The name of the fact that says how a model is asked.
pub(super) const PROMPT: &str = "reader.model.prompt";

/// The model that answers, and how it is asked: all that makes its answers comparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::comprehend) struct Reader {
    pub(in crate::comprehend) provider: Provider,
    /// The model asked for.
    pub(in crate::comprehend) model: String,
    pub(in crate::comprehend) max_output_tokens: std::num::NonZeroU32,
    pub(in crate::comprehend) thinking: Thinking,
    /// Fields merged into every request.
    #[serde(default)]
    pub(in crate::comprehend) extra_body: Map<String, Value>,
    /// Repeats of each call.
    pub(in crate::comprehend) repeats: u32,
    /// The date of the price table.
    pub(in crate::comprehend) price_table: String,
    /// Whether calls are taken to cost nothing: a server of one's own.
    pub(in crate::comprehend) free: bool,
}

impl Reader {
    /// The reader's name in rows and tables.
    pub(in crate::comprehend) fn label(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }

    pub(in crate::comprehend) fn prompt_settings(&self) -> PromptSettings {
        PromptSettings {
            model: self.model.clone(),
            max_output_tokens: self.max_output_tokens,
            thinking: self.thinking,
        }
    }

    /// What scoreboards record of how it is asked.
    pub(in crate::comprehend) fn protocol(&self) -> Vec<(String, String)> {
        let price = if self.free { "taken to be free" } else { "by the price table" };
        [
            (PROMPT, format!("version {VERSION}")),
            ("reader.model.calls", "one a pack, run and condition".to_owned()),
            (
                "reader.model.decoding",
                "the provider's default where the extra body does not say, one sample a call"
                    .to_owned(),
            ),
            ("reader.model.extra_body", Value::Object(self.extra_body.clone()).to_string()),
            ("reader.model.max_output_tokens", self.max_output_tokens.to_string()),
            ("reader.model.price", price.to_owned()),
            ("reader.model.repeats", self.repeats.to_string()),
            ("reader.model.thinking", self.thinking.describe().to_owned()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }
}
