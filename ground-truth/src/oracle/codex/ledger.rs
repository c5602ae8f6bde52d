//! All records of a run and the events that they give.
//!
//! `docs/formats/codex.md`, "Records to events", "Said twice", and the table of "Calls and their results".

use std::collections::BTreeMap;

use super::super::event::{Event, Role, path_of};
use super::super::json::Node;
use super::super::parse::{Json, Kind, first_value};
use super::super::run_files::RunFiles;
use super::super::tool_call::CallState;
use super::record::{Record, read};
use super::results::{EndEvent, ResultText, end_event, joined_texts};

/// Known event types, beside the prefixes in [`EVENT_STARTS`].
const EVENTS: [&str; 41] = [
    "agent_message",
    "agent_reasoning",
    "agent_reasoning_raw_content",
    "agent_reasoning_section_break",
    "apply_patch_approval_request",
    "background_event",
    "context_compacted",
    "deprecation_notice",
    "dynamic_tool_call_request",
    "dynamic_tool_call_response",
    "elicitation_request",
    "entered_review_mode",
    "error",
    "exited_review_mode",
    "model_reroute",
    "model_verification",
    "plan_delta",
    "plan_update",
    "request_permissions",
    "request_user_input",
    "session_configured",
    "shutdown_complete",
    "stream_error",
    "sub_agent_activity",
    "task_complete",
    "task_started",
    "terminal_interaction",
    "thread_goal_updated",
    "thread_name_updated",
    "thread_rolled_back",
    "thread_settings_applied",
    "token_count",
    "turn_aborted",
    "turn_complete",
    "turn_diff",
    "turn_started",
    "undo_completed",
    "undo_started",
    "user_message",
    "view_image_tool_call",
    "warning",
];

/// How the names of the other known event types start.
const EVENT_STARTS: [&str; 10] = [
    "collab_",
    "exec_",
    "guardian_",
    "hook_",
    "image_generation_",
    "item_",
    "mcp_",
    "patch_apply_",
    "realtime_",
    "web_search_",
];

/// Block types whose text is a message.
const TEXT_BLOCKS: [&str; 4] = ["output_text", "input_text", "text", "refusal"];

/// What marks the files of a patch.
const PATCH_MARKS: [&str; 4] =
    ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];

/// How the namespace of an MCP server's tools starts.
pub(super) const MCP: &str = "mcp__";

/// All records and events of a run, in order.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    pub(super) lines: u64,
    pub(super) bad_lines: u64,
    pub(super) pending_partial_lines: u64,
    pub(super) records: Vec<Record>,
    pub(super) events: Vec<Event>,
    /// How the calls ended that results answer, by the position of the result's event.
    pub(super) outcomes: BTreeMap<usize, CallState>,
}

impl Ledger {
    pub(super) fn of(run: &RunFiles) -> Self {
        let mut ledger = Self::default();
        for (at, file) in run.transcripts.iter().enumerate() {
            let found = read(&file.bytes, at, file.agent.as_deref());
            ledger.lines += found.lines;
            ledger.bad_lines += found.bad_lines;
            ledger.pending_partial_lines += u64::from(found.pending);
            let mut scan = FileScan::default();
            for record in found.records {
                let position = ledger.records.len();
                for (block, (event, outcome)) in scan.events(&record).into_iter().enumerate() {
                    if let Some(outcome) = outcome {
                        ledger.outcomes.insert(ledger.events.len(), outcome);
                    }
                    let agent = record.agent.clone();
                    ledger.events.push(Event { record: position, block, agent, ..event });
                }
                ledger.records.push(record);
            }
        }
        ledger
    }

    /// The position of a record's first event among all events.
    pub(super) fn first_event_of(&self, record: usize) -> usize {
        self.events.partition_point(|event| event.record < record)
    }

    /// The name of a call's tool without its namespace; none of an MCP server's.
    pub(super) fn bare_tool(&self, call: &Event) -> Option<String> {
        let record = &self.records[call.record];
        let is_mcp = record.id("namespace").is_some_and(|it| it.starts_with(MCP));
        record.string("name").filter(|_| !is_mcp)
    }
}

/// What is known of a file while its records are read.
#[derive(Debug, Default)]
struct FileScan {
    /// The texts that wait for their copy: of items, and of message events.
    items: Vec<String>,
    messages: Vec<String>,
    /// What the last end event of each call says.
    ends: BTreeMap<String, EndEvent>,
}

/// An event without its place, and how its call ended if it is a result.
type NewEvent = (Event, Option<CallState>);

fn event(kind: &'static str, text: String) -> NewEvent {
    (Event { kind, text, ..Event::default() }, None)
}

