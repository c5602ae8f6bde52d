//! A CONTINUE scoreboard as tables: what succeeded, what it cost, what was read, what was gone.

use std::collections::BTreeMap;

use scoreboards::{Decimal, IntervalOutcome, Measure, Row, Scoreboard, Value, table};

use super::board::{
    ALL_INPUT, AT_CAP, DOLLARS, PARTIAL, PER_SUCCESS, STEPS, SUCCESS, TOKENS, in_order,
};
use super::comparisons;
use super::lookup::{Tables, grouped, label, line};

/// The tables of a scoreboard.
#[must_use]
pub fn tables(board: &Scoreboard) -> String {
    let mut out = String::new();
    let tables = Tables::of(board);
    for family in &tables.families {
        tables.success(&mut out, family);
        tables.cost(&mut out, family);
        tables.tokens(&mut out, family);
        tables.gone(&mut out, family);
    }
    comparisons::cache(&mut out, &tables);
    comparisons::beside_published(&mut out, &tables);
    out
}

impl Tables<'_> {
    /// Arms down, horizons across.
    fn print(
        &self,
        out: &mut String,
        title: &str,
        columns: &[&str],
        family: &str,
        cell: impl Fn(u32, &str) -> Option<Vec<String>>,
    ) {
        let mut header = vec!["arm".to_owned()];
        for horizon in &self.horizons {
            header.extend(columns.iter().map(|column| format!("{column} @{horizon}")));
        }
        let mut rows = Vec::new();
        for arm in in_order(&self.arms) {
            let cells: Vec<_> = self.horizons.iter().map(|h| cell(*h, arm.name)).collect();
            if cells.iter().all(Option::is_none) {
                continue;
            }
            let none = || vec!["-".to_owned(); columns.len()];
            let cells = cells.into_iter().flat_map(|cell| cell.unwrap_or_else(none));
            rows.push([arm.name.to_owned()].into_iter().chain(cells).collect());
        }
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        let numeric: Vec<usize> = (1..header.len()).collect();
        line(out, &format!("\n{family}, worker {}: {title}", scoreboards::escape(self.worker)));
        line(out, &table(&header, &numeric, rows));
    }

    fn success(&self, out: &mut String, family: &str) {
        let title = "runs that succeeded, with the 95% Clopper-Pearson interval of the share, and the \
                     mean partial credit";
        self.print(out, title, &["success", "interval", "partial"], family, |horizon, arm| {
            let found = self.get(SUCCESS, family, horizon, arm)?;
            let Value::Ratio { num, den } = found.outcome.value else { return None };
            let interval = match found.outcome.shown_interval() {
                Some(IntervalOutcome::Bounds { lo, hi, .. }) => {
                    format!("{:.2}-{:.2}", lo.round_dp(2), hi.round_dp(2))
                }
                _ => "-".to_owned(),
            };
            let partial = self.number(PARTIAL, family, horizon, arm)?;
            Some(vec![format!("{num}/{den}"), interval, format!("{:.3}", partial.round_dp(3))])
        });
    }

    fn cost(&self, out: &mut String, family: &str) {
        let simulated = self.board.provenance.protocol.contains_key("cache");
        let title = if simulated {
            "mean dollars a run (simulated), dollars per success"
        } else {
            "mean dollars a run, dollars per success"
        };
        let dollars = |amount: Decimal| format!("${:.4}", amount.round_dp(4));
        self.print(out, title, &["mean", "per success"], family, |horizon, arm| {
            let mean = self.number(DOLLARS, family, horizon, arm).map(dollars);
            let each = self.number(PER_SUCCESS, family, horizon, arm).map(dollars);
            self.get(DOLLARS, family, horizon, arm)?;
            Some([mean, each].map(|it| it.unwrap_or_else(|| "-".to_owned())).to_vec())
        });
    }

    fn tokens(&self, out: &mut String, family: &str) {
        for horizon in &self.horizons {
            let columns =
                ["steps", "at cap", "read", "uncached", "output", "from cache", "to cache"];
            let mut rows = Vec::new();
            for arm in in_order(&self.arms) {
                let Some(steps) = self.number(STEPS, family, *horizon, arm.name) else { continue };
                let at_cap = self.number(AT_CAP, family, *horizon, arm.name).unwrap_or_default();
                let read = self.number(ALL_INPUT, family, *horizon, arm.name).unwrap_or_default();
                let mut row = vec![
                    arm.name.to_owned(),
                    format!("{:.1}", steps.round_dp(1)),
                    at_cap.to_string(),
                    grouped(read),
                ];
                let classes = TOKENS.iter().map(|(name, _)| {
                    grouped(self.number(name, family, *horizon, arm.name).unwrap_or_default())
                });
                row.extend(classes);
                rows.push(row);
            }
            if rows.is_empty() {
                continue;
            }
            let header: Vec<&str> = ["arm"].into_iter().chain(columns).collect();
            let title =
                format!("\n{family} at {horizon}: means a run, and runs ended at the step cap");
            line(out, &title);
            line(out, &table(&header, &(1..header.len()).collect::<Vec<_>>(), rows));
        }
    }

    /// What workers said they were not shown, in the runs that failed.
    fn gone(&self, out: &mut String, family: &str) {
        let mut found: BTreeMap<(u32, &str), Vec<(u64, &str)>> = BTreeMap::new();
        let failed = |row: &&Row| {
            row.measures.get("success") == Some(&Measure::Flag(false))
                && label(row, "family") == family
        };
        for row in self.board.rows.iter().filter(failed) {
            let seed = label(row, "seed").parse().unwrap_or(0);
            let cell = (label(row, "horizon").parse().unwrap_or(0), label(row, "arm"));
            let said = match row.measures.get("not_shown") {
                Some(Measure::Text(text)) => text.as_str(),
                _ => match row.measures.get("ended") {
                    Some(Measure::Text(ended)) => ended,
                    _ => "",
                },
            };
            found.entry(cell).or_default().push((seed, said));
        }
        if found.is_empty() {
            return;
        }
        line(
            out,
            &format!("\n{family}: what failed runs said was not shown; of each cell's first"),
        );
        let rows = found.into_iter().map(|((horizon, arm), mut said)| {
            said.sort_unstable();
            let (seed, text) = said.first().copied().unwrap_or_default();
            let failed = said.len().to_string();
            [arm, &horizon.to_string(), &failed, &seed.to_string(), &scoreboards::escape(text)]
                .map(str::to_owned)
                .to_vec()
        });
        let header = ["arm", "horizon", "failed", "seed", "not shown"];
        line(out, &table(&header, &[1, 2, 3], rows.collect()));
    }
}
