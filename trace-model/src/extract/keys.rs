//! The keys in use: one per role, whatever name an answer gives it (requirement 8).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::extractor::Synonym;

/// The longest key that a fact may have.
const MAX_KEY: usize = 64;

/// The canonical keys and their aliases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRegistry {
    /// In the order in which they came up.
    canonical: Vec<String>,
    /// The canonical key of each plain name, its own among them.
    names: BTreeMap<String, String>,
}

impl KeyRegistry {
    pub(super) const EMPTY: Self = Self { canonical: Vec::new(), names: BTreeMap::new() };

    /// The canonical keys, in the order in which they came up.
    pub fn canonical(&self) -> &[String] {
        &self.canonical
    }

    /// The key of a name, if known.
    pub fn find(&self, name: &str) -> Option<&str> {
        self.names.get(&plain(name)?).map(String::as_str)
    }

    /// Takes in a key as it is written, as those of `key = value` lines; a name that is known stays
    /// what it is.
    pub(super) fn add(&mut self, key: &str) {
        let Some(name) = plain(key) else { return };
        if !self.names.contains_key(&name) {
            self.canonical.push(key.to_owned());
            self.names.insert(name, key.to_owned());
        }
    }

    /// The key of a name; an unknown name becomes a key. `None` if it cannot be one.
    pub(super) fn resolve(&mut self, name: &str) -> Option<String> {
        let name = plain(name)?;
        self.add(&name);
        self.names.get(&name).cloned()
    }

    /// Takes in that a name means a key. Of several declarations of a name the first holds. Where
    /// the name was a key itself, returns it and the key that replaces it.
    pub(super) fn declare(&mut self, synonym: &Synonym) -> Option<(String, String)> {
        let name = plain(&synonym.name)?;
        let key = self.resolve(&synonym.key)?;
        let Some(known) = self.names.get(&name).cloned() else {
            self.names.insert(name, key);
            return None;
        };
        if known == key || plain(&known)? != name {
            return None;
        }
        self.canonical.retain(|canonical| *canonical != known);
        for meaning in self.names.values_mut().filter(|meaning| **meaning == known) {
            key.clone_into(meaning);
        }
        Some((known, key))
    }
}

/// A name without what may vary in how it is written: lower case, words joined by `_`. Nothing if
/// that is no key of a fact.
pub(super) fn plain(name: &str) -> Option<String> {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let key = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_");
    let starts = key.starts_with(|c: char| c.is_ascii_lowercase());
    (starts && key.len() <= MAX_KEY).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn synonym(name: &str, key: &str) -> Synonym {
        Synonym { name: name.to_owned(), key: key.to_owned() }
    }

    #[test]
    fn names_are_plain() {
        assert_eq!(plain("Step-Size (total)").as_deref(), Some("step_size_total"));
        assert_eq!(plain("2nd delta"), None);
        assert_eq!(plain("…"), None);
        assert_eq!(plain(&"k".repeat(65)), None);
    }

    #[test]
    fn a_synonym_of_a_synonym_means_the_key() {
        let mut keys = KeyRegistry::default();
        keys.add("Delta");
        assert_eq!(keys.resolve("delta").as_deref(), Some("Delta"));
        assert_eq!(keys.resolve("step").as_deref(), Some("step"));
        assert_eq!(keys.declare(&synonym("increment", "step")), None);
        // A key gives way, and what meant it means the other.
        let merged = keys.declare(&synonym("step", "DELTA"));
        assert_eq!(merged, Some(("step".to_owned(), "Delta".to_owned())));
        assert_eq!(keys.find("Increment"), Some("Delta"));
        assert_eq!(keys.canonical(), ["Delta"]);
        // The first declaration counts; a key is not its own synonym.
        assert_eq!(keys.declare(&synonym("increment", "other")), None);
        assert_eq!(keys.find("increment"), Some("Delta"));
        assert_eq!(keys.declare(&synonym("delta", "step")), None);
    }
}
