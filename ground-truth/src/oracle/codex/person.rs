//! What a person wrote: prompts, interruptions and turns.
//!
//! `docs/formats/codex.md`, "What a person wrote".

use std::collections::BTreeSet;

use super::super::json::Node;
use super::super::turns::Turns;
use super::ledger::{Ledger, is_persons, item_content, message_text};
use super::record::Record;

/// What stands before a request that an editor wrapped.
const REQUEST: &str = "## My request for Codex:";

/// How texts start that no person wrote.
const NOT_WRITTEN: [&str; 5] = [
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<subagent_notification>",
    "# AGENTS.md instructions",
];

/// A prompt: what the person wrote, and its record's position.
#[derive(Debug, Clone)]
pub(super) struct Prompt {
    pub(super) record: usize,
    pub(super) text: String,
}

/// All prompts, in order.
pub(super) fn prompts(ledger: &Ledger) -> Vec<Prompt> {
    let records = ledger.records.iter().enumerate();
    records.filter_map(|(at, it)| Some(Prompt { record: at, text: prompt(it)? })).collect()
}

fn prompt(record: &Record) -> Option<String> {
    let payload = record.payload().filter(|_| record.in_main() && record.is_own())?;
    let kind = payload.get("kind").and_then(|kind| kind.value().text());
    if !is_persons(record) || kind.is_some_and(|kind| kind != "plain") {
        return None;
    }
    let text = message_text(&payload);
    let text = text.split_once(REQUEST).map_or(text.as_str(), |(_, request)| request).trim();
    if NOT_WRITTEN.iter().any(|start| text.starts_with(start)) {
        return None;
    }
    if !text.is_empty() {
        return Some(text.to_owned());
    }
    has_picture(&payload).then(|| "[image]".to_owned())
}

/// Whether "`images` or `local_images` is an array that is not empty, or `item.content` has an object whose `type`
/// is `image` or `local_image`".
fn has_picture(payload: &Node) -> bool {
    let is_filled =
        |key| payload.get(key).and_then(|list| list.items()).is_some_and(|it| !it.is_empty());
    let is_picture =
        |block: &Node| matches!(block.string("type").as_deref(), Some("image" | "local_image"));
    is_filled("images") || is_filled("local_images") || item_content(payload).iter().any(is_picture)
}

/// The positions of the interruptions of all threads.
pub(super) fn interruptions(ledger: &Ledger) -> BTreeSet<usize> {
    let records = ledger.records.iter().enumerate();
    let is_interruption =
        |record: &Record| record.is_own() && record.is("event_msg", "turn_aborted");
    records.filter(|(_, record)| is_interruption(record)).map(|(at, _)| at).collect()
}

/// The turns that these prompts begin, with what `thread_rolled_back` took out of force.
pub(super) fn turns(ledger: &Ledger, prompts: &[Prompt]) -> Turns {
    let starts_with_prompt = prompts.first().is_some_and(|prompt| prompt.record == 0);
    let mut parents: Vec<usize> = Vec::new();
    // The newest turn in force, and whether the next prompt does not simply follow it.
    let (mut newest, mut is_rolled_back) = (0, false);
    for (at, record) in ledger.records.iter().enumerate() {
        if prompts.get(parents.len()).is_some_and(|prompt| prompt.record == at) {
            let before = parents.len();
            let is_unlinked = is_rolled_back && newest == 0 && starts_with_prompt;
            parents.push(if is_unlinked { before } else { newest });
            (newest, is_rolled_back) = (parents.len(), false);
        } else if record.in_main()
            && record.is_own()
            && record.is("event_msg", "thread_rolled_back")
        {
            let turns = record.payload().map_or(0, |payload| payload.count("num_turns"));
            for _ in 0..turns.min(parents.len() as u64) {
                newest = newest.checked_sub(1).map_or(0, |at| parents[at]);
            }
            is_rolled_back = true;
        }
    }
    Turns::with_parents(prompts.iter().map(|prompt| prompt.record).zip(parents))
}
