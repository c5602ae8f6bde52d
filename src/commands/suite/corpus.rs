//! The suite's corpus: generated into a folder, and compared with the committed manifest.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use corpus_gen::cli::{Command, Common, GenerateArgs};
use corpus_gen::{Manifest, default_manifest};
use harnesses::common::CommonArgs;
use harnesses::inputs::InputArgs;
use serde::Serialize;

use crate::output::count;

/// A generated corpus.
#[derive(Serialize)]
pub(super) struct Corpus {
    /// Identifies it.
    manifest_sha256: String,
    /// Runs that the committed manifest has too.
    committed: usize,
    /// Runs that are not as committed.
    pub(super) differences: Vec<String>,
    /// What there is.
    #[serde(skip)]
    pub(super) manifest: Manifest,
}

impl Corpus {
    /// The comparison in a line.
    pub(super) fn render(&self) -> String {
        let runs = count(self.manifest.runs.len() as u64, "run");
        let same = self.committed - self.differences.len();
        let own = match self.manifest.runs.len() - self.committed {
            0 => String::new(),
            n => format!("; {n} are of seeds that it does not have"),
        };
        format!("corpus of {runs}: {same} of {} are as committed{own}\n", self.committed)
    }
}

/// Generates the chosen runs into `folder`.
pub(super) fn generate(
    folder: &Path,
    inputs: &InputArgs,
    common: &CommonArgs,
) -> anyhow::Result<Corpus> {
    let path = folder.join("manifest.json");
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let jobs = u16::try_from(common.jobs()).unwrap_or(u16::MAX);
    let command = Command::Generate(GenerateArgs {
        out: folder.to_owned(),
        profile: inputs.profile,
        seeds: inputs.seeds.clone(),
        pathology: inputs.pathology,
        pathology_seeds: inputs.pathology_seeds.clone(),
        manifest_out: Some(path.clone()),
        common: Common { jobs: Some(jobs), quiet: common.quiet || common.json },
    });
    corpus_gen::cli::run(&command)?;
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    compare(Manifest::parse(&text)?)
}

fn compare(manifest: Manifest) -> anyhow::Result<Corpus> {
    let committed = default_manifest()?;
    let mut known = 0;
    let mut differences = Vec::new();
    for run in &manifest.runs {
        let Some(expected) = committed.runs.iter().find(|other| other.name == run.name) else {
            continue;
        };
        known += 1;
        if expected != run {
            differences.push(format!(
                "{} is not as the committed manifest says; `tracefold corpus verify` names the files",
                run.name
            ));
        }
    }
    Ok(Corpus { manifest_sha256: manifest.sha256(), committed: known, differences, manifest })
}
