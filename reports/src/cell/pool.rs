//! Pools the runs of several cells, and refuses where the cells are not alike.

use std::collections::BTreeSet;

use super::{ContinueCell, Run};

/// Runs of one or more cells, and in what the cells differ although they are pooled.
#[derive(Debug, Clone)]
pub struct Pooled<'a> {
    /// The cells.
    pub cells: Vec<&'a ContinueCell>,
    /// Their runs.
    pub runs: Vec<&'a Run>,
    /// Named differences, as `cached: no / unknown`.
    pub across: Vec<String>,
}

/// Why cells were not pooled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// Nothing to pool.
    #[error("no cells to pool: name at least one")]
    NoCells,
    /// They differ where they may not.
    #[error(
        "{a} and {b} differ in {axis} ({left} / {right}): name `{axis}` in `across`, or do not pool them"
    )]
    Differ {
        /// One cell.
        a: String,
        /// Another.
        b: String,
        /// In what.
        axis: String,
        /// The one's value.
        left: String,
        /// The other's.
        right: String,
    },
    /// A seed would count twice.
    #[error("seed {seed} is in two of the cells pooled with {cell}: it would count twice")]
    Twice {
        /// The seed.
        seed: String,
        /// The second cell that has it.
        cell: String,
    },
}

/// The runs of all cells, if they are alike except in the named axes.
pub fn pool<'a>(cells: &[&'a ContinueCell], across: &[String]) -> Result<Pooled<'a>, PoolError> {
    let (first, others) = cells.split_first().ok_or(PoolError::NoCells)?;
    let mut named = BTreeSet::new();
    for other in others {
        for (axis, left, right) in differences(first, other) {
            if !across.contains(&axis) {
                let (a, b) = (first.id.clone(), other.id.clone());
                return Err(PoolError::Differ { a, b, axis, left, right });
            }
            named.insert(format!("{axis}: {left} / {right}"));
        }
    }
    let mut seeds = BTreeSet::new();
    for cell in cells {
        for run in &cell.runs {
            if !seeds.insert(run.seed.as_str()) {
                return Err(PoolError::Twice { seed: run.seed.clone(), cell: cell.id.clone() });
            }
        }
    }
    let runs = cells.iter().flat_map(|cell| &cell.runs).collect();
    Ok(Pooled { cells: cells.to_vec(), runs, across: named.into_iter().collect() })
}

fn differences(a: &ContinueCell, b: &ContinueCell) -> Vec<(String, String, String)> {
    let (left, right) = (a.identity.axes(), b.identity.axes());
    let names: BTreeSet<&String> = left.iter().chain(&right).map(|(name, _)| name).collect();
    let value = |axes: &[(String, String)], name: &str| {
        axes.iter().find(|(n, _)| n == name).map_or("unknown".to_owned(), |(_, v)| v.clone())
    };
    names
        .into_iter()
        .map(|name| (name.clone(), value(&left, name), value(&right, name)))
        .filter(|(_, l, r)| l != r)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{Ended, Identity, Source};
    use super::*;

    fn cell(id: &str, renderer: &str, seeds: &[&str]) -> ContinueCell {
        ContinueCell {
            id: id.to_owned(),
            identity: Identity {
                source: Source::Ours,
                arm: "full".to_owned(),
                family: "chain".to_owned(),
                horizon: Some(120),
                model: "mechanical".to_owned(),
                renderer: renderer.to_owned(),
                protocol: BTreeMap::new(),
                grader: "done".to_owned(),
            },
            runs: seeds.iter().map(|&seed| Run::new(seed, Ended::Success)).collect(),
            means: None,
            provenance: "test".to_owned(),
        }
    }

    #[test]
    fn cells_of_two_renderers_are_pooled_only_by_name() {
        let (a, b) = (cell("a", "1", &["1"]), cell("b", "2", &["2"]));
        let refused = pool(&[&a, &b], &[]).unwrap_err();
        assert!(refused.to_string().contains("a and b differ in renderer (1 / 2)"), "{refused}");
        let pooled = pool(&[&a, &b], &["renderer".to_owned()]).unwrap();
        assert_eq!((pooled.runs.len(), pooled.across), (2, vec!["renderer: 1 / 2".to_owned()]));
    }

    #[test]
    fn a_seed_counts_once() {
        let (a, b) = (cell("a", "1", &["1", "2"]), cell("b", "1", &["2"]));
        assert!(matches!(pool(&[&a, &b], &[]), Err(PoolError::Twice { .. })));
    }
}
