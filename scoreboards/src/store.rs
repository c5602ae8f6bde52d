//! Scoreboards as files: one a run, dated, never overwritten, never half written.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use crate::schema::{SCHEMA, Scoreboard};

/// Where a saved scoreboard is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Saved {
    /// It was written.
    Written(PathBuf),
    /// The very same scoreboard was there already: a run that was repeated on the same day.
    AlreadyThere(PathBuf),
}

impl Saved {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Written(path) | Self::AlreadyThere(path) => path,
        }
    }
}

/// Why a scoreboard was not saved.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file system refused.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file's name is taken by other content.
    #[error(
        "{} exists with other content and is never overwritten: verify it, or save into another folder",
        .0.display()
    )]
    Taken(PathBuf),
    /// The scoreboard cannot be written as JSON.
    #[error("the scoreboard cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Why a scoreboard was not read. Each is one line.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file system refused.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Not the JSON of a scoreboard: cut short, damaged, or something else.
    #[error("{} is not a complete scoreboard: {reason}; restore it from version control", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where it breaks.
        reason: String,
    },
    /// Written by newer code.
    #[error("{} has schema {found}, this program reads up to {SCHEMA}: use a newer version of it", path.display())]
    NewerSchema {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: u64,
    },
    /// A schema version that never was.
    #[error("{} has schema {found}, which no version of this program wrote", path.display())]
    UnknownSchema {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: u64,
    },
}

/// The name of a scoreboard's file: `<instrument>-<YYYY-MM-DD>-<first 8 digits of the id>.json`.
pub fn file_name(board: &Scoreboard) -> String {
    let Scoreboard { provenance, .. } = board;
    format!("{}-{}-{}.json", provenance.instrument, provenance.date, board.short_id())
}

/// Writes a scoreboard into a folder (made if absent), under [`file_name`].
///
/// The file appears whole or not at all: it is written beside its place and then linked there, which
/// fails if the name is taken. A scoreboard that is there already is left alone.
pub fn save(folder: &Path, board: &Scoreboard) -> Result<Saved, StoreError> {
    let path = folder.join(file_name(board));
    let text = to_json(board)?;
    let failed = |at: &Path| {
        let at = at.to_path_buf();
        move |source| StoreError::Io { path: at, source }
    };
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let mut file = temporary(folder).map_err(failed(folder))?;
    file.write_all(text.as_bytes()).map_err(failed(&path))?;
    file.as_file().sync_all().map_err(failed(&path))?;
    match file.persist_noclobber(&path) {
        Ok(_) => Ok(Saved::Written(path)),
        Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => {
            let there = fs::read(&path).map_err(failed(&path))?;
            if there == text.as_bytes() {
                Ok(Saved::AlreadyThere(path))
            } else {
                Err(StoreError::Taken(path))
            }
        }
        Err(e) => Err(StoreError::Io { path, source: e.error }),
    }
}

/// A file beside the scoreboards whose name is not one of theirs.
fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".scoreboard-").suffix(".tmp");
    // Temporary files are private by default; a scoreboard is for everyone who can see its folder.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    builder.tempfile_in(folder)
}

/// Reads a scoreboard. Whether its content holds together is for [`verify`](crate::verify()) to say.
pub fn load(path: &Path) -> Result<Scoreboard, LoadError> {
    let bytes =
        fs::read(path).map_err(|source| LoadError::Io { path: path.to_path_buf(), source })?;
    parse(&bytes, path)
}

/// Only the schema version, whatever else a file of another version holds.
#[derive(Deserialize)]
struct Envelope {
    schema: u64,
}

fn parse(bytes: &[u8], path: &Path) -> Result<Scoreboard, LoadError> {
    let path = path.to_path_buf();
    // Serde would also read a struct from a JSON array of its fields, which is not a scoreboard.
    if !bytes.trim_ascii_start().starts_with(b"{") {
        let reason = "it does not hold a JSON object".to_owned();
        return Err(LoadError::Malformed { path, reason });
    }
    let envelope: Envelope = match serde_json::from_slice(bytes) {
        Ok(envelope) => envelope,
        Err(e) => return Err(LoadError::Malformed { path, reason: e.to_string() }),
    };
    match envelope.schema {
        found if found > u64::from(SCHEMA) => Err(LoadError::NewerSchema { path, found }),
        found if found < u64::from(SCHEMA) => Err(LoadError::UnknownSchema { path, found }),
        _ => serde_json::from_slice(bytes)
            .map_err(|e| LoadError::Malformed { path, reason: e.to_string() }),
    }
}

/// The file's text: JSON with the header indented and one aggregate or row a line, so that a diff of
/// two scoreboards reads row by row.
pub fn to_json(board: &Scoreboard) -> Result<String, serde_json::Error> {
    let Scoreboard { schema, id, rows_sha256, provenance, aggregates, rows } = board;
    let header = serde_json::to_string_pretty(provenance)?.replace('\n', "\n  ");
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "{{\n  \"schema\": {schema},\n  \"id\": {},\n  \"rows_sha256\": {},\n  \"provenance\": {header},\n",
        serde_json::to_string(id)?,
        serde_json::to_string(rows_sha256)?,
    );
    let _ = writeln!(text, "  \"aggregates\": {},", lines(aggregates)?);
    let _ = write!(text, "  \"rows\": {}\n}}\n", lines(rows)?);
    Ok(text)
}

fn lines<T: Serialize>(items: &[T]) -> Result<String, serde_json::Error> {
    if items.is_empty() {
        return Ok("[]".to_owned());
    }
    let items = items.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("[\n    {}\n  ]", items.join(",\n    ")))
}
