//! What replay prints.

use scoreboards::Table;

use super::contexts::{CONTEXTS, Size};
use super::cuts::CutKind;
use super::entities::EntityKind;
use super::measure::{Plan, SessionResult};
use super::recall::{Asked, Kinds, Question, Recall, recall};

/// The size that tables by kind are about: what a hook may pass to an agent.
const HOOK_CHARS: usize = 9500;

/// All tables, the curves first.
pub(super) fn tables(runs: &[SessionResult], plan: &Plan, seed: u64) -> String {
    let mut tables = Vec::new();
    for (cut, asked) in [
        (CutKind::Turn, Asked::Needed),
        (CutKind::Compaction, Asked::UsedNext),
        (CutKind::Calls, Asked::Needed),
    ] {
        tables.push(curves(runs, plan, Question { cut, asked, kinds: Kinds::Pooled }, seed));
    }
    tables.push(by_kind(runs, plan));
    tables.iter().map(Table::to_text).collect::<Vec<_>>().join("\n")
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

fn cell(recall: &Recall) -> String {
    match (recall.share(), recall.interval) {
        (None, _) => "-".to_owned(),
        (Some(share), None) => percent(share),
        (Some(share), Some((lo, hi))) => {
            format!("{} ({:.0}-{:.0})", percent(share), lo * 100.0, hi * 100.0)
        }
    }
}

fn curves(runs: &[SessionResult], plan: &Plan, question: Question, seed: u64) -> Table {
    let everything = plan.contexts.iter().find_map(|at| {
        let recall = recall(runs, (*at, Size::Own), question, None);
        (recall.cuts > 0).then_some(recall)
    });
    let (cuts, of) = everything.map_or((0, 0), |recall| (recall.cuts, recall.of));
    let title = format!(
        "{} at {cuts} {} cuts: {of} entities; share held, by characters of the context",
        question.asked.name(),
        question.cut.name()
    );
    let heads = plan.sizes.iter().map(|size| size.name()).chain(["own chars".to_owned()]);
    let mut table = Table::of_numbers(title, "context", heads);
    for &at in &plan.contexts {
        let recalls: Vec<Recall> =
            plan.sizes.iter().map(|size| recall(runs, (at, *size), question, Some(seed))).collect();
        if recalls.iter().all(|recall| recall.cuts == 0) {
            continue;
        }
        let own = recalls.last().map_or(0.0, |recall| recall.mean_chars);
        let cells = recalls.iter().map(cell);
        let row = [CONTEXTS[at].name.to_owned()].into_iter().chain(cells);
        table.rows.push(row.chain([format!("{own:.0}")]).collect());
    }
    table
}

fn by_kind(runs: &[SessionResult], plan: &Plan) -> Table {
    let question =
        |kind| Question { cut: CutKind::Turn, asked: Asked::Needed, kinds: Kinds::One(kind) };
    let size = Size::Chars(HOOK_CHARS);
    let title = format!("needed at turn cuts, by kind, at {HOOK_CHARS} characters");
    let heads = EntityKind::ALL.map(EntityKind::name);
    let mut table = Table::of_numbers(title, "context", heads);
    for &at in &plan.contexts {
        let recalls = EntityKind::ALL.map(|kind| recall(runs, (at, size), question(kind), None));
        if recalls.iter().all(|recall| recall.cuts == 0) {
            continue;
        }
        if table.rows.is_empty() {
            let all = recalls.iter().map(|recall| recall.of.to_string());
            table.rows.push(["entities".to_owned()].into_iter().chain(all).collect());
        }
        let cells = recalls.iter().map(cell);
        table.rows.push([CONTEXTS[at].name.to_owned()].into_iter().chain(cells).collect());
    }
    table
}
