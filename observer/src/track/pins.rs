//! The events that episodes rest on, with excerpts: what an evidence pin opens.

use std::collections::BTreeMap;

use trace_model::event::{Body, Event, EventKind, Outcome, RawRef, Record, Source};
use trace_model::ids::{Excerpt, Millis, Seq};

/// Pins kept: those of the newest events.
const KEPT: usize = 2000;
/// Characters kept of an event's text.
const EXCERPT_CHARS: usize = 700;

/// An event that is cited, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// Its place in the ledger.
    pub seq: Seq,
    /// When it was written.
    pub time: Option<Millis>,
    /// Who it comes from.
    pub source: Source,
    /// What kind of event it is.
    pub kind: EventKind,
    /// How the call ended, for a result.
    pub outcome: Option<Outcome>,
    /// The tool, for a call.
    pub tool: Option<String>,
    /// The run's file in which it stands, 0 being the session's.
    pub file: u32,
    /// Where in that file.
    pub at: RawRef,
    /// Its text.
    pub excerpt: Excerpt,
}

impl Pin {
    /// A pin of a record's event.
    pub fn new(record: &Record<'_>, event: &Event<'_>, seq: Seq, file: u32) -> Self {
        let (tool, outcome) = match &event.body {
            Body::ToolCall { name, .. } => (Some(name.as_ref().to_owned()), None),
            Body::ToolResult { outcome, .. } => (None, Some(*outcome)),
            _ => (None, None),
        };
        Self {
            seq,
            time: record.time,
            source: event.source,
            kind: event.body.kind(),
            outcome,
            tool,
            file,
            at: record.at,
            excerpt: Excerpt::with_sha256(event.body.text(), EXCERPT_CHARS, event.sha256),
        }
    }
}

/// Pins by their place in the ledger.
#[derive(Clone, Debug, Default)]
pub struct Pins(BTreeMap<u64, Pin>);

impl Pins {
    pub(super) fn add(&mut self, pin: Pin) {
        self.0.insert(pin.seq.0, pin);
        while self.0.len() > KEPT {
            self.0.pop_first();
        }
    }

    /// The pin of an event, if it is kept.
    pub fn get(&self, seq: u64) -> Option<&Pin> {
        self.0.get(&seq)
    }
}
