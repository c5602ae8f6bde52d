//! Claude Code's transcripts: one JSON record a line.
//!
//! [`read_line`] turns a line into records; what each record means is set down in
//! `docs/DEFINITIONS.md`. Used through [`ClaudeCode`].

mod background;
mod convert;
mod files;
mod harness_text;
mod lenient;
mod shape;
mod sign;
mod tools;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::boundary::{Adapter, FileRole, LineReport, RecordReader, RunFile};
use super::discovery::Heads;
use super::format::Format;
use super::recognise::{Facts, Sign};
use super::torn;
use crate::event::{RawRef, Record};
use crate::walk::{WalkError, Walked};
use shape::{Envelope, JsonValue};

pub use harness_text::HARNESS_ELEMENTS;
pub(super) use sign::OWN_FIELDS;

/// Record types that belong to the conversation.
const SPOKEN_TYPES: [&str; 5] = ["user", "assistant", "progress", "system", "attachment"];

/// Record types that are bookkeeping of the client; most have neither a uuid nor a time.
const BARE_TYPES: [&str; 25] = [
    "summary",
    "ai-title",
    "custom-title",
    "agent-name",
    "agent-setting",
    "agent-color",
    "mode",
    "permission-mode",
    "last-prompt",
    "file-history-snapshot",
    "pr-link",
    "bridge-session",
    "queue-operation",
    "tag",
    "task-summary",
    "worktree-state",
    "content-replacement",
    "attribution-snapshot",
    "speculation-accept",
    // Of the stream that `claude -p --output-format stream-json` prints.
    "result",
    "stream_event",
    "rate_limit_event",
    "tool_progress",
    "tool_use_summary",
    "auth_status",
];

/// Whether this version knows the record type.
fn is_known_type(kind: &str) -> bool {
    SPOKEN_TYPES.contains(&kind) || BARE_TYPES.contains(&kind)
}

/// Claude Code's session files, and what its streaming mode prints.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClaudeCode;

impl Adapter for ClaudeCode {
    fn format(&self) -> Format {
        Format::ClaudeCode
    }

    fn homes(&self) -> &'static [&'static str] {
        &[".claude/projects"]
    }

    fn sign(&self, record: &Facts) -> Sign {
        sign::sign(record)
    }

    fn may_be_session(&self, path: &Path) -> bool {
        files::is_session(path)
    }

    fn agent_of(&self, path: &Path) -> Option<String> {
        files::agent_of(path)
    }

    fn role(&self, path: &Path, description: Option<&[u8]>) -> FileRole {
        files::role(path, description)
    }

    fn description_of(&self, transcript: &Path) -> Option<PathBuf> {
        Some(files::description_of(transcript))
    }

    fn files(&self, session: &Path, heads: &mut Heads) -> Result<Vec<RunFile>, WalkError> {
        files::files(session, heads)
    }

    fn agents_of_session(&self, session: &Path) -> Result<Walked, WalkError> {
        files::agents_of(session)
    }

    fn agents_beside(&self, folder: &Path) -> Result<Walked, WalkError> {
        files::agents_beside(folder)
    }

    fn reader(&self) -> Box<dyn RecordReader> {
        Box::new(*self)
    }
}

