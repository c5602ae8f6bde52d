//! What each section of a view is worth.

use std::collections::BTreeMap;

use scoreboards::Table;

use super::{HEADLINES, Measured, percent};
use crate::continuation::replay::contexts::RENDERERS;
use crate::continuation::replay::recall::{Question, wanted};

/// A table for each view and headline.
pub(super) fn tables(measured: Measured<'_>) -> Vec<Table> {
    let of = |at: usize| {
        let headlines = HEADLINES.iter().take(2);
        headlines.filter_map(move |question| table(measured, at, *question))
    };
    (0..RENDERERS.len()).flat_map(of).collect()
}

/// Sums over cuts.
#[derive(Default)]
struct Sums {
    chars: usize,
    alone: u64,
    unique: u64,
}

#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2^53")]
fn table(measured: Measured<'_>, renderer: usize, question: Question) -> Option<Table> {
    let (count, of, _) = wanted(measured.runs, question);
    let mut sections: BTreeMap<&str, Sums> = BTreeMap::new();
    let cuts = measured.runs.iter().flat_map(|run| &run.cuts);
    for cut in cuts.filter(|cut| cut.kind == question.cut) {
        for (name, held) in cut.sections.get(&renderer)? {
            let sums = sections.entry(name).or_default();
            sums.chars += held.chars;
            sums.alone += u64::from(question.of(&held.alone));
            sums.unique += u64::from(question.of(&held.unique));
        }
    }
    if of == 0 {
        return None;
    }
    let title = format!(
        "sections of {} in its own size, {} at {} cuts: points of recall, alone and held by no other section",
        RENDERERS[renderer].name,
        question.asked.name(),
        question.cut.name()
    );
    let heads = ["mean characters", "alone", "unique", "alone per 1,000", "unique per 1,000"];
    let mut table = Table::of_numbers(title, "section", heads);
    let mut sections: Vec<(&str, Sums)> = sections.into_iter().collect();
    sections.sort_by(|a, b| b.1.unique.cmp(&a.1.unique).then(b.1.alone.cmp(&a.1.alone)));
    for (name, sums) in sections {
        let chars = sums.chars as f64 / count as f64;
        let share = |held: u64| held as f64 / of as f64;
        let rate = |held: u64| format!("{:.1}", share(held) * 100.0 / (chars / 1000.0));
        table.rows.push(vec![
            name.to_owned(),
            format!("{chars:.0}"),
            percent(share(sums.alone)),
            percent(share(sums.unique)),
            rate(sums.alone),
            rate(sums.unique),
        ]);
    }
    Some(table)
}
