//! Names that recur are kept once: models, speeds, tiers, agents.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A list of distinct names.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub(super) struct Names {
    list: Vec<String>,
    places: BTreeMap<String, u32>,
}

impl Names {
    /// The place of a name, which is added if it is new.
    pub(super) fn intern(&mut self, name: &str) -> u32 {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        place
    }

    /// The place of a name, if it is known.
    pub(super) fn place(&self, name: &str) -> Option<u32> {
        self.places.get(name).copied()
    }

    /// How many names there are.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The name at a place.
    pub(super) fn get(&self, place: u32) -> &str {
        self.list.get(place as usize).map_or("", String::as_str)
    }

    /// All names, in order of their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(String::as_str)
    }
}

impl From<Vec<String>> for Names {
    fn from(list: Vec<String>) -> Self {
        let places = (0..).zip(&list).map(|(place, name)| (name.clone(), place)).collect();
        Self { list, places }
    }
}

impl From<Names> for Vec<String> {
    fn from(names: Names) -> Self {
        names.list
    }
}
