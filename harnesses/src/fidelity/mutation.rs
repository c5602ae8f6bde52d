//! Faults in one field: what a fold with an error in exactly that field would say. Comparison must
//! catch each of them, in that field and in no other.

use std::collections::BTreeMap;
use std::sync::Arc;

use ground_truth::oracle::FieldValue;

use super::comparable::{Fields, differences};

/// A run's right fields, to put faults in.
pub(super) struct Sound {
    // Shared: to copy and to compare what is the same then costs nothing.
    fields: BTreeMap<String, Arc<FieldValue>>,
}

impl Sound {
    pub(super) fn new(right: &Fields) -> Self {
        let shared =
            |(name, value): (&String, &FieldValue)| (name.clone(), Arc::new(value.clone()));
        Self { fields: right.iter().map(shared).collect() }
    }

    /// Whether the comparison catches every fault in this field, and in no other field.
    pub(super) fn is_caught(&self, field: &str) -> bool {
        let Some(value) = self.fields.get(field) else { return false };
        let mut faulty = self.fields.clone();
        faults(value).into_iter().all(|fault| {
            faulty.insert(field.to_owned(), Arc::new(fault));
            differences(&faulty, &self.fields) == [field]
        })
    }
}

/// The value with one fault each: a count off by one in either direction, a text that differs in its
/// last character, a list that lost an entry, gained one, has one altered or two swapped, a map
/// likewise.
pub(super) fn faults(value: &FieldValue) -> Vec<FieldValue> {
    match value {
        FieldValue::Absent => Vec::new(),
        FieldValue::Int(count) => {
            let less = count.checked_sub(1);
            less.into_iter().chain(count.checked_add(1)).map(FieldValue::Int).collect()
        }
        FieldValue::Text(text) => vec![FieldValue::Absent, FieldValue::Text(altered(text))],
        FieldValue::List(list) => list_faults(list).into_iter().map(FieldValue::List).collect(),
        FieldValue::Map(map) => map_faults(map).into_iter().map(FieldValue::Map).collect(),
    }
}

fn altered(text: &str) -> String {
    let mut altered = text.to_owned();
    let last = altered.pop();
    altered.push(if last == Some('1') { '2' } else { '1' });
    altered
}

fn list_faults(list: &[String]) -> Vec<Vec<String>> {
    let Some((end, rest)) = list.split_last() else { return Vec::new() };
    let with = |tail: &[String]| rest.iter().chain(tail).cloned().collect::<Vec<_>>();
    let mut faults =
        vec![with(&[]), with(&[altered(end)]), with(&[end.clone(), "one more".to_owned()])];
    let mut swapped = list.to_vec();
    swapped.swap(0, rest.len());
    if swapped != list {
        faults.push(swapped);
    }
    faults
}

fn map_faults(map: &BTreeMap<String, String>) -> Vec<BTreeMap<String, String>> {
    let Some((key, value)) = map.last_key_value() else { return Vec::new() };
    let mut lost = map.clone();
    lost.remove(key);
    let mut changed = map.clone();
    changed.insert(key.clone(), altered(value));
    let mut gained = map.clone();
    gained.insert("one more".to_owned(), "1".to_owned());
    let mut renamed = lost.clone();
    renamed.insert(altered(key), value.clone());
    vec![lost, changed, gained, renamed]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_another_value() {
        let text = |text: &str| FieldValue::Text(text.to_owned());
        let list =
            |items: &[&str]| FieldValue::List(items.iter().map(|i| (*i).to_owned()).collect());
        let map = |key: &str, value: &str| {
            FieldValue::Map(BTreeMap::from([(key.to_owned(), value.to_owned())]))
        };
        for value in [
            FieldValue::Int(0),
            FieldValue::Int(u64::MAX),
            text("1"),
            text("é"),
            list(&["a"]),
            list(&["a", "a"]),
            list(&["a", "b", "c"]),
            map("k", "1"),
            map("1", "x"),
        ] {
            let faults = faults(&value);
            assert!(!faults.is_empty(), "{value:?}");
            assert!(faults.iter().all(|fault| *fault != value), "{value:?}: {faults:?}");
        }
        assert!(faults(&FieldValue::Absent).is_empty());
    }
}
