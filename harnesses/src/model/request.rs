//! What a model is asked, in no provider's own words. Built by the instruments, put on the wire by
//! the clients, and hashed for the cassette's key: so its serialized form is part of that format.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Whose wire format a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's Chat Completions, which vLLM, llama.cpp, Ollama, LM Studio and gateways speak too.
    #[serde(rename = "openai")]
    OpenAi,
    /// Google's Gemini API, `generateContent`.
    Gemini,
    /// Anthropic's models on Google Cloud's Vertex AI, `rawPredict`.
    Vertex,
}

impl Provider {
    /// All providers, in display order.
    pub const ALL: [Self; 4] = [Self::Anthropic, Self::OpenAi, Self::Gemini, Self::Vertex];

    /// Their names in the same order, which are also the names of readers and workers.
    pub const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = Self::ALL[at].name();
            at += 1;
        }
        names
    };

    /// Its name on command lines and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Gemini => "gemini",
            Self::Vertex => "vertex",
        }
    }

    /// The provider with this name, if any.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Provider {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = || format!("`{name}` is not a provider; known are {}", Self::NAMES.join(", "));
        Self::named(name).ok_or_else(known)
    }
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The user.
    User,
    /// The model.
    Assistant,
}

/// How long the provider should keep a prefix that ends at a breakpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CacheTtl {
    /// Five minutes.
    #[serde(rename = "5m")]
    FiveMinutes,
    /// One hour.
    #[serde(rename = "1h")]
    OneHour,
}

/// A text block, and whether a cached prefix ends with it.
///
/// Only Anthropic's formats (direct and on Vertex) have breakpoints, at most four a request; the other
/// providers cache by themselves and are not told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The text. Empty blocks are not sent.
    pub text: String,
    /// A cache breakpoint after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheTtl>,
}

impl Block {
    /// Text without a breakpoint.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), cache: None }
    }

    /// Text that ends a prefix to be cached.
    pub fn cached(text: impl Into<String>, ttl: CacheTtl) -> Self {
        Self { text: text.into(), cache: Some(ttl) }
    }
}

/// A turn of the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// The text; providers without blocks get the blocks joined, with nothing in between.
    pub blocks: Vec<Block>,
}

impl Message {
    /// A user turn of one block.
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, blocks: vec![Block::new(text)] }
    }

    /// A model turn of one block.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, blocks: vec![Block::new(text)] }
    }

    /// The same with a cache breakpoint at its end.
    #[must_use]
    pub fn cached(mut self, ttl: CacheTtl) -> Self {
        if let Some(last) = self.blocks.last_mut() {
            last.cache = Some(ttl);
        }
        self
    }
}

/// Whether the model may think before it answers. If the provider reports how much it thought,
/// [`TokenUsage::reasoning`](crate::usage::TokenUsage::reasoning) has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Thinking {
    /// Turned off where the format allows it; a model that cannot turn it off is rejected.
    #[default]
    Off,
    /// The provider's default.
    Default,
}

impl Thinking {
    /// In words.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Off => "off where the provider's format can say so",
            Self::Default => "the provider's default",
        }
    }
}

/// One call: one sample, with the provider's default decoding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The model's name, as the provider knows it.
    pub model: String,
    /// System instructions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub system: Vec<Block>,
    /// The conversation; it begins and ends with a user turn.
    pub messages: Vec<Message>,
    /// Maximum output tokens, thinking included.
    pub max_output_tokens: NonZeroU32,
    /// Whether it may think.
    pub thinking: Thinking,
}

impl Request {
    /// A request without instructions.
    pub fn new(model: impl Into<String>, max_output_tokens: NonZeroU32) -> Self {
        Self {
            model: model.into(),
            system: Vec::new(),
            messages: Vec::new(),
            max_output_tokens,
            thinking: Thinking::Off,
        }
    }

    /// Adds instructions.
    #[must_use]
    pub fn system(mut self, block: Block) -> Self {
        self.system.push(block);
        self
    }

    /// Adds a turn.
    #[must_use]
    pub fn message(mut self, message: Message) -> Self {
        self.messages.push(message);
        self
    }

    /// All its blocks, in the order in which the model reads them.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.system.iter().chain(self.messages.iter().flat_map(|message| &message.blocks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_have_the_names_they_are_listed_by() {
        for provider in Provider::ALL {
            assert_eq!(Provider::named(provider.name()), Some(provider));
            assert_eq!(serde_json::to_value(provider).unwrap(), provider.name());
        }
        let error = "openia".parse::<Provider>().unwrap_err();
        assert!(error.contains("openia") && error.contains("anthropic, openai"), "{error}");
    }
}
