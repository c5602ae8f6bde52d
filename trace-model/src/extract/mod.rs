//! Facts stated in prose: an extractor, which may be a model, names them, and the fold takes them in
//! as it does `key = value` lines.
//!
//! An [`Extractor`] is not trusted with more than reading. The driver, [`extract_facts`], keeps one key per
//! role however an answer calls it, splits a batch that is refused until the rest of it is saved, drops every
//! value that does not occur in its text, and remembers each text's facts, so that a run folded again gives the
//! same state without a single request.
//!
//! Used by harnesses: [`Candidates`] finds the texts in what was appended to a transcript,
//! [`extract_facts`] fills [`Extractions`], and [`crate::run::Folder::push_with`] folds with them.

mod candidates;
mod driver;
mod extractor;
mod fixed;
mod keys;
mod store;
mod verbatim;

pub use candidates::Candidates;
pub use driver::{ExtractionConfig, ExtractionReport, Extractors, extract_facts};
pub use extractor::{
    Answer, EventText, Extractor, ExtractorError, Reply, Request, StatedFact, Synonym,
};
pub use fixed::FixedPatterns;
pub use keys::KeyRegistry;
pub use store::{Extracted, Extractions};
