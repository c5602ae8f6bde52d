//! Recorded calls: a folder with a file for each answered call, found by what was asked and not by
//! when. So a run can be repeated, or graded again, without the endpoint, and a finished call is never
//! paid for twice.
//!
//! A file's name is the SHA-256 of JSON without white space that holds the schema, provider, base URL,
//! extra fields (keys sorted), request and repeat, in this order. Only answers are recorded: a failed call is made again.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use trace_model::ids::Sha256;

use super::backend::BackendId;
use super::called::Attempt;
use super::completion::Completion;
use super::request::{Provider, Request};

/// The files' format.
const SCHEMA: &str = "tracefold-cassette/1";

/// What becomes of calls that the cassette does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum CassetteMode {
    /// Made, and recorded
    Record,
    /// Refused: nothing is sent
    Strict,
}

/// What a call is found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallKey(Sha256);

impl CallKey {
    /// The key of the `repeat`th call of a request, from 0.
    #[must_use]
    pub fn of(endpoint: &BackendId, request: &Request, repeat: u32) -> Self {
        let BackendId { provider, base_url, extra_body } = endpoint;
        // The only part whose keys have no order of their own.
        let extra_body = extra_body.iter().map(|(key, value)| (key, canonical(value))).collect();
        let asked =
            Asked { schema: SCHEMA, provider: *provider, base_url, extra_body, request, repeat };
        // None of the parts can fail to be JSON: their keys are text.
        let text = serde_json::to_vec(&asked).unwrap_or_default();
        Self(Sha256::of_parts(&[&text]))
    }
}

impl fmt::Display for CallKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Serialize)]
struct Asked<'a> {
    schema: &'static str,
    provider: Provider,
    base_url: &'a str,
    extra_body: BTreeMap<&'a String, Value>,
    request: &'a Request,
    repeat: u32,
}

/// The same value with the keys of its objects in order, whatever order the map type keeps.
fn canonical(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let sorted: BTreeMap<&String, Value> =
                object.iter().map(|(key, value)| (key, canonical(value))).collect();
            Value::Object(sorted.into_iter().map(|(key, value)| (key.clone(), value)).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(canonical).collect()),
        other => other.clone(),
    }
}

/// A recorded call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    schema: String,
    /// Where it went.
    pub endpoint: BackendId,
    /// What was asked.
    pub request: Request,
    /// Which repeat of it this is, from 0.
    pub repeat: u32,
    /// What was tried until there was an answer.
    pub attempts: Vec<Attempt>,
    /// The HTTP status of the answer.
    pub status: u16,
    /// The body of the answer, whole, without any key.
    pub body: String,
    /// What it says.
    pub completion: Completion,
}

impl Recording {
    pub(super) fn new(
        endpoint: &BackendId,
        request: &Request,
        repeat: u32,
        attempts: Vec<Attempt>,
        reply: super::backend::Reply,
    ) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            endpoint: endpoint.clone(),
            request: request.clone(),
            repeat,
            attempts,
            status: reply.status,
            body: reply.body,
            completion: reply.completion,
        }
    }
}

/// Why a cassette cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CassetteError {
    /// The system will not.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was attempted.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file is not what was recorded.
    #[error("{}: {reason}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// A folder of recorded calls. Several processes may use it at once.
#[derive(Debug, Clone)]
pub struct Cassette {
    folder: PathBuf,
    mode: CassetteMode,
}

impl Cassette {
    /// A cassette in a folder, which is created if calls are to be recorded.
    ///
    /// # Errors
    /// If there is no such folder, and it cannot or may not be created.
    pub fn open(folder: &Path, mode: CassetteMode) -> Result<Self, CassetteError> {
        let io =
            |action| move |source| CassetteError::Io { action, path: folder.to_owned(), source };
        match mode {
            CassetteMode::Record => {
                std::fs::create_dir_all(folder).map_err(io("create the cassette's folder"))?;
            }
            CassetteMode::Strict => {
                std::fs::read_dir(folder).map_err(io("read the cassette's folder"))?;
            }
        }
        Ok(Self { folder: folder.to_owned(), mode })
    }

    /// What becomes of calls that it does not hold.
    #[must_use]
    pub fn mode(&self) -> CassetteMode {
        self.mode
    }

    /// The file of a call.
    #[must_use]
    pub fn path(&self, key: CallKey) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }

    /// The recording of a call, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read, or is not what was recorded under this key.
    pub fn load(&self, key: CallKey) -> Result<Option<Recording>, CassetteError> {
        let path = self.path(key);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(CassetteError::Corrupt { path, reason: "it is no text".to_owned() });
            }
            Err(source) => return Err(CassetteError::Io { action: "read", path, source }),
        };
        let corrupt = |reason: String| CassetteError::Corrupt { path: path.clone(), reason };
        let found: Recording = serde_json::from_str(&text).map_err(|error| {
            corrupt(format!("it is no recording of the format {SCHEMA}: {error}"))
        })?;
        if found.schema != SCHEMA {
            return Err(corrupt(format!("it has the format `{}`, not {SCHEMA}", found.schema)));
        }
        if CallKey::of(&found.endpoint, &found.request, found.repeat) != key {
            return Err(corrupt("it holds another call than its name says".to_owned()));
        }
        Ok(Some(found))
    }

    /// Records a call: the file is there whole, or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn store(&self, key: CallKey, recording: &Recording) -> Result<(), CassetteError> {
        let path = self.path(key);
        let io = |source| CassetteError::Io { action: "write", path: path.clone(), source };
        let mut text = serde_json::to_vec_pretty(recording).map_err(|e| io(e.into()))?;
        text.push(b'\n');
        let mut file =
            tempfile::Builder::new().prefix(".recording-").tempfile_in(&self.folder).map_err(io)?;
        file.write_all(&text).map_err(io)?;
        file.persist(&path).map_err(|error| io(error.error))?;
        Ok(())
    }
}
