//! Sets and maps keyed by digest: fast in memory, sorted on disk so that a snapshot is the same regardless of
//! insertion order.

use std::collections::{HashMap, HashSet};

use nohash_hasher::BuildNoHashHasher;

use crate::ids::Digest64;

pub(super) type DigestSet = HashSet<Digest64, BuildNoHashHasher<Digest64>>;
pub(super) type DigestMap<V> = HashMap<Digest64, V, BuildNoHashHasher<Digest64>>;

pub(super) mod sorted_set {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Digest64, DigestSet};

    pub(crate) fn serialize<S: Serializer>(
        set: &DigestSet,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut sorted: Vec<Digest64> = set.iter().copied().collect();
        sorted.sort_unstable();
        sorted.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<DigestSet, D::Error> {
        Vec::deserialize(deserializer).map(|list: Vec<Digest64>| list.into_iter().collect())
    }
}

pub(super) mod sorted_map {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Digest64, DigestMap};

    pub(crate) fn serialize<V: Serialize, S: Serializer>(
        map: &DigestMap<V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let mut sorted: Vec<(&Digest64, &V)> = map.iter().collect();
        sorted.sort_unstable_by_key(|entry| *entry.0);
        sorted.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, V: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<DigestMap<V>, D::Error> {
        Vec::deserialize(deserializer).map(|list: Vec<(Digest64, V)>| list.into_iter().collect())
    }
}
