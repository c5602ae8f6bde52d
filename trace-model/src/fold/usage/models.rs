//! What pricing and estimating look up by a model's name, worked out once per name: a long run names the same
//! model a hundred thousand times.

use super::UNKNOWN;
use super::scales::{Scales, is_claude};
use crate::fold::names::Names;
use crate::pricing::{Name, normalise};

/// A model as it is looked up.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// Its name without decorations.
    pub(super) name: Name,
    /// Tokens of its output per token of the estimate, in hundredths.
    pub(super) scale: u64,
    /// Whether its signatures tell how long its reasoning was.
    pub(super) signs_length: bool,
}

impl Model {
    pub(super) fn new(written_as: &str) -> Self {
        let name = normalise(written_as);
        let (scale, signs_length) = (Scales::builtin().of(&name.bare), is_claude(&name.bare));
        Self { name, scale, signs_length }
    }
}

/// The models of a run. It is no part of the state: it is not saved, and states are equal whatever is in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Models {
    /// By the place of their names.
    named: Vec<Option<Model>>,
    /// That of calls whose records name none.
    unnamed: Option<Model>,
}

impl Models {
    /// The model with the name at a place.
    pub(super) fn get(&mut self, name: Option<u32>, names: &Names) -> &Model {
        let known = match name {
            None => &mut self.unnamed,
            Some(place) => {
                let at = place as usize;
                if self.named.len() <= at {
                    self.named.resize(at + 1, None);
                }
                &mut self.named[at]
            }
        };
        known.get_or_insert_with(|| Model::new(name.map_or(UNKNOWN, |place| names.get(place))))
    }
}

impl PartialEq for Models {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
