//! The folder of a run that asks a model: what is asked, where the replies are, and what was spent.
//!
//! Its name follows from what the run asks, so the same command resumes where it stopped. It holds
//! questions and replies about the transcripts that were read, and stays on this machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use super::calls::Calls;
use super::reader::{PROMPT, Reader};
use super::received::ReceivedReply;
use super::replies::Replies;
use crate::common::Reporter;
use crate::comprehend::setup::Setup;
use crate::model::{Called, Cassette, CassetteMode, Identity, RunFolder, ledger};

/// A run's folder.
#[derive(Debug, Clone)]
pub(in crate::comprehend) struct Folder(RunFolder);

impl Folder {
    /// The folder of a setup, below `out`.
    pub(in crate::comprehend) fn of(out: &Path, identity: &Identity, reader: &Reader) -> Self {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-.".contains(c) { c } else { '-' };
        let model: String = reader.model.chars().map(plain).take(40).collect();
        let hash = identity.fingerprint().to_string();
        let name = format!("{}-{model}-{}", reader.provider, &hash[..12]);
        Self(RunFolder::new(out.join("comprehend").join(name)))
    }

    /// A folder that a user names.
    ///
    /// # Errors
    /// If it is not a run's.
    pub(in crate::comprehend) fn named(path: &Path) -> anyhow::Result<Self> {
        let folder = Self(RunFolder::new(path));
        if !folder.setup_path().is_file() {
            bail!(
                "{} is not a COMPREHEND run with a model: it has no run.json; name a folder such as \
                 out/comprehend/NAME",
                path.display()
            );
        }
        Ok(folder)
    }

    pub(in crate::comprehend) fn run_folder(&self) -> &RunFolder {
        &self.0
    }

    pub(in crate::comprehend) fn path(&self) -> &Path {
        self.0.path()
    }

    fn setup_path(&self) -> PathBuf {
        self.path().join("run.json")
    }

    /// Starts or resumes the run, and gives the replies that it has already.
    ///
    /// # Errors
    /// If the folder cannot be written, or its replies are in another cassette.
    pub(in crate::comprehend) fn begin(
        &self,
        setup: &Setup,
        cassette: &Cassette,
        progress: &Reporter,
    ) -> anyhow::Result<BTreeMap<String, Called>> {
        let path = self.setup_path();
        let calls = self.calls(setup)?;
        if path.is_file() {
            let before = Setup::load(&path)?;
            let there = self.calls(&before)?.cassette(&self.0);
            let here = cassette.folder().canonicalize().ok();
            if there.canonicalize().is_ok_and(|there| here.is_some_and(|here| here != there)) {
                bail!(
                    "the replies of {} are in {}: name it by --cassette to resume, or choose another --out",
                    self.path().display(),
                    there.display()
                );
            }
        }
        let done = calls.replies(cassette)?;
        setup.save(&path)?;
        if !done.is_empty() {
            let path = cassette.folder().display();
            progress.say(&format!("{} replies are in {path} already", done.len()));
        }
        Ok(done)
    }

    fn calls<'a>(&self, setup: &'a Setup) -> anyhow::Result<&'a Calls> {
        let calls = setup.calls.as_ref();
        calls.with_context(|| format!("{} says nothing of its calls", self.setup_path().display()))
    }

    /// Loads questions and replies, without writing anything.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged.
    pub(in crate::comprehend) fn read(&self) -> anyhow::Result<(Setup, Replies)> {
        let setup = Setup::load(&self.setup_path())?;
        let calls = self.calls(&setup)?;
        let path = calls.cassette(&self.0);
        let cassette = Cassette::open(&path, CassetteMode::Strict).with_context(|| {
            format!("the replies of {} are in {}", self.path().display(), path.display())
        })?;
        let received = calls
            .replies(&cassette)?
            .into_iter()
            .map(|(key, called)| (key, ReceivedReply::new(called)));
        let calls = received.collect();
        let spend = ledger::read(&self.0.spend())?;
        Ok((setup, Replies { calls, failures: BTreeMap::new(), spend }))
    }
}

/// What identifies a run: its questions and contexts. How the model is asked is added by its arguments; how
/// often, and at which price, does not matter.
pub(in crate::comprehend) fn identity(setup: &Setup) -> Identity {
    let of_model = |name: &str| name.starts_with("reader.model.") && name != PROMPT;
    let facts = setup.protocol.iter().filter(|(name, _)| !of_model(name));
    let base = Identity::new()
        .with("instrument", "comprehend")
        .with("packs", setup.packs.join(" "))
        .with("runs", setup.digest());
    let with = facts.fold(base, |identity, (name, value)| identity.with(name, value));
    setup
        .renderers
        .iter()
        .fold(with, |identity, (name, it)| identity.with(&format!("renderer.{name}"), it))
}
