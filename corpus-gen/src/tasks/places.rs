//! Names of a task's files: words alone, no digits, drawn apart from everything else, so that they say
//! nothing about order or content.

use std::collections::BTreeSet;

use crate::rng::Draw;
use crate::text::names::{adjective, noun};

/// A noun that is not a key of a task.
pub(super) fn word(draw: &mut Draw) -> &'static str {
    loop {
        let word = noun(draw);
        if word != "delta" {
            return word;
        }
    }
}

/// `count` different paths in one folder, in no order. There are some 32,000 of them.
pub(super) fn paths(draw: &mut Draw, folder: &str, ending: &str, count: usize) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut paths = Vec::with_capacity(count);
    while paths.len() < count {
        let path = format!("{folder}/{}-{}.{ending}", adjective(draw), word(draw));
        if taken.insert(path.clone()) {
            paths.push(path);
        }
    }
    paths
}
