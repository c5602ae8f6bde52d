//! What a scoreboard says of the corpora it is over.

use std::collections::BTreeMap;

use corpus_gen::manifest::RunEntry;
use corpus_gen::{Manifest, Source};
use scoreboards::Corpus;
use serde::{Deserialize, Serialize};
use trace_model::ids::Sha256;

use super::load::RunInput;

/// What identifies a run of a corpus.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Identity {
    corpus: String,
    source: Option<Source>,
    entry: Option<RunEntry>,
    /// Of its transcripts, where no entry has them.
    hashes: Vec<String>,
}

impl Identity {
    pub(crate) fn of(run: &RunInput) -> Self {
        Self {
            corpus: run.corpus.clone(),
            source: run.source,
            entry: run.entry.clone(),
            hashes: if run.entry.is_some() { Vec::new() } else { run.hashes() },
        }
    }
}

/// The corpora of these runs, each with its seeds and a hash: of generated runs, that of a manifest of
/// just these runs; of others, that of the sorted hashes of their files.
pub(crate) fn corpora<'a>(runs: impl IntoIterator<Item = &'a Identity>) -> Vec<Corpus> {
    let mut by_name: BTreeMap<&str, Vec<&Identity>> = BTreeMap::new();
    for run in runs {
        by_name.entry(&run.corpus).or_default().push(run);
    }
    by_name.into_iter().map(|(name, runs)| corpus(name, &runs)).collect()
}

fn corpus(name: &str, runs: &[&Identity]) -> Corpus {
    let seed = |run: &&Identity| match run.source? {
        Source::Session { seed, .. } | Source::Pathology { seed, .. } => Some(seed),
    };
    let entries: Vec<RunEntry> = runs.iter().filter_map(|run| run.entry.clone()).collect();
    let hash = if entries.is_empty() {
        let mut hashes: Vec<&str> =
            runs.iter().flat_map(|run| &run.hashes).map(String::as_str).collect();
        hashes.sort_unstable();
        Sha256::of_parts(&hashes.into_iter().map(str::as_bytes).collect::<Vec<_>>()).to_string()
    } else {
        Manifest::new(entries).sha256()
    };
    Corpus {
        id: name.to_owned(),
        manifest_sha256: Some(hash),
        seeds: runs.iter().filter_map(seed).collect(),
    }
}
