//! The size of an answer, from which its output tokens are estimated: for calls whose records state only
//! the usage at the start of the stream. The classes of bytes and their weights are those of `docs/DEFINITIONS.md`.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use wide::u8x16;

use crate::event::{Body, Event, Withheld};
use crate::marks::{BLOCK, between, blocks, equal, mask};

/// Thousandths of a token that a call has besides its text.
pub(super) const CALL: u64 = 3_000;
/// Thousandths of a token that a tool call has besides its input.
const TOOL_CALL: u64 = 40_000;
/// Characters of a signature that say nothing of how long the reasoning was.
const BARE_SIGNATURE: u64 = 232;
/// Bytes by which a signature may seem to cover more than the text.
const SIGNATURE_ROUNDING: u64 = 16;

/// Weights of the classes of bytes, in thousandths of a token.
struct Weights {
    /// Extra weight of a letter that does not follow another letter.
    word: u16,
    letter: u16,
    digit: u16,
    other: u16,
    feed: u16,
    wide: u16,
}

const TEXT: Weights =
    Weights { word: 530, letter: 113, digit: 800, other: 695, feed: 380, wide: 500 };
const INPUT: Weights =
    Weights { word: 140, letter: 198, digit: 1_270, other: 430, feed: 0, wide: 920 };

/// How many bytes of a text are of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Classes {
    /// Letters that do not follow another letter.
    words: u64,
    letters: u64,
    digits: u64,
    others: u64,
    feeds: u64,
    wide: u64,
}

impl Classes {
    fn of(text: &str) -> Self {
        let mut classes = Self::default();
        let mut before = 0;
        for block in blocks(text.as_bytes()) {
            let letters = mask(block, |bytes| between(bytes | u8x16::splat(0x20), b'a', b'z'));
            let digits = mask(block, |bytes| between(bytes, b'0', b'9'));
            let visible = mask(block, |bytes| between(bytes, 0x21, 0x7E));
            let feeds = mask(block, |bytes| equal(bytes, b'\n'));
            let wide = mask(block, |bytes| between(bytes, 0xC0, 0xFF));
            let count = |bits: u64| u64::from(bits.count_ones());
            classes.words += count(letters & !(letters << 1 | before));
            classes.letters += count(letters);
            classes.digits += count(digits);
            classes.others += count(visible & !letters & !digits);
            classes.feeds += count(feeds);
            classes.wide += count(wide);
            before = letters >> (BLOCK - 1);
        }
        classes
    }

    /// Thousandths of a token.
    fn weigh(&self, by: &Weights) -> u64 {
        let classes = [
            (self.words, by.word),
            (self.letters, by.letter),
            (self.digits, by.digit),
            (self.others, by.other),
            (self.feeds, by.feed),
            (self.wide, by.wide),
        ];
        classes.into_iter().map(|(count, weight)| count * u64::from(weight)).sum()
    }
}

/// The size of an answer, in thousandths of a token before the model's scale.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OutputSize {
    /// Its text, reasoning that is shown, and the inputs of its tool calls.
    pub(super) text: u64,
    /// Reasoning that only a signature tells of.
    pub(super) signed: u64,
    /// Whether some reasoning is shown.
    pub(super) shows_thinking: bool,
    /// Whether some reasoning is not shown.
    pub(super) hides_thinking: bool,
    /// Whether there is reasoning of unknown length.
    pub(super) untold: bool,
}

impl OutputSize {
    /// Of an event of the answer.
    pub(crate) fn of(event: &Event<'_>) -> Self {
        let text = match &event.body {
            Body::Message(text) | Body::Thinking(text) => Classes::of(text).weigh(&TEXT),
            Body::ToolCall { input, .. } => {
                let input = input.as_deref().map_or("", serde_json::value::RawValue::get);
                TOOL_CALL + Classes::of(input).weigh(&INPUT)
            }
            _ => 0,
        };
        let thinking = match &event.body {
            Body::Thinking(text) => Some(text.len() as u64),
            _ => None,
        };
        let shown = thinking.unwrap_or(0);
        let signed = match event.withheld {
            Withheld::Signed(characters) => signed(characters, shown),
            Withheld::Nothing | Withheld::Untold => 0,
        };
        let untold = event.withheld == Withheld::Untold;
        Self {
            text,
            signed,
            shows_thinking: shown > 0,
            hides_thinking: thinking == Some(0),
            untold,
        }
    }
}

/// Thousandths of a token of hidden reasoning that a signature stands for.
fn signed(characters: u64, shown: u64) -> u64 {
    let bytes = characters.saturating_sub(BARE_SIGNATURE).saturating_mul(3) / 4;
    let missing = bytes.saturating_sub(shown);
    if missing > SIGNATURE_ROUNDING { missing.saturating_mul(10_000) / 44 } else { 0 }
}

impl AddAssign for OutputSize {
    fn add_assign(&mut self, other: Self) {
        self.text = self.text.saturating_add(other.text);
        self.signed = self.signed.saturating_add(other.signed);
        self.shows_thinking |= other.shows_thinking;
        self.hides_thinking |= other.hides_thinking;
        self.untold |= other.untold;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_bytes_have_their_weights() {
        let text = |text: &str| Classes::of(text).weigh(&TEXT);
        // Two words of five letters in all, a digit, two others, a feed; spaces weigh nothing.
        assert_eq!(text("abc de 7.!\n"), 2 * 530 + 5 * 113 + 800 + 2 * 695 + 380);
        // A digit parts words; a character of several bytes counts once.
        assert_eq!(text("a1b"), 2 * 530 + 2 * 113 + 800);
        assert_eq!(text("\u{e9}\u{1f600}"), 2 * 500);
        assert_eq!(text(" \t\r\u{7f}"), 0);
        let input = |text: &str| Classes::of(text).weigh(&INPUT);
        assert_eq!(input("{\"a\": 12}\n"), 140 + 198 + 2 * 1_270 + 5 * 430);
        assert_eq!(input("\u{e9}"), 920);
    }

    #[test]
    fn classes_do_not_depend_on_where_blocks_end() {
        let mut text = String::new();
        for piece in "a bc 1\n\u{e9}_\u{7f}\u{1f600}Z\t9zzz@[`{".chars().cycle().take(500) {
            text.push(piece);
            let mut expected = Classes::default();
            let mut before = false;
            for byte in text.bytes() {
                let letter = byte.is_ascii_alphabetic();
                expected.words += u64::from(letter && !before);
                before = letter;
                *match byte {
                    b'\n' => &mut expected.feeds,
                    b'0'..=b'9' => &mut expected.digits,
                    _ if letter => &mut expected.letters,
                    0x21..=0x7E => &mut expected.others,
                    0xC0.. => &mut expected.wide,
                    _ => continue,
                } += 1;
            }
            assert_eq!(Classes::of(&text), expected);
        }
    }

    #[test]
    fn a_signature_tells_of_reasoning_that_is_not_shown() {
        assert_eq!(signed(100, 0), 0);
        // (632 - 232) x 3 / 4 = 300 bytes.
        assert_eq!(signed(632, 0), 300 * 10_000 / 44);
        assert_eq!(signed(632, 283), 17 * 10_000 / 44);
        assert_eq!((signed(632, 284), signed(632, 900)), (0, 0));
    }
}
