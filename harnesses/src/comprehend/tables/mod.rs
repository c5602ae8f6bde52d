//! The scoreboard as tables: question types down, readers and conditions across; what was lost where; and
//! of a model what its calls took and how steady it is. All of it is read from the scoreboard's
//! aggregates: nothing is computed here.

mod calls;
mod losses;
mod scores;

use std::collections::{BTreeMap, BTreeSet};

use ground_truth::graders::RuleSet;
use ground_truth::questions::Pack;
use scoreboards::{Aggregate, Group, IntervalOutcome, NotComputable, Row, Scoreboard};

use super::args::{BLIND, MECHANICAL};
use super::conditions::CONDITIONS;
use super::rows::{NO_CONTEXT, measure_of};

/// The tables of a scoreboard: for each pack and inputs what each type scores with the number of questions
/// asked and left out, the sums under each rule set, what is shown, the loss table; then a model's calls.
#[must_use]
pub fn tables(board: &Scoreboard) -> String {
    let mut out = String::new();
    let tables = Tables::of(board);
    for (inputs, pack) in &tables.parts {
        tables.scores(&mut out, inputs, pack);
        tables.losses(&mut out, inputs, pack);
        tables.repeats(&mut out, inputs, pack);
    }
    let inputs: BTreeSet<&str> = tables.parts.iter().map(|(inputs, _)| *inputs).collect();
    for inputs in inputs {
        tables.calls(&mut out, inputs);
    }
    out
}

struct Tables<'a> {
    /// By name and group.
    aggregates: BTreeMap<(&'a str, &'a Group), &'a Aggregate>,
    /// Inputs and packs that there are answers for.
    parts: BTreeSet<(&'a str, &'a str)>,
    /// The conditions that there are, the built-in ones first.
    conditions: Vec<&'a str>,
    /// The rule sets that there are, the one that tables show in full first.
    rule_sets: Vec<RuleSet>,
    mechanical: bool,
    /// The model that answers, by its label.
    model: Option<&'a str>,
}

impl<'a> Tables<'a> {
    fn of(board: &'a Scoreboard) -> Self {
        let label = |row: &'a Row, name: &str| row.labels.get(name).map(String::as_str);
        let asked = |row| Some((label(row, "inputs")?, label(row, "pack")?));
        let contexts = board.rows.iter().filter(|row| label(row, "what") == Some("context"));
        let mut conditions: Vec<&str> = contexts
            .filter_map(|row| label(row, "condition"))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let place = |name: &str| CONDITIONS.iter().position(|it| it.name() == name);
        conditions.sort_by_key(|name| place(name).unwrap_or(CONDITIONS.len()));
        let answers = || board.rows.iter().filter(|row| label(row, "what") == Some("answer"));
        let readers: BTreeSet<&str> = answers().filter_map(|row| label(row, "reader")).collect();
        let graders = &board.provenance.graders;
        let graded =
            |it: &RuleSet| graders.get(measure_of(*it)).is_some_and(|name| name == it.name());
        let newest_first = [RuleSet::Strict2, RuleSet::Strict1, RuleSet::Paper1];
        Self {
            aggregates: board
                .aggregates
                .iter()
                .map(|it| ((it.spec.name.as_str(), &it.spec.over), it))
                .collect(),
            parts: answers().filter_map(asked).collect(),
            conditions,
            rule_sets: newest_first.into_iter().filter(graded).collect(),
            mechanical: readers.contains(MECHANICAL),
            model: readers.into_iter().find(|it| ![MECHANICAL, BLIND].contains(it)),
        }
    }

    fn get(&self, name: &str, over: &Group) -> Option<&'a Aggregate> {
        self.aggregates.get(&(name, over)).copied()
    }

    /// A value to three places, or a dash.
    fn value(&self, name: &str, over: &Group) -> String {
        let value = self.get(name, over).and_then(|found| found.outcome.value.decimal());
        value.map_or_else(|| "-".to_owned(), |value| format!("{:.3}", value.round_dp(3)))
    }

    /// A value with its interval, to three places.
    fn estimate(&self, name: &str, over: &Group) -> String {
        let value = self.value(name, over);
        let interval = self.get(name, over).and_then(|found| found.outcome.shown_interval());
        match interval {
            Some(IntervalOutcome::Bounds { lo, hi, .. }) => {
                format!("{value} [{:.3}, {:.3}]", lo.round_dp(3), hi.round_dp(3))
            }
            Some(IntervalOutcome::NotComputable(few @ NotComputable::TooFewClusters { .. })) => {
                format!("{value}, {few}")
            }
            _ => value,
        }
    }

    fn number(&self, name: &str, over: &Group) -> String {
        let value = self.get(name, over).and_then(|found| found.outcome.value.decimal());
        value.map_or_else(|| "-".to_owned(), |value| value.round().to_string())
    }

    /// `blind`, then `mechanical` and the model under each condition.
    fn cells(&self) -> Vec<(&'a str, &'a str)> {
        let readers = self.mechanical.then_some(MECHANICAL).into_iter().chain(self.model);
        let under = |reader| self.conditions.iter().map(move |condition| (reader, *condition));
        [(BLIND, NO_CONTEXT)].into_iter().chain(readers.flat_map(under)).collect()
    }

    /// The columns' names: the reader is named where there are two.
    fn headings(&self) -> Vec<String> {
        let name = |(reader, condition): (&str, &str)| match reader {
            BLIND => BLIND.to_owned(),
            MECHANICAL if self.model.is_some() => format!("mech. {condition}"),
            MECHANICAL => condition.to_owned(),
            _ => format!("model {condition}"),
        };
        self.cells().into_iter().map(name).collect()
    }
}

/// Rows inputs, pack, reader, condition of what answers were given.
fn cell(inputs: &str, pack: &str, (reader, condition): (&str, &str)) -> Group {
    let part = Group::all().and("inputs", inputs).and("pack", pack).and("what", "answer");
    part.and("reader", reader).and("condition", condition)
}

/// The question types of a pack in its order.
fn types(pack: &str) -> Vec<String> {
    let pack = Pack::named(pack);
    pack.map(|pack| pack.types().map(|kind| kind.to_string()).collect()).unwrap_or_default()
}

/// Adds a table under a title: the first column to the left, the others to the right.
fn add(out: &mut String, title: &str, header: &[String], rows: Vec<Vec<String>>) {
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let numeric: Vec<usize> = (1..header.len()).collect();
    out.push('\n');
    out.push_str(title);
    out.push('\n');
    out.push_str(&scoreboards::table(&header, &numeric, rows));
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

/// A table's header: what is down, then what is across.
fn header(first: &[&str], rest: impl IntoIterator<Item = String>) -> Vec<String> {
    first.iter().map(|&it| it.to_owned()).chain(rest).collect()
}
