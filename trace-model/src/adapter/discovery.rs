//! Finding sessions in folders in which any agent may have written.

use std::path::Path;

use super::boundary::AdapterRef;
use super::heads::Heads;
use crate::walk::{self, Listing, WalkError};

/// The files below a folder that may be sessions, by their names: what each is, its content says.
pub fn sessions_below(folder: &Path, heads: &Heads) -> Result<Listing, WalkError> {
    let may_be = |path: &Path| AdapterRef::all().any(|adapter| adapter.may_be_session(path));
    walk::below(folder, |path| may_be(path) && agent_of(path, heads).is_none())
}

/// The subagents' transcripts below a folder; none if it does not exist.
pub fn agents_below(folder: &Path, heads: &Heads) -> Result<Listing, WalkError> {
    if folder.is_dir() {
        walk::below(folder, |path| agent_of(path, heads).is_some())
    } else {
        Ok(Listing::default())
    }
}

/// The subagent whose transcript a file is, whichever agent's.
pub fn agent_of(path: &Path, heads: &Heads) -> Option<String> {
    AdapterRef::all().find_map(|adapter| adapter.agent_of(path, heads))
}
