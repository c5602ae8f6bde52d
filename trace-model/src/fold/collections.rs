//! Sets and maps keyed by digest: fast in memory, sorted on disk so that a snapshot is the same regardless of
//! insertion order. In a binary snapshot a digest is the distance from the one before, which is shorter.

use std::collections::{HashMap, HashSet};

use nohash_hasher::BuildNoHashHasher;

use crate::ids::Digest64;

pub(super) type DigestSet = HashSet<Digest64, BuildNoHashHasher<Digest64>>;
pub(super) type DigestMap<V> = HashMap<Digest64, V, BuildNoHashHasher<Digest64>>;

/// A digest as the distance from the one before, which it then becomes.
fn distance(digest: Digest64, before: &mut u64) -> Digest64 {
    Digest64(digest.0.wrapping_sub(std::mem::replace(before, digest.0)))
}

/// The digest at a distance from the one before, which it then becomes.
fn sum(distance: Digest64, before: &mut u64) -> Digest64 {
    *before = before.wrapping_add(distance.0);
    Digest64(*before)
}

pub(super) mod sorted_set {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Digest64, DigestSet, distance, sum};

    pub(crate) fn serialize<S: Serializer>(
        set: &DigestSet,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut sorted: Vec<Digest64> = set.iter().copied().collect();
        sorted.sort_unstable();
        if !serializer.is_human_readable() {
            let mut before = 0;
            for digest in &mut sorted {
                *digest = distance(*digest, &mut before);
            }
        }
        sorted.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<DigestSet, D::Error> {
        let is_text = deserializer.is_human_readable();
        let list = Vec::<Digest64>::deserialize(deserializer)?;
        let mut before = 0;
        let digest = |it| if is_text { it } else { sum(it, &mut before) };
        Ok(list.into_iter().map(digest).collect())
    }
}

pub(super) mod sorted_map {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Digest64, DigestMap, distance, sum};

    pub(crate) fn serialize<V: Serialize, S: Serializer>(
        map: &DigestMap<V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut sorted: Vec<(Digest64, &V)> =
            map.iter().map(|(digest, value)| (*digest, value)).collect();
        sorted.sort_unstable_by_key(|entry| entry.0);
        if !serializer.is_human_readable() {
            let mut before = 0;
            for entry in &mut sorted {
                entry.0 = distance(entry.0, &mut before);
            }
        }
        sorted.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, V: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<DigestMap<V>, D::Error> {
        let is_text = deserializer.is_human_readable();
        let list = Vec::<(Digest64, V)>::deserialize(deserializer)?;
        let mut before = 0;
        let mut digest = |it| if is_text { it } else { sum(it, &mut before) };
        Ok(list.into_iter().map(|(it, value)| (digest(it), value)).collect())
    }
}
