//! The memory of what the heads of files said and which files lie in a folder, so that looking at many
//! sessions reads no head twice and lists no folder once for each session in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::format::Format;
use crate::walk::WalkError;

/// What the head of a file says of whose it is, by its path. Copies share one memory.
#[derive(Clone, Debug, Default)]
pub struct Heads {
    said: Shared<PathBuf, String>,
    /// The files beside sessions, by format and folder; none are kept while runs are followed.
    beside: Option<Shared<(Format, PathBuf), Files>>,
}

type Shared<K, V> = Arc<Mutex<BTreeMap<K, V>>>;

type Files = Arc<[PathBuf]>;

impl Heads {
    /// A memory for one look at many sessions: it takes each folder to be as it was when first listed.
    #[must_use]
    pub fn of_one_look() -> Self {
        Self::default().for_one_look()
    }

    /// The same memory of heads, for one look at many sessions.
    #[must_use]
    pub fn for_one_look(&self) -> Self {
        Self { said: Arc::clone(&self.said), beside: Some(Shared::default()) }
    }

    /// What the head of a file says: as remembered, or as `read` finds it. A file that says nothing yet is read
    /// again the next time.
    pub fn get(
        &self,
        path: &Path,
        read: impl FnOnce() -> Result<Option<String>, WalkError>,
    ) -> Result<Option<String>, WalkError> {
        if let Some(said) = locked(&self.said).get(path) {
            return Ok(Some(said.clone()));
        }
        // Read without the lock: two threads may both do it, and find the same.
        let said = read()?;
        if let Some(said) = &said {
            locked(&self.said).insert(path.to_owned(), said.clone());
        }
        Ok(said)
    }

    /// The files of a format beside the sessions of a folder: as remembered, or as `list` finds them.
    pub(super) fn beside(
        &self,
        format: Format,
        folder: &Path,
        list: impl FnOnce() -> Result<Vec<PathBuf>, WalkError>,
    ) -> Result<Files, WalkError> {
        let Some(beside) = &self.beside else { return Ok(list()?.into()) };
        let place = (format, folder.to_owned());
        if let Some(known) = locked(beside).get(&place) {
            return Ok(Arc::clone(known));
        }
        let listed: Arc<[PathBuf]> = list()?.into();
        locked(beside).insert(place, Arc::clone(&listed));
        Ok(listed)
    }
}

/// Whoever panicked left no half of an entry.
fn locked<K, V>(shared: &Shared<K, V>) -> MutexGuard<'_, BTreeMap<K, V>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_share_what_was_read_and_only_one_look_keeps_listings() {
        let path = Path::new("a.jsonl");
        let heads = Heads::default();
        assert_eq!(heads.get(path, || Ok(None)).unwrap(), None);
        assert_eq!(heads.get(path, || Ok(Some("s".into()))).unwrap().as_deref(), Some("s"));
        let copy = heads.clone();
        assert_eq!(copy.get(path, || unreachable!()).unwrap().as_deref(), Some("s"));

        let list = |heads: &Heads, name: &str| {
            let list = || Ok(vec![PathBuf::from(name)]);
            heads.beside(Format::Codex, Path::new("."), list).unwrap().to_vec()
        };
        assert_eq!(list(&heads, "a"), [Path::new("a")]);
        assert_eq!(list(&heads, "b"), [Path::new("b")]);
        let look = Heads::of_one_look();
        assert_eq!(list(&look, "a"), [Path::new("a")]);
        assert_eq!(list(&look, "b"), [Path::new("a")]);
    }
}
