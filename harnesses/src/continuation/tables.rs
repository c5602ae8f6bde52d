//! A CONTINUE scoreboard as tables: what succeeded, what it cost, what was read, what was not shown.

use std::collections::BTreeMap;

use scoreboards::measures::continuation::{
    ARM, DOLLARS_PER_SUCCESS, ENDED, ENDED_AT_STEP_CAP, FAMILY, HORIZON, MEAN_ALL_INPUT,
    MEAN_CACHE_READ, MEAN_CACHE_WRITE, MEAN_DOLLARS, MEAN_INPUT, MEAN_OUTPUT, MEAN_PARTIAL,
    MEAN_STEPS, NOT_SHOWN, SEED, SUCCESS, SUCCESS_RATE,
};
use scoreboards::{Column, Group, IntervalOutcome, Row, Scoreboard, Table, Value};

use super::comparisons;
use super::lookup::{Cells, grouped};

/// The tables of a scoreboard.
#[must_use]
pub fn tables(board: &Scoreboard) -> String {
    let cells = Cells::of(board);
    let of_family = |family: &&str| {
        let mut tables = vec![cells.success(family), cells.cost(family)];
        tables.extend(cells.horizons.iter().filter_map(|horizon| cells.tokens(family, *horizon)));
        tables.extend(cells.not_shown(family));
        tables
    };
    let of_families = cells.families.iter().flat_map(of_family);
    let compared = [comparisons::cache(&cells), comparisons::beside_published(&cells)];
    let all = of_families.chain(compared.into_iter().flatten());
    all.fold(String::new(), |text, table| text + "\n" + &table.to_text())
}

impl Cells<'_> {
    /// Arms down, horizons across.
    fn by_arm(
        &self,
        title: &str,
        columns: &[&str],
        family: &str,
        cell: impl Fn(&Group) -> Option<Vec<String>>,
    ) -> Table {
        let title = format!("{family}, worker {}: {title}", self.worker);
        let heads = self
            .horizons
            .iter()
            .flat_map(|horizon| columns.iter().map(move |column| format!("{column} @{horizon}")));
        let mut table = Table::of_numbers(title, "arm", heads);
        for arm in &self.arms {
            let group = |horizon: &u32| self.group(family, *horizon, arm.name);
            let cells: Vec<_> = self.horizons.iter().map(|it| cell(&group(it))).collect();
            if cells.iter().all(Option::is_none) {
                continue;
            }
            let none = || vec!["-".to_owned(); columns.len()];
            let cells = cells.into_iter().flat_map(|cell| cell.unwrap_or_else(none));
            table.rows.push([arm.name.to_owned()].into_iter().chain(cells).collect());
        }
        table
    }

    fn success(&self, family: &str) -> Table {
        let title = "runs that succeeded, with the 95% Clopper-Pearson interval of the share, and the \
                     mean partial credit";
        self.by_arm(title, &["success", "interval", "partial"], family, |group| {
            let found = self.lookup.get(&SUCCESS_RATE, group)?;
            let Value::Ratio { num, den } = found.outcome.value else { return None };
            let interval = match found.outcome.shown_interval() {
                Some(IntervalOutcome::Bounds { lo, hi, .. }) => {
                    format!("{:.2}-{:.2}", lo.round_dp(2), hi.round_dp(2))
                }
                _ => "-".to_owned(),
            };
            let partial = self.lookup.decimal(&MEAN_PARTIAL, group)?;
            Some(vec![format!("{num}/{den}"), interval, format!("{:.3}", partial.round_dp(3))])
        })
    }

    fn cost(&self, family: &str) -> Table {
        let simulated = self.board.provenance.protocol.contains_key("cache");
        let title = if simulated {
            "mean dollars a run (simulated), dollars per success"
        } else {
            "mean dollars a run, dollars per success"
        };
        self.by_arm(title, &["mean", "per success"], family, |group| {
            self.lookup.get(&MEAN_DOLLARS, group)?;
            let keys = [&MEAN_DOLLARS, &DOLLARS_PER_SUCCESS];
            Some(keys.map(|key| self.lookup.dollars(key, group)).to_vec())
        })
    }

    fn tokens(&self, family: &str, horizon: u32) -> Option<Table> {
        let title = format!("{family} at {horizon}: means a run, and runs ended at the step cap");
        let columns = ["steps", "at cap", "read", "uncached", "output", "from cache", "to cache"];
        let mut table = Table::of_numbers(title, "arm", columns);
        let keys =
            [&MEAN_ALL_INPUT, &MEAN_INPUT, &MEAN_OUTPUT, &MEAN_CACHE_READ, &MEAN_CACHE_WRITE];
        for arm in &self.arms {
            let number = |key| self.number(key, family, horizon, arm.name);
            let Some(steps) = number(&MEAN_STEPS) else { continue };
            let at_cap = number(&ENDED_AT_STEP_CAP).unwrap_or_default();
            let steps = [format!("{:.1}", steps.round_dp(1)), at_cap.to_string()];
            let tokens = keys.map(|key| grouped(number(key).unwrap_or_default()));
            let cells = steps.into_iter().chain(tokens);
            table.rows.push([arm.name.to_owned()].into_iter().chain(cells).collect());
        }
        (!table.rows.is_empty()).then_some(table)
    }

    /// What workers said they were not shown, in the runs that failed.
    fn not_shown(&self, family: &str) -> Option<Table> {
        let mut found: BTreeMap<(u32, &str), Vec<(u64, &str)>> = BTreeMap::new();
        let failed = |row: &&Row| row.is(&FAMILY, family) && row.value(&SUCCESS) == Some(false);
        for row in self.board.rows.iter().filter(failed) {
            let number = |label| row.label_of(label).and_then(|it| it.parse().ok());
            let horizon = number(&HORIZON).and_then(|it| u32::try_from(it).ok());
            let cell = (horizon.unwrap_or(0), row.label_of(&ARM).unwrap_or_default());
            let reason = if row.value(&NOT_SHOWN).is_some() { &NOT_SHOWN } else { &ENDED };
            let seed = number(&SEED).unwrap_or(0);
            found.entry(cell).or_default().push((seed, row.text_of(reason)));
        }
        let title = format!("{family}: what failed runs said was not shown; of each cell's first");
        let heads = ["horizon", "failed", "seed"].map(Column::number);
        let columns = [Column::text("arm")].into_iter().chain(heads);
        let mut table = Table::new(title, columns.chain([Column::text("not shown")]));
        table.rows = found
            .into_iter()
            .map(|((horizon, arm), mut reasons)| {
                reasons.sort_unstable();
                let (seed, reason) = reasons.first().copied().unwrap_or_default();
                let numbers = [horizon.into(), reasons.len() as u64, seed].map(|it| it.to_string());
                let cells = [arm.to_owned()].into_iter().chain(numbers);
                cells.chain([reason.to_owned()]).collect()
            })
            .collect();
        (!table.rows.is_empty()).then_some(table)
    }
}
