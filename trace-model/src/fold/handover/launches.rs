//! Subagents that were launched with a description.

use serde::{Deserialize, Serialize};

use super::work::CallAt;
use crate::ids::{Head, Seq};

/// How many launches are kept.
const KEPT: usize = 200;
/// Characters kept of a description.
const CHARS: usize = 200;

/// The launch of a subagent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// The event of the call.
    pub at: Seq,
    /// What the subagent is to do, in short.
    pub description: Head,
    /// The tool that launched it.
    pub tool: String,
}

/// The launches that were not refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Launches {
    list: Vec<Launch>,
    count: u64,
}

impl Launches {
    pub(super) fn launch(&mut self, call: &CallAt, description: &str) {
        let description = description.trim();
        if description.is_empty() {
            return;
        }
        self.count += 1;
        if self.list.len() == KEPT {
            self.list.remove(0);
        }
        let description = Head::new(description, CHARS);
        self.list.push(Launch { at: call.at, description, tool: call.tool.clone() });
    }

    /// The launch by the call at this event was refused.
    pub(super) fn refuse(&mut self, call: Seq) {
        if let Some(at) = self.list.iter().rposition(|launch| launch.at == call) {
            self.list.remove(at);
            self.count -= 1;
        }
    }

    pub(super) fn list(&self) -> &[Launch] {
        &self.list
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }
}
