//! Recall by size, and by kind of entity.

use scoreboards::Table;

use super::{HOOK, Measured, cell};
use crate::continuation::replay::contexts::Size;
use crate::continuation::replay::cuts::CutKind;
use crate::continuation::replay::entities::EntityKind;
use crate::continuation::replay::recall::{Asked, Kinds, Question, Recall, recall, wanted};

/// Contexts down, sizes across; none where there is no such cut.
pub(super) fn curves(measured: Measured<'_>, question: Question) -> Option<Table> {
    let Measured { runs, plan, seed } = measured;
    let (cuts, of, sessions) = wanted(runs, question);
    let title = format!(
        "{} at {cuts} {} cuts of {sessions} runs: share of {of} entities held, by characters",
        question.asked.name(),
        question.cut.name()
    );
    let heads = plan.sizes.iter().map(|size| size.name()).chain(["own characters".to_owned()]);
    let mut table = Table::of_numbers(title, "context", heads);
    for id in measured.contexts() {
        let of_size = |size: &Size| recall(runs, (id, *size), question, Some(seed));
        let recalls: Vec<Recall> = plan.sizes.iter().map(of_size).collect();
        if recalls.iter().all(|recall| recall.cuts == 0) {
            continue;
        }
        if question.cut == CutKind::Turn {
            table.notes.extend(id.about().map(|about| format!("{}: {about}", id.name())));
        }
        let own = recalls.last().map_or(0.0, |recall| recall.mean_chars);
        let row = [id.name()].into_iter().chain(recalls.iter().map(cell));
        table.rows.push(row.chain([format!("{own:.0}")]).collect());
        let fewer = recalls.iter().map(|recall| recall.cuts).max().filter(|some| *some < cuts);
        if let Some(some) = fewer {
            table.notes.push(format!("{} is there at {some} of {cuts} cuts only", id.name()));
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Contexts down, kinds of entities across.
pub(super) fn by_kind(measured: Measured<'_>) -> Option<Table> {
    let Measured { runs, plan, .. } = measured;
    let question =
        |kind| Question { cut: CutKind::Turn, asked: Asked::Needed, kinds: Kinds::One(kind) };
    let title = format!("needed at turn cuts, by kind, in {} characters", HOOK.name());
    let mut table = Table::of_numbers(title, "context", EntityKind::ALL.map(EntityKind::name));
    let all = EntityKind::ALL.map(|kind| wanted(runs, question(kind)).1);
    table.rows.push(
        ["(entities)".to_owned()].into_iter().chain(all.iter().map(u64::to_string)).collect(),
    );
    for id in measured.contexts() {
        let recalls = EntityKind::ALL.map(|kind| recall(runs, (id, HOOK), question(kind), None));
        if recalls.iter().any(|recall| recall.cuts > 0) {
            table.rows.push([id.name()].into_iter().chain(recalls.iter().map(cell)).collect());
        }
    }
    (plan.sizes.contains(&HOOK) && table.rows.len() > 1).then_some(table)
}
