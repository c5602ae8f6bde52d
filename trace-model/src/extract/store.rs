//! Extracted facts by text. Saved beside a run, they make a later fold repeat the result exactly.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::extractor::Synonym;
use super::keys::KeyRegistry;
use crate::fold::{ExtractedFact, FactSource};
use crate::ids::Sha256;

/// What a text gave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extracted {
    /// Its facts, by line.
    pub facts: Vec<ExtractedFact>,
    /// The extractor that answered; `None` if all refused.
    pub by: Option<String>,
}

/// The facts extracted so far, and their keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extractions {
    keys: KeyRegistry,
    texts: BTreeMap<Sha256, Extracted>,
}

impl Extractions {
    /// Nothing was extracted.
    pub fn none() -> &'static Self {
        static NONE: Extractions = Extractions { keys: KeyRegistry::EMPTY, texts: BTreeMap::new() };
        &NONE
    }

    /// Takes in keys that facts have already, as those of `key = value` lines.
    pub fn know_keys<'k>(&mut self, keys: impl IntoIterator<Item = &'k str>) {
        keys.into_iter().for_each(|key| self.keys.add(key));
    }

    /// The keys.
    pub fn keys(&self) -> &KeyRegistry {
        &self.keys
    }

    /// What a text gave; nothing if it was never asked about.
    pub fn get(&self, text: &Sha256) -> Option<&Extracted> {
        self.texts.get(text)
    }

    /// How many texts were asked about.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether no text was.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    pub(super) fn keys_mut(&mut self) -> &mut KeyRegistry {
        &mut self.keys
    }

    pub(super) fn insert(&mut self, text: Sha256, extracted: Extracted) {
        self.texts.insert(text, extracted);
    }

    /// Takes in a synonym. Where it merges two keys, facts of the one become facts of the other, and
    /// both are returned.
    pub(super) fn declare(&mut self, synonym: &Synonym) -> Option<(String, String)> {
        let (from, to) = self.keys.declare(synonym)?;
        let facts = self.texts.values_mut().flat_map(|extracted| &mut extracted.facts);
        for fact in facts.filter(|fact| fact.key == from) {
            to.clone_into(&mut fact.key);
        }
        Some((from, to))
    }
}

impl FactSource for Extractions {
    fn facts_of(&self, text: &Sha256) -> &[ExtractedFact] {
        self.get(text).map_or(&[], |extracted| &extracted.facts)
    }
}
