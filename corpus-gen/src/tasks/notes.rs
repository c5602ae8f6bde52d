//! The padding of observations: what a verbose tool prints besides the result.

use super::places::word;
use crate::rng::Draw;
use crate::text::names::{adjective, verb};

/// `chars` characters of prose for the observation number `index` of a run, in lines of one sentence.
/// It holds no digit, no `=`, no backquote and no `/`, so it states no fact and names no file.
#[must_use]
pub fn notes(seed: u64, index: u64, chars: usize) -> String {
    let mut draw = Draw::new("task/notes", seed, &index.to_string());
    let mut out = String::with_capacity(chars + 80);
    while out.len() < chars {
        sentence(&mut draw, &mut out);
    }
    // Words are ASCII, so bytes are characters; the last one always ends the text.
    out.truncate(chars.saturating_sub(1));
    if chars > 0 {
        out.push('.');
    }
    out
}

fn sentence(draw: &mut Draw, out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push_str("the");
    for part in [adjective(draw), word(draw), "may", verb(draw), "the", adjective(draw), word(draw)]
    {
        out.push(' ');
        out.push_str(part);
    }
    out.push_str(" of the ");
    out.push_str(word(draw));
    out.push('.');
}
