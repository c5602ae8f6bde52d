//! The store: adds versions, and keeps their states to the lifecycle.

use std::collections::BTreeMap;

use super::reach::Dependents;
use super::version::{
    Dependency, Draft, EventRange, NodeId, Validity, Version, VersionNo, VersionRef,
};

/// Why the store rejected an operation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NodeError {
    /// `add_first` of a node that is there.
    #[error("node `{0}` exists: supersede its version instead of adding a first one")]
    Exists(NodeId),
    /// No such node.
    #[error("there is no node `{0}`: add its first version first")]
    UnknownNode(NodeId),
    /// No such version.
    #[error("there is no version `{0}`: name one that the store issued")]
    UnknownVersion(VersionRef),
    /// A change of state that the lifecycle does not have.
    #[error("`{version}` is {from} and cannot become {to}")]
    IllegalTransition {
        /// The version.
        version: VersionRef,
        /// Its state.
        from: Validity,
        /// The state it was to get.
        to: Validity,
    },
    /// A draft depends on something that is not in the store.
    #[error("`{node}` depends on `{dependency}`, which is not in the store: add that first")]
    UnknownDependency {
        /// The draft's node.
        node: NodeId,
        /// What is missing.
        dependency: Dependency,
    },
    /// A draft depends on a version that is known to be wrong.
    #[error(
        "`{node}` depends on `{version}`, which is invalidated: derive it from another version"
    )]
    InvalidatedDependency {
        /// The draft's node.
        node: NodeId,
        /// The invalidated version.
        version: VersionRef,
    },
    /// A draft covers a range that ends before it begins.
    #[error("`{node}` covers events {} to {}: give the first before the last", range.first, range.last)]
    BackwardsRange {
        /// The draft's node.
        node: NodeId,
        /// The range.
        range: EventRange,
    },
    /// A snapshot that no sequence of operations makes.
    #[error(
        "the snapshot's version `{version}` {fault}: the file is damaged; derive its nodes again"
    )]
    Damaged {
        /// Where.
        version: VersionRef,
        /// What is wrong.
        fault: &'static str,
    },
}

/// Derived nodes and all their versions, in the order of their ids.
///
/// Serialize it for a snapshot; deserializing checks it, since a file may have been damaged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeStore<C> {
    pub(super) nodes: BTreeMap<NodeId, Vec<Version<C>>>,
    pub(super) dependents: Dependents,
}

impl<C> Default for NodeStore<C> {
    fn default() -> Self {
        Self { nodes: BTreeMap::new(), dependents: Dependents::default() }
    }
}

impl<C> NodeStore<C> {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the first version of a new node.
    pub fn add_first(
        &mut self,
        node: impl Into<NodeId>,
        draft: Draft<C>,
    ) -> Result<VersionRef, NodeError> {
        let node = node.into();
        if self.nodes.contains_key(&node) {
            return Err(NodeError::Exists(node));
        }
        self.check(&node, &draft)?;
        Ok(self.push(node, Version::new(draft, None)))
    }

    /// Adds a version that takes the place of the node's live one. After an invalidation there is
    /// none: the new version then supersedes nothing.
    pub fn supersede(&mut self, node: &NodeId, draft: Draft<C>) -> Result<VersionRef, NodeError> {
        if !self.nodes.contains_key(node) {
            return Err(NodeError::UnknownNode(node.clone()));
        }
        self.check(node, &draft)?;
        let live = self.live(node).map(|(version, _)| version);
        if let Some(version) = &live {
            self.set_state(version, Validity::Superseded)?;
        }
        Ok(self.push(node.clone(), Version::new(draft, live)))
    }

    /// Declares a version wrong, and what rests on it suspect. Gives the versions that became
    /// suspect, in order.
    pub fn invalidate(&mut self, version: &VersionRef) -> Result<Vec<VersionRef>, NodeError> {
        self.set_state(version, Validity::Invalidated)?;
        let mut suspects = Vec::new();
        for dependent in self.dependents.closure(version) {
            if self.get(&dependent).is_some_and(|v| v.state == Validity::Current) {
                self.set_state(&dependent, Validity::SuspectedStale)?;
                suspects.push(dependent);
            }
        }
        Ok(suspects)
    }

    /// Declares that a suspect version holds after all.
    pub fn revalidate(&mut self, version: &VersionRef) -> Result<(), NodeError> {
        self.set_state(version, Validity::Current)
    }

    /// A version.
    pub fn get(&self, version: &VersionRef) -> Option<&Version<C>> {
        self.nodes.get(&version.node)?.get(index(version.version)?)
    }

