//! Records with their threads, and the events that each record gives.
//!
//! `docs/DEFINITIONS.md`, "Records to events" and "Threads". Every counting part of the oracle reads the
//! two lists made here.

use std::collections::BTreeSet;

use super::event::{Event, Role, path_of};
use super::json::Node;
use super::lines::read_lines;
use super::parse::Json;
use super::record_types::{BARE_TYPES, is_record};
use super::run_files::RunFiles;

/// The agent of a side-chain record that names none.
pub(super) const SIDECHAIN: &str = "sidechain";

/// The model of a record that reports no API call.
const SYNTHETIC: &str = "<synthetic>";

/// The tools whose succeeded calls read a file.
const READERS: [&str; 4] = ["Read", "NotebookRead", "read_file", "view_file"];

/// The tools whose succeeded calls write a file.
const WRITERS: [&str; 7] =
    ["Write", "Edit", "MultiEdit", "NotebookEdit", "write_file", "edit_file", "str_replace_editor"];

/// The tools that search or list: what they show is not a reading of a source.
const SEARCHERS: [&str; 5] = ["Grep", "Glob", "LS", "search", "list_files"];

/// What remains of a `progress` record whose inner record stands for it.
#[derive(Debug, Clone)]
pub(super) struct Wrapper {
    pub(super) uuid: Option<String>,
    pub(super) parent: Option<String>,
    /// `parentToolUseID`: the call that launched the agent.
    pub(super) launching_call: Option<String>,
    /// Whether the outer record itself is one of the main thread.
    pub(super) in_main: bool,
    timestamp: Option<String>,
}

/// One record of the run.
#[derive(Debug, Clone)]
pub(super) struct Record {
    /// The text of the whole object; of an unwrapped record the outer one's.
    text: String,
    value: Json,
    /// None for the main thread.
    pub(super) agent: Option<String>,
    pub(super) wrapper: Option<Wrapper>,
}

impl Record {
    pub(super) fn node(&self) -> Node<'_> {
        Node::new(&self.text, &self.value)
    }

    /// The text of a value of the record as it stands in the transcript.
    pub(super) fn written(&self, value: &Json) -> &str {
        &self.text[value.place.clone()]
    }

    pub(super) fn in_main(&self) -> bool {
        self.agent.is_none()
    }

    pub(super) fn kind(&self) -> Option<String> {
        self.node().string("type")
    }

    pub(super) fn is(&self, kind: &str) -> bool {
        self.kind().as_deref() == Some(kind)
    }

    pub(super) fn uuid(&self) -> Option<String> {
        self.node().id("uuid")
    }

    /// The `timestamp`: the outer record's where an unwrapped one has none.
    pub(super) fn timestamp(&self) -> Option<String> {
        let outer = || self.wrapper.as_ref()?.timestamp.clone();
        self.node().string("timestamp").or_else(outer)
    }

    /// "`isSynthetic: true` counts as `isMeta: true`."
    pub(super) fn is_meta(&self) -> bool {
        self.node().flag("isMeta") || self.node().flag("isSynthetic")
    }

    /// `message.model`.
    fn model(&self) -> Option<String> {
        self.node().get("message")?.string("model")
    }

    /// Whether this is an `assistant` record that reports an API call: "unless its model is `<synthetic>` or it is
    /// an API error message".
    pub(super) fn reports_call(&self) -> bool {
        self.is("assistant")
            && self.model().as_deref() != Some(SYNTHETIC)
            && !self.node().flag("isApiErrorMessage")
    }

    /// The model of such a record.
    pub(super) fn reported_model(&self) -> Option<String> {
        self.model().filter(|_| self.reports_call())
    }
}

/// All records and events of a run, in order.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) lines: u64,
    pub(super) bad_lines: u64,
    pub(super) pending_partial_lines: u64,
    pub(super) records: Vec<Record>,
    /// Duplicates included and marked.
    pub(super) events: Vec<Event>,
}

impl Ledger {
    pub(super) fn of(run: &RunFiles) -> Self {
        let mut ledger = Self::default();
        for file in &run.transcripts {
            let lines = read_lines(&file.bytes, is_record);
            ledger.lines += lines.lines;
            ledger.bad_lines += lines.bad_lines;
            ledger.pending_partial_lines += u64::from(lines.pending);
            for object in lines.objects {
                ledger.records.push(record(object.text, object.value, file.agent.as_deref()));
            }
        }
        for (position, record) in ledger.records.iter().enumerate() {
            ledger.events.extend(events(position, record));
        }
        mark_duplicates(&ledger.records, &mut ledger.events);
        ledger
    }

