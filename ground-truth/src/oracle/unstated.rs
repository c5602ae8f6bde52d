//! What the records of a call hold whose output was never stated.
//!
//! `docs/DEFINITIONS.md`, "Output that was never stated".

use super::api_call::Unstated;
use super::event::Event;
use super::json::Node;
use super::ledger::Ledger;

/// What a call and a tool call have beside their texts, in thousandths of a token.
const OF_A_CALL: u64 = 3_000;
const OF_A_TOOL_CALL: u64 = 40_000;

/// The characters of a signature that say nothing of its thinking, and the bytes of it that are not believed.
const EMPTY_SIGNATURE: u64 = 232;
const LEAST_WITHHELD: u64 = 16;

/// What these records of one call hold, duplicate events left out.
pub(super) fn unstated(ledger: &Ledger, records: &[usize]) -> Unstated {
    let events = records.iter().flat_map(|record| ledger.events_of(*record));
    let mut found = Unstated { text: OF_A_CALL, ..Unstated::default() };
    for event in events.filter(|event| !event.duplicate) {
        match event.kind {
            "message" => found.text += Bytes::of(&event.text).in_text(),
            "thinking" => {
                found.text += Bytes::of(&event.text).in_text();
                let thought = ThinkingBlock::of(ledger, event);
                found.withheld += thought.withheld();
                found.is_lower_bound |= thought.says_nothing();
            }
            "tool_call" => {
                let record = &ledger.records[event.record];
                let input = event.input.as_ref().map_or("", |input| record.written(input));
                found.text += OF_A_TOOL_CALL + Bytes::of(input).in_input();
            }
            _ => {}
        }
    }
    found
}

/// How many bytes of each kind a text has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Bytes {
    words: u64,
    letters: u64,
    digits: u64,
    feeds: u64,
    others: u64,
    wide: u64,
}

impl Bytes {
    fn of(text: &str) -> Self {
        let mut found = Self::default();
        let mut before = 0;
        for &byte in text.as_bytes() {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' => {
                    found.letters += 1;
                    found.words += u64::from(!u8::is_ascii_alphabetic(&before));
                }
                b'0'..=b'9' => found.digits += 1,
                b'\n' => found.feeds += 1,
                0x21..=0x7E => found.others += 1,
                0xC0.. => found.wide += 1,
                _ => {}
            }
            before = byte;
        }
        found
    }

    /// Thousandths of a token of a message's or a thinking's text.
    fn in_text(self) -> u64 {
        530 * self.words
            + 113 * self.letters
            + 800 * self.digits
            + 695 * self.others
            + 380 * self.feeds
            + 500 * self.wide
    }

    /// Thousandths of a token of a tool call's input.
    fn in_input(self) -> u64 {
        140 * self.words
            + 198 * self.letters
            + 1_270 * self.digits
            + 430 * self.others
            + 920 * self.wide
    }
}

/// A block of thinking.
struct ThinkingBlock {
    is_redacted: bool,
    /// The bytes of its text.
    text: u64,
    /// The characters of its signature.
    signature: u64,
}

impl ThinkingBlock {
    fn of(ledger: &Ledger, event: &Event) -> Self {
        let content = ledger.records[event.record].node().get("message");
        let blocks = content.and_then(|message| message.get("content")).and_then(|it| it.items());
        let block = blocks.as_ref().and_then(|blocks| blocks.get(event.block));
        let field = |key| block.and_then(|block: &Node| block.string(key)).unwrap_or_default();
        Self {
            is_redacted: field("type") == "redacted_thinking",
            text: event.text.len() as u64,
            signature: field("signature").chars().count() as u64,
        }
    }

    /// "m = max(0, n - 232) x 3 / 4 (cut to an integer) - t: m x 10,000 / 44 (cut), where m is above 16."
    fn withheld(&self) -> u64 {
        if self.is_redacted {
            return 0;
        }
        let bytes = self.signature.saturating_sub(EMPTY_SIGNATURE) * 3 / 4;
        let withheld = bytes.saturating_sub(self.text);
        if withheld > LEAST_WITHHELD { withheld * 10_000 / 44 } else { 0 }
    }

    /// Whether nothing tells how much was thought.
    fn says_nothing(&self) -> bool {
        self.is_redacted || (self.text == 0 && self.signature == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_of_six_kinds() {
        let bytes = Bytes::of("ab c1d, é→\n\t \u{7f}x");
        let expected = Bytes { words: 4, letters: 5, digits: 1, feeds: 1, others: 1, wide: 2 };
        assert_eq!(bytes, expected);
        let [text, input] = [bytes.in_text(), bytes.in_input()];
        assert_eq!(text, 4 * 530 + 5 * 113 + 800 + 380 + 695 + 2 * 500);
        assert_eq!(input, 4 * 140 + 5 * 198 + 1_270 + 430 + 2 * 920);
    }

    #[test]
    fn a_signature_tells_how_much_was_withheld() {
        let withheld =
            |signature, text| ThinkingBlock { is_redacted: false, text, signature }.withheld();
        assert_eq!(withheld(232 + 100, 0), 75 * 10_000 / 44);
        assert_eq!(withheld(232 + 101, 0), 75 * 10_000 / 44, "cut");
        assert_eq!(withheld(232 + 100, 50), 25 * 10_000 / 44);
        assert_eq!(withheld(232 + 100, 59), 0, "16 are not above 16");
        assert_eq!(withheld(232 + 100, 58), 17 * 10_000 / 44);
        assert_eq!(withheld(100, 0), 0);
        assert_eq!(withheld(232 + 100, 500), 0);
    }
}
