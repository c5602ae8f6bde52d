//! Comparing what this version generates with a manifest: each run is generated again in memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZeroUsize;

use cli_support::parallel;

use crate::generate::Progress;
use crate::manifest::{FileEntry, Manifest, RunEntry};

/// A file or count that is not as the manifest says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// A file has other bytes.
    Bytes {
        /// Its path.
        path: String,
        /// Size and hash in the manifest.
        expected: (u64, String),
        /// Size and hash as generated.
        generated: (u64, String),
    },
    /// A file of the manifest is not generated.
    NotGenerated(String),
    /// A file is generated that the manifest does not have.
    NotListed(String),
    /// All files agree, but not what the manifest says about the run.
    Counts(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Bytes { path, expected, generated } => write!(
                f,
                "{path}: the manifest has {} bytes, sha256 {}; generated were {} bytes, sha256 {}",
                expected.0, expected.1, generated.0, generated.1
            ),
            Difference::NotGenerated(path) => {
                write!(f, "{path}: in the manifest, but not generated")
            }
            Difference::NotListed(path) => write!(f, "{path}: generated, but not in the manifest"),
            Difference::Counts(run) => write!(f, "{run}: its files agree, but not its counts"),
        }
    }
}

/// Generates every run of `manifest` again, on `jobs` threads (0: as many as there are processors), and
/// gives what differs.
#[must_use]
pub fn verify(
    manifest: &Manifest,
    jobs: usize,
    progress: &(dyn Fn(Progress<'_>) + Sync),
) -> Vec<Difference> {
    let found =
        parallel::map(&manifest.runs, parallel::threads(NonZeroUsize::new(jobs)), |expected| {
            let generated = RunEntry::of(expected.source, &expected.source.generate());
            let bytes = generated.files.iter().map(|file| file.bytes).sum();
            progress(Progress { name: &generated.name, bytes });
            compare(expected, &generated)
        });
    found.into_iter().flatten().collect()
}

fn compare(expected: &RunEntry, generated: &RunEntry) -> Vec<Difference> {
    let index = |entry: &RunEntry| -> BTreeMap<String, FileEntry> {
        entry.files.iter().map(|file| (file.path.clone(), file.clone())).collect()
    };
    let (listed, made) = (index(expected), index(generated));
    let paths: BTreeSet<&String> = listed.keys().chain(made.keys()).collect();
    let mut differences = Vec::new();
    for path in paths {
        match (listed.get(path), made.get(path)) {
            (Some(old), Some(new)) if old != new => differences.push(Difference::Bytes {
                path: path.clone(),
                expected: (old.bytes, old.sha256.clone()),
                generated: (new.bytes, new.sha256.clone()),
            }),
            (Some(_), None) => differences.push(Difference::NotGenerated(path.clone())),
            (None, Some(_)) => differences.push(Difference::NotListed(path.clone())),
            _ => {}
        }
    }
    if differences.is_empty() && expected != generated {
        differences.push(Difference::Counts(expected.name.clone()));
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Source;
    use crate::profile::Profile;

    #[test]
    fn every_kind_of_difference_is_found() {
        let source = Source::Session { profile: Profile::Paper, seed: 208 };
        let entry = RunEntry::of(source, &source.generate());
        let check = |change: &dyn Fn(&mut RunEntry)| {
            let mut entry = entry.clone();
            change(&mut entry);
            verify(&Manifest::new(vec![entry]), 1, &|_| {})
        };
        assert_eq!(check(&|_| {}), []);
        let bytes = check(&|entry| entry.files[0].sha256 = "0".into());
        assert!(matches!(bytes[..], [Difference::Bytes { .. }]), "{bytes:?}");
        let listed = check(&|entry| drop(entry.files.pop()));
        assert!(matches!(listed[..], [Difference::NotListed(_)]), "{listed:?}");
        let extra = check(&|entry| entry.files[0].path = "a".into());
        assert_eq!(extra.len(), 2, "{extra:?}");
        let counts = check(&|entry| entry.tool_calls += 1);
        assert!(matches!(counts[..], [Difference::Counts(_)]), "{counts:?}");
    }
}
