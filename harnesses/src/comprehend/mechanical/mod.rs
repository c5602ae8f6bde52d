//! Reader `mechanical`: answers from the text of a condition by parsing it, with no model.
//!
//! Its score is what the condition contains. It takes what it is shown for all there is, and says that
//! the trace does not say where nothing is shown that could be the answer. A reading gets the text and
//! the question without its truth, and nothing else: it cannot look at files, state or truth.
//!
//! `raw` and `flatlog` parse their texts into the same list of what happened ([`shown`]), from which
//! `answers` finds the answer; `view` answers from the view's sections.

mod answers;
mod flatlog;
mod input;
mod raw;
mod sections;
mod shown;
mod view;

use std::collections::BTreeMap;

use ground_truth::graders::Answer;
use serde_json::{Value, json};

use super::Asked;

/// Answers a question from a condition's text.
pub type Reading = fn(&str, &Asked<'_>) -> Answer;

/// The version of the readings: higher whenever one of them gives another answer to the same text.
pub const VERSION: u32 = 1;

/// Reads the end of a transcript: the lines that are whole in it.
#[must_use]
pub fn raw(context: &str, asked: &Asked<'_>) -> Answer {
    given(answers::answer(&raw::parse(context), asked))
}

/// Reads the end of a flat log.
#[must_use]
pub fn flatlog(context: &str, asked: &Asked<'_>) -> Answer {
    given(answers::answer(&flatlog::parse(context), asked))
}

/// Reads a worker view.
#[must_use]
pub fn view(context: &str, asked: &Asked<'_>) -> Answer {
    given(view::answer(&sections::parse(context), asked))
}

/// The answer that the trace does not say.
pub(super) fn not_stated() -> Value {
    json!("not stated")
}

fn given(found: Option<Value>) -> Answer {
    Answer::Json(found.unwrap_or_else(not_stated))
}

/// What tools do, by their names.
fn reads(tool: &str) -> bool {
    matches!(tool, "Read" | "NotebookRead" | "read_file" | "view_file")
}

fn writes(tool: &str) -> bool {
    matches!(
        tool,
        "Write"
            | "Edit"
            | "MultiEdit"
            | "NotebookEdit"
            | "write_file"
            | "edit_file"
            | "str_replace_editor"
    )
}

fn launches(tool: &str) -> bool {
    matches!(tool, "Task" | "Agent")
}

/// The most frequent of some values, the first in order where several are; none of none.
fn most_frequent<T: Ord>(values: impl IntoIterator<Item = T>) -> Option<(T, usize)> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    counts.into_iter().rev().max_by_key(|(_, count)| *count)
}

/// The two answers to a pair of questions, of which one may not be answerable.
fn pair(asked: &Asked<'_>, answer: impl Fn(&str) -> Option<Value>) -> Option<Value> {
    let one = |about| Some(answer(asked.text_param(about)?).unwrap_or_else(not_stated));
    Some(json!([one("first_about")?, one("second_about")?]))
}

/// A yes or no for each of the files asked about.
fn yes_or_no(asked: &Asked<'_>, is_read: impl Fn(&str) -> bool) -> Value {
    let words = asked.list_param("files").into_iter();
    words.map(|path| if is_read(path) { "yes" } else { "no" }).collect()
}

/// A list, or "none".
fn list_or_none(items: &[&str]) -> Value {
    if items.is_empty() { json!("none") } else { json!(items) }
}

/// A text without the remark with which renderers end one that they cut.
fn without_cut_mark(text: &str) -> &str {
    let cut = text.strip_suffix(" characters]").and_then(|rest| rest.rsplit_once("… ["));
    match cut {
        Some((start, note)) if note.bytes().all(|byte| b"0123456789 of".contains(&byte)) => start,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_mark_is_no_part_of_the_text() {
        assert_eq!(without_cut_mark("abc… [3 of 10 characters]"), "abc");
        assert_eq!(without_cut_mark("abc [3 of 10 characters]"), "abc [3 of 10 characters]");
        assert_eq!(without_cut_mark("a… [sic] characters]"), "a… [sic] characters]");
    }

    #[test]
    fn of_several_the_first_in_order_is_the_most_frequent() {
        assert_eq!(most_frequent(["b", "a", "c", "a", "b"]), Some(("a", 2)));
        assert_eq!(most_frequent::<u8>([]), None);
    }
}
