//! Reads one transcript file's bytes, in any chunking, into records.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::lines::{DEFAULT_MAX_LINE, Line, LineBytes, LineSplitter};
use super::token::{Ends, ResumeToken};
use crate::adapter::{FileRole, Format, LineReport, RecordReader};
use crate::event::{RawRef, Record};
use crate::ids::{ByteOffset, LineNumber, Seq};

/// How many bad lines are kept with their place; all are counted.
const KEPT_BAD_LINES: usize = 100;

/// A line that does not consist entirely of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadLine {
    /// Where it is.
    pub at: RawRef,
    /// Records that could still be read from it.
    pub recovered: u32,
    /// Whether it was passed over for its length.
    pub too_long: bool,
}

/// What reading a file came across.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadStats {
    /// The format it was read as; none where nothing was read.
    #[serde(skip)]
    pub format: Option<Format>,
    /// Bytes read, the pending partial line not included.
    pub bytes: u64,
    /// Lines read, blank ones included.
    pub lines: u64,
    /// Records handed on.
    pub records: u64,
    /// Of those, records of a type this version knows.
    pub known_records: u64,
    /// Events handed on.
    pub events: u64,
    /// Lines that do not consist entirely of records.
    pub bad_lines: u64,
    /// The first of them.
    pub bad: Vec<BadLine>,
    /// Lines that are not UTF-8 and were decoded lossily.
    pub lossy_lines: u64,
    /// Lines in which half a surrogate pair or a number beyond a double's range was replaced.
    pub repaired_lines: u64,
    /// Bytes of the last line, if it is not finished.
    pub pending_bytes: u64,
    /// Fields whose JSON type was not the expected one, by name.
    pub degraded_fields: BTreeMap<String, u64>,
}

impl ReadStats {
    /// Adds another file's.
    pub fn add(&mut self, other: &Self) {
        self.format = self.format.or(other.format);
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.records += other.records;
        self.known_records += other.known_records;
        self.events += other.events;
        self.bad_lines += other.bad_lines;
        let room = KEPT_BAD_LINES.saturating_sub(self.bad.len());
        self.bad.extend(other.bad.iter().take(room));
        self.lossy_lines += other.lossy_lines;
        self.repaired_lines += other.repaired_lines;
        self.pending_bytes += other.pending_bytes;
        for (field, count) in &other.degraded_fields {
            *self.degraded_fields.entry(field.clone()).or_default() += count;
        }
    }
}

/// Reads a transcript: feed it bytes, and it hands on records.
#[derive(Debug)]
pub struct TranscriptReader {
    splitter: LineSplitter,
    records: Box<dyn RecordReader>,
    /// The ends of what was read, up to the start of the pending line.
    read: Ends,
    /// The ends of all that was fed.
    seen: Ends,
    role: FileRole,
    stats: ReadStats,
}

impl TranscriptReader {
    /// A reader at the start of a file.
    pub fn new(role: FileRole) -> Self {
        Self {
            splitter: LineSplitter::new(0, 1, DEFAULT_MAX_LINE),
            records: role.adapter.reader(),
            read: Ends::default(),
            seen: Ends::default(),
            stats: ReadStats { format: Some(role.adapter.format()), ..ReadStats::default() },
            role,
        }
    }

    /// A reader that resumes at a token, given the counts until then and the two windows of bytes that the
    /// fingerprint covers.
    pub(super) fn resumed(
        role: FileRole,
        token: &ResumeToken,
        stats: ReadStats,
        head: Vec<u8>,
        tail: Vec<u8>,
    ) -> Self {
        let read = Ends::resumed(token.offset.0, head, tail);
        let mut records = role.adapter.reader();
        if let Some(state) = &token.reader {
            records.restore(state);
        }
        Self {
            splitter: LineSplitter::new(token.offset.0, token.line.0, DEFAULT_MAX_LINE),
            records,
            seen: read.clone(),
            read,
            stats: ReadStats { format: Some(role.adapter.format()), ..stats },
            role,
        }
    }

    /// The same reader with another limit on a line's length, in bytes.
    #[must_use]
    pub fn with_max_line(mut self, max_line: usize) -> Self {
        let LineSplitter { offset, number, .. } = self.splitter;
        self.splitter = LineSplitter::new(offset, number, max_line);
        self
    }

