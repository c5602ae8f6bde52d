//! What an extractor is asked and answers.

use std::error::Error;

use crate::ids::Sha256;

/// A tool's answer that may state facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventText {
    /// The digest of the text, which is its key in the store.
    pub sha256: Sha256,
    /// The whole text.
    pub text: String,
}

/// What an extractor is asked.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The keys in use, to be used again for the same roles.
    pub keys: &'a [String],
    /// The texts.
    pub events: &'a [EventText],
}

/// A fact as an extractor states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedFact {
    /// Which of the request's texts states it, counted from 0.
    pub event: usize,
    /// What the value is of; a known key, or a new name.
    pub key: String,
    /// The value as the text writes it.
    pub value: String,
}

/// Another name for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Synonym {
    /// The name that is given up.
    pub name: String,
    /// Its canonical key.
    pub key: String,
}

/// What an extractor found in the texts of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The facts, those of one text in the order in which it states them.
    pub facts: Vec<StatedFact>,
    /// Names that mean the same; they hold for this answer's facts already.
    pub synonyms: Vec<Synonym>,
}

/// The reply to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It was answered.
    Answer(Answer),
    /// It was refused, or the answer cannot be parsed: no facts, and a smaller request may succeed.
    Refused {
        /// Why, as far as is known.
        reason: String,
    },
}

/// An extractor that cannot be reached at all: the extraction ends, and results so far are kept.
#[derive(Debug, thiserror::Error)]
#[error("the extractor {extractor} failed: {source}")]
pub struct ExtractorError {
    /// Its name.
    pub extractor: String,
    /// What happened.
    #[source]
    pub source: Box<dyn Error + Send + Sync>,
}

/// Finds facts in texts.
pub trait Extractor {
    /// The name, with whatever else identifies it, such as a model.
    fn name(&self) -> &str;

    /// Finds the facts in a batch of texts.
    fn extract(&mut self, request: &Request<'_>) -> Result<Reply, ExtractorError>;
}
