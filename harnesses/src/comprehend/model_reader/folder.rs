//! The folder of a run that asks a model: questions, replies as they come, and spending.
//!
//! Its name follows from what the run asks, so the same command resumes where it stopped. It holds
//! questions and replies about the transcripts that were read, and stays on this machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::bail;

use super::reader::{PROMPT, Reader};
use super::received::ReceivedReply;
use super::replies::Replies;
use crate::common::Reporter;
use crate::comprehend::setup::Setup;
use crate::model::{Called, Identity, Journal, RunFolder, journal, ledger};

/// A run's folder.
#[derive(Debug, Clone)]
pub(in crate::comprehend) struct Folder(RunFolder);

/// A run that was started or resumed.
pub(in crate::comprehend) struct StartedRun {
    pub(in crate::comprehend) journal: Journal<Called>,
    /// The calls that have a reply already.
    pub(in crate::comprehend) done: BTreeMap<String, Called>,
}

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

    /// Starts or resumes the run.
    ///
    /// # Errors
    /// If the folder cannot be written, holds another run, or another process works in it.
    pub(in crate::comprehend) fn begin(
        &self,
        setup: &Setup,
        identity: &Identity,
        progress: &Reporter,
    ) -> anyhow::Result<StartedRun> {
        let (journal, opened) = Journal::<Called>::open(&self.0.rows(), identity)?;
        setup.save(&self.setup_path())?;
        if opened.truncated.is_some() {
            progress.say("the last reply was not written whole; its call is made again");
        }
        if !opened.rows.is_empty() {
            let path = self.path().display();
            progress.say(&format!("{} replies are in {path} already", opened.rows.len()));
        }
        Ok(StartedRun { journal, done: opened.rows })
    }

    /// Loads questions and replies, without writing anything.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged.
    pub(in crate::comprehend) fn read(&self) -> anyhow::Result<(Setup, Replies)> {
        let setup = Setup::load(&self.setup_path())?;
        let (_, calls) = journal::read::<Called>(&self.0.rows())?;
        let received = calls.into_iter().map(|(key, called)| (key, ReceivedReply::new(called)));
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
