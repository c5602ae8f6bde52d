//! Finding sessions in folders in which any agent may have written, and the memory of what the heads of files
//! said, so that looking again and again reads no file twice.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::boundary::AdapterRef;
use crate::walk::{self, Listing, WalkError};

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

/// The files below a folder that may be sessions, by their names: what each is, its content says.
pub fn sessions_below(folder: &Path) -> Result<Listing, WalkError> {
    let may_be = |path: &Path| AdapterRef::all().any(|adapter| adapter.may_be_session(path));
    walk::below(folder, |path| may_be(path) && agent_of(path).is_none())
}

/// The subagents' transcripts below a folder; none if it does not exist.
pub fn agents_below(folder: &Path) -> Result<Listing, WalkError> {
    if folder.is_dir() {
        walk::below(folder, |path| agent_of(path).is_some())
    } else {
        Ok(Listing::default())
    }
}

/// The subagent whose transcript a file is, whichever agent's.
pub fn agent_of(path: &Path) -> Option<String> {
    AdapterRef::all().find_map(|adapter| adapter.agent_of(path))
}
