//! The size of an answer, from which its output tokens are estimated: for calls whose records state only
//! the usage at the start of the stream. The classes of bytes and their weights are those of `docs/DEFINITIONS.md`.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::event::{Body, Event, Withheld};

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
static TEXT_TABLE: [u32; 256] = TEXT.table();
static INPUT_TABLE: [u32; 256] = INPUT.table();
/// What marks a letter in a table.
const LETTER: u32 = 1 << 16;

impl Weights {
    /// The weight of each byte, and whether it is a letter.
    #[allow(clippy::cast_possible_truncation)]
    const fn table(&self) -> [u32; 256] {
        let mut table = [0; 256];
        let mut byte = 0_usize;
        while byte < 256 {
            table[byte] = match byte as u8 {
                b'A'..=b'Z' | b'a'..=b'z' => LETTER | self.letter as u32,
                b'0'..=b'9' => self.digit as u32,
                b'\n' => self.feed as u32,
                0x21..=0x7E => self.other as u32,
                0xC0.. => self.wide as u32,
                _ => 0,
            };
            byte += 1;
        }
        table
    }
}

/// Thousandths of a token of a text.
fn weigh(text: &str, table: &[u32; 256], word: u16) -> u64 {
    // Below what overflows 32 bits, whose sums are faster.
    const PIECE: usize = 8 * 1024;
    let (mut sum, mut words, mut before) = (0_u64, 0_u64, 0_u32);
    for piece in text.as_bytes().chunks(PIECE) {
        let (mut weights, mut firsts) = (0_u32, 0_u32);
        for byte in piece {
            let entry = table[usize::from(*byte)];
            weights += entry & (LETTER - 1);
            firsts += (entry & !before) >> 16;
            before = entry;
        }
        sum += u64::from(weights);
        words += u64::from(firsts);
    }
    sum + words * u64::from(word)
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
            Body::Message(text) | Body::Thinking(text) => weigh(text, &TEXT_TABLE, TEXT.word),
            Body::ToolCall { input, .. } => {
                let input = input.as_deref().map_or("", serde_json::value::RawValue::get);
                TOOL_CALL + weigh(input, &INPUT_TABLE, INPUT.word)
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
        let text = |text| weigh(text, &TEXT_TABLE, TEXT.word);
        // Two words of five letters in all, a digit, two others, a feed; spaces weigh nothing.
        assert_eq!(text("abc de 7.!\n"), 2 * 530 + 5 * 113 + 800 + 2 * 695 + 380);
        // A digit parts words; a character of several bytes counts once.
        assert_eq!(text("a1b"), 2 * 530 + 2 * 113 + 800);
        assert_eq!(text("\u{e9}\u{1f600}"), 2 * 500);
        assert_eq!(text(" \t\r\u{7f}"), 0);
        let input = |text| weigh(text, &INPUT_TABLE, INPUT.word);
        assert_eq!(input("{\"a\": 12}\n"), 140 + 198 + 2 * 1_270 + 5 * 430);
        assert_eq!(input("\u{e9}"), 920);
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
