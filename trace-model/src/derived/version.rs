//! A version of a node: its content, its provenance, and whether it is valid.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A node's name, unique in its store.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub String);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for NodeId {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

/// A version's number within its node, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VersionNo(pub u32);

/// One version of one node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VersionRef {
    /// The node.
    pub node: NodeId,
    /// The version.
    pub version: VersionNo,
}

impl fmt::Display for VersionRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} v{}", self.node, self.version.0)
    }
}

/// Ledger positions, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRange {
    /// The first event's.
    pub first: u64,
    /// The last event's.
    pub last: u64,
}

/// What made a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Producer {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// What a version was derived from, besides events.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dependency {
    /// That exact version.
    Pinned(VersionRef),
    /// The node, in whichever version it is.
    Unpinned(NodeId),
}

impl fmt::Display for Dependency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pinned(version) => version.fmt(f),
            Self::Unpinned(node) => node.fmt(f),
        }
    }
}

/// Whether a version holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Validity {
    /// It holds.
    Current,
    /// Something that it rests on was invalidated; whether it holds has to be looked at.
    SuspectedStale,
    /// A newer version took its place.
    Superseded,
    /// It is wrong.
    Invalidated,
}

impl Validity {
    /// Neither superseded nor invalidated.
    pub fn is_live(self) -> bool {
        matches!(self, Self::Current | Self::SuspectedStale)
    }

    /// May a version in this state go over to that one?
    pub fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::Invalidated, _) => false,
            (Self::Current, Self::SuspectedStale)
            | (Self::SuspectedStale, Self::Current)
            | (_, Self::Invalidated) => true,
            (from, Self::Superseded) => from.is_live(),
            _ => false,
        }
    }

    /// The state's name as it is serialized.
    pub fn name(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::SuspectedStale => "suspected_stale",
            Self::Superseded => "superseded",
            Self::Invalidated => "invalidated",
        }
    }
}

impl fmt::Display for Validity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A version to be: everything that its producer says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft<C> {
    /// The events that it covers.
    pub covers: EventRange,
    /// The events it is based on; they may lie outside the range it covers (a late result).
    pub evidence: Vec<u64>,
    /// What made it.
    pub producer: Producer,
    /// What it was derived from.
    pub dependencies: Vec<Dependency>,
    /// What it says.
    pub content: C,
}

/// A version in the store. It is only ever handed out to be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version<C> {
    /// The events that it covers.
    pub covers: EventRange,
    /// The events that it rests on.
    pub evidence: Vec<u64>,
    /// What made it.
    pub producer: Producer,
    /// The version whose place it took.
    pub supersedes: Option<VersionRef>,
    /// What it was derived from.
    pub dependencies: Vec<Dependency>,
    /// What it says.
    pub content: C,
    /// Whether it holds.
    pub state: Validity,
}

impl<C> Version<C> {
    pub(super) fn new(draft: Draft<C>, supersedes: Option<VersionRef>) -> Self {
        let Draft { covers, evidence, producer, dependencies, content } = draft;
        let state = Validity::Current;
        Self { covers, evidence, producer, supersedes, dependencies, content, state }
    }
}

#[cfg(test)]
mod tests {
    use super::Validity::{self, *};

    #[test]
    fn the_allowed_transitions_are_these_and_no_others() {
        let all = [Current, SuspectedStale, Superseded, Invalidated];
        let allowed: Vec<(Validity, Validity)> = all
            .into_iter()
            .flat_map(|from| all.map(|to| (from, to)))
            .filter(|(from, to)| from.may_become(*to))
            .collect();
        assert_eq!(
            allowed,
            [
                (Current, SuspectedStale),
                (Current, Superseded),
                (Current, Invalidated),
                (SuspectedStale, Current),
                (SuspectedStale, Superseded),
                (SuspectedStale, Invalidated),
                (Superseded, Invalidated),
            ]
        );
    }
}
