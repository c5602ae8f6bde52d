//! Pieces of lines that several parts have in common.

use crate::ids::{Head, Seq};
use crate::text::one_line;

/// Steps by which a text grows as the budget does, in characters.
const STEPS: [usize; 12] = [100, 240, 400, 560, 760, 1000, 1300, 1700, 2200, 2800, 3400, 4000];

/// A label and ever more of a text, of which `whole` characters were there.
pub(super) fn growing(label: String, text: &str, whole: u64) -> impl Iterator<Item = String> + '_ {
    let mut done = false;
    STEPS.into_iter().map_while(move |most| {
        if done {
            return None;
        }
        done = whole <= most as u64;
        Some(format!("{label}{}", one_line(text, most, Some(whole))))
    })
}

/// The start of a text on one line.
pub(super) fn head(head: &Head, most: usize) -> String {
    one_line(&head.text, most, Some(head.chars))
}

/// A tool's name.
pub(super) fn tool(name: &str) -> String {
    one_line(name, 80, None)
}

/// The event at the start of an item.
pub(super) fn event(at: Seq) -> String {
    format!("- event {at}")
}
