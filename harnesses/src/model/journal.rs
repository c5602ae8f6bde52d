//! The rows of a run, saved as they come: a run stopped at any point resumes where it was, no finished call is
//! paid for twice, and rows of two protocols never share a file.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use trace_model::ids::Sha256;
use trace_model::text::one_line;

use super::lines::{Contents, Lines, LinesError, TruncatedLine};

/// The journal's format.
const SCHEMA: &str = "tracefold-journal/1";

/// What all rows of a run have in common: facts by name, such as model, caps, grader and seeds. Two runs
/// are the same if all facts are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Identity(BTreeMap<String, String>);

impl Identity {
    /// No facts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a fact; one of the same name is replaced.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl fmt::Display) -> Self {
        self.0.insert(name.to_owned(), value.to_string());
        self
    }

    /// The facts.
    pub fn facts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The SHA-256 of the facts, each as `name\0value\0` in order of names.
    #[must_use]
    pub fn fingerprint(&self) -> Sha256 {
        let parts: Vec<&[u8]> = self
            .0
            .iter()
            .flat_map(|(name, value)| [name.as_bytes(), b"\0", value.as_bytes(), b"\0"])
            .collect();
        Sha256::of_parts(&parts)
    }

    /// What differs between two runs.
    fn differences(&self, other: &Self) -> Vec<String> {
        let names: BTreeSet<&String> = self.0.keys().chain(other.0.keys()).collect();
        let shown = |value: Option<&String>| match value {
            Some(value) => format!("`{}`", one_line(value, 80, None)),
            None => "nothing".to_owned(),
        };
        names
            .into_iter()
            .map(|name| (name, self.0.get(name), other.0.get(name)))
            .filter(|(_, there, here)| there != here)
            .map(|(name, there, here)| {
                format!("{name} is {} there and {} here", shown(there), shown(here))
            })
            .collect()
    }
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Lines(#[from] LinesError),
    /// It is the journal of another run.
    #[error(
        "{} holds the rows of another run: {}; rows of different runs are never mixed: give the same \
         arguments, or another --out",
        path.display(),
        differences.join("; ")
    )]
    AnotherRun {
        /// The file.
        path: PathBuf,
        /// What differs.
        differences: Vec<String>,
    },
    /// It is not a journal, or one of another version.
    #[error(
        "{} is not a {SCHEMA} file ({reason}): choose another --out, or use the version of the program \
         that wrote it",
        path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A row is there already.
    #[error("{} has a row `{key}` already: a call was made twice", path.display())]
    Duplicate {
        /// The file.
        path: PathBuf,
        /// The row's key.
        key: String,
    },
}

/// A line of the file: the header, which is the first, or a row.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line<T> {
    Header { schema: String, fingerprint: Sha256, identity: Identity },
    Row { key: String, row: T },
}

/// The rows of a run, open for more.
#[derive(Debug)]
pub struct Journal<T> {
    lines: Lines,
    keys: Mutex<BTreeSet<String>>,
    rows: PhantomData<fn(T)>,
}

/// The contents of a journal when it was opened.
#[derive(Debug)]
pub struct Opened<T> {
    /// Its rows by key: these need not be made again.
    pub rows: BTreeMap<String, T>,
    /// A last line that was truncated and has been cut off: its call is made again.
    pub truncated: Option<TruncatedLine>,
}

impl<T: Serialize + DeserializeOwned> Journal<T> {
    /// Opens the journal of a run, or begins one.
    ///
    /// # Errors
    /// If it is that of another run, another process has it, or it cannot be read or written.
    pub fn open(path: &Path, identity: &Identity) -> Result<(Self, Opened<T>), JournalError> {
        let (lines, Contents { lines: read, truncated }) = Lines::open::<Line<T>>(path)?;
        let rows = if read.is_empty() {
            lines.append(&Line::<T>::Header {
                schema: SCHEMA.to_owned(),
                fingerprint: identity.fingerprint(),
                identity: identity.clone(),
            })?;
            BTreeMap::new()
        } else {
            rows_of(path, identity, read)?
        };
        let keys = Mutex::new(rows.keys().cloned().collect());
        Ok((Self { lines, keys, rows: PhantomData }, Opened { rows, truncated }))
    }

    /// Writes a row; it is with the system before this returns.
    ///
    /// # Errors
    /// If there is one of its key already, or it cannot be written.
    pub fn append(&self, key: &str, row: &T) -> Result<(), JournalError> {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        if keys.contains(key) {
            let path = self.lines.path().to_owned();
            return Err(JournalError::Duplicate { path, key: key.to_owned() });
        }
        self.lines.append(&Line::Row { key: key.to_owned(), row })?;
        keys.insert(key.to_owned());
        Ok(())
    }

    /// Syncs to disk, at the end of a run.
    ///
    /// # Errors
    /// If the disk will not.
    pub fn sync(&self) -> Result<(), JournalError> {
        Ok(self.lines.sync()?)
    }
}

/// Checks the header and gives the rows.
fn rows_of<T>(
    path: &Path,
    identity: &Identity,
    lines: Vec<Line<T>>,
) -> Result<BTreeMap<String, T>, JournalError> {
    let format = |reason: String| JournalError::Format { path: path.to_owned(), reason };
    let mut lines = lines.into_iter();
    let Some(Line::Header { schema, fingerprint, identity: there }) = lines.next() else {
        return Err(format("its first line is not a header".to_owned()));
    };
    if schema != SCHEMA {
        return Err(format(format!("it says `{schema}`")));
    }
    if there.fingerprint() != fingerprint {
        return Err(format("its header was changed".to_owned()));
    }
    let differences = there.differences(identity);
    if !differences.is_empty() {
        return Err(JournalError::AnotherRun { path: path.to_owned(), differences });
    }
    let mut rows = BTreeMap::new();
    for line in lines {
        let Line::Row { key, row } = line else {
            return Err(format("it has a second header".to_owned()));
        };
        if rows.insert(key.clone(), row).is_some() {
            return Err(JournalError::Duplicate { path: path.to_owned(), key });
        }
    }
    Ok(rows)
}
