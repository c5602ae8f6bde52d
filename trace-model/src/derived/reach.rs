//! Reverse dependencies: who depends on a node.

use std::collections::{BTreeMap, BTreeSet};

use super::version::{Dependency, NodeId, VersionRef};

/// The dependents of versions and of nodes. Follows from the versions, so it is never saved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Dependents {
    on: BTreeMap<Dependency, BTreeSet<VersionRef>>,
}

impl Dependents {
    /// Notes what a version depends on.
    pub(super) fn note(&mut self, dependent: &VersionRef, dependencies: &[Dependency]) {
        for dependency in dependencies {
            self.on.entry(dependency.clone()).or_default().insert(dependent.clone());
        }
    }

    /// Everything that rests on a version, directly or through others; in order. The version itself
    /// is in it if it rests on itself. Each version is looked at once, so cycles end.
    pub(super) fn closure(&self, root: &VersionRef) -> BTreeSet<VersionRef> {
        let mut reached = BTreeSet::new();
        let mut nodes: BTreeSet<NodeId> = BTreeSet::new();
        let mut open = vec![root.clone()];
        while let Some(version) = open.pop() {
            let unpinned = nodes
                .insert(version.node.clone())
                .then(|| self.direct(&Dependency::Unpinned(version.node.clone())));
            let pinned = self.direct(&Dependency::Pinned(version));
            for dependent in pinned.chain(unpinned.into_iter().flatten()) {
                if reached.insert(dependent.clone()) {
                    open.push(dependent.clone());
                }
            }
        }
        reached
    }

    fn direct(&self, on: &Dependency) -> impl Iterator<Item = &VersionRef> + use<'_> {
        self.on.get(on).into_iter().flatten()
    }
}
