//! Index of the calls in a cassette's files. The files are lines, each a call; a process that records starts
//! its own file, so that no two processes append to the same one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::error::CassetteError;
use super::key::CallKey;
use super::recording::{Recording, SCHEMA};
use crate::model::completion::Completion;
use crate::model::http;
use crate::model::lines::{Lines, each_line};

/// Prefix and suffix of a recording file's name, with a number in between.
const START: &str = "recordings-";
const END: &str = ".jsonl";

/// A line as it is written.
#[derive(Serialize)]
struct NewLine<'a> {
    schema: &'static str,
    key: CallKey,
    recording: &'a Recording,
}

/// A line as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    schema: String,
    key: CallKey,
    recording: Recording,
}

/// A line parsed only for its key.
#[derive(Deserialize)]
struct LineKey<'a> {
    #[serde(borrow)]
    schema: Cow<'a, str>,
    key: CallKey,
    #[serde(rename = "recording")]
    _recording: IgnoredAny,
}

/// A call's position.
#[derive(Debug, Clone)]
pub(super) struct Location {
    file: Arc<Path>,
    bytes: Range<u64>,
}

/// The calls of a cassette, and the file to which calls are added.
#[derive(Debug, Default)]
pub(super) struct Index {
    locations: BTreeMap<CallKey, Location>,
    writing: Option<(Lines, Arc<Path>)>,
}

impl Index {
    /// The calls in a folder's files. A last line without an end is one that was truncated, and passed over.
    /// Where two processes made the same call, the answer in the first file counts.
    pub(super) fn of(folder: &Path) -> Result<Self, CassetteError> {
        let mut index = Self::default();
        for file in files(folder)? {
            let file: Arc<Path> = file.into();
            let mut other = None;
            each_line(&file, |bytes, line| {
                let LineKey { schema, key, .. } =
                    serde_json::from_slice(line).map_err(|error| error.to_string())?;
                if schema != SCHEMA {
                    other = Some(schema.into_owned());
                } else if let Entry::Vacant(vacant) = index.locations.entry(key) {
                    vacant.insert(Location { file: Arc::clone(&file), bytes });
                }
                Ok(())
            })?;
            if let Some(schema) = other {
                return Err(CassetteError::Format { path: file.to_path_buf(), schema });
            }
        }
        Ok(index)
    }

    pub(super) fn location(&self, key: CallKey) -> Option<Location> {
        self.locations.get(&key).cloned()
    }

    /// Adds a call to this process's own file, which is begun with the first.
    pub(super) fn add(
        &mut self,
        folder: &Path,
        key: CallKey,
        recording: &Recording,
    ) -> Result<(), CassetteError> {
        let (lines, file) = match &mut self.writing {
            Some(writing) => writing,
            none => none.insert(begin(folder)?),
        };
        let bytes = lines.append(&NewLine { schema: SCHEMA, key, recording })?;
        let location = Location { file: Arc::clone(file), bytes };
        self.locations.entry(key).or_insert(location);
        Ok(())
    }
}

/// The recording at a location, which must be that of this key, and what its answer says.
pub(super) fn read(
    location: &Location,
    key: CallKey,
) -> Result<(Recording, Completion), CassetteError> {
    let path = || location.file.to_path_buf();
    let text = bytes(location).map_err(|source| CassetteError::Io {
        action: "read",
        path: path(),
        source,
    })?;
    let corrupt = |reason: String| CassetteError::Corrupt { path: path(), reason };
    let line: Line = serde_json::from_slice(&text).map_err(|error| {
        corrupt(format!("the line at byte {} is not a recording: {error}", location.bytes.start))
    })?;
    let Recording { endpoint, request, repeat, body, .. } = &line.recording;
    let is_key = line.key == key && CallKey::of(endpoint, request, *repeat) == key;
    if !is_key || line.schema != SCHEMA {
        return Err(corrupt(format!(
            "the line at byte {} holds another call than its key says",
            location.bytes.start
        )));
    }
    let completion = http::completion(endpoint.provider, body).map_err(|reason| {
        corrupt(format!("the line at byte {} holds no answer: {reason}", location.bytes.start))
    })?;
    Ok((line.recording, completion))
}

fn bytes(location: &Location) -> io::Result<Vec<u8>> {
    let Range { start, end } = location.bytes;
    let mut file = File::open(&location.file)?;
    file.seek(SeekFrom::Start(start))?;
    let mut text = Vec::new();
    file.take(end - start).read_to_end(&mut text)?;
    Ok(text)
}

/// A cassette's files in order of their names, which is that of their numbers.
fn files(folder: &Path) -> Result<Vec<PathBuf>, CassetteError> {
    let io = |source| CassetteError::Io {
        action: "read the cassette's folder",
        path: folder.to_owned(),
        source,
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with(START) && name.ends_with(END) {
            files.push(path);
        } else if is_of_the_first_format(name) {
            let schema = "tracefold-cassette/1".to_owned();
            return Err(CassetteError::Format { path, schema });
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// Whether a file's name is a key.
fn is_of_the_first_format(name: &str) -> bool {
    name.strip_suffix(".json")
        .is_some_and(|key| key.len() == 64 && key.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Begins a file under the first number that is free.
fn begin(folder: &Path) -> Result<(Lines, Arc<Path>), CassetteError> {
    let mut number = 1_u32;
    loop {
        let path = folder.join(format!("{START}{number:06}{END}"));
        if let Some(lines) = Lines::create(&path)? {
            return Ok((lines, path.into()));
        }
        number += 1;
    }
}
