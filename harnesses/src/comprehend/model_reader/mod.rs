//! Readers that are models: what they are asked, what they reply, what that costs, and the folder that
//! keeps it, so that a run goes on where it was stopped and its replies can be graded again.

mod ask;
mod consent;
mod estimate;
mod folder;
mod prompt;
mod replies;
mod reply;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::model::{Provider, Thinking};

pub(super) use ask::ask;
pub(super) use consent::{consent, waiting};
pub(super) use estimate::describe;
pub(super) use folder::{Folder, identity};
pub(super) use prompt::Asking;
pub(super) use replies::{CallId, NoAnswer, Replies};
pub(super) use reply::Reply;

/// The name of the fact that says how a model is asked.
const PROMPT: &str = "reader.model.prompt";

/// The model that answers, and how it is asked: all that makes its answers comparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reader {
    pub(super) provider: Provider,
    /// The model asked for.
    pub(super) model: String,
    pub(super) max_output_tokens: std::num::NonZeroU32,
    pub(super) thinking: Thinking,
    /// Fields merged into every request.
    #[serde(default)]
    pub(super) extra_body: Map<String, Value>,
    /// How often each call is made.
    pub(super) repeats: u32,
    /// The date of the price table.
    pub(super) price_table: String,
    /// Whether calls are taken to cost nothing: a server of one's own.
    pub(super) free: bool,
}

impl Reader {
    /// The reader's name in rows and tables.
    pub(super) fn label(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }

    pub(super) fn asking(&self) -> Asking {
        Asking {
            model: self.model.clone(),
            max_output_tokens: self.max_output_tokens,
            thinking: self.thinking,
        }
    }

    /// What scoreboards record of how it is asked.
    pub(super) fn protocol(&self) -> Vec<(String, String)> {
        let price = if self.free { "taken to be free" } else { "by the price table" };
        [
            (PROMPT, format!("version {}", prompt::VERSION)),
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
