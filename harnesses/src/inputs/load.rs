//! A run's files in memory, with all that is known of it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use corpus_gen::manifest::RunEntry;
use corpus_gen::{GeneratedRun, Labels, Source, Truth};
use ground_truth::oracle::RunFiles;
use trace_model::adapter::{FileRole, Heads};
use trace_model::ids::Sha256;
use trace_model::redact::Redactor;
use trace_model::run::check;

use super::input::{Input, TRANSCRIPTS, pathology_corpus, sessions_corpus};
use super::probe::Probe;

/// A run's files. The session's comes first.
#[derive(Debug)]
pub(crate) enum Files {
    /// Made in memory, by path; `.meta.json` files among them.
    Made(Vec<(String, Vec<u8>)>),
    /// Read from disk.
    Read {
        /// The session file.
        session: PathBuf,
        /// What the trace model takes for the run's files.
        files: Vec<(FileRole, Vec<u8>)>,
    },
}

impl Files {
    /// The transcripts in the order in which they are folded.
    pub(crate) fn transcripts(&self) -> Vec<(FileRole, &[u8])> {
        match self {
            Self::Read { files, .. } => {
                files.iter().map(|(role, bytes)| (role.clone(), bytes.as_slice())).collect()
            }
            Self::Made(files) => made_transcripts(files),
        }
    }

    /// The transcripts without their secrets, in the same order. Bytes that are not UTF-8 become
    /// replacement characters, as they do wherever a transcript is shown.
    pub(crate) fn redacted(&self, redactor: &Redactor) -> Vec<(FileRole, Vec<u8>)> {
        let mask = |bytes: &[u8]| {
            redactor.redact(&String::from_utf8_lossy(bytes)).text.into_owned().into_bytes()
        };
        self.transcripts().into_iter().map(|(role, bytes)| (role, mask(bytes))).collect()
    }

    /// The same run for the oracle, which finds and reads files in its own way.
    pub(crate) fn for_oracle(self) -> anyhow::Result<RunFiles> {
        Ok(match self {
            Self::Made(files) => RunFiles::from_bytes(files),
            Self::Read { session, .. } => RunFiles::of_session(session)?,
        })
    }

    /// Bytes of all transcripts.
    pub(crate) fn bytes(&self) -> u64 {
        self.transcripts().iter().map(|(_, bytes)| bytes.len() as u64).sum()
    }
}

fn made_transcripts(files: &[(String, Vec<u8>)]) -> Vec<(FileRole, &[u8])> {
    let adapter = FileRole::default().adapter;
    let mut roles: Vec<(&str, FileRole, &[u8])> = Vec::new();
    for (at, (name, bytes)) in files.iter().enumerate() {
        let path = Path::new(name);
        let beside = adapter.description_of(path);
        let meta = files.iter().find(|(other, _)| Some(Path::new(other)) == beside.as_deref());
        let role = adapter.role(path, meta.map(|(_, bytes)| bytes.as_slice()));
        if at == 0 || role.agent.is_some() {
            roles.push((name, role, bytes));
        }
    }
    if let Some((_, agents)) = roles.split_first_mut() {
        agents.sort_by_key(|(name, ..)| *name);
    }
    roles.into_iter().map(|(_, role, bytes)| (role, bytes)).collect()
}

/// A run to measure.
#[derive(Debug)]
pub(crate) struct RunInput {
    /// Its name; of a named transcript one made from its content, never its path.
    pub(crate) name: String,
    /// The corpus it belongs to.
    pub(crate) corpus: String,
    /// Whether its content must not be recorded.
    pub(crate) private: bool,
    /// What generated it.
    pub(crate) source: Option<Source>,
    /// Its files.
    pub(crate) files: Files,
    /// What its generator knows of it.
    pub(crate) truth: Option<Truth>,
    /// The pathologies in it, where it was made for them.
    pub(crate) labels: Option<Labels>,
    /// Its entry of a manifest, where it was generated.
    pub(crate) entry: Option<RunEntry>,
}

impl RunInput {
    pub(crate) fn load(input: &Input) -> anyhow::Result<Self> {
        match input {
            Input::Generated(source) => Ok(Self::generated(*source)),
            Input::Probe => Ok(Self::probe()),
            Input::Transcript(path) => Self::transcript(path),
        }
    }

    fn generated(source: Source) -> Self {
        let run = source.generate();
        let entry = Some(RunEntry::of(source, &run));
        let GeneratedRun { name, transcript, files, truth, labels, .. } = run;
        let of_run = |path: &str| {
            Path::new(path).extension().is_some_and(|end| end == "jsonl")
                || path.ends_with(".meta.json")
        };
        let mut files: Vec<_> = files.into_iter().filter(|(path, _)| of_run(path)).collect();
        // Stable: the session file first, the others in order of their paths.
        files.sort_by_key(|(path, _)| *path != transcript);
        let corpus = match source {
            Source::Session { profile, .. } => sessions_corpus(profile),
            Source::Pathology { set, .. } => pathology_corpus(set),
        };
        Self {
            name,
            corpus,
            private: false,
            source: Some(source),
            files: Files::Made(files),
            truth: Some(truth),
            labels,
            entry,
        }
    }

    fn probe() -> Self {
        Self::without_truth("probe", "probe", false, Files::Made(Probe::default().files()))
    }

    fn transcript(session: &Path) -> anyhow::Result<Self> {
        let read =
            |path: &Path| fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        let found = check(session)?.files(session, &Heads::default())?;
        let files = found.into_iter().map(|file| Ok((file.role, read(&file.path)?)));
        let files = files.collect::<anyhow::Result<Vec<_>>>()?;
        let hash = Sha256::of_parts(&[files.first().map_or(&[], |(_, bytes)| bytes)]).to_string();
        let name = format!("transcript-{}", &hash[..12]);
        let files = Files::Read { session: session.to_owned(), files };
        Ok(Self::without_truth(&name, TRANSCRIPTS, true, files))
    }

    fn without_truth(name: &str, corpus: &str, private: bool, files: Files) -> Self {
        Self {
            name: name.to_owned(),
            corpus: corpus.to_owned(),
            private,
            source: None,
            files,
            truth: None,
            labels: None,
            entry: None,
        }
    }

    /// SHA-256 of each transcript of the run, for a corpus without a manifest.
    pub(crate) fn hashes(&self) -> Vec<String> {
        let hash = |(_, bytes): &(FileRole, &[u8])| Sha256::of_parts(&[*bytes]).to_string();
        self.files.transcripts().iter().map(hash).collect()
    }
}