    /// Takes in the next bytes of the file and hands on the records that they complete.
    pub fn feed(&mut self, bytes: &[u8], mut sink: impl FnMut(&Record<'_>)) {
        let Self { splitter, records, role, stats, .. } = self;
        splitter.feed(bytes, |line| read_line(&line, records.as_mut(), role, stats, &mut sink));
        let complete = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
        self.seen.extend(&bytes[..complete]);
        if complete > 0 {
            self.read = self.seen.clone();
        }
        self.seen.extend(&bytes[complete..]);
        self.update_position();
    }

    /// Reads a last line that has no line feed, if it is complete; otherwise it stays pending.
    pub fn finish(&mut self, mut sink: impl FnMut(&Record<'_>)) {
        let at = self.pending_at();
        let is_complete = self.ends_in_a_record();
        let bytes = std::mem::take(&mut self.splitter.pending);
        if is_complete {
            let text = decode(&bytes, at);
            let lossy = matches!(text, Cow::Owned(_));
            let Self { records, role, stats, .. } = self;
            read_text(&text, (at, lossy), records.as_mut(), role, stats, &mut sink);
            self.read = self.seen.clone();
            self.splitter.pending = bytes;
            self.splitter.consume_pending();
        } else {
            self.splitter.pending = bytes;
        }
        self.update_position();
    }

    /// Whether the pending line is complete except for its line feed.
    pub(super) fn ends_in_a_record(&self) -> bool {
        if self.splitter.pending.is_empty() {
            return false;
        }
        let at = self.pending_at();
        self.records.is_whole(&decode(&self.splitter.pending, at))
    }

    fn pending_at(&self) -> RawRef {
        RawRef { line: LineNumber(self.splitter.number), offset: ByteOffset(self.splitter.offset) }
    }

    fn update_position(&mut self) {
        self.stats.bytes = self.splitter.offset;
        self.stats.pending_bytes = self.splitter.pending_bytes();
    }

    /// The place to read on from. A pending partial line is read again from its start.
    pub fn token(&self) -> ResumeToken {
        ResumeToken {
            offset: ByteOffset(self.splitter.offset),
            line: LineNumber(self.splitter.number),
            seq: Seq(self.stats.events),
            fingerprint: self.read.fingerprint(),
            reader: self.records.state(),
        }
    }

    /// The ends of what was fed, a pending partial line included.
    pub(super) fn seen(&self) -> &Ends {
        &self.seen
    }

    /// Knows from now on whose file it is.
    pub(super) fn set_role(&mut self, role: FileRole) {
        self.role = role;
    }

    /// What reading came across so far.
    pub fn stats(&self) -> &ReadStats {
        &self.stats
    }
}

impl Clone for TranscriptReader {
    fn clone(&self) -> Self {
        Self {
            splitter: self.splitter.clone(),
            records: self.records.boxed_clone(),
            read: self.read.clone(),
            seen: self.seen.clone(),
            role: self.role.clone(),
            stats: self.stats.clone(),
        }
    }
}

fn read_line(
    line: &Line<'_>,
    records: &mut dyn RecordReader,
    role: &FileRole,
    stats: &mut ReadStats,
    sink: &mut impl FnMut(&Record<'_>),
) {
    let at = RawRef { line: LineNumber(line.number), offset: ByteOffset(line.offset) };
    match line.bytes {
        LineBytes::Whole(bytes) => {
            let text = decode(bytes, at);
            let lossy = matches!(text, Cow::Owned(_));
            read_text(&text, (at, lossy), records, role, stats, sink);
        }
        LineBytes::TooLong => {
            stats.lines += 1;
            stats.note_bad(BadLine { at, recovered: 0, too_long: true });
        }
    }
}

fn read_text(
    text: &str,
    (at, lossy): (RawRef, bool),
    records: &mut dyn RecordReader,
    role: &FileRole,
    stats: &mut ReadStats,
    sink: &mut impl FnMut(&Record<'_>),
) {
    let report = records.read_line(text, at, role, &mut |record| {
        stats.events += record.events.len() as u64;
        for field in &record.degraded {
            *stats.degraded_fields.entry((*field).to_owned()).or_default() += 1;
        }
        sink(record);
    });
    stats.note_line(report, at, lossy);
}

impl ReadStats {
    fn note_line(&mut self, report: LineReport, at: RawRef, lossy: bool) {
        self.lines += 1;
        self.records += u64::from(report.records);
        self.known_records += u64::from(report.known);
        self.lossy_lines += u64::from(lossy);
        self.repaired_lines += u64::from(report.repaired);
        if report.bad {
            self.note_bad(BadLine { at, recovered: report.records, too_long: false });
        }
    }

    fn note_bad(&mut self, bad: BadLine) {
        self.bad_lines += 1;
        if self.bad.len() < KEPT_BAD_LINES {
            self.bad.push(bad);
        }
    }
}

/// A line's text: without the file's byte-order mark and the line's carriage return.
fn decode(line: &[u8], at: RawRef) -> Cow<'_, str> {
    let line = match line.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) if at.offset.0 == 0 => rest,
        _ => line,
    };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match simdutf8::basic::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(String::from_utf8_lossy(line).into_owned()),
    }
}

#[cfg(test)]
mod tests;