    /// The node's version that is neither superseded nor invalidated.
    pub fn live(&self, node: &NodeId) -> Option<(VersionRef, &Version<C>)> {
        // Only the newest can be: superseding leaves no other.
        let (i, version) = self.nodes.get(node)?.iter().enumerate().next_back()?;
        version.state.is_live().then(|| (reference(node, i), version))
    }

    /// The node's newest version, in any state.
    pub fn newest(&self, node: &NodeId) -> Option<(VersionRef, &Version<C>)> {
        let (i, version) = self.nodes.get(node)?.iter().enumerate().next_back()?;
        Some((reference(node, i), version))
    }

    /// The nodes' ids, in order.
    pub fn nodes(&self) -> impl Iterator<Item = &NodeId> {
        self.nodes.keys()
    }

    /// All versions, by node and number.
    pub fn versions(&self) -> impl Iterator<Item = (VersionRef, &Version<C>)> {
        self.nodes.iter().flat_map(|(node, versions)| {
            versions.iter().enumerate().map(move |(i, version)| (reference(node, i), version))
        })
    }

    fn check(&self, node: &NodeId, draft: &Draft<C>) -> Result<(), NodeError> {
        if draft.covers.first > draft.covers.last {
            return Err(NodeError::BackwardsRange { node: node.clone(), range: draft.covers });
        }
        for dependency in &draft.dependencies {
            match dependency {
                Dependency::Unpinned(on) if self.nodes.contains_key(on) => {}
                Dependency::Pinned(on) if self.get(on).is_some() => {
                    if self.get(on).is_some_and(|v| v.state == Validity::Invalidated) {
                        let (node, version) = (node.clone(), on.clone());
                        return Err(NodeError::InvalidatedDependency { node, version });
                    }
                }
                _ => {
                    let (node, dependency) = (node.clone(), dependency.clone());
                    return Err(NodeError::UnknownDependency { node, dependency });
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, node: NodeId, version: Version<C>) -> VersionRef {
        let reference = reference(&node, self.nodes.get(&node).map_or(0, Vec::len));
        self.dependents.note(&reference, &version.dependencies);
        self.nodes.entry(node).or_default().push(version);
        reference
    }

    fn set_state(&mut self, version: &VersionRef, to: Validity) -> Result<(), NodeError> {
        let unknown = || NodeError::UnknownVersion(version.clone());
        let at = index(version.version).ok_or_else(unknown)?;
        let versions = self.nodes.get_mut(&version.node).ok_or_else(unknown)?;
        let found = versions.get_mut(at).ok_or_else(unknown)?;
        let from = found.state;
        if !from.may_become(to) {
            return Err(NodeError::IllegalTransition { version: version.clone(), from, to });
        }
        found.state = to;
        Ok(())
    }
}

fn index(version: VersionNo) -> Option<usize> {
    usize::try_from(version.0.checked_sub(1)?).ok()
}

pub(super) fn reference(node: &NodeId, index: usize) -> VersionRef {
    let number = u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1);
    VersionRef { node: node.clone(), version: VersionNo(number) }
}

#[cfg(test)]
mod tests {
    use super::super::version::Producer;
    use super::*;
    use Validity::*;

    fn draft(dependencies: &[Dependency]) -> Draft<String> {
        Draft {
            covers: EventRange { first: 3, last: 9 },
            evidence: vec![4, 12],
            producer: Producer { name: "episodes".into(), version: "1".into() },
            dependencies: dependencies.to_vec(),
            content: "text".into(),
        }
    }

    fn pinned(version: &VersionRef) -> Dependency {
        Dependency::Pinned(version.clone())
    }

    fn unpinned(node: &str) -> Dependency {
        Dependency::Unpinned(node.into())
    }

    fn state(store: &NodeStore<String>, version: &VersionRef) -> Validity {
        store.get(version).unwrap().state
    }

    #[test]
    fn superseding_keeps_the_old_version_and_names_it() {
        let mut store = NodeStore::new();
        let first = store.add_first("a", draft(&[])).unwrap();
        let second = store.supersede(&first.node, draft(&[])).unwrap();
        assert_eq!((first.to_string(), second.to_string()), ("a v1".into(), "a v2".into()));
        assert_eq!(state(&store, &first), Superseded);
        let (live, version) = store.live(&first.node).unwrap();
        assert_eq!((live, version.supersedes.clone()), (second, Some(first)));
        assert_eq!(store.versions().count(), 2);
    }

    #[test]
    fn invalidating_suspects_pinned_and_unpinned_dependents_through_others() {
        let mut store = NodeStore::new();
        let a1 = store.add_first("a", draft(&[])).unwrap();
        let on_a1 = store.add_first("on a1", draft(&[pinned(&a1)])).unwrap();
        let a2 = store.supersede(&a1.node, draft(&[])).unwrap();
        let on_a = store.add_first("on a", draft(&[unpinned("a")])).unwrap();
        let on_on_a1 = store.add_first("on on a1", draft(&[unpinned("on a1")])).unwrap();
        let other = store.add_first("other", draft(&[])).unwrap();

        let suspects = store.invalidate(&a2).unwrap();
        assert_eq!(
            suspects,
            std::slice::from_ref(&on_a),
            "what is pinned to version 1 is untouched"
        );
        store.revalidate(&on_a).unwrap();

        let suspects = store.invalidate(&a1).unwrap();
        assert_eq!(suspects, [on_a, on_a1, on_on_a1], "a superseded version may be invalidated");
        assert_eq!(state(&store, &other), Current);
    }

    #[test]
    fn suspicion_passes_through_superseded_versions_without_changing_them() {
        let mut store = NodeStore::new();
        let a = store.add_first("a", draft(&[])).unwrap();
        let b1 = store.add_first("b", draft(&[pinned(&a)])).unwrap();
        let c = store.add_first("c", draft(&[pinned(&b1)])).unwrap();
        let b2 = store.supersede(&b1.node, draft(&[])).unwrap();
        assert_eq!(store.invalidate(&a).unwrap(), [c]);
        assert_eq!((state(&store, &b1), state(&store, &b2)), (Superseded, Current));
    }

    #[test]
    fn cycles_end() {
        let mut store = NodeStore::new();
        let a1 = store.add_first("a", draft(&[])).unwrap();
        let b = store.add_first("b", draft(&[unpinned("a")])).unwrap();
        let a2 = store.supersede(&a1.node, draft(&[unpinned("b"), unpinned("a")])).unwrap();
        assert_eq!(store.invalidate(&b).unwrap(), std::slice::from_ref(&a2));
        assert_eq!(store.invalidate(&a2).unwrap(), [], "b stays invalidated");
    }

    #[test]
    fn illegal_changes_are_typed_errors() {
        let mut store = NodeStore::new();
        let a = store.add_first("a", draft(&[])).unwrap();
        assert_eq!(
            store.revalidate(&a),
            Err(NodeError::IllegalTransition { version: a.clone(), from: Current, to: Current })
        );
        store.invalidate(&a).unwrap();
        let error = store.invalidate(&a).unwrap_err();
        assert_eq!(error.to_string(), "`a v1` is invalidated and cannot become invalidated");
        assert!(store.revalidate(&a).is_err());
        assert_eq!(store.add_first("a", draft(&[])), Err(NodeError::Exists("a".into())));
        assert_eq!(
            store.supersede(&"x".into(), draft(&[])),
            Err(NodeError::UnknownNode("x".into()))
        );
        for number in [0, 2, u32::MAX] {
            let missing = VersionRef { node: "a".into(), version: VersionNo(number) };
            assert_eq!(store.invalidate(&missing), Err(NodeError::UnknownVersion(missing)));
        }
    }

    #[test]
    fn a_draft_is_checked_before_anything_changes() {
        let mut store = NodeStore::new();
        let a = store.add_first("a", draft(&[])).unwrap();
        let before = store.clone();
        let mut backwards = draft(&[]);
        backwards.covers = EventRange { first: 2, last: 1 };
        for bad in [draft(&[unpinned("x")]), draft(&[pinned(&reference(&a.node, 7))]), backwards] {
            assert!(store.supersede(&a.node, bad).is_err());
            assert_eq!(store, before);
        }
        store.invalidate(&a).unwrap();
        assert!(matches!(
            store.add_first("b", draft(&[pinned(&a)])),
            Err(NodeError::InvalidatedDependency { .. })
        ));
    }

    #[test]
    fn after_an_invalidation_a_new_version_supersedes_none() {
        let mut store = NodeStore::new();
        let a = store.add_first("a", draft(&[])).unwrap();
        store.invalidate(&a).unwrap();
        assert!(store.live(&a.node).is_none());
        let again = store.supersede(&a.node, draft(&[])).unwrap();
        assert_eq!(store.get(&again).unwrap().supersedes, None);
        assert_eq!(state(&store, &a), Invalidated);
    }
}
