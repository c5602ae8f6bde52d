//! Which context holds most, and whether the data say so.

use scoreboards::{Column, Table};

use super::{HEADLINES, HOOK, Measured, SMALL, percent};
use crate::continuation::replay::contexts::{CONTEXTS, Size};
use crate::continuation::replay::measure::ContextId;
use crate::continuation::replay::recall::{Question, difference, recall, wanted};

/// For each headline and size, the context that holds most beside each other one.
pub(super) fn tables(measured: Measured<'_>) -> Vec<Table> {
    let sizes = [HOOK, SMALL].into_iter().filter(|size| measured.plan.sizes.contains(size));
    let sizes: Vec<Size> = sizes.collect();
    let of = |question: &Question| {
        sizes.iter().filter_map(|size| verdicts(measured, *question, *size)).collect::<Vec<_>>()
    };
    HEADLINES.iter().flat_map(of).collect()
}

fn verdicts(measured: Measured<'_>, question: Question, size: Size) -> Option<Table> {
    let Measured { runs, seed, .. } = measured;
    let (cuts, ..) = wanted(runs, question);
    let mut ranked: Vec<(ContextId, f64, u64)> = measured
        .contexts()
        .filter_map(|id| {
            let recall = recall(runs, (id, size), question, None);
            Some((id, recall.share()?, recall.cuts))
        })
        .collect();
    // The sort keeps equal ones in the order in which they are listed.
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    // What no reader could use, or what is not there at all cuts, is no candidate.
    let (best, share, _) = *ranked.iter().find(|(id, _, at)| is_view(*id) && *at == cuts)?;
    let title = format!(
        "{} at {} cuts in {} characters: {} holds most, {}",
        question.asked.name(),
        question.cut.name(),
        size.name(),
        best.name(),
        percent(share)
    );
    let heads = ["holds", "lead", "95% interval"].map(Column::number);
    let columns = [Column::text("beside")].into_iter().chain(heads);
    let verdict = format!("{} is", best.name());
    let mut table = Table::new(title, columns.chain([Column::text(verdict)]));
    for (id, share, _) in ranked.into_iter().filter(|(id, ..)| *id != best) {
        let compared = difference(runs, ((best, size), (id, size)), question, seed)?;
        let interval = compared.interval.map_or_else(
            || "-".to_owned(),
            |(lo, hi)| format!("{:+.1} to {:+.1}", lo * 100.0, hi * 100.0),
        );
        table.rows.push(vec![
            id.name(),
            percent(share),
            format!("{:+.1}", compared.lead * 100.0),
            interval,
            compared.verdict.name().to_owned(),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Whether it is a context that an agent could go on from.
fn is_view(id: ContextId) -> bool {
    match id {
        ContextId::Context(at) => CONTEXTS[at].role.is_view(),
        ContextId::Arm(_) => true,
    }
}
