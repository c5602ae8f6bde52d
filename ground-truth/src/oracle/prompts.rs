//! What a person wrote: prompts and interruptions.
//!
//! `docs/DEFINITIONS.md`, "What a person wrote".

use super::harness_text::{INTERRUPTED, without_harness_text};
use super::json::Node;
use super::ledger::{Ledger, Record, text_of};

/// A prompt: its record's position in the ledger, and what the person wrote.
#[derive(Debug, Clone)]
pub(super) struct Prompt {
    pub(super) record: usize,
    pub(super) text: String,
}

/// All prompts of the run, in order.
pub(super) fn prompts(ledger: &Ledger) -> Vec<Prompt> {
    let mut found = Vec::new();
    for (position, record) in ledger.records.iter().enumerate() {
        if record.agent.is_some() || ledger.is_duplicate(position) {
            continue;
        }
        let typed = typed_prompt(ledger, position, record);
        if let Some(text) = typed.or_else(|| queued_prompt(record)) {
            found.push(Prompt { record: position, text });
        }
    }
    found
}

/// The text of a `user` record that meets the four numbered conditions.
fn typed_prompt(ledger: &Ledger, position: usize, record: &Record) -> Option<String> {
    let node = record.node();
    let written_by_harness = ["isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"]
        .iter()
        .any(|key| node.flag(key));
    let is_turn = record.is("user") && !ledger.has_result(position);
    if !is_turn || written_by_harness || !is_human(&node) {
        return None;
    }
    let events = ledger.events_of(position);
    let remains: Vec<&str> = events
        .iter()
        .filter(|event| event.kind == "message")
        .map(|event| without_harness_text(&event.text))
        .filter(|text| !text.is_empty())
        .collect();
    let has_picture = events.iter().any(|event| event.kind == "attachment");
    match (remains.is_empty(), has_picture) {
        (false, _) => Some(remains.join("\n")),
        (true, true) => Some("[image]".to_owned()),
        (true, false) => None,
    }
}

/// "`origin.kind`, where present, is `human`."
fn is_human(node: &Node) -> bool {
    let kind = node.get("origin").and_then(|origin| origin.string("kind"));
    kind.is_none_or(|kind| kind == "human")
}

/// The text of an `attachment` record that holds a command typed while the agent worked.
fn queued_prompt(record: &Record) -> Option<String> {
    let attachment = record.node().get("attachment")?;
    let is_queued = attachment.string("type").as_deref() == Some("queued_command");
    let is_prompt = attachment.string("commandMode").is_none_or(|mode| mode == "prompt");
    if !record.is("attachment") || !is_queued || !is_prompt || !is_human(&attachment) {
        return None;
    }
    let prompt = text_of(&attachment, "prompt");
    let remains = without_harness_text(&prompt);
    (!remains.is_empty()).then(|| remains.to_owned())
}

/// The positions of the records that are interruptions: "a `user` record without a
/// `tool_result` block, one of whose texts starts, after white space, with `[Request interrupted by user`".
pub(super) fn interruptions(ledger: &Ledger) -> Vec<usize> {
    let is_interruption = |&position: &usize| {
        let says_so = |text: &str| text.trim_start().starts_with(INTERRUPTED);
        ledger.records[position].is("user")
            && !ledger.is_duplicate(position)
            && !ledger.has_result(position)
            && (ledger.events_of(position).iter())
                .any(|event| event.kind == "message" && says_so(&event.text))
    };
    (0..ledger.records.len()).filter(is_interruption).collect()
}
