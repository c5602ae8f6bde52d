//! Threads of a run by their number: the main one and those of subagents.

use serde::{Deserialize, Serialize};

use crate::ids::Digest64;

/// The thread that has no agent.
pub(super) const MAIN: u32 = 0;
/// The name of the thread of side chains that name no agent.
pub(super) const SIDECHAIN: &str = "sidechain";

/// The call that launched an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Launcher {
    pub(super) call: Digest64,
    /// Whether the agent's own records, or the file beside them, say so, and not only a result.
    pub(super) stated: bool,
}
