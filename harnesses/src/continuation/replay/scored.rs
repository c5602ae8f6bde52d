//! What a run's cuts ask for: the entities that the next calls use, known from before and not trivial.

use std::collections::{BTreeMap, HashMap};

use super::cuts::{Cut, CutKind, CutRules};
use super::entities::{Entity, EntityKind, Folder, Use, uses};
use super::holds::Finder;
use super::items::{Item, ItemKind};

/// An entity that is looked for at a cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// What it is.
    pub(super) entity: Entity,
    /// Of a command, the whole that it was given as first.
    pub(super) whole: Option<String>,
    /// Whether nothing showed it again before it was used.
    pub(super) needed: bool,
}

/// A cut and what is looked for at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScoredCut {
    /// Where.
    pub(super) cut: Cut,
    /// What is used next, in order.
    pub(super) wanted: Vec<Wanted>,
}

/// The cuts that a call follows, with what is looked for at each.
pub(super) fn score(
    items: &[Item],
    cuts: &[Cut],
    folder: &Folder,
    rules: CutRules,
) -> Vec<ScoredCut> {
    let calls: Vec<(usize, Vec<Use>)> = items
        .iter()
        .enumerate()
        .filter_map(|(at, item)| Some((at, uses(item.call.as_ref()?, folder))))
        .collect();
    let postings = Postings::of(items, &calls);
    let scored = cuts.iter().filter_map(|cut| {
        let first = calls.partition_point(|(at, _)| *at < cut.before);
        let window = &calls[first..calls.len().min(first + rules.window)];
        if window.is_empty() {
            return None;
        }
        let mut used: BTreeMap<&Entity, (usize, Option<&str>)> = BTreeMap::new();
        for (at, uses) in window {
            for it in uses {
                used.entry(&it.entity).or_insert((*at, it.whole.as_deref()));
            }
        }
        let wanted = used.into_iter().filter_map(|(entity, (used_at, whole))| {
            let needed = postings.needed(*cut, entity, whole, used_at)?;
            Some(Wanted { entity: entity.clone(), whole: whole.map(str::to_owned), needed })
        });
        Some(ScoredCut { cut: *cut, wanted: wanted.collect() })
    });
    scored.collect()
}

/// Which items hold each entity.
struct Postings<'a> {
    items: &'a [Item],
    numbers: HashMap<&'a Entity, usize>,
    /// By number, ascending; summaries are left out.
    held_by: Vec<Vec<usize>>,
    /// The message of the first prompt.
    first_prompt: Option<usize>,
    /// How many of the items before each place are no summaries.
    counted: Vec<usize>,
}

impl<'a> Postings<'a> {
    fn of(items: &'a [Item], calls: &'a [(usize, Vec<Use>)]) -> Self {
        let mut numbers = HashMap::new();
        let mut entities = Vec::new();
        for it in calls.iter().flat_map(|(_, uses)| uses) {
            numbers.entry(&it.entity).or_insert_with(|| {
                entities.push((&it.entity, None));
                entities.len() - 1
            });
        }
        let finder = Finder::new(entities.iter().copied());
        let mut held_by = vec![Vec::new(); entities.len()];
        let mut counted = vec![0];
        for (at, item) in items.iter().enumerate() {
            let searched = item.kind != ItemKind::Summary;
            counted.push(counted[at] + usize::from(searched));
            if searched {
                let held = finder.held(&item.normal);
                let held = held.iter().enumerate().filter(|(_, held)| **held);
                held.for_each(|(number, _)| held_by[number].push(at));
            }
        }
        let first_prompt = items.iter().position(|item| item.is_prompt);
        Self { items, numbers, held_by, first_prompt, counted }
    }

    /// The items that hold an entity, or its whole form.
    fn of_entity(&self, entity: &Entity, whole: Option<&str>) -> Vec<usize> {
        let held_by = |entity: &Entity| {
            self.numbers
                .get(entity)
                .map(|number| self.held_by[*number].as_slice())
                .unwrap_or_default()
        };
        let mut all = held_by(entity).to_vec();
        if let Some(whole) = whole {
            let text = whole.to_owned();
            all.extend(held_by(&Entity { kind: EntityKind::WholeCommand, text }));
            all.sort_unstable();
            all.dedup();
        }
        all
    }

    /// Whether an entity that is first used at this item is needed; none if it is not known or is trivial.
    fn needed(
        &self,
        cut: Cut,
        entity: &Entity,
        whole: Option<&str>,
        used_at: usize,
    ) -> Option<bool> {
        let all = self.of_entity(entity, whole);
        let (before, after) = all.split_at(all.partition_point(|at| *at < cut.before));
        let prompt = self.first_prompt.filter(|at| *at < cut.before);
        let asked = prompt.is_some_and(|at| before.binary_search(&at).is_ok());
        let everywhere = before.len() * 2 > self.counted[cut.before];
        if before.is_empty() || asked || everywhere {
            return None;
        }
        let shows = |at: &usize| matches!(self.items[*at].kind, ItemKind::Put | ItemKind::Result);
        Some(!after.iter().take_while(|at| **at < used_at).any(shows))
    }
}

/// What is looked for at a cut, for checking against another implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutEntities {
    /// Why the run is cut here.
    pub kind: CutKind,
    /// How many items stand before it.
    pub before: usize,
    /// What is needed: the names of kinds and the texts, in order.
    pub needed: Vec<(&'static str, String)>,
    /// What is used next, in order.
    pub used_next: Vec<(&'static str, String)>,
}

impl CutEntities {
    pub(super) fn of(scored: &ScoredCut) -> Self {
        let names = |wanted: &mut dyn Iterator<Item = &Wanted>| {
            let names = wanted.map(|it| (it.entity.kind.name(), it.entity.text.clone()));
            let mut names: Vec<_> = names.collect();
            names.sort();
            names
        };
        Self {
            kind: scored.cut.kind,
            before: scored.cut.before,
            needed: names(&mut scored.wanted.iter().filter(|it| it.needed)),
            used_next: names(&mut scored.wanted.iter()),
        }
    }
}
