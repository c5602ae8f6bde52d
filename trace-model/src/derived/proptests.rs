//! What holds for every sequence of operations.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Dependency, Draft, EventRange, NodeStore, Producer, Validity, Version, VersionRef};

type Store = NodeStore<u64>;

/// Nodes and versions are named by number and wrap around, so that most operations find one.
#[derive(Debug, Clone)]
enum Op {
    Add(u8, Vec<(bool, u8, usize)>),
    Invalidate(usize),
    Revalidate(usize),
}

fn op() -> impl Strategy<Value = Op> {
    let dependencies = prop::collection::vec((any::<bool>(), 0..6u8, 0..40usize), 0..4);
    prop_oneof![
        5 => (0..6u8, dependencies).prop_map(|(node, on)| Op::Add(node, on)),
        2 => (0..40usize).prop_map(Op::Invalidate),
        2 => (0..40usize).prop_map(Op::Revalidate),
    ]
}

fn all(store: &Store) -> Vec<VersionRef> {
    store.versions().map(|(version, _)| version).collect()
}

fn pick(store: &Store, i: usize) -> Option<VersionRef> {
    let all = all(store);
    all.get(i % all.len().max(1)).cloned()
}

fn name(node: u8) -> String {
    format!("n{node}")
}

fn draft(store: &Store, on: &[(bool, u8, usize)], content: u64) -> Draft<u64> {
    let dependencies = on
        .iter()
        .filter_map(|(pin, node, i)| match pin {
            true => pick(store, *i).map(Dependency::Pinned),
            false => Some(Dependency::Unpinned(name(*node).as_str().into())),
        })
        .collect();
    Draft {
        covers: EventRange { first: content, last: content + 1 },
        evidence: vec![content],
        producer: Producer { name: "p".into(), version: "1".into() },
        dependencies,
        content,
    }
}

/// Applies an operation; a rejected one changes nothing.
fn apply(store: &mut Store, op: &Op, content: u64) -> Result<(), TestCaseError> {
    let before = store.clone();
    let done = match op {
        Op::Add(node, on) => {
            let id = name(*node).as_str().into();
            let draft = draft(store, on, content);
            if store.nodes().any(|n| *n == id) {
                store.supersede(&id, draft).is_ok()
            } else {
                store.add_first(id, draft).is_ok()
            }
        }
        Op::Invalidate(i) => match pick(store, *i) {
            Some(version) => {
                let expected = naive_suspects(store, &version);
                let result = store.invalidate(&version);
                if let Ok(suspects) = &result {
                    prop_assert_eq!(suspects, &expected);
                }
                result.is_ok()
            }
            None => false,
        },
        Op::Revalidate(i) => pick(store, *i).is_some_and(|v| store.revalidate(&v).is_ok()),
    };
    if !done {
        prop_assert_eq!(&*store, &before);
    }
    Ok(())
}

/// The current versions that rest on `root`: looks at all pairs until nothing is added.
fn naive_suspects(store: &Store, root: &VersionRef) -> Vec<VersionRef> {
    let rests_on = |v: &Version<u64>, on: &VersionRef| {
        v.dependencies.iter().any(|d| match d {
            Dependency::Pinned(version) => version == on,
            Dependency::Unpinned(node) => *node == on.node,
        })
    };
    let mut reached = vec![root.clone()];
    loop {
        let more: Vec<VersionRef> = store
            .versions()
            .filter(|(r, v)| !reached.contains(r) && reached.iter().any(|on| rests_on(v, on)))
            .map(|(r, _)| r)
            .collect();
        if more.is_empty() {
            break;
        }
        reached.extend(more);
    }
    store
        .versions()
        .filter(|(r, v)| r != root && reached.contains(r) && v.state == Validity::Current)
        .map(|(r, _)| r)
        .collect()
}

fn states(store: &Store) -> BTreeMap<VersionRef, Validity> {
    store.versions().map(|(r, v)| (r, v.state)).collect()
}

proptest! {
    #[test]
    fn the_lifecycle_holds(ops in prop::collection::vec(op(), 0..60)) {
        let mut store = Store::new();
        for (i, op) in ops.iter().enumerate() {
            let before = store.clone();
            apply(&mut store, op, i as u64)?;
            let now = states(&store);
            for (version, was) in states(&before) {
                let is = now[&version];
                prop_assert!(was == is || was.may_become(is), "{version}: {was} became {is}");
                let (old, new) = (before.get(&version).unwrap(), store.get(&version).unwrap());
                prop_assert_eq!(&Version { state: is, ..old.clone() }, new);
            }
            for node in store.nodes() {
                let live = now.iter().filter(|(r, s)| r.node == *node && s.is_live()).count();
                prop_assert!(live <= 1);
                prop_assert_eq!(store.live(node).is_some(), live == 1);
            }
        }
        let saved = serde_json::to_string(&store).unwrap();
        prop_assert_eq!(serde_json::from_str::<Store>(&saved).unwrap(), store);
    }
}
