//! The output of calls whose records state that of the stream's start only, estimated from what was written.
//! Reported beside the recorded number, never added to it.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::models::Model;
use super::scales::{Scales, is_claude};
use super::slots::{CallSlot, OutputStated};
use super::terms::CallIndex;
use super::totals::Sign;
use super::written::{CALL, OutputSize};
use crate::pricing::bare_name;

/// What an estimate adds to a call with unfinished usage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Addition {
    /// Output tokens above the recorded ones.
    pub(super) output: u64,
    /// Dollars above those of the recorded ones.
    pub(super) dollars: Decimal,
    /// Whether there was reasoning that the estimate cannot know.
    pub(super) untold: bool,
}

/// What estimates add to the totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimates {
    /// Calls with unfinished usage.
    pub calls: u64,
    /// Output tokens above the recorded ones.
    pub output: u64,
    /// Dollars above those of the recorded ones.
    pub dollars: Decimal,
    /// Of the calls, those with reasoning that the estimate cannot know.
    pub untold_calls: u64,
}

impl Estimates {
    /// The day of the table of scales.
    pub fn scales_of() -> &'static str {
        Scales::builtin().date()
    }

    /// The scale of a model by its name as written, in hundredths, and whether its signatures tell how long
    /// its reasoning was.
    pub fn scale_of(model: &str) -> (u64, bool) {
        let bare = bare_name(model);
        (Scales::builtin().of(&bare), is_claude(&bare))
    }

    pub(super) fn change(&mut self, sign: Sign, by: &Addition) {
        sign.count(&mut self.calls, 1);
        sign.count(&mut self.output, by.output);
        sign.dollars(&mut self.dollars, by.dollars);
        sign.count(&mut self.untold_calls, by.untold.into());
    }
}

/// What the estimates add, by call.
pub(super) type Additions = BTreeMap<CallIndex, Addition>;

/// The estimates of a call's output tokens: from its text, and with reasoning that is withheld.
fn estimates(written: &OutputSize, model: &Model) -> (u64, u64) {
    let scaled = |thousandths: u64| {
        let tokens = (u128::from(thousandths) * u128::from(model.scale)).div_ceil(100_000);
        u64::try_from(tokens).unwrap_or(u64::MAX)
    };
    let text = CALL.saturating_add(written.text);
    let signed = if model.signs_length { written.signed } else { 0 };
    (scaled(text), scaled(text.saturating_add(signed)))
}

/// The estimated output of a call that is not known to have ended, if its usage is unfinished.
pub(super) fn unfinished(slot: &CallSlot, model: &Model) -> Option<u64> {
    if slot.output == OutputStated::Grown {
        return None;
    }
    let (from_text, estimate) = estimates(&slot.written, model);
    let below = u128::from(slot.usage.output) * 4 < u128::from(from_text) * 3;
    below.then_some(estimate.max(slot.usage.output))
}

/// What reasoning of an answer is on record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reasoning {
    /// None.
    None,
    /// As text, all of it.
    Stored,
    /// Some by its signature, or not at all.
    Withheld,
}

/// A call as those see it who calibrate estimates.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration<'a> {
    /// The model's name without decorations.
    pub model: String,
    /// Whether its records tell the end: it stopped, or its output grew.
    pub ended: bool,
    /// The recorded output tokens.
    pub recorded: u64,
    /// What was written, in thousandths of a token before the scale: from text.
    pub from_text: u64,
    /// The same with withheld reasoning.
    pub with_signatures: u64,
    /// Its reasoning.
    pub reasoning: Reasoning,
    /// The model's name as written.
    pub written_as: &'a str,
}

impl<'a> Calibration<'a> {
    pub(super) fn of(slot: &CallSlot, written_as: &'a str) -> Self {
        let model = bare_name(written_as);
        let signed = if is_claude(&model) { slot.written.signed } else { 0 };
        let from_text = CALL.saturating_add(slot.written.text);
        Self {
            ended: slot.stopped || slot.output == OutputStated::Grown,
            recorded: slot.usage.output,
            from_text,
            with_signatures: from_text.saturating_add(signed),
            reasoning: if slot.written.hides_thinking {
                Reasoning::Withheld
            } else if slot.written.shows_thinking {
                Reasoning::Stored
            } else {
                Reasoning::None
            },
            model,
            written_as,
        }
    }
}
