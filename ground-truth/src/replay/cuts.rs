//! What is needed and used next at each cut.

use std::collections::BTreeSet;

use super::call::{Used, used};
use super::entity::{Entity, Kind};
use super::held::Texts;
use super::path::run_folder;
use super::place::{CutKind, calls, places};
use crate::oracle::{ItemKind, Past, RunFiles, past};

/// A cut, and what the calls of its window use of what stood before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Why the run is cut here.
    pub kind: CutKind,
    /// The number of items before it.
    pub before: usize,
    /// Used next, and not shown again before its first use.
    pub needed: BTreeSet<Entity>,
    /// Known and not trivial.
    pub used_next: BTreeSet<Entity>,
}

/// A run, read.
struct Run {
    past: Past,
    texts: Texts,
    /// The calls' positions, and what each uses.
    calls: Vec<(usize, Used)>,
}

/// All cuts of a run: `window` calls are looked at after each, `every` calls one is made, and between two turns' at
/// least `min_calls` stand.
#[must_use]
pub fn cuts(run: &RunFiles, window: usize, every: usize, min_calls: usize) -> Vec<Cut> {
    let run = Run::of(run);
    let places = places(&run.past, every, min_calls);
    places.into_iter().map(|(before, kind)| run.cut(before, kind, window)).collect()
}

/// The entities that each call of the main thread uses, with the call's position among the items, in order.
#[must_use]
pub fn entities_of_calls(run: &RunFiles) -> Vec<(usize, BTreeSet<Entity>)> {
    let past = past(run);
    uses(&past).into_iter().map(|(at, used)| (at, used.entities)).collect()
}

/// The texts of a run's items in order, in normal form.
#[must_use]
pub fn item_texts(run: &RunFiles) -> Vec<String> {
    past(run).items.iter().map(|item| super::normal::normal_form(&item.text)).collect()
}

fn uses(past: &Past) -> Vec<(usize, Used)> {
    let folder = run_folder(past.folder.as_deref());
    let of = |at: usize| Some((at, used(past.items[at].input.as_ref()?, folder.as_deref())));
    calls(past).into_iter().filter_map(of).collect()
}

impl Run {
    fn of(run: &RunFiles) -> Self {
        let past = past(run);
        Self { texts: Texts::of(&past.items), calls: uses(&past), past }
    }

    fn cut(&self, before: usize, kind: CutKind, window: usize) -> Cut {
        let window = self.window(before, window);
        let used: BTreeSet<&Entity> = window.iter().flat_map(|(_, used)| &used.entities).collect();
        let (mut needed, mut used_next) = (BTreeSet::new(), BTreeSet::new());
        for entity in used {
            let held = self.texts.that_hold(entity, &whole_forms(window, entity));
            if !self.is_known(before, &held) || self.is_trivial(before, &held) {
                continue;
            }
            used_next.insert(entity.clone());
            if !self.is_shown_again(before, first_use(window, entity), &held) {
                needed.insert(entity.clone());
            }
        }
        Cut { kind, before, needed, used_next }
    }

    /// The calls of the window after a place.
    fn window(&self, before: usize, window: usize) -> &[(usize, Used)] {
        let start = self.calls.partition_point(|(at, _)| *at < before);
        let end = self.calls.len().min(start.saturating_add(window));
        &self.calls[start..end]
    }

    fn is(&self, at: usize, kind: ItemKind) -> bool {
        self.past.items[at].kind == kind
    }

    /// How many of some items before a place count: "summaries neither counted nor searched".
    fn count(&self, before: usize, items: impl Iterator<Item = usize>) -> usize {
        items.filter(|at| *at < before && !self.is(*at, ItemKind::Summary)).count()
    }

    /// "Known if an item before the cut (the vendor's summaries aside) holds it."
    fn is_known(&self, before: usize, held: &BTreeSet<usize>) -> bool {
        self.count(before, held.iter().copied()) > 0
    }

    /// "If the first prompt's message item holds it (where that stands before the cut), or more than half of the items
    /// before the cut do."
    fn is_trivial(&self, before: usize, held: &BTreeSet<usize>) -> bool {
        let first_prompt = self.past.prompts.first();
        let asked = first_prompt.is_some_and(|prompt| *prompt < before && held.contains(prompt));
        let all = self.count(before, 0..self.past.items.len());
        asked || 2 * self.count(before, held.iter().copied()) > all
    }

    /// Whether an "item put to the agent" or a "result (summaries aside) between the cut and the first call that uses
    /// it holds" it.
    fn is_shown_again(&self, before: usize, first_use: usize, held: &BTreeSet<usize>) -> bool {
        let shows = |at: usize| self.is(at, ItemKind::Put) || self.is(at, ItemKind::Result);
        (before..first_use).any(|at| shows(at) && held.contains(&at))
    }
}

/// The position of the first call of a window that uses an entity.
fn first_use(window: &[(usize, Used)], entity: &Entity) -> usize {
    let first = window.iter().find(|(_, used)| used.entities.contains(entity));
    first.map_or(0, |(at, _)| *at)
}

/// The whole form of a command in the first call of a window that uses it.
fn whole_forms(window: &[(usize, Used)], entity: &Entity) -> BTreeSet<String> {
    let commands = window.iter().filter_map(|(_, used)| used.command.as_ref());
    let mut same = commands.filter(|it| entity.kind == Kind::Command && it.left == entity.text);
    same.next().map(|it| it.whole.clone()).into_iter().collect()
}
