//! Claude Code's transcripts: one JSON record a line.
//!
//! [`read_line`] turns a line into records; what each record means is set down in
//! `docs/DEFINITIONS.md`. [`run`] finds the files of a run. Used by the reader.

mod background;
mod convert;
mod harness_text;
mod lenient;
pub mod run;
mod shape;
mod tail;
pub(super) mod torn;

use std::borrow::Cow;

use crate::event::{RawRef, Record};
use shape::{Envelope, Piece};

pub use harness_text::HARNESS_ELEMENTS;
pub use tail::last_time;

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
pub(super) fn is_known_type(kind: &str) -> bool {
    SPOKEN_TYPES.contains(&kind) || BARE_TYPES.contains(&kind)
}

/// Whose file a line stands in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileRole {
    /// The agent's id, where the file is a subagent's.
    pub agent: Option<String>,
    /// The call that launched that agent, where known.
    pub launched_by: Option<String>,
}

/// What a line held beside its records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineReport {
    /// Records handed on.
    pub records: u32,
    /// Of those, records of a type this version knows.
    pub known: u32,
    /// Whether some of the line is no complete JSON object.
    pub bad: bool,
    /// Whether half a surrogate pair or a huge number had to be replaced to read the line.
    pub repaired: bool,
}

/// Reads one line, without its line feed, and hands on each record in it.
pub fn read_line(
    line: &str,
    at: RawRef,
    role: &FileRole,
    sink: &mut dyn FnMut(&Record<'_>),
) -> LineReport {
    let unread = match read_pieces(line, at, role, sink) {
        Ok(report) => return report,
        Err(unread) => unread,
    };
    let rest = &line[unread.at..];
    let Some(mended) = torn::mend(rest) else {
        return recover(rest, at, role, sink).after(unread.before);
    };
    let report = match read_pieces(&mended, at, role, sink) {
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

impl LineReport {
    /// This report, with what an earlier part of the same line gave.
    fn after(self, before: Self) -> Self {
        Self {
            records: self.records + before.records,
            known: self.known + before.known,
            bad: self.bad || before.bad,
            repaired: self.repaired || before.repaired,
        }
    }
}

/// Where reading a line stopped, and what it gave until there.
struct Unread {
    at: usize,
    before: LineReport,
}

/// Reads complete values one after the other, until the end or the first that is not whole.
fn read_pieces(
    line: &str,
    at: RawRef,
    role: &FileRole,
    sink: &mut dyn FnMut(&Record<'_>),
) -> Result<LineReport, Unread> {
    let mut report = LineReport::default();
    let mut values = serde_json::Deserializer::from_str(line).into_iter::<Piece<'_>>();
    loop {
        let start = values.byte_offset();
        match values.next() {
            None => return Ok(report),
            Some(Ok(Piece(Some(envelope)))) => {
                let json = &line[start..values.byte_offset()];
                hand_on(*envelope, json, at, role, &mut report, sink);
            }
            Some(Ok(Piece(None))) => report.bad = true,
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
            Ok(Piece(_)) => None,
            Err(_) => torn::mend(glued),
        };
        let whole = mended.map_or(Cow::Borrowed(glued), Cow::Owned);
        let alone =
            matches!(serde_json::from_str(&whole), Ok(Piece(Some(e))) if torn::stands_alone(&e));
        if !alone {
            break;
        }
        report.repaired |= matches!(whole, Cow::Owned(_));
        found.push(whole);
        rest = rest[..start].trim_end();
    }
    for whole in found.iter().rev() {
        if let Ok(Piece(Some(envelope))) = serde_json::from_str(whole) {
            hand_on(*envelope, whole, at, role, &mut report, sink);
        }
    }
    report
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
