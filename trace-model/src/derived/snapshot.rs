//! A store on disk: its versions by node, checked when they are read.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::reach::Dependents;
use super::store::{NodeError, NodeStore, reference};
use super::version::{Dependency, NodeId, Validity, Version};

impl<C: Serialize> Serialize for NodeStore<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.nodes.serialize(serializer)
    }
}

impl<'de, C: Deserialize<'de>> Deserialize<'de> for NodeStore<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_versions(BTreeMap::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<C> NodeStore<C> {
    fn from_versions(nodes: BTreeMap<NodeId, Vec<Version<C>>>) -> Result<Self, NodeError> {
        let mut store = Self { nodes, dependents: Dependents::default() };
        let mut dependents = Dependents::default();
        for (version, content) in store.versions() {
            if let Some(fault) = store.fault(&version.node, content) {
                return Err(NodeError::Damaged { version, fault });
            }
            dependents.note(&version, &content.dependencies);
        }
        for (node, versions) in &store.nodes {
            let older = versions.len().saturating_sub(1);
            let live = versions.iter().take(older).position(|v| v.state.is_live());
            if let Some(i) = live {
                let version = reference(node, i);
                return Err(NodeError::Damaged {
                    version,
                    fault: "is live, and so is a newer one",
                });
            }
            if versions.last().is_none_or(|v| v.state == Validity::Superseded) {
                let version = reference(node, older);
                return Err(NodeError::Damaged { version, fault: "has no successor" });
            }
        }
        store.dependents = dependents;
        Ok(store)
    }

    fn fault(&self, node: &NodeId, version: &Version<C>) -> Option<&'static str> {
        let known = |d: &Dependency| match d {
            Dependency::Pinned(on) => self.get(on).is_some(),
            Dependency::Unpinned(on) => self.nodes.contains_key(on),
        };
        let superseded = |old| self.get(old).is_some_and(|v| !v.state.is_live());
        if version.covers.first > version.covers.last {
            Some("covers a range that ends before it begins")
        } else if !version.dependencies.iter().all(known) {
            Some("depends on what is not there")
        } else if version
            .supersedes
            .as_ref()
            .is_some_and(|old| old.node != *node || !superseded(old))
        {
            Some("supersedes a version that is not superseded")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::version::{Draft, EventRange, Producer};
    use super::*;

    fn store() -> NodeStore<u32> {
        let draft = |dependencies: Vec<Dependency>| Draft {
            covers: EventRange { first: 0, last: 5 },
            evidence: vec![1],
            producer: Producer { name: "p".into(), version: "1".into() },
            dependencies,
            content: 7,
        };
        let mut store = NodeStore::new();
        let a = store.add_first("a", draft(vec![])).unwrap();
        store.add_first("b", draft(vec![Dependency::Pinned(a.clone())])).unwrap();
        store.supersede(&a.node, draft(vec![])).unwrap();
        store
    }

    #[test]
    fn a_snapshot_goes_on_like_the_store() {
        let mut store = store();
        let text = serde_json::to_string(&store).unwrap();
        let mut restored: NodeStore<u32> = serde_json::from_str(&text).unwrap();
        assert_eq!(restored, store);
        let a1 = reference(&"a".into(), 0);
        assert_eq!(restored.invalidate(&a1), store.invalidate(&a1));
        assert_eq!(restored, store);
    }

    #[test]
    fn damage_is_found() {
        let text = serde_json::to_string(&store()).unwrap();
        for (from, to, fault) in [
            ("superseded", "current", "not superseded"),
            (r#""first":0"#, r#""first":6"#, "ends before it begins"),
            (r#"{"node":"a","version":1}}]"#, r#"{"node":"a","version":9}}]"#, "not there"),
            (r#""supersedes":{"node":"a"#, r#""supersedes":{"node":"b"#, "not superseded"),
            (
                r#""content":7,"state":"current""#,
                r#""content":7,"state":"superseded""#,
                "no successor",
            ),
        ] {
            let damaged = text.replace(from, to);
            assert_ne!(damaged, text);
            let error = serde_json::from_str::<NodeStore<u32>>(&damaged).unwrap_err().to_string();
            assert!(error.contains(fault), "{error}");
        }
        let two_live = text.replace(r#""state":"superseded""#, r#""state":"current""#);
        let two_live =
            two_live.replace(r#""supersedes":{"node":"a","version":1}"#, r#""supersedes":null"#);
        let error = serde_json::from_str::<NodeStore<u32>>(&two_live).unwrap_err().to_string();
        assert!(error.contains("so is a newer one"), "{error}");
    }
}
