//! The score of a list: F1 of the items that it names.

use std::collections::BTreeSet;

use super::grade::{Grade, Reason};
use super::score::Score;

/// Grades a list by what its elements name: an item that the run knows, or (as an error) something else, by
/// its text. Of a list that is right to less than `least_precision` percent nothing counts.
pub(super) fn grade(
    truth: &BTreeSet<String>,
    elements: impl Iterator<Item = Result<String, String>>,
    least_precision: u64,
) -> Grade {
    let mut named = BTreeSet::new();
    let mut unknown = BTreeSet::new();
    for element in elements {
        match element {
            Ok(item) => named.insert(item),
            Err(text) => unknown.insert(text),
        };
    }
    let right = named.intersection(truth).count() as u64;
    let answered = (named.len() + unknown.len()) as u64;
    if truth.is_empty() || answered == 0 {
        return Grade::right_if(truth.is_empty() && answered == 0);
    }
    if right * 100 < answered * least_precision {
        return Grade::none(if right == 0 { Reason::Wrong } else { Reason::Dump });
    }
    Grade::partial(Score::new(2 * right, answered + truth.len() as u64))
}
