//! The commands of calls that have no result yet. Most calls get one soon; of those that never do, the oldest are
//! dropped.

use serde::{Deserialize, Serialize};

use crate::fold::collections::{DigestMap, sorted_map};
use crate::ids::{Digest64, Seq};

/// How many are kept.
const KEPT: usize = 256;

/// The key of each call's command, and the event of the call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct OpenCommands(#[serde(with = "sorted_map")] DigestMap<(Digest64, Seq)>);

impl OpenCommands {
    pub(super) fn insert(&mut self, id: Digest64, command: Digest64, at: Seq) {
        if self.0.len() >= KEPT {
            let oldest = self.0.iter().min_by_key(|(_, (_, at))| *at).map(|(id, _)| *id);
            oldest.and_then(|id| self.0.remove(&id));
        }
        self.0.insert(id, (command, at));
    }

    pub(super) fn remove(&mut self, id: Digest64) -> Option<(Digest64, Seq)> {
        self.0.remove(&id)
    }
}
