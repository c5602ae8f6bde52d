//! The table of a comparison over time.

use scoreboards::Table;

use crate::diff::{Change, Diff, bounds};
use crate::measure::Verdict;

use super::model::{number, table, text};
use super::values::{count, interval, p_value, share, signed};

/// One line per shared cell; unchanged cells only where asked for.
pub fn changes(diff: &Diff, all: bool) -> Table {
    let columns = [
        text("cell"),
        number("A"),
        number("B"),
        number("B - A"),
        text("interval"),
        text("method"),
        number("pairs"),
        number("only A"),
        number("only B"),
        number("p"),
        number("Holm p"),
        text("verdict"),
        text("differs in"),
    ];
    let mut table = table("diff", "What changed, cell by cell", columns);
    let equal = diff.changes.iter().filter(|change| unchanged(change)).count();
    let shown = diff.changes.iter().filter(|change| all || !unchanged(change));
    table.rows = shown.map(row).collect();
    table.notes.push(format!(
        "{} of {} shared cells shown; {equal} are equal",
        table.rows.len(),
        diff.changes.len()
    ));
    for (what, cells) in [("A", &diff.gone), ("B", &diff.new)] {
        table.notes.extend(cells.iter().map(|cell| format!("only in {what}: {cell}")));
    }
    table.without_empty_columns()
}

fn unchanged(change: &Change) -> bool {
    change.a == change.b && change.difference().is_none_or(|d| d.is_zero())
}

fn row(change: &Change) -> Vec<String> {
    let paired = change.paired.as_ref();
    let bounds = bounds(change);
    let value = |v| if Option::is_some(&v) { share(v) } else { "undefined".to_owned() };
    vec![
        change.cell.clone(),
        value(change.a),
        value(change.b),
        signed(change.difference()),
        interval(&bounds),
        bounds.kind().to_owned(),
        count(paired.map(|p| p.pairs)),
        count(paired.and_then(|p| p.only_a)),
        count(paired.and_then(|p| p.only_b)),
        p_value(paired.and_then(|p| p.p)),
        p_value(paired.and_then(|p| p.p_holm)),
        paired
            .map_or("untested", |p| {
                if p.pairs == 0 { Verdict::Unresolved.name() } else { p.verdict.name() }
            })
            .to_owned(),
        change.differs.join("; "),
    ]
}
