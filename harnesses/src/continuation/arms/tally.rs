//! A running sum by a pattern, with no ledger behind it.

use corpus_gen::tasks::Statistic;
use rust_decimal::Decimal;

use super::super::context::{Prompt, Segment};
use super::super::history::History;
use super::layout::flat;
use super::policy::{Arm, Setup};
use crate::workbench::Action;

/// The sum of every `key = NUMBER` that a reading showed, and the last `keep` steps.
///
/// It keeps no ledger: a file read twice counts twice, a changed value keeps its old count.
pub(super) struct Minimal {
    key: Option<&'static str>,
    keep: usize,
    taken: usize,
    sum: Decimal,
    values: u64,
    last: Option<String>,
}

impl Minimal {
    pub(super) fn new(setup: &Setup) -> Self {
        let key = match setup.statistic {
            Statistic::None => None,
            Statistic::Sum { key } | Statistic::AlternatingSum { key } => Some(key),
        };
        let keep = setup.policy.refresh_every;
        Self { key, keep, taken: 0, sum: Decimal::ZERO, values: 0, last: None }
    }

    fn take(&mut self, history: &History) {
        let Some(key) = self.key else { return };
        for step in &history.steps[self.taken..] {
            let Some((Action::ReadFile { path }, text)) = step.succeeded() else { continue };
            for number in numbers(key, text) {
                self.sum = self.sum.saturating_add(number);
                self.values += 1;
                self.last = Some(path.clone());
            }
        }
        self.taken = history.steps.len();
    }

    fn text(&self) -> Option<Segment> {
        let (key, last) = (self.key?, self.last.as_ref()?);
        Some(Segment::new(format!(
            "[tally]\n- {key} sum {}, over {} values, up to and including {last}\n",
            self.sum, self.values
        )))
    }
}

/// The numbers of lines `key = NUMBER`.
fn numbers(key: &str, text: &str) -> impl Iterator<Item = Decimal> {
    text.lines().filter_map(move |line| {
        let (name, value) = line.split_once('=')?;
        if name.trim() == key { value.trim().parse().ok() } else { None }
    })
}

impl Arm for Minimal {
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt> {
        self.take(history);
        Ok(flat(history, &self.text(), history.last(self.keep)))
    }
}