    /// The events that count.
    pub(super) fn counted(&self) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(|event| !event.duplicate)
    }

    /// All events of a record, in order. They stand together, so that the two ends can be searched for.
    pub(super) fn events_of(&self, record: usize) -> &[Event] {
        let start = self.events.partition_point(|event| event.record < record);
        let end = self.events.partition_point(|event| event.record <= record);
        &self.events[start..end]
    }

    /// The position of a record's first event among all events.
    pub(super) fn first_event_of(&self, record: usize) -> usize {
        self.events.partition_point(|event| event.record < record)
    }

    /// Whether a record is a duplicate: all of its events are.
    pub(super) fn is_duplicate(&self, record: usize) -> bool {
        self.events_of(record).iter().all(|event| event.duplicate)
    }

    /// "A `tool_result` block": a block of the kind `tool_result`.
    pub(super) fn has_result(&self, record: usize) -> bool {
        self.events_of(record).iter().any(|event| event.kind == "tool_result")
    }
}

/// A record, unwrapped from its `progress` record where it is in one, and its thread.
///
/// The outer `sessionId`, which an inner record takes over where it has none, enters no field of the
/// recount.
fn record(text: String, value: Json, file_agent: Option<&str>) -> Record {
    let outer = Node::new(&text, &value);
    let Some(inner) = unwrapped(&outer) else {
        let agent = agent(&outer, None, file_agent);
        return Record { text, value, agent, wrapper: None };
    };
    let data_agent = outer.get("data").and_then(|data| data.id("agentId"));
    let wrapper = Wrapper {
        uuid: outer.id("uuid"),
        parent: outer.id("parentUuid"),
        launching_call: outer.id("parentToolUseID"),
        in_main: agent(&outer, None, file_agent).is_none(),
        timestamp: outer.string("timestamp"),
    };
    let agent = agent(&inner, data_agent, file_agent);
    let value = inner.value().clone();
    Record { text, value, agent, wrapper: Some(wrapper) }
}

/// "A `progress` record whose `data.type` is `agent_progress` and whose `data.message` is an object with
/// an object `message` is unwrapped."
fn unwrapped<'a>(outer: &Node<'a>) -> Option<Node<'a>> {
    let data = outer.get("data")?;
    let inner = data.get("message")?;
    let is_progress = outer.string("type").as_deref() == Some("progress");
    let is_agent = data.string("type").as_deref() == Some("agent_progress");
    let has_message = inner.get("message").is_some_and(|message| message.is_object());
    (is_progress && is_agent && has_message).then_some(inner)
}

/// "Threads": which agent a record belongs to, in the order of preference.
fn agent(record: &Node, data_agent: Option<String>, file_agent: Option<&str>) -> Option<String> {
    data_agent
        .or_else(|| record.id("agentId"))
        .or_else(|| record.id("parent_tool_use_id"))
        .or_else(|| file_agent.map(str::to_owned))
        .or_else(|| record.flag("isSidechain").then(|| SIDECHAIN.to_owned()))
}

/// "Records to events": the table.
fn events(position: usize, record: &Record) -> Vec<Event> {
    let node = record.node();
    let kind = record.kind().unwrap_or_default();
    let event = |kind, text: &str| Event {
        record: position,
        kind,
        text: text.to_owned(),
        whole: text.to_owned(),
        agent: record.agent.clone(),
        ..Event::default()
    };
    // "Of an `unknown` or `session_meta` event the record's JSON as written."
    let whole = |kind| Event { whole: node.raw().to_owned(), ..event(kind, "") };
    match kind.as_str() {
        "assistant" if node.flag("isApiErrorMessage") => {
            vec![event("error", &content_text(content(&node)))]
        }
        "user" | "assistant" => match content(&node) {
            Some(Content::Blocks(blocks)) if !blocks.is_empty() => blocks
                .iter()
                .enumerate()
                .map(|(index, block)| Event {
                    record: position,
                    block: index,
                    agent: record.agent.clone(),
                    ..block_event(block).unwrap_or_else(|| whole("unknown"))
                })
                .collect(),
            Some(Content::Text(text)) => vec![event("message", &text)],
            _ => vec![event("message", "")],
        },
        "attachment" => vec![event("attachment", "")],
        "system" if node.string("subtype").as_deref() == Some("compact_boundary") => {
            vec![event("compaction", "")]
        }
        "system" | "progress" => vec![whole("session_meta")],
        bare if BARE_TYPES.contains(&bare) => vec![whole("session_meta")],
        _ => vec![whole("unknown")],
    }
}

