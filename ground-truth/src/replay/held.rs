//! Which items of a run hold an entity.
//!
//! Every item is asked with [`holds`]. So that this ends, an item is asked only if it has every maximal run of W
//! that the entity's text has: wherever it is held, they stand as such there, since no character of W may stand
//! before or after it.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::entity::{Entity, Kind};
use super::holds::holds;
use super::normal::{in_w, normal_form};
use crate::oracle::Item;

/// The items' texts, to be searched.
pub(super) struct Texts {
    normal: Vec<String>,
    runs: HashMap<String, Vec<usize>>,
    known: RefCell<HashMap<Entity, Rc<BTreeSet<usize>>>>,
}

impl Texts {
    pub(super) fn of(items: &[Item]) -> Self {
        let normal: Vec<String> = items.iter().map(|item| normal_form(&item.text)).collect();
        let mut runs: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, text) in normal.iter().enumerate() {
            for run in runs_of(text).collect::<HashSet<_>>() {
                runs.entry(run.to_owned()).or_default().push(at);
            }
        }
        Self { normal, runs, known: RefCell::default() }
    }

    /// The positions of the items that hold an entity; a command also in one of its whole forms.
    pub(super) fn that_hold(&self, entity: &Entity, whole: &BTreeSet<String>) -> BTreeSet<usize> {
        let mut found = (*self.that_hold_it(entity)).clone();
        if entity.kind == Kind::Command {
            for whole in whole {
                found.extend(self.that_hold_it(&Entity::new(Kind::WholeCommand, whole)).iter());
            }
        }
        found
    }

    fn that_hold_it(&self, entity: &Entity) -> Rc<BTreeSet<usize>> {
        if let Some(known) = self.known.borrow().get(entity) {
            return Rc::clone(known);
        }
        let may_hold = self.with_runs(&entity.text);
        let found: BTreeSet<usize> =
            may_hold.into_iter().filter(|at| holds(&self.normal[*at], entity)).collect();
        let found = Rc::new(found);
        self.known.borrow_mut().insert(entity.clone(), Rc::clone(&found));
        found
    }

    /// The positions of the items that have every run of W of a text, in order.
    fn with_runs(&self, text: &str) -> Vec<usize> {
        let mut items: Vec<usize> = (0..self.normal.len()).collect();
        for run in runs_of(text) {
            let having = self.runs.get(run).map(Vec::as_slice).unwrap_or_default();
            items.retain(|at| having.binary_search(at).is_ok());
        }
        items
    }
}

fn runs_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|it| !in_w(it)).filter(|run| !run.is_empty())
}
