//! A value on which fold and program disagree, and where.

use std::path::PathBuf;

use serde::Serialize;

/// A value on which the two do not agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Disagreement {
    pub(super) field: String,
    /// In a field that is a map, which entry: a model, a tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<String>,
    pub(super) ours: String,
    pub(super) theirs: String,
    /// Where in the transcript, as far as the program says how the field is made up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) places: Vec<Location>,
}

impl Disagreement {
    pub(super) fn new(field: &str, key: Option<&str>, ours: String, theirs: String) -> Self {
        let (field, key) = (field.to_owned(), key.map(str::to_owned));
        Self { field, key, ours, theirs, places: Vec::new() }
    }
}

/// A line of a transcript on which the two do not agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Location {
    /// The session's file or a subagent's.
    pub(super) file: PathBuf,
    /// From 1; 0 for an id that is in no file.
    pub(super) line: u64,
    /// The API message on this line, or else its record, or else what the program named.
    pub(super) id: String,
    pub(super) ours: i64,
    pub(super) theirs: i64,
}
