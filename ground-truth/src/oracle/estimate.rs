//! Output that a client never stated, and its estimate.
//!
//! `docs/DEFINITIONS.md`, "Output that was never stated". The scales are an input, by exact model name as written
//! in the transcript, as the prices are: which scale belongs to which name is decided by whoever compares.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::api::ApiCall;
use super::dollars::{PriceTable, total_price};
use super::fields::FieldValue;
use super::json::Node;
use super::ledger::{Event, Ledger};
use super::recount::Recount;
use super::stated::Unattributed;

/// What a call and a tool call have beside their texts, in thousandths of a token.
const OF_A_CALL: u64 = 3_000;
const OF_A_TOOL_CALL: u64 = 40_000;

/// The characters of a signature that say nothing of its thinking, and the bytes of it that are not believed.
const EMPTY_SIGNATURE: u64 = 232;
const LEAST_WITHHELD: u64 = 16;

/// The scale of a model's estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scale {
    /// In hundredths.
    pub hundredths: u64,
    /// Whether the model's bare name starts with `claude-`, so that its signatures say how much was thought.
    pub is_claude: bool,
}

/// The scales by the model's name exactly as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scales {
    /// Of the models of the run.
    pub by_model: BTreeMap<String, Scale>,
    /// Of a call without a model, or with one that is not there.
    pub other: Scale,
}

/// What the records of a call hold that is not finished and states one number of output tokens at most.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unstated {
    /// The estimate from text before it is scaled, in thousandths of a token.
    pub text: u64,
    /// What withheld thinking adds to it.
    pub withheld: u64,
    /// Whether the call has thinking of which nothing tells how much it is.
    pub is_lower_bound: bool,
}

/// What a run's output comes to with the estimates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Estimate {
    /// The number of calls with unfinished usage.
    pub unfinished_usage: u64,
    /// The output tokens of all calls, and the unattributed ones, with the estimates.
    pub estimated_output_tokens: u64,
    /// The dollars with those numbers.
    pub estimated_usd: Decimal,
    /// Whether that is a lower bound itself.
    pub estimate_is_lower_bound: bool,
}

/// The names of the fields that [`Estimate::fields`] gives.
pub const ESTIMATE_FIELD_NAMES: &[&str] =
    &["estimate_is_lower_bound", "estimated_output_tokens", "estimated_usd", "unfinished_usage"];

impl Estimate {
    /// Every field by its name: exactly those of [`ESTIMATE_FIELD_NAMES`]. What is true is 1, else 0.
    #[must_use]
    pub fn fields(&self) -> BTreeMap<String, FieldValue> {
        let usd = FieldValue::Text(self.estimated_usd.normalize().to_string());
        let bound = u64::from(self.estimate_is_lower_bound);
        BTreeMap::from([
            ("estimate_is_lower_bound".to_owned(), FieldValue::Int(bound)),
            ("estimated_output_tokens".to_owned(), FieldValue::Int(self.estimated_output_tokens)),
            ("estimated_usd".to_owned(), usd),
            ("unfinished_usage".to_owned(), FieldValue::Int(self.unfinished_usage)),
        ])
    }
}

/// Estimates the output of a run.
#[must_use]
pub fn estimate(recount: &Recount, scales: &Scales, prices: &PriceTable) -> Estimate {
    let unfinished: Vec<Option<u64>> =
        recount.api_calls.iter().map(|call| estimate_of(call, scales)).collect();
    let estimated = recount.api_calls.iter().zip(&unfinished).map(|(call, estimate)| {
        let mut call = call.clone();
        call.tokens.output = call.tokens.output.max(estimate.unwrap_or(0));
        call
    });
    let beside = recount.unattributed.iter().map(Unattributed::as_call);
    let all: Vec<ApiCall> = estimated.chain(beside).collect();
    let is_bound = |(call, estimate): (&ApiCall, &Option<u64>)| {
        estimate.is_some() && call.unstated.as_ref().is_some_and(|it| it.is_lower_bound)
    };
    Estimate {
        unfinished_usage: unfinished.iter().flatten().count() as u64,
        estimated_output_tokens: all.iter().map(|call| call.tokens.output).sum(),
        estimated_usd: total_price(&all, prices),
        estimate_is_lower_bound: recount.api_calls.iter().zip(&unfinished).any(is_bound),
    }
}

/// The estimate of a call, if it has unfinished usage: if "four times that number is less than three times its
/// estimate from text".
fn estimate_of(call: &ApiCall, scales: &Scales) -> Option<u64> {
    let unstated = call.unstated.as_ref()?;
    let named = call.model.as_ref().and_then(|model| scales.by_model.get(model));
    let scale = named.unwrap_or(&scales.other);
    let in_tokens = |thousandths: u64| (thousandths * scale.hundredths).div_ceil(100_000);
    let withheld = if scale.is_claude { unstated.withheld } else { 0 };
    let is_unfinished = 4 * call.tokens.output < 3 * in_tokens(unstated.text);
    is_unfinished.then(|| in_tokens(unstated.text + withheld))
}

/// What these records of one call hold, duplicate events left out.
pub(super) fn unstated(ledger: &Ledger, records: &[usize]) -> Unstated {
    let events = records.iter().flat_map(|record| ledger.events_of(*record));
    let mut found = Unstated { text: OF_A_CALL, ..Unstated::default() };
    for event in events.filter(|event| !event.duplicate) {
        match event.kind {
            "message" => found.text += Bytes::of(&event.text).in_text(),
            "thinking" => {
                found.text += Bytes::of(&event.text).in_text();
                let thought = Thought::of(ledger, event);
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
struct Thought {
    is_redacted: bool,
    /// The bytes of its text.
    text: u64,
    /// The characters of its signature.
    signature: u64,
}

impl Thought {
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
        let withheld = |signature, text| Thought { is_redacted: false, text, signature }.withheld();
        assert_eq!(withheld(232 + 100, 0), 75 * 10_000 / 44);
        assert_eq!(withheld(232 + 101, 0), 75 * 10_000 / 44, "cut");
        assert_eq!(withheld(232 + 100, 50), 25 * 10_000 / 44);
        assert_eq!(withheld(232 + 100, 59), 0, "16 are not above 16");
        assert_eq!(withheld(232 + 100, 58), 17 * 10_000 / 44);
        assert_eq!(withheld(100, 0), 0);
        assert_eq!(withheld(232 + 100, 500), 0);
    }
}
