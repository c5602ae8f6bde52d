//! A CONTINUE scoreboard by cell, for whatever prints it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use scoreboards::{Aggregate, Decimal, Group, Row, Scoreboard};

/// The aggregates of a scoreboard, and what cells it has.
pub(super) struct Tables<'a> {
    pub(super) board: &'a Scoreboard,
    aggregates: BTreeMap<(&'a str, &'a Group), &'a Aggregate>,
    pub(super) families: BTreeSet<&'a str>,
    pub(super) horizons: BTreeSet<u32>,
    pub(super) arms: BTreeSet<&'a str>,
    pub(super) worker: &'a str,
}

pub(super) fn label<'a>(row: &'a Row, name: &str) -> &'a str {
    row.labels.get(name).map_or("", String::as_str)
}

pub(super) fn line(out: &mut String, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

/// A whole number with its thousands set apart.
pub(super) fn grouped(number: Decimal) -> String {
    trace_model::text::grouped(number.round().try_into().unwrap_or(u64::MAX))
}

impl<'a> Tables<'a> {
    pub(super) fn of(board: &'a Scoreboard) -> Self {
        let all = |name: &str| board.rows.iter().map(|row| label(row, name)).collect();
        let horizons: BTreeSet<&str> = all("horizon");
        Self {
            board,
            aggregates: board
                .aggregates
                .iter()
                .map(|it| ((it.spec.name.as_str(), &it.spec.over), it))
                .collect(),
            families: all("family"),
            horizons: horizons.iter().filter_map(|it| it.parse().ok()).collect(),
            arms: all("arm"),
            worker: board.rows.first().map_or("", |row| label(row, "worker")),
        }
    }

    pub(super) fn get(
        &self,
        name: &str,
        family: &str,
        horizon: u32,
        arm: &str,
    ) -> Option<&'a Aggregate> {
        let over = Group::all().and("what", "run").and("family", family).and("arm", arm);
        let over = over.and("horizon", horizon.to_string()).and("worker", self.worker);
        self.aggregates.get(&(name, &over)).copied()
    }

    pub(super) fn number(
        &self,
        name: &str,
        family: &str,
        horizon: u32,
        arm: &str,
    ) -> Option<Decimal> {
        self.get(name, family, horizon, arm)?.outcome.value.decimal()
    }
}
