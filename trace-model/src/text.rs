//! Helpers for text that is cut or shown. Used by views and by every command that prints a transcript's text.

use std::fmt::Write as _;

use crate::ids::{count_chars, count_chars_of};

/// Bytes whose characters are counted together, which is much faster than to look at each.
const PIECE: usize = 128;

/// The first `chars` characters of a text.
pub fn head(text: &str, chars: usize) -> &str {
    if text.len() <= chars {
        return text;
    }
    let (mut end, mut left) = (0, chars);
    while left > 0 && end < text.len() {
        let piece = &text.as_bytes()[end..text.len().min(end + PIECE.min(left))];
        left -= count_chars_of(piece);
        end += piece.len();
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    &text[..end]
}

/// A text on one line: white space folded, what a terminal or a reader could be misled by escaped,
/// and cut after `chars` characters of its own. `whole` is how many characters the text had before
/// it came here, if some were cut already.
pub fn one_line(text: &str, chars: usize, whole: Option<u64>) -> String {
    let mut line = String::with_capacity(text.len().min(chars));
    let mut shown = 0_usize;
    let mut consumed = 0_u64;
    let mut space = false;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c.is_whitespace() {
            space = shown > 0;
            rest = &rest[c.len_utf8()..];
            consumed += 1;
            continue;
        }
        let room = chars.saturating_sub(shown + usize::from(space));
        if room == 0 {
            break;
        }
        if std::mem::take(&mut space) {
            line.push(' ');
            shown += 1;
        }
        // Most text is words of ASCII, which are taken as they are.
        let taken = match plain_start(&rest.as_bytes()[..rest.len().min(room)]) {
            0 => {
                push_visible(&mut line, c);
                shown += 1;
                consumed += 1;
                c.len_utf8()
            }
            plain => {
                line.push_str(&rest[..plain]);
                shown += plain;
                consumed += plain as u64;
                plain
            }
        };
        rest = &rest[taken..];
    }
    let total = whole.unwrap_or_else(|| count_chars(text) as u64);
    if consumed < total {
        let _ = write!(line, "… [{consumed} of {total} characters]");
    }
    line
}

/// How many bytes at the start are ASCII that can be seen.
fn plain_start(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !byte.is_ascii_graphic()).unwrap_or(bytes.len())
}

/// A text as it is, only that what a terminal or a reader could be misled by is escaped.
pub fn verbatim(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let plain = plain_start(text.as_bytes());
    line.push_str(&text[..plain]);
    text[plain..].chars().for_each(|c| push_visible(&mut line, c));
    line
}

/// Appends a character, escaped if it has no width, moves the cursor or turns the direction.
fn push_visible(line: &mut String, c: char) {
    if is_misleading(c) {
        let _ = write!(line, "\\u{{{:x}}}", u32::from(c));
    } else {
        line.push(c);
    }
}

/// Whether a character has no width, moves a cursor or turns the direction of text, so that what is
/// shown is not what is there.
pub fn is_misleading(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// A count with separators for thousands.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count and its noun: `1 file`, `2 files`.
pub fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(number))
}

/// A duration in its two largest units.
pub fn duration(millis: i64) -> String {
    let seconds = millis.max(0) / 1000;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min {} s", seconds % 60),
        (0, _, _) => format!("{hours} h {minutes} min"),
        _ => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_line_says_how_much_of_how_much_it_shows() {
        assert_eq!(one_line("ab\n  cd", 5, None), "ab cd");
        assert_eq!(one_line("ab\n  cd", 4, None), "ab c… [6 of 7 characters]");
        assert_eq!(one_line("abcdef", 3, None), "abc… [3 of 6 characters]");
        assert_eq!(one_line("abc", 3, Some(10)), "abc… [3 of 10 characters]");
        assert_eq!(one_line("abc \n", 3, None), "abc");
    }

    /// One character after the other.
    fn slow_one_line(text: &str, chars: usize, whole: Option<u64>) -> String {
        let (mut line, mut shown, mut consumed, mut space) = (String::new(), 0, 0, false);
        for c in text.chars() {
            if c.is_whitespace() {
                space = shown > 0;
            } else {
                let width = 1 + usize::from(space);
                if shown + width > chars {
                    break;
                }
                if std::mem::take(&mut space) {
                    line.push(' ');
                }
                push_visible(&mut line, c);
                shown += width;
            }
            consumed += 1;
        }
        let total = whole.unwrap_or_else(|| text.chars().count() as u64);
        if consumed < total {
            let _ = write!(line, "… [{consumed} of {total} characters]");
        }
        line
    }

    proptest::proptest! {
        #[test]
        fn words_at_once_are_what_single_characters_are(
            text in "[a-z \n\u{a0}é\u{202e}\u{1b}]{0,40}",
            chars in 0_usize..45,
            whole in proptest::option::of(0_u64..60),
        ) {
            let slow = slow_one_line(&text, chars, whole);
            proptest::prop_assert_eq!(one_line(&text, chars, whole), slow);
        }
    }

    #[test]
    fn a_head_ends_behind_its_last_character() {
        let text = "añ→😀b".repeat(60);
        for chars in 0..310 {
            let expected: String = text.chars().take(chars).collect();
            assert_eq!(head(&text, chars), expected);
        }
    }

    #[test]
    fn what_misleads_is_escaped() {
        assert_eq!(one_line("a\u{1b}[31m\u{202e}b\0", 40, None), "a\\u{1b}[31m\\u{202e}b\\u{0}");
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1_234_567), "1,234,567");
    }

    #[test]
    fn counts_and_durations_read_well() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([count(1, "file"), count(2, "file")], ["1 file", "2 files"]);
        let durations = [0, 61_000, 3_720_000, 90_000_000].map(duration);
        assert_eq!(durations, ["0 s", "1 min 1 s", "1 h 2 min", "1 d 1 h"]);
    }
}