/// The content of a message.
enum Content<'a> {
    Text(String),
    Blocks(Vec<Node<'a>>),
}

/// The content of a `user` or `assistant` record. "`message` as a string is a message whose content is
/// that string."
fn content<'a>(record: &Node<'a>) -> Option<Content<'a>> {
    let message = record.get("message")?;
    if message.is_object() { text_or_blocks(&message.get("content")?) } else { text_only(&message) }
}

fn text_only<'a>(node: &Node<'a>) -> Option<Content<'a>> {
    node.value().text().map(|text| Content::Text(text.to_owned()))
}

fn text_or_blocks<'a>(node: &Node<'a>) -> Option<Content<'a>> {
    text_only(node).or_else(|| node.items().map(Content::Blocks))
}

/// "A string, or the `text` of its text blocks joined by newlines. Absent: empty."
fn content_text(content: Option<Content>) -> String {
    match content {
        Some(Content::Text(text)) => text,
        Some(Content::Blocks(blocks)) => {
            let texts = blocks.iter().filter(|block| type_of(block) == "text");
            texts
                .map(|block| block.string("text").unwrap_or_default())
                .collect::<Vec<_>>()
                .join("\n")
        }
        None => String::new(),
    }
}

/// The text of a field that holds a string or blocks.
pub(super) fn text_of(node: &Node, key: &str) -> String {
    content_text(node.get(key).and_then(|field| text_or_blocks(&field)))
}

fn type_of(block: &Node) -> String {
    block.string("type").unwrap_or_default()
}

/// The table's rows for blocks, with "Text of a block" and the whole texts of "Duplicates"; none for "any
/// other block".
fn block_event(block: &Node) -> Option<Event> {
    if let Some(text) = block.value().text() {
        return Some(Event {
            kind: "message",
            text: text.to_owned(),
            whole: text.to_owned(),
            ..Event::default()
        });
    }
    let block_type = type_of(block);
    let plain = |kind, text: String| Event { kind, whole: text.clone(), text, ..Event::default() };
    Some(match block_type.as_str() {
        "text" => plain("message", block.string("text").unwrap_or_default()),
        "thinking" | "redacted_thinking" => {
            plain("thinking", block.string("thinking").unwrap_or_default())
        }
        "tool_use" | "server_tool_use" | "mcp_tool_use" => tool_call(block),
        "image" | "document" => plain("attachment", String::new()),
        "tool_result" => tool_result(block),
        ending if ending.ends_with("_tool_result") => tool_result(block),
        _ => return None,
    })
}

fn tool_call(block: &Node) -> Event {
    let id = block.id("id");
    let name = block.string("name");
    let input = block.get("input");
    let written = input.as_ref().map(Node::raw).unwrap_or_default();
    Event {
        kind: "tool_call",
        whole: format!(
            "{}\n{}\n{written}",
            id.as_deref().unwrap_or(""),
            name.as_deref().unwrap_or("")
        ),
        call_id: id,
        role: name.as_deref().map(role).unwrap_or_default(),
        tool: name,
        paths: path_of(input.as_ref().map(Node::value)),
        input: input.map(|input| input.value().clone()),
        ..Event::default()
    }
}

fn role(tool: &str) -> Role {
    if READERS.contains(&tool) {
        Role::Reads
    } else if WRITERS.contains(&tool) {
        Role::Writes
    } else if SEARCHERS.contains(&tool) {
        Role::Searches
    } else {
        Role::Other
    }
}

fn tool_result(block: &Node) -> Event {
    let id = block.id("tool_use_id");
    let text = text_of(block, "content");
    Event {
        kind: "tool_result",
        whole: format!("{}\n{text}", id.as_deref().unwrap_or("")),
        text,
        call_id: id,
        is_error: block.flag("is_error"),
        ..Event::default()
    }
}

/// "Duplicates": the first event of each (record uuid, block index, kind, whole text) counts. "A record
/// without a `uuid` is never a duplicate."
fn mark_duplicates(records: &[Record], events: &mut [Event]) {
    let mut seen = BTreeSet::new();
    for event in events {
        if let Some(uuid) = records[event.record].uuid() {
            event.duplicate = !seen.insert((uuid, event.block, event.kind, event.whole.clone()));
        }
    }
}
