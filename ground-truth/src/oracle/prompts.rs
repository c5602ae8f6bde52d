//! What a person wrote: prompts and interruptions.
//!
//! `docs/DEFINITIONS.md`, "What a person wrote".

use super::harness_text::{INTERRUPTED, filled_element, without_harness_text};
use super::json::Node;
use super::ledger::{Ledger, Record, text_of};

/// Starts of a text that say that the client told of a command that only drove it.
const LOCAL_COMMANDS: [&str; 2] = ["<local-command-caveat>", "Caveat: The messages below"];

/// A prompt: what the person wrote, its record's position in the ledger, and the position of the record that
/// told that it is one, which is another one for a command.
#[derive(Debug, Clone)]
pub(super) struct Prompt {
    pub(super) record: usize,
    pub(super) since: usize,
    pub(super) text: String,
    /// Whether it stands beside results: it was typed while tools ran.
    pub(super) beside_result: bool,
}

/// All prompts of the run, "in the order of their prompts (of a command: of the record that told it)".
pub(super) fn prompts(ledger: &Ledger) -> Vec<Prompt> {
    let mut found = Vec::new();
    for (position, record) in ledger.records.iter().enumerate() {
        if !record.in_main() || ledger.is_duplicate(position) {
            continue;
        }
        let typed = typed_prompt(ledger, position).or_else(|| queued_prompt(record));
        if let Some(text) = typed {
            let beside_result = ledger.has_result(position);
            found.push(Prompt { record: position, since: position, text, beside_result });
        } else if let Some(text) = command(ledger, position) {
            let told = told_by(ledger, position);
            let beside_result = false;
            found.extend(told.map(|since| Prompt { record: position, since, text, beside_result }));
        }
    }
    found.sort_by_key(|prompt| prompt.since);
    found
}

/// Whether conditions 1 to 3 hold, the thread and the duplicates aside.
fn may_be_typed(ledger: &Ledger, position: usize) -> bool {
    let record = &ledger.records[position];
    let node = record.node();
    let is_turn = record.is("user") && node.id("sourceToolUseID").is_none();
    let written_by_harness =
        record.is_meta() || node.flag("isCompactSummary") || node.flag("isVisibleInTranscriptOnly");
    is_turn && !written_by_harness && is_human(&node)
}

/// The texts of a record's blocks.
fn texts(ledger: &Ledger, position: usize) -> impl Iterator<Item = &str> {
    let messages = ledger.events_of(position).iter().filter(|event| event.kind == "message");
    messages.map(|event| event.text.as_str())
}

/// The text of a `user` record that meets the four numbered conditions.
fn typed_prompt(ledger: &Ledger, position: usize) -> Option<String> {
    if !may_be_typed(ledger, position) {
        return None;
    }
    let remains: Vec<&str> =
        texts(ledger, position).map(without_harness_text).filter(|text| !text.is_empty()).collect();
    let has_picture = ledger.events_of(position).iter().any(|event| event.kind == "attachment");
    match (remains.is_empty(), has_picture && !ledger.has_result(position)) {
        (false, _) => Some(remains.join("\n")),
        (true, true) => Some("[image]".to_owned()),
        (true, false) => None,
    }
}

/// The text of a command: "its text is NAME, trimmed and with a `/` before it if it has none, and the trimmed
/// content of `<command-args>` behind a space, if that is not blank". To be asked of a record that is no typed
/// prompt, so that nothing remains of its text.
fn command(ledger: &Ledger, position: usize) -> Option<String> {
    if !may_be_typed(ledger, position) || ledger.has_result(position) {
        return None;
    }
    let element = |name| texts(ledger, position).find_map(|text| filled_element(text, name));
    let name = element("command-name")?;
    let slash = if name.starts_with('/') { "" } else { "/" };
    let arguments = element("command-args").map(|arguments| format!(" {arguments}"));
    Some(format!("{slash}{name}{}", arguments.unwrap_or_default()))
}

/// "What it means is told by the next record of the main thread, not a duplicate, that is of type `user` or
/// `assistant`, or `system` with subtype `local_command`": its position, if it says that the command started
/// work.
fn told_by(ledger: &Ledger, command: usize) -> Option<usize> {
    let tells = |position: &usize| {
        let record = &ledger.records[*position];
        let is_local = || record.node().string("subtype").as_deref() == Some("local_command");
        record.in_main()
            && !ledger.is_duplicate(*position)
            && (record.is("user") || record.is("assistant") || (record.is("system") && is_local()))
    };
    let next = (command + 1..ledger.records.len()).find(tells)?;
    let record = &ledger.records[next];
    let is_local = |text: &str| LOCAL_COMMANDS.iter().any(|it| text.trim_start().starts_with(it));
    let expands = record.is("user") && record.is_meta() && !texts(ledger, next).any(is_local);
    let is_error = record.is("assistant") && record.node().flag("isApiErrorMessage");
    (expands || is_error || record.reports_call()).then_some(next)
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