fn bookkeeping() -> NewEvent {
    event("session_meta", String::new())
}

impl FileScan {
    /// The events of a record.
    fn events(&mut self, record: &Record) -> Vec<NewEvent> {
        if record.is_replayed {
            return vec![bookkeeping()];
        }
        if let (Some(end), Some(call)) = (end_event(record), record.id("call_id")) {
            self.ends.insert(call, end);
        }
        match (record.kind().as_str(), record.payload()) {
            ("response_item", Some(payload)) => self.item(&payload),
            ("event_msg", Some(payload)) => vec![self.message(record, &payload)],
            ("compacted", _) => vec![event("compaction", String::new())],
            (
                "session_meta"
                | "turn_context"
                | "world_state"
                | "token_usage_record"
                | "inter_agent_communication"
                | "inter_agent_communication_metadata",
                _,
            ) => vec![bookkeeping()],
            _ => vec![event("unknown", String::new())],
        }
    }

    fn item(&mut self, item: &Node) -> Vec<NewEvent> {
        let kind = item.string("type").unwrap_or_default();
        vec![match kind.as_str() {
            "message" if item.string("role").as_deref() == Some("assistant") => {
                return self.blocks(item);
            }
            "message" | "agent_message" | "additional_tools" | "ghost_snapshot" | "compaction"
            | "compaction_summary" | "compaction_trigger" | "context_compaction" => bookkeeping(),
            "reasoning" => event("thinking", thinking(item)),
            "function_call"
            | "custom_tool_call"
            | "local_shell_call"
            | "tool_search_call"
            | "web_search_call"
            | "image_generation_call" => (tool_call(&kind, item), None),
            "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                self.result(item)
            }
            _ => event("unknown", String::new()),
        }]
    }

    /// The blocks of an assistant's message.
    fn blocks(&mut self, item: &Node) -> Vec<NewEvent> {
        let content = item.get("content");
        if let Some(text) = content.as_ref().and_then(|content| content.value().text()) {
            return vec![self.said(text.to_owned(), Source::Item)];
        }
        let blocks = content.and_then(|content| content.items()).unwrap_or_default();
        if blocks.is_empty() {
            return vec![event("message", String::new())];
        }
        blocks.iter().map(|block| self.block(block)).collect()
    }

    fn block(&mut self, block: &Node) -> NewEvent {
        if let Some(text) = block.value().text() {
            return self.said(text.to_owned(), Source::Item);
        }
        let kind = block.string("type").unwrap_or_default();
        if TEXT_BLOCKS.contains(&kind.as_str()) {
            let key = if kind == "refusal" { "refusal" } else { "text" };
            return self.said(block.string(key).unwrap_or_default(), Source::Item);
        }
        let is_attachment = kind.ends_with("_image") || kind.ends_with("_file");
        event(if is_attachment { "attachment" } else { "unknown" }, String::new())
    }

    fn message(&mut self, record: &Record, payload: &Node) -> NewEvent {
        let kind = record.payload_kind();
        if kind == "task_started" {
            self.forget();
        }
        if is_persons(record) {
            self.forget();
            return event("message", message_text(payload));
        }
        if kind == "agent_message" || item_type(payload).as_deref() == Some("AgentMessage") {
            return self.said(message_text(payload), Source::Message);
        }
        let kind = kind.as_str();
        let is_known =
            EVENTS.contains(&kind) || EVENT_STARTS.iter().any(|start| kind.starts_with(start));
        match kind {
            "error" => event("error", payload.string("message").unwrap_or_default()),
            _ if is_known => bookkeeping(),
            _ => event("unknown", String::new()),
        }
    }

    /// What an agent said: a message, or the copy of one of the other kind.
    fn said(&mut self, text: String, source: Source) -> NewEvent {
        let (own, other) = match source {
            Source::Item => (&mut self.items, &mut self.messages),
            Source::Message => (&mut self.messages, &mut self.items),
        };
        if text.trim().is_empty() {
            return event("message", text);
        }
        if let Some(at) = other.iter().position(|waiting| *waiting == text) {
            other.remove(at);
            return bookkeeping();
        }
        own.push(text.clone());
        event("message", text)
    }

    fn forget(&mut self) {
        self.items.clear();
        self.messages.clear();
    }

    fn result(&self, item: &Node) -> NewEvent {
        let id = item.id("call_id");
        let result = ResultText::of(item);
        let end = id.as_ref().and_then(|id| self.ends.get(id)?.0);
        let outcome = result.outcome(item, end);
        let is_error = outcome == CallState::Failed;
        let event = Event {
            kind: "tool_result",
            text: result.text,
            call_id: id,
            is_error,
            ..Event::default()
        };
        (event, Some(outcome))
    }
}

