//! The scoreboard as tables: question types down, readers and conditions across.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ground_truth::graders::RuleSet;
use ground_truth::questions::Pack;
use scoreboards::{Aggregate, Group, Scoreboard};

use super::args::{BLIND, MECHANICAL};
use super::board::{ACCURACY, CHARACTERS, LEFT_OUT, LOSS, MACRO, RATIO, by};
use super::conditions::CONDITIONS;
use super::rows::NO_CONTEXT;

/// The tables of a scoreboard: for each pack and inputs what each type scores under `strict/1` with the
/// number of questions asked and left out, the sums under both rule sets, what is shown, and the loss
/// table.
#[must_use]
pub fn tables(board: &Scoreboard) -> String {
    let mut out = String::new();
    let tables = Tables::of(board);
    for (inputs, pack) in &tables.parts {
        tables.scores(&mut out, inputs, pack);
        tables.losses(&mut out, inputs, pack);
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
    mechanical: bool,
}

impl<'a> Tables<'a> {
    fn of(board: &'a Scoreboard) -> Self {
        let label =
            |row: &'a scoreboards::Row, name: &str| row.labels.get(name).map(String::as_str);
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
        Self {
            aggregates: board
                .aggregates
                .iter()
                .map(|it| ((it.spec.name.as_str(), &it.spec.over), it))
                .collect(),
            parts: answers().filter_map(asked).collect(),
            conditions,
            mechanical: answers().any(|row| label(row, "reader") == Some(MECHANICAL)),
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

    fn number(&self, name: &str, over: &Group) -> String {
        let value = self.get(name, over).and_then(|found| found.outcome.value.decimal());
        value.map_or_else(|| "-".to_owned(), |value| value.round().to_string())
    }

    /// `blind`, then `mechanical` under each condition.
    fn cells(&self) -> Vec<(&'static str, &'a str)> {
        let read = self.conditions.iter().filter(|_| self.mechanical);
        [(BLIND, NO_CONTEXT)].into_iter().chain(read.map(|it| (MECHANICAL, *it))).collect()
    }

    fn scores(&self, out: &mut String, inputs: &str, pack: &str) {
        let (strict, paper) = (RuleSet::Strict1, RuleSet::Paper1);
        line(
            out,
            &format!(
                "\n{pack} over {inputs} runs, by {strict}: what {MECHANICAL} scores from each condition; {BLIND} is the floor"
            ),
        );
        let mut table = Table::new(["question", "asked", "left out", BLIND]);
        table
            .header
            .extend(self.conditions.iter().filter(|_| self.mechanical).map(|it| (*it).to_owned()));
        let part = Group::all().and("inputs", inputs).and("pack", pack);
        let cell = |(reader, condition): &(&str, &str)| {
            let group = part.clone().and("what", "answer");
            group.and("reader", *reader).and("condition", *condition)
        };
        for question in types(pack) {
            let name = by(strict, ACCURACY);
            let of_type = |at| cell(at).and("question", &question);
            let asked = self.get(&name, &of_type(&(BLIND, NO_CONTEXT)));
            let left_out = part.clone().and("what", "left_out").and("question", &question);
            let left_out = self.get(LEFT_OUT, &left_out).map_or(0, |found| found.outcome.n);
            let asked = asked.map_or(0, |found| found.outcome.n);
            let mut row = vec![question.clone(), asked.to_string(), left_out.to_string()];
            row.extend(self.cells().iter().map(|at| self.value(&name, &of_type(at))));
            table.rows.push(row);
        }
        for (title, rule_set, name) in [
            ("macro average", strict, MACRO),
            ("all questions", strict, ACCURACY),
            ("macro average by paper/1", paper, MACRO),
            ("all questions by paper/1", paper, ACCURACY),
        ] {
            let name = by(rule_set, name);
            let mut row = vec![title.to_owned(), String::new(), String::new()];
            row.extend(self.cells().iter().map(|at| self.value(&name, &cell(at))));
            table.rows.push(row);
        }
        if self.mechanical {
            self.sizes(&mut table, inputs);
        }
        table.print(out);
    }

    fn sizes(&self, table: &mut Table, inputs: &str) {
        let group = |condition: &str| {
            let group = Group::all().and("inputs", inputs).and("what", "context");
            group.and("condition", condition)
        };
        let none = || ["", "", "0"].map(str::to_owned);
        let mut row = vec![CHARACTERS.to_owned()];
        row.extend(none());
        row.extend(self.conditions.iter().map(|it| self.number(CHARACTERS, &group(it))));
        table.rows.push(row);
        let mut row = vec![RATIO.to_owned()];
        row.extend(none());
        row.extend(self.conditions.iter().map(|it| self.value(RATIO, &group(it))));
        table.rows.push(row);
    }

    fn losses(&self, out: &mut String, inputs: &str, pack: &str) {
        if !self.mechanical {
            return;
        }
        let strict = RuleSet::Strict1;
        line(
            out,
            &format!(
                "\n{pack} over {inputs} runs, by {strict}: representation loss, 1 - {MECHANICAL}"
            ),
        );
        let mut table = Table::new(["question"]);
        table.header.extend(self.conditions.iter().map(|it| (*it).to_owned()));
        for question in types(pack) {
            let loss = |condition: &&str| {
                let group = Group::all().and("inputs", inputs).and("pack", pack);
                let group = group.and("what", "answer").and("reader", MECHANICAL);
                let group = group.and("condition", *condition).and("question", &question);
                self.value(&by(strict, LOSS), &group)
            };
            let mut row = vec![question.clone()];
            row.extend(self.conditions.iter().map(loss));
            table.rows.push(row);
        }
        table.print(out);
    }
}

/// The question types of a pack in its order.
fn types(pack: &str) -> Vec<String> {
    let pack = Pack::named(pack);
    pack.map(|pack| pack.types.into_iter().map(|kind| kind.name).collect()).unwrap_or_default()
}

fn line(out: &mut String, text: &str) {
    let _ = writeln!(out, "{text}");
}

/// Columns of text, the first to the left and the others to the right.
pub(super) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new<const N: usize>(header: [&str; N]) -> Self {
        Self { header: header.map(str::to_owned).to_vec(), rows: Vec::new() }
    }

    pub(super) fn row(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    pub(super) fn print(&self, out: &mut String) {
        let all = || [&self.header].into_iter().chain(&self.rows);
        let width = |at: usize| {
            let cells = all().filter_map(|row| row.get(at));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        for row in all() {
            let mut text = String::new();
            for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let _ = if at == 0 {
                    write!(text, "{cell:<width$}")
                } else {
                    write!(text, "  {cell:>width$}")
                };
            }
            line(out, text.trim_end());
        }
    }
}
