//! Reader `mechanical`: answers from the text of a condition by parsing it, with no model.
//!
//! Its score is what the condition contains. It treats what it is shown as complete, and says that the trace
//! does not say where nothing is shown that could be the answer. A reading parses the text once and then gets
//! questions without their truths, and nothing else: it cannot look at files, state or truth.
//!
//! `raw` and `flatlog` parse their texts into the same list of what happened ([`shown`]), from which
//! `answers` finds the answer; `view` answers from the sections of `worker/1`, `handover` from the parts of
//! `worker/2`. All match every question type, so
//! that a new one has to be given a parser, or it must be said that a text does not hold it.

mod answers;
mod flatlog;
mod handover;
mod input;
mod marks;
mod raw;
mod sections;
mod shown;
mod tools;
mod values;
mod view;

use ground_truth::graders::Answer;
use serde_json::Value;

use super::question::ReaderQuestion;
pub(super) use values::not_stated;

/// Parses a condition's text, once for all of its questions.
pub type Reading = for<'t> fn(&'t str) -> Answers<'t>;

/// Answers a question from a text that was parsed.
pub type Answers<'t> = Box<dyn Fn(&ReaderQuestion<'_>) -> Answer + 't>;

/// The version of the readings: higher whenever one of them gives another answer to the same text.
pub const VERSION: u32 = 1;

/// Reads the end of a transcript: the lines that are whole in it.
#[must_use]
pub fn raw(context: &str) -> Answers<'_> {
    let shown = raw::parse(context);
    Box::new(move |question| answer(answers::answer(&shown, question)))
}

/// Reads the end of a flat log.
#[must_use]
pub fn flatlog(context: &str) -> Answers<'_> {
    let shown = flatlog::parse(context);
    Box::new(move |question| answer(answers::answer(&shown, question)))
}

/// Reads a handover view, `worker/2`.
#[must_use]
pub fn handover(context: &str) -> Answers<'_> {
    let view = handover::parse(context);
    Box::new(move |question| answer(handover::answer(&view, question)))
}

/// Reads a worker view of version 1.
#[must_use]
pub fn view(context: &str) -> Answers<'_> {
    let view = sections::parse(context);
    Box::new(move |question| answer(view::answer(&view, question)))
}

fn answer(found: Option<Value>) -> Answer {
    Answer::Json(found.unwrap_or_else(not_stated))
}