/// The two kinds in which an answer is written.
#[derive(Debug, Clone, Copy)]
enum Source {
    Item,
    Message,
}

/// Whether a record gives a `message` event for a person: a `user_message` or a completed `UserMessage`.
pub(super) fn is_persons(record: &Record) -> bool {
    let is_item =
        || record.payload().and_then(|it| item_type(&it)).as_deref() == Some("UserMessage");
    record.is("event_msg", "user_message") || (record.kind() == "event_msg" && is_item())
}

/// The type of the item that an `item_completed` event completes.
fn item_type(payload: &Node) -> Option<String> {
    let is_completed = payload.string("type").as_deref() == Some("item_completed");
    payload.get("item").filter(|_| is_completed)?.string("type")
}

/// "The text of a message event is `message`, or the `text` of the objects in `item.content` that have one,
/// joined by a newline."
pub(super) fn message_text(payload: &Node) -> String {
    payload.string("message").unwrap_or_else(|| joined_texts(&item_content(payload)))
}

/// The objects of `item.content`.
pub(super) fn item_content<'a>(payload: &Node<'a>) -> Vec<Node<'a>> {
    let content = payload.get("item").and_then(|item| item.get("content"));
    content.and_then(|content| content.items()).unwrap_or_default()
}

/// "The `text` of the objects in `summary`, then in `content`, joined by a newline."
fn thinking(item: &Node) -> String {
    let items = |key| item.get(key).and_then(|list| list.items()).unwrap_or_default();
    joined_texts(&[items("summary"), items("content")].concat())
}

/// The table of calls.
fn tool_call(kind: &str, item: &Node) -> Event {
    let fixed = |name: &str| Some(name.to_owned());
    let (id, name, input) = match kind {
        "local_shell_call" => {
            (item.id("call_id").or_else(|| item.id("id")), fixed("local_shell"), "action")
        }
        "tool_search_call" => (item.id("call_id"), fixed("tool_search"), "arguments"),
        "web_search_call" => (None, fixed("web_search"), "action"),
        "image_generation_call" => (None, fixed("image_generation"), ""),
        "custom_tool_call" => (item.id("call_id"), item.string("name"), "input"),
        _ => (item.id("call_id"), item.string("name"), "arguments"),
    };
    let input = item.get(input).map(|input| read_input(kind, input.value()));
    let namespace = item.id("namespace");
    let is_mcp = namespace.as_ref().is_some_and(|namespace| namespace.starts_with(MCP));
    let role = name.as_deref().filter(|_| !is_mcp).map(role).unwrap_or_default();
    let paths = match name.as_deref() {
        Some("apply_patch") => patched(input.as_ref()),
        _ => path_of(input.as_ref()),
    };
    let tool = match (namespace, name) {
        (Some(namespace), Some(name)) => Some(format!("{namespace}.{name}")),
        (_, name) => name,
    };
    Event { kind: "tool_call", call_id: id, tool, input, role, paths, ..Event::default() }
}

/// "The JSON that the string holds; if it holds none, the string itself", of the arguments of a call; the input of
/// a custom tool is a string itself. "An `arguments` or `input` that is no string is the input as it is."
fn read_input(kind: &str, written: &Json) -> Json {
    let Kind::Text(text) = &written.kind else { return written.clone() };
    let held = first_value(text.trim()).filter(|(_, length)| *length == text.trim().len());
    match held {
        Some((value, _)) if kind != "custom_tool_call" => value,
        _ => written.clone(),
    }
}

fn role(tool: &str) -> Role {
    match tool {
        "read_file" | "view_image" => Role::Reads,
        "apply_patch" => Role::Writes,
        "grep_files" | "list_dir" | "tool_search" => Role::Searches,
        _ => Role::Other,
    }
}

/// The paths in a patch, each once: "the patch is the input if that is a string, else the string `input` of the
/// input object".
fn patched(input: Option<&Json>) -> Vec<String> {
    let text = input.and_then(|input| input.text().or_else(|| input.field("input")?.text()));
    let mut paths: Vec<String> = Vec::new();
    for line in text.unwrap_or_default().lines() {
        let path = PATCH_MARKS.iter().find_map(|mark| line.strip_prefix(mark)).map(str::trim);
        if let Some(path) = path.filter(|path| !path.is_empty())
            && !paths.iter().any(|known| known == path)
        {
            paths.push(path.to_owned());
        }
    }
    paths
}
