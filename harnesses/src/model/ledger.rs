//! What a run has spent: an append-only file with a line before each attempt and a line after it, so that even
//! an attempt cut short by a kill is on record, at its maximum cost.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use trace_model::pricing::Dollars;

use super::called::{AttemptOutcome, Charge};
use super::error_kind::ErrorKind;
use super::lines::{Contents, Lines, LinesError};
use crate::usage::TokenUsage;

/// A line of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// An attempt is about to be made.
    Begun {
        /// The attempt, from 0.
        attempt: u64,
        /// The model asked for.
        model: String,
        /// Its maximum cost, if there is a price.
        reserved: Option<Dollars>,
    },
    /// An attempt has ended.
    Settled {
        /// The attempt.
        attempt: u64,
        /// How it ended.
        outcome: AttemptOutcome,
        /// Its usage, if known.
        usage: Option<TokenUsage>,
        /// Its cost.
        charge: Charge,
    },
}

/// What attempts came to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spend {
    /// Attempts made.
    pub attempts: u64,
    /// Attempts that gave an answer.
    pub answered: u64,
    /// The tokens of those whose usage is known.
    pub tokens: TokenUsage,
    /// Dollars of known usage.
    pub known: Dollars,
    /// Dollars assumed for attempts of unknown usage: their maximum cost.
    pub assumed: Dollars,
    /// Attempts of unknown cost: the model has no price.
    pub unpriced: u64,
    /// Tokens of attempts whose usage is known.
    pub unpriced_tokens: TokenUsage,
}

impl Spend {
    /// The dollars known and assumed: what counts against a budget.
    #[must_use]
    pub fn dollars(&self) -> Dollars {
        self.known + self.assumed
    }

    fn add(&mut self, outcome: &AttemptOutcome, usage: Option<TokenUsage>, charge: Charge) {
        self.attempts += 1;
        self.answered += u64::from(*outcome == AttemptOutcome::Completed);
        self.tokens += usage.unwrap_or_default();
        match charge {
            Charge::Nothing => {}
            Charge::Known(dollars) => self.known += dollars,
            Charge::Assumed(dollars) => self.assumed += dollars,
            Charge::Unpriced => {
                self.unpriced += 1;
                self.unpriced_tokens += usage.unwrap_or_default();
            }
        }
    }
}

/// The ledger of a run.
#[derive(Debug)]
pub struct Ledger {
    lines: Option<Lines>,
    totals: Mutex<Totals>,
}

#[derive(Debug, Default)]
struct Totals {
    next: u64,
    all: Spend,
    /// Attempts begun and not settled, with what they reserve.
    open: BTreeMap<u64, Option<Dollars>>,
}

impl Ledger {
    /// A ledger without a file: for tests, and runs that leave nothing behind.
    #[must_use]
    pub fn in_memory() -> Self {
        Self { lines: None, totals: Mutex::default() }
    }

    /// Opens a ledger, or begins one. Attempts that a kill cut short are settled at their reservation.
    ///
    /// # Errors
    /// If it cannot be read or written, or another process has it.
    pub fn open(path: &Path) -> Result<Self, LinesError> {
        let (lines, Contents { lines: entries, truncated: _ }) = Lines::open::<Entry>(path)?;
        let ledger = Self { lines: Some(lines), totals: Mutex::new(Totals::of(entries)) };
        let cut_short: Vec<u64> = ledger.totals().open.keys().copied().collect();
        for attempt in cut_short {
            ledger.settle_as_lost(attempt)?;
        }
        Ok(ledger)
    }

    /// Total spending, including earlier runs with the same ledger.
    #[must_use]
    pub fn spend(&self) -> Spend {
        self.totals().all.clone()
    }

    /// Syncs to disk, at the end of a run.
    ///
    /// # Errors
    /// If the disk will not.
    pub fn sync(&self) -> Result<(), LinesError> {
        self.lines.as_ref().map_or(Ok(()), Lines::sync)
    }

    /// Writes down that an attempt is about to be made.
    pub(super) fn begin(&self, model: &str, reserved: Option<Dollars>) -> Result<u64, LinesError> {
        let mut totals = self.totals();
        let attempt = totals.next;
        let entry = Entry::Begun { attempt, model: model.to_owned(), reserved };
        self.write(&mut totals, entry)?;
        Ok(attempt)
    }

