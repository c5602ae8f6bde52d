//! The control: a bag of the most recent words, which no reader could make sense of.

use std::collections::HashSet;

use super::Past;
use super::text::chars;
use crate::continuation::replay::items::ItemKind;

/// Its length where no limit is set.
pub(super) const OWN_CHARS: usize = 20_000;

/// The distinct words of everything before the cut, the newest first, one space between them.
pub(super) fn compile(past: &Past<'_>, budget: usize) -> String {
    let mut met = HashSet::new();
    let (mut out, mut left) = (String::new(), budget);
    let before = past.session.items[..past.cut.before].iter().rev();
    for item in before.filter(|item| item.kind != ItemKind::Summary) {
        for word in item.normal.split(|c: char| !is_of_word(c)).rev().filter(|it| !it.is_empty()) {
            if !met.insert(word) {
                continue;
            }
            let Some(rest) = left.checked_sub(chars(word) + 1) else { return out };
            left = rest;
            out.push_str(word);
            out.push(' ');
        }
    }
    out
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_./~-#".contains(c)
}
