//! A CONTINUE scoreboard by cell, for whatever prints it.

use std::collections::BTreeSet;

use scoreboards::measures::continuation::{ARM, FAMILY, HORIZON, WORKER, What};
use scoreboards::measures::{AggregateKey, LabelKey};
use scoreboards::{Decimal, Group, Lookup, Scoreboard};

use super::arms::{ARMS, ArmSpec};

/// The cells of a scoreboard, and their aggregates.
pub(super) struct Cells<'a> {
    pub(super) board: &'a Scoreboard,
    pub(super) lookup: Lookup<'a>,
    pub(super) families: BTreeSet<&'a str>,
    pub(super) horizons: BTreeSet<u32>,
    /// In the order in which arms are listed.
    pub(super) arms: Vec<&'static ArmSpec>,
    pub(super) worker: &'a str,
}

impl<'a> Cells<'a> {
    pub(super) fn of(board: &'a Scoreboard) -> Self {
        let all = |label: &LabelKey| -> BTreeSet<&'a str> {
            board.rows.iter().filter_map(|row| row.label_of(label)).collect()
        };
        let arms = all(&ARM);
        Self {
            board,
            lookup: Lookup::of(board),
            families: all(&FAMILY),
            horizons: all(&HORIZON).iter().filter_map(|it| it.parse().ok()).collect(),
            arms: ARMS.iter().filter(|arm| arms.contains(arm.name)).collect(),
            worker: board.rows.first().and_then(|row| row.label_of(&WORKER)).unwrap_or_default(),
        }
    }

    /// The runs of a cell.
    pub(super) fn group(&self, family: &str, horizon: u32, arm: &str) -> Group {
        let of_task = What::Run.rows().and(&FAMILY, family).and(&HORIZON, horizon.to_string());
        of_task.and(&ARM, arm).and(&WORKER, self.worker)
    }

    /// An aggregate of a cell as a number.
    pub(super) fn number(
        &self,
        key: &AggregateKey,
        family: &str,
        horizon: u32,
        arm: &str,
    ) -> Option<Decimal> {
        self.lookup.decimal(key, &self.group(family, horizon, arm))
    }
}

/// An integer with thousands separators.
pub(super) fn grouped(number: Decimal) -> String {
    trace_model::text::grouped(number.round().try_into().unwrap_or(u64::MAX))
}