    /// Writes down how an attempt ended.
    pub(super) fn settle(
        &self,
        attempt: u64,
        outcome: AttemptOutcome,
        usage: Option<TokenUsage>,
        charge: Charge,
    ) -> Result<(), LinesError> {
        let mut totals = self.totals();
        if !totals.open.contains_key(&attempt) {
            return Ok(());
        }
        self.write(&mut totals, Entry::Settled { attempt, outcome, usage, charge })
    }

    /// Settles a dropped attempt at its maximum cost.
    pub(super) fn settle_as_lost(&self, attempt: u64) -> Result<(), LinesError> {
        let reserved = self.totals().open.get(&attempt).copied().flatten();
        self.settle(attempt, LOST, None, charge_of_lost(reserved))
    }

    fn write(&self, totals: &mut Totals, entry: Entry) -> Result<(), LinesError> {
        if let Some(lines) = &self.lines {
            lines.append(&entry)?;
        }
        totals.enter(entry);
        Ok(())
    }

    fn totals(&self) -> std::sync::MutexGuard<'_, Totals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How an attempt ended that was dropped.
const LOST: AttemptOutcome = AttemptOutcome::Failed(ErrorKind::Stopping);

/// The charge for such an attempt: its maximum cost.
fn charge_of_lost(reserved: Option<Dollars>) -> Charge {
    reserved.map_or(Charge::Unpriced, Charge::Assumed)
}

impl Totals {
    fn of(entries: Vec<Entry>) -> Self {
        let mut totals = Self::default();
        for entry in entries {
            totals.enter(entry);
        }
        totals
    }

    fn enter(&mut self, entry: Entry) {
        match entry {
            Entry::Begun { attempt, reserved, .. } => {
                self.next = self.next.max(attempt.saturating_add(1));
                self.open.insert(attempt, reserved);
            }
            Entry::Settled { attempt, outcome, usage, charge } => {
                self.open.remove(&attempt);
                self.all.add(&outcome, usage, charge);
            }
        }
    }
}

/// The lines of a ledger, read-only.
///
/// # Errors
/// If it cannot be read.
pub fn entries(path: &Path) -> Result<Vec<Entry>, LinesError> {
    Ok(Lines::read_only(path)?.lines)
}

/// The sum of a ledger's lines, read-only. An attempt without an end on record counts as its reservation, as it
/// does when the ledger is opened for writing.
///
/// # Errors
/// If it cannot be read.
pub fn read(path: &Path) -> Result<Spend, LinesError> {
    let Totals { mut all, open, .. } = Totals::of(entries(path)?);
    for reserved in open.into_values() {
        all.add(&LOST, None, charge_of_lost(reserved));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use super::*;

    fn cents(n: i64) -> Dollars {
        Dollars::new(Decimal::new(n, 2))
    }

    #[test]
    fn totals_are_the_sum_of_the_lines_and_survive_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.jsonl");
        let ledger = Ledger::open(&path).unwrap();
        let usage = TokenUsage { input: 10, output: 5, ..TokenUsage::default() };
        for (model, charge) in [
            ("a", Charge::Known(cents(3))),
            ("b", Charge::Unpriced),
            ("a", Charge::Assumed(cents(9))),
            ("a", Charge::Nothing),
        ] {
            let attempt = ledger.begin(model, Some(cents(10))).unwrap();
            ledger.settle(attempt, AttemptOutcome::Completed, Some(usage), charge).unwrap();
        }
        let all = ledger.spend();
        assert_eq!((all.attempts, all.known, all.assumed), (4, cents(3), cents(9)));
        assert_eq!((all.unpriced, all.unpriced_tokens), (1, usage));
        drop(ledger);
        assert_eq!(Ledger::open(&path).unwrap().spend(), all);
    }

    #[test]
    fn an_attempt_cut_short_by_a_kill_counts_as_paid_in_full() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.jsonl");
        let ledger = Ledger::open(&path).unwrap();
        ledger.begin("a", Some(cents(10))).unwrap();
        ledger.begin("local", None).unwrap();
        drop(ledger);
        let spend = Ledger::open(&path).unwrap().spend();
        assert_eq!((spend.attempts, spend.assumed, spend.unpriced), (2, cents(10), 1));
        // It is settled once, in the file too.
        assert_eq!(Ledger::open(&path).unwrap().spend(), spend);
        assert_eq!(entries(&path).unwrap().len(), 4);
    }
}
