//! Text from outside, made harmless for a terminal.

use std::fmt::Write as _;

/// The text with every control, bidirectional or invisible formatting character written as
/// `\u{..}`, so that nothing in it can move the cursor, recolour or reorder a terminal.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_obeyed(c) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// Whether a terminal may obey a character instead of showing it.
pub fn is_obeyed(c: char) -> bool {
    c.is_control() || is_formatting(c)
}

fn is_formatting(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_bidi_characters_are_shown_not_obeyed() {
        assert_eq!(escape("a\u{1b}[31mb\u{202e}c\n\u{9b}é"), "a\\u{1b}[31mb\\u{202e}c\\n\\u{9b}é");
    }
}
