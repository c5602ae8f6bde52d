//! Files that a run reads and writes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::Seq;

/// How often a file was read and written, successfully.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uses {
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
}

/// A file that the run read or wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileUse {
    /// By the main thread; of its reads, those that a turn in force issued.
    pub main: Uses,
    /// By subagents.
    pub subagents: Uses,
    /// The event of the last of either.
    pub last_at: Seq,
    /// Reads by the main thread, by the turn that issued them.
    pub(super) main_reads: BTreeMap<u64, u64>,
}

impl FileUse {
    /// Reads by anyone.
    pub fn reads(&self) -> u64 {
        self.main.reads + self.subagents.reads
    }

    /// Reads by anyone, in turns taken back too.
    pub fn reads_ever(&self) -> u64 {
        self.main_reads.values().sum::<u64>() + self.subagents.reads
    }

    /// Writes by anyone.
    pub fn writes(&self) -> u64 {
        self.main.writes + self.subagents.writes
    }
}
