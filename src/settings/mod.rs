//! Settings and where each comes from: built in, from a `tracefold.toml`, from a flag. Used by every
//! command that folds. The instruments read no such file: a measurement is what its command line says.

mod files;

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use harnesses::detect::DetectorArgs;
use trace_model::adapter::AdapterRef;
use trace_model::detect::{DetectorConfig, thresholds};
use trace_model::fold::FoldConfig;
use trace_model::pricing::PriceTable;
use trace_model::settings::{Entry, SettingError, Value, entries};

/// Where a setting comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It is built in.
    #[default]
    Default,
    /// A file sets it.
    File {
        /// The file.
        path: PathBuf,
        /// Its line, counted from 1.
        line: usize,
    },
    /// A flag sets it, which is here as it was typed.
    Flag(String),
}

impl Origin {
    /// Which of the three it is.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::File { .. } => "file",
            Self::Flag(_) => "flag",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}, line {line}", path.display()),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}

/// The settings that are in force.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// A price table's file; none for the built-in one.
    prices: Option<PathBuf>,
    detectors: DetectorConfig,
    /// Folders in which agents keep transcripts, by the name of the format.
    homes: BTreeMap<&'static str, Vec<PathBuf>>,
    /// Where what is not a default was set, by key.
    origins: BTreeMap<String, Origin>,
}

impl Settings {
    /// What the files set: the user's own first, then that of the current folder.
    pub(crate) fn from_files() -> anyhow::Result<Self> {
        let mut settings = Self::default();
        for path in files::present()? {
            let name = path.display();
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
            settings.take_file(&path, &text).with_context(|| name.to_string())?;
        }
        Ok(settings)
    }

    fn take_file(&mut self, path: &Path, text: &str) -> Result<(), SettingError> {
        for entry in entries(text)? {
            let line = entry.line;
            self.take(&entry, path.parent()).map_err(|error| error.at(line))?;
            self.origins.insert(entry.key, Origin::File { path: path.to_owned(), line });
        }
        Ok(())
    }

    /// Takes one setting of a file in `folder`, from where relative paths lead.
    fn take(&mut self, entry: &Entry, folder: Option<&Path>) -> Result<(), SettingError> {
        let wrong = |expected: &'static str| SettingError::Value {
            key: entry.key.clone(),
            expected,
            found: match &entry.value {
                Value::Text(text) => text.clone(),
                Value::List(_) => "a list".to_owned(),
                Value::Other(kind) => (*kind).to_owned(),
            },
        };
        let place = |text: &str| files::place(text, folder);
        if entry.key == "prices" {
            let Value::Text(text) = &entry.value else { return Err(wrong("a file's path")) };
            self.prices = Some(place(text));
        } else if let Some(key) = entry.key.strip_prefix("detectors.").filter(|key| is_known(key)) {
            self.detectors.set(key, &entry.value)?;
        } else if let Some(adapter) = adapter_of(&entry.key) {
            let Value::List(list) = &entry.value else {
                return Err(wrong("a list of folders, as in [\"~/sessions\"]"));
            };
            self.homes
                .insert(adapter.format().name(), list.iter().map(|text| place(text)).collect());
        } else {
            return Err(SettingError::unknown(&entry.key, keys().iter().map(String::as_str)));
        }
        Ok(())
    }

    /// Uses another price table, as a flag says.
    pub(crate) fn use_prices(&mut self, file: &Path) {
        self.prices = Some(file.to_owned());
        let flag = Origin::Flag(format!("--prices {}", file.display()));
        self.origins.insert("prices".to_owned(), flag);
    }

    /// Sets thresholds as flags say.
    pub(crate) fn set_detectors(&mut self, flags: &DetectorArgs) -> anyhow::Result<()> {
        for (threshold, flag) in flags.apply(&mut self.detectors)? {
            self.origins.insert(format!("detectors.{}", threshold.key), Origin::Flag(flag));
        }
        Ok(())
    }

    /// The configuration of a fold under these settings.
    pub(crate) fn fold_config(&self) -> anyhow::Result<FoldConfig> {
        let mut config = FoldConfig { detectors: self.detectors.clone(), ..FoldConfig::default() };
        if let Some(path) = &self.prices {
            let name = path.display();
            let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
            let table = PriceTable::from_json(&text).with_context(|| name.to_string())?;
            config.prices = Arc::new(table);
        }
        Ok(config)
    }

    /// The folders in which agents keep their sessions: those that are set, and of the others those that
    /// are there.
    pub(crate) fn homes(&self) -> anyhow::Result<Vec<PathBuf>> {
        let (mut found, mut absent) = (Vec::new(), Vec::new());
        for adapter in AdapterRef::all() {
            match self.homes.get(adapter.format().name()) {
                Some(folders) => found.extend(folders.iter().cloned()),
                None => {
                    let own = files::below_home(adapter.homes()).into_iter();
                    let (there, missing): (Vec<_>, Vec<_>) =
                        own.partition(|folder| folder.is_dir());
                    found.extend(there);
                    absent.extend(missing.iter().map(show));
                }
            }
        }
        if found.is_empty() {
            bail!("no agent's sessions are at {}; name a folder or a file", absent.join(" or "));
        }
        Ok(found)
    }

    /// Every setting with its value, in the order of [`keys`].
    pub(crate) fn rows(&self) -> Vec<(String, Vec<String>, Origin)> {
        let mut rows = Vec::new();
        for key in keys() {
            let values = if key == "prices" {
                self.prices.iter().map(show).collect()
            } else if let Some(adapter) = adapter_of(&key) {
                match self.homes.get(adapter.format().name()) {
                    Some(folders) => folders.iter().map(show).collect(),
                    None => files::below_home(adapter.homes()).iter().map(show).collect(),
                }
            } else {
                let of = |key: &str| thresholds().find(|threshold| threshold.key == key);
                let threshold = key.strip_prefix("detectors.").and_then(of);
                threshold.iter().map(|threshold| (threshold.get)(&self.detectors)).collect()
            };
            let origin = self.origins.get(&key).cloned().unwrap_or_default();
            rows.push((key, values, origin));
        }
        rows
    }
}

fn is_known(threshold: &str) -> bool {
    thresholds().any(|known| known.key == threshold)
}

/// The adapter whose agent's folders a key sets.
fn adapter_of(key: &str) -> Option<AdapterRef> {
    let name = key.strip_prefix("homes.")?;
    AdapterRef::all().find(|adapter| adapter.format().name() == name)
}

fn show(path: &PathBuf) -> String {
    path.display().to_string()
}

/// The keys of a settings file.
fn keys() -> Vec<String> {
    let detectors = thresholds().map(|threshold| format!("detectors.{}", threshold.key));
    let homes = AdapterRef::all().map(|adapter| format!("homes.{}", adapter.format().name()));
    std::iter::once("prices".to_owned()).chain(detectors).chain(homes).collect()
}