/// A line of Claude Code's says all that it means by itself.
impl RecordReader for ClaudeCode {
    fn read_line(
        &mut self,
        line: &str,
        at: RawRef,
        role: &FileRole,
        sink: &mut dyn FnMut(&Record<'_>),
    ) -> LineReport {
        read_line(line, at, role, sink)
    }

    fn is_whole(&self, line: &str) -> bool {
        let role = FileRole::default();
        let report = read_line(line, RawRef::default(), &role, &mut |_| {});
        report.records > 0 && !report.bad
    }

    fn boxed_clone(&self) -> Box<dyn RecordReader> {
        Box::new(*self)
    }
}

/// Reads one line, without its line feed, and hands on each record in it.
fn read_line(
    line: &str,
    at: RawRef,
    role: &FileRole,
    sink: &mut dyn FnMut(&Record<'_>),
) -> LineReport {
    let unread = match read_values(line, at, role, sink) {
        Ok(report) => return report,
        Err(unread) => unread,
    };
    let rest = &line[unread.at..];
    let Some(mended) = torn::mend(rest) else {
        return recover(rest, at, role, sink).after(unread.before);
    };
    let report = match read_values(&mended, at, role, sink) {
        Ok(report) => LineReport { repaired: true, ..report },
        // Mending tells strings from numbers by counting quotes, which a torn text misleads: what
        // is left is looked for in the text as it was. Mending keeps all places.
        Err(further) => {
            let repaired = further.before.records > 0;
            let torn = recover(&rest[further.at..], at, role, sink).after(further.before);
            LineReport { repaired: torn.repaired || repaired, ..torn }
        }
    };
    report.after(unread.before)
}

/// Where reading a line stopped, and what it gave until there.
struct Unread {
    at: usize,
    before: LineReport,
}

/// Reads complete values one after the other, until the end or the first that is not whole.
fn read_values(
    line: &str,
    at: RawRef,
    role: &FileRole,
    sink: &mut dyn FnMut(&Record<'_>),
) -> Result<LineReport, Unread> {
    let mut report = LineReport::default();
    let mut values = serde_json::Deserializer::from_str(line).into_iter::<JsonValue<'_>>();
    loop {
        let start = values.byte_offset();
        match values.next() {
            None => return Ok(report),
            Some(Ok(JsonValue(Some(envelope)))) => {
                let json = &line[start..values.byte_offset()];
                hand_on(*envelope, json, at, role, &mut report, sink);
            }
            Some(Ok(JsonValue(None))) => report.bad = true,
            Some(Err(_)) => return Err(Unread { at: start, before: report }),
        }
    }
}

/// What a torn text still holds: complete records glued to its end.
fn recover(
    text: &str,
    at: RawRef,
    role: &FileRole,
    sink: &mut dyn FnMut(&Record<'_>),
) -> LineReport {
    let mut report = LineReport { bad: true, ..LineReport::default() };
    let mut found: Vec<Cow<'_, str>> = Vec::new();
    let mut rest = text.trim_end();
    while let Some(start) = torn::last_object(rest).filter(|start| *start > 0) {
        let glued = &rest[start..];
        let mended = match serde_json::from_str(glued) {
            Ok(JsonValue(_)) => None,
            Err(_) => torn::mend(glued),
        };
        let whole = mended.map_or(Cow::Borrowed(glued), Cow::Owned);
        let alone =
            matches!(serde_json::from_str(&whole), Ok(JsonValue(Some(e))) if stands_alone(&e));
        if !alone {
            break;
        }
        report.repaired |= matches!(whole, Cow::Owned(_));
        found.push(whole);
        rest = rest[..start].trim_end();
    }
    for whole in found.iter().rev() {
        if let Ok(JsonValue(Some(envelope))) = serde_json::from_str(whole) {
            hand_on(*envelope, whole, at, role, &mut report, sink);
        }
    }
    report
}

/// Whether an object found inside a torn line is a record, rather than a part of one.
fn stands_alone(envelope: &Envelope<'_>) -> bool {
    match envelope.kind.value.as_deref() {
        Some("user" | "assistant") => envelope.message.value.is_some() && !envelope.message.odd,
        Some(kind) => is_known_type(kind),
        None => false,
    }
}

fn hand_on(
    envelope: Envelope<'_>,
    json: &str,
    at: RawRef,
    role: &FileRole,
    report: &mut LineReport,
    sink: &mut dyn FnMut(&Record<'_>),
) {
    report.records += 1;
    report.known += u32::from(envelope.kind.value.as_deref().is_some_and(is_known_type));
    sink(&convert::record(envelope, json, at, role));
}

#[cfg(test)]
mod tests;
