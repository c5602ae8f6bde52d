//! Finds what may be extracted from: answers of tools that may state facts, as the fold sees it.

use std::collections::BTreeSet;

use super::extractor::EventText;
use crate::adapter::FileRole;
use crate::event::{Body, Outcome, Record, Thread};
use crate::ids::Digest64;
use crate::reader::TranscriptReader;

/// Reads a transcript as it grows and hands out the texts that its tools answered with. A result
/// that comes before its call is not found.
#[derive(Debug)]
pub struct Candidates {
    reader: TranscriptReader,
    /// Calls of the main thread that are not answered yet.
    open: BTreeSet<Digest64>,
}

impl Default for Candidates {
    fn default() -> Self {
        Self::new()
    }
}

impl Candidates {
    /// Nothing was read yet.
    pub fn new() -> Self {
        Self { reader: TranscriptReader::new(FileRole::default()), open: BTreeSet::new() }
    }

    /// The texts in the next bytes, in their order. Pieces may end anywhere.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<EventText> {
        let Self { reader, open } = self;
        let mut found = Vec::new();
        reader.feed(bytes, |record| look(record, open, &mut found));
        found
    }
}

fn look(record: &Record<'_>, open: &mut BTreeSet<Digest64>, found: &mut Vec<EventText>) {
    for event in &record.events {
        match &event.body {
            Body::ToolCall { id: Some(id), role, .. }
                if record.thread == Thread::Main && role.states_facts() =>
            {
                open.insert(Digest64::of(id));
            }
            Body::ToolResult { call_id: Some(id), outcome, text } => {
                let stated = open.remove(&Digest64::of(id)) && *outcome == Outcome::Succeeded;
                if stated && !text.trim().is_empty() {
                    found.push(EventText { sha256: event.sha256, text: text.to_string() });
                }
            }
            _ => {}
        }
    }
}
