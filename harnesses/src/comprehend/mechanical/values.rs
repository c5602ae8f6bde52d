//! Answers as JSON values.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::comprehend::question::ReaderQuestion;

/// The answer that the trace does not say.
pub(in crate::comprehend) fn not_stated() -> Value {
    json!("not stated")
}

/// The most frequent value, the first in order on a tie; `None` if there are none.
pub(super) fn most_frequent<T: Ord>(values: impl IntoIterator<Item = T>) -> Option<(T, usize)> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    counts.into_iter().rev().max_by_key(|(_, count)| *count)
}

/// The two answers to a pair of questions, of which one may not be answerable.
pub(super) fn pair(
    question: &ReaderQuestion<'_>,
    answer: impl Fn(&str) -> Option<Value>,
) -> Option<Value> {
    let one = |about| Some(answer(question.text_param(about)?).unwrap_or_else(not_stated));
    Some(json!([one("first_about")?, one("second_about")?]))
}

/// A yes or no for each of the files asked about.
pub(super) fn yes_or_no(question: &ReaderQuestion<'_>, is_read: impl Fn(&str) -> bool) -> Value {
    let words = question.list_param("files").into_iter();
    words.map(|path| if is_read(path) { "yes" } else { "no" }).collect()
}

/// A list, or "none".
pub(super) fn list_or_none(items: &[&str]) -> Value {
    if items.is_empty() { json!("none") } else { json!(items) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_the_first_in_order_is_the_most_frequent() {
        assert_eq!(most_frequent(["b", "a", "c", "a", "b"]), Some(("a", 2)));
        assert_eq!(most_frequent::<u8>([]), None);
    }
}
