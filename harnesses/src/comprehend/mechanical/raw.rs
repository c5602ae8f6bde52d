//! Parses the end of a transcript. A truncated line is not a record and is skipped.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use trace_model::adapter::{AdapterRef, FileRole, Format, sniff};
use trace_model::event::{ApiReport, Body, Record, Source, Thread, Turn};
use trace_model::reader::TranscriptReader;

use super::input::Input;
use super::shown::Shown;

pub(super) fn parse(context: &str) -> Shown {
    let mut parser = Parser::default();
    // Whose transcript it is, the reader is not told.
    let adapter = sniff(context.as_bytes()).and_then(Format::adapter);
    let mut reader =
        TranscriptReader::new(FileRole::session(adapter.unwrap_or(AdapterRef::GENERATED)));
    let (first, rest) = context.split_once('\n').unwrap_or((context, ""));
    // Only the first line can be cut; from a truncated line the reader keeps what looks like a record.
    let whole = serde_json::from_str::<Value>(first).is_ok();
    let lines = if whole { context } else { rest };
    reader.feed(lines.as_bytes(), |record| parser.take(record));
    reader.finish(|record| parser.take(record));
    let mut shown = parser.shown;
    for (model, output) in parser.output.into_values() {
        *shown.output_tokens.entry(model).or_default() += output;
    }
    shown
}

#[derive(Default)]
struct Parser {
    shown: Shown,
    /// Model and output tokens of each API call.
    output: BTreeMap<(String, String), (String, u64)>,
    /// Records that were seen.
    seen: BTreeSet<(String, String)>,
}

impl Parser {
    fn take(&mut self, record: &Record<'_>) {
        self.shown.moment(record.time);
        if let Some(api) = &record.api {
            self.spend(api, record);
        }
        if record.thread != Thread::Main || self.is_repeated(record) {
            return;
        }
        match &record.turn {
            Turn::Prompt(text) => self.shown.prompt(record.time, Some(text.to_string())),
            Turn::Interruption => self.shown.interruption(),
            Turn::None => {}
        }
        for event in &record.events {
            match &event.body {
                Body::Message(text) if event.source == Source::Agent => self.shown.say(text),
                Body::ToolCall { id, name, input, .. } => {
                    let input = Input::of(input.as_deref().map_or("", |raw| raw.get()));
                    self.shown.call(id.as_deref(), name, record.time, input);
                }
                Body::ToolResult { call_id, outcome, text } => {
                    self.shown.result(call_id.as_deref(), *outcome, record.time, text);
                }
                _ => {}
            }
        }
    }

    fn is_repeated(&mut self, record: &Record<'_>) -> bool {
        let (Some(uuid), Some(event)) = (&record.uuid, record.events.first()) else { return false };
        !self.seen.insert((uuid.to_string(), event.sha256.to_string()))
    }

    /// The largest value over a call's records counts.
    fn spend(&mut self, api: &ApiReport<'_>, record: &Record<'_>) {
        let text = |id: &Option<std::borrow::Cow<'_, str>>| id.as_deref().unwrap_or("").to_owned();
        let key = match (&api.message_id, &api.request_id) {
            (None, None) => (text(&record.uuid), record.at.offset.to_string()),
            _ => (text(&api.message_id), text(&api.request_id)),
        };
        let call = self.output.entry(key).or_default();
        if let Some(model) = &api.model {
            call.0 = model.to_string();
        }
        call.1 = call.1.max(api.usage.output);
    }
}
