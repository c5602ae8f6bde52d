//! What replay prints.

mod arms;
mod curves;
mod sections;
mod verdicts;

use scoreboards::Table;

use super::contexts::Size;
use super::cuts::CutKind;
use super::measure::{ContextId, Plan, SessionResult};
use super::recall::{Asked, Kinds, Question, Recall};

/// The size that a hook may pass to an agent: what tables of one size are about.
pub(super) const HOOK: Size = Size::Chars(9500);
/// The size of a small context.
const SMALL: Size = Size::Chars(2000);

/// The headlines of each kind of cut.
const HEADLINES: [Question; 3] = [
    headline(CutKind::Turn, Asked::Needed),
    headline(CutKind::Compaction, Asked::UsedNext),
    headline(CutKind::Calls, Asked::Needed),
];

/// The headline of a kind of cut.
pub(super) fn headline_of(cut: CutKind) -> Question {
    HEADLINES[cut as usize]
}

const fn headline(cut: CutKind, asked: Asked) -> Question {
    Question { cut, asked, kinds: Kinds::Pooled }
}

/// What tables are made of.
#[derive(Clone, Copy)]
pub(super) struct Measured<'a> {
    pub(super) runs: &'a [SessionResult],
    pub(super) plan: &'a Plan,
    /// Of resampling.
    pub(super) seed: u64,
}

impl Measured<'_> {
    /// The contexts that were asked for, without the arms.
    fn contexts(&self) -> impl Iterator<Item = ContextId> + '_ {
        self.plan.contexts.iter().map(|at| ContextId::Context(*at))
    }
}

/// All tables, verdicts first.
pub(super) fn tables(measured: Measured<'_>) -> String {
    let mut tables = verdicts::tables(measured);
    tables.extend(HEADLINES.iter().filter_map(|question| curves::curves(measured, *question)));
    tables.extend(curves::by_kind(measured));
    tables.extend(sections::tables(measured));
    tables.extend(arms::tables(measured));
    if tables.is_empty() {
        return "nothing to compare: no run has a cut that a call follows\n".to_owned();
    }
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
