//! Derived nodes: versioned artifacts over ranges of the ledger (episodes, summaries), with their provenance
//! and whether they can still be trusted. Used for anything derived from events that may have to be taken back;
//! the content is the caller's own type.
//!
//! A version never changes but in its [`Validity`], and that only along these ways:
//!
//! ```text
//! current <-> suspected_stale        current, suspected_stale -> superseded
//! any but invalidated -> invalidated
//! ```
//!
//! So `superseded` never reopens (it may still become `invalidated`), and `invalidated` is final.
//! A node has at most one version that is neither.
//!
//! Invalidating a version makes what rests on it suspect: versions that depend on that exact version
//! or, unpinned, on its node; and so on, through them. Suspicion passes *through* every version
//! whatever its state (what was derived from a superseded version still rests on what that one
//! rested on) but only changes those that are current. Suspicion is cheap: a version that holds is
//! [`revalidated`](NodeStore::revalidate). Superseding makes nothing suspect: a new version is not
//! the news that the old one was wrong.

mod reach;
mod snapshot;
mod store;
mod version;

#[cfg(test)]
mod proptests;

pub use store::{NodeError, NodeStore};
pub use version::{
    Dependency, Draft, EventRange, NodeId, Producer, Validity, Version, VersionNo, VersionRef,
};
