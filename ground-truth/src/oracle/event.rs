//! Events: what every format's records are read as.

use super::parse::Json;

/// The kinds of events, in the order of the table in the definitions.
pub(super) const KINDS: [&str; 9] = [
    "message",
    "thinking",
    "tool_call",
    "tool_result",
    "attachment",
    "compaction",
    "session_meta",
    "error",
    "unknown",
];

/// What a tool does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// Its succeeded calls read a file.
    Reads,
    /// Its succeeded calls write files.
    Writes,
    /// It searches or lists: its output is not a reading of a source.
    Searches,
    /// Anything else.
    #[default]
    Other,
}

/// The keys of a call's input that may hold its path.
const PATH_KEYS: [&str; 4] = ["file_path", "notebook_path", "filePath", "path"];

/// "The path of a call is the first of its input's `file_path`, `notebook_path`, `filePath`, `path` that is a
/// non-empty string."
pub(super) fn path_of(input: Option<&Json>) -> Vec<String> {
    input.and_then(|input| input.first_text(&PATH_KEYS)).map(str::to_owned).into_iter().collect()
}

/// One event: a record, or a block of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Event {
    /// The record's position in the ledger.
    pub(super) record: usize,
    pub(super) block: usize,
    pub(super) kind: &'static str,
    /// The block's text.
    pub(super) text: String,
    /// A call's own id, or the id of the call that a result answers.
    pub(super) call_id: Option<String>,
    pub(super) tool: Option<String>,
    pub(super) input: Option<Json>,
    /// Of a call: what its tool does.
    pub(super) role: Role,
    /// Of a call: the paths that it names.
    pub(super) paths: Vec<String>,
    /// The whole text by which duplicates are told.
    pub(super) whole: String,
    pub(super) is_error: bool,
    /// None for the main thread.
    pub(super) agent: Option<String>,
    /// Whether the same event was seen before in the run.
    pub(super) duplicate: bool,
}

/// The events that count.
pub(super) fn counted(events: &[Event]) -> impl Iterator<Item = &Event> {
    events.iter().filter(|event| !event.duplicate)
}
