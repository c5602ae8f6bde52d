//! The memory of what the heads of files said, so that looking again and again reads no file twice.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::walk::WalkError;

/// What the head of a file says of whose it is, by its path.
#[derive(Clone, Debug, Default)]
pub struct Heads(BTreeMap<PathBuf, String>);

impl Heads {
    /// What the head of a file says: as remembered, or as `read` finds it. A file that says nothing yet is read
    /// again the next time.
    pub fn get(
        &mut self,
        path: &Path,
        read: impl FnOnce() -> Result<Option<String>, WalkError>,
    ) -> Result<Option<String>, WalkError> {
        if let Some(known) = self.0.get(path) {
            return Ok(Some(known.clone()));
        }
        let said = read()?;
        if let Some(said) = &said {
            self.0.insert(path.to_owned(), said.clone());
        }
        Ok(said)
    }
}
