//! A comparison as text for a terminal.

use std::fmt::Write as _;

use rust_decimal::Decimal;

use super::paired::Paired;
use super::types::{AggregateDelta, BoardRef, Comparison, Named};
use crate::show::{cut, interval_text, value_text};
use crate::terminal::{escape, short, table};
use crate::value::Estimate;

impl Comparison {
    /// The comparison as plain text, with at most `max` aggregates per list; what is left out is counted.
    pub fn render(&self, max: usize) -> String {
        let mut out = format!("A  {}\nB  {}\n", board(&self.a), board(&self.b));
        self.render_provenance(&mut out);
        self.render_rows(&mut out);
        self.render_shared(max, &mut out);
        self.render_paired(max, &mut out);
        only("A", &self.only_in_a, max, &mut out);
        only("B", &self.only_in_b, max, &mut out);
        out
    }

    fn render_provenance(&self, out: &mut String) {
        if self.provenance.is_empty() {
            out.push_str("\nthe two have the same origin\n");
            return;
        }
        let lines =
            self.provenance.iter().map(|d| vec![escape(&d.what), escape(&d.a), escape(&d.b)]);
        let _ = write!(out, "\n{}\n", table(&["differs in", "A", "B"], &[], lines.collect()));
    }

    fn render_rows(&self, out: &mut String) {
        let Self { rows_shared, rows_only_in_a, rows_only_in_b, .. } = self;
        let same = if self.same_rows { "; all rows are equal" } else { "" };
        let _ = writeln!(
            out,
            "\nrows: {rows_shared} in both, {rows_only_in_a} only in A, {rows_only_in_b} only in B{same}"
        );
    }

    fn render_shared(&self, max: usize, out: &mut String) {
        if self.shared.is_empty() {
            out.push_str("\nno aggregate is in both\n");
            return;
        }
        let lines = self.shared.iter().take(max).map(shared_line).collect();
        let header = ["group", "aggregate", "A", "B", "B - A", "interval A", "interval B"];
        let _ = write!(out, "\n{}\n", table(&header, &[2, 3, 4], lines));
        cut(out, max, self.shared.len(), "aggregates");
    }

    fn render_paired(&self, max: usize, out: &mut String) {
        let tests: Vec<_> = self
            .shared
            .iter()
            .filter_map(|delta| Some((&delta.aggregate, delta.paired.as_ref()?)))
            .collect();
        if tests.is_empty() {
            return;
        }
        let lines = tests.iter().take(max).map(|(name, test)| paired_line(name, test)).collect();
        let header = [
            "paired by row",
            "aggregate",
            "pairs",
            "both",
            "only A",
            "only B",
            "neither",
            "unpaired",
            "McNemar p",
            "Holm p",
            "smallest detectable",
        ];
        let numeric: Vec<usize> = (2..header.len()).collect();
        let _ = write!(out, "\n{}\n", table(&header, &numeric, lines));
        cut(out, max, tests.len(), "paired tests");
    }
}

fn board(board: &BoardRef) -> String {
    let id = board.id.get(..8).unwrap_or(&board.id);
    format!("{} {} {}", board.instrument, escape(&board.date), escape(id))
}

fn shared_line(delta: &AggregateDelta) -> Vec<String> {
    let difference = match delta.difference {
        _ if !delta.same_method => "other method".to_owned(),
        None => "none".to_owned(),
        Some(d) if d > Decimal::ZERO => format!("+{}", short(d)),
        Some(d) => short(d),
    };
    vec![
        escape(&delta.aggregate.over.to_string()),
        escape(&delta.aggregate.name),
        value_text(&delta.a.value),
        value_text(&delta.b.value),
        difference,
        interval(&delta.a),
        interval(&delta.b),
    ]
}

fn interval(outcome: &Estimate) -> String {
    outcome.interval.as_ref().map_or(String::new(), |i| interval_text(i, None))
}

fn paired_line(name: &Named, test: &Paired) -> Vec<String> {
    let mut line = vec![escape(&name.over.to_string()), escape(&name.name)];
    let counts = [test.pairs, test.both, test.only_a, test.only_b, test.neither, test.unpaired];
    line.extend(counts.map(|n| n.to_string()));
    line.extend([short(test.p), short(test.p_holm)]);
    line.push(test.smallest_detectable.map_or("none".to_owned(), short));
    line
}

fn only(side: &str, names: &[Named], max: usize, out: &mut String) {
    if names.is_empty() {
        return;
    }
    let _ = writeln!(out, "\nonly in {side}:");
    for name in names.iter().take(max) {
        let _ = writeln!(out, "  {} [{}]", escape(&name.name), escape(&name.over.to_string()));
    }
    cut(out, max, names.len(), "aggregates");
}
