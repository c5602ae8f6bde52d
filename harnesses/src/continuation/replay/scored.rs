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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::continuation::replay::items::tests::{call, prompt, result, said, summary};

    /// What is needed and what is used next at a cut before the item of this number.
    fn at(items: &[Item], before: usize) -> (Vec<String>, Vec<String>) {
        let cut = Cut { before, kind: CutKind::Calls };
        let rules = CutRules { window: 2, ..CutRules::default() };
        let scored = score(items, &[cut], &Folder::default(), rules);
        let names = |needed: bool| {
            let wanted = scored.iter().flat_map(|it| &it.wanted);
            wanted.filter(|it| it.needed || !needed).map(|it| it.entity.text.clone()).collect()
        };
        (names(true), names(false))
    }

    fn grep(name: &str) -> Item {
        call(&format!(r#"{{"pattern":"{name}"}}"#))
    }

    #[test]
    fn what_was_shown_again_is_used_but_not_needed() {
        let items = [
            prompt("go"),
            said("aa_bb, cc_dd and ee_ff"),
            said("more"),
            prompt("now"),
            grep("aa_bb"),
            result("cc_dd gg_hh"),
            grep("cc_dd ee_ff gg_hh"),
            grep("ii_jj"),
        ];
        assert_eq!(
            at(&items, 3),
            (texts(&["aa_bb", "ee_ff"]), texts(&["aa_bb", "cc_dd", "ee_ff"]))
        );
    }

    #[test]
    fn what_the_agent_says_or_calls_does_not_show_it() {
        let items =
            [prompt("go"), result("aa_bb"), said("x"), said("aa_bb"), grep("aa_bb"), grep("aa_bb")];
        assert_eq!(at(&items, 3).0, texts(&["aa_bb"]));
    }

    #[test]
    fn summaries_neither_tell_nor_count() {
        let items = [
            prompt("go"),
            summary("aa_bb"),
            said("cc_dd"),
            said("x"),
            summary("cc_dd"),
            grep("aa_bb cc_dd"),
        ];
        assert_eq!(at(&items, 4), (texts(&["cc_dd"]), texts(&["cc_dd"])));
    }

    #[test]
    fn what_was_asked_first_or_stands_in_most_items_is_trivial() {
        let items = [
            prompt("fix aa_bb"),
            said("aa_bb cc_dd"),
            said("cc_dd ee_ff"),
            said("cc_dd ee_ff"),
            grep("aa_bb cc_dd ee_ff"),
        ];
        assert_eq!(at(&items, 4).1, texts(&["ee_ff"]));
        // Half of the items is not more than half, and the first prompt after the cut says nothing.
        let later = [said("cc_dd"), said("x"), prompt("cc_dd"), grep("cc_dd")];
        assert_eq!(at(&later, 2), (texts(&[]), texts(&["cc_dd"])));
    }

    #[test]
    fn the_window_ends_and_a_cut_without_calls_is_not_scored() {
        let items = [said("aa_bb"), said("x"), grep("qq_qq"), grep("rr_rr"), grep("aa_bb")];
        assert_eq!(at(&items, 2), (texts(&[]), texts(&[])));
        assert_eq!(at(&items, 3).0, texts(&["aa_bb"]));
        let cut = Cut { before: 5, kind: CutKind::Turn };
        assert!(score(&items, &[cut], &Folder::default(), CutRules::default()).is_empty());
    }

    #[test]
    fn a_command_is_known_by_its_whole_form() {
        let run = |text: &str| call(&format!(r#"{{"command":"{text}"}}"#));
        let items = [said("make 2>&1 all"), said("x"), run("make 2>&1 all"), run("x")];
        assert_eq!(at(&items, 2).0, texts(&["make all", "make 2>&1 all"]));
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }
}
