//! The items of a run: what was said, called and answered in its main thread, taken while it is folded.

use trace_model::event::{Body, Event, Record, Source, Thread, ToolRole, Turn};
use trace_model::fold::RunState;

use super::input::Node;
use super::normal::normal;

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// Said by the agent.
    Said,
    /// Put to the agent.
    Put,
    /// The vendor's summary.
    Summary,
    /// A call.
    Call,
    /// What a call was answered.
    Result,
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// Its id.
    pub(super) id: Option<String>,
    /// The tool.
    pub(super) tool: String,
    /// Whether the tool shows files.
    pub(super) reads: bool,
    /// Whether the tool writes files.
    pub(super) writes: bool,
    /// Its input.
    pub(super) input: Node,
    /// The files that a patch in it names.
    pub(super) patched: Vec<String>,
}

/// An item.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// What it is.
    pub(super) kind: ItemKind,
    /// Its text as written.
    pub(super) text: String,
    /// The same in normal form.
    pub(super) normal: String,
    /// Where its record begins in the session's file.
    pub(super) offset: usize,
    /// Whether a person wrote it.
    pub(super) by_person: bool,
    /// Whether it is the message of a prompt of a person.
    pub(super) is_prompt: bool,
    /// The call, if it is one.
    pub(super) call: Option<Call>,
    /// Of a result: the id of its call, and whether it failed.
    pub(super) answers: Option<(String, bool)>,
}

impl Item {
    fn new(kind: ItemKind, text: String) -> Self {
        let normal = normal(&text);
        Self {
            kind,
            text,
            normal,
            offset: 0,
            by_person: false,
            is_prompt: false,
            call: None,
            answers: None,
        }
    }

    /// The item of an event; none if it is none.
    fn of(record: &Record<'_>, event: &Event<'_>) -> Option<Self> {
        match &event.body {
            Body::Message(text) => {
                let kind = match event.source {
                    Source::Agent => ItemKind::Said,
                    _ if record.summarises => ItemKind::Summary,
                    _ => ItemKind::Put,
                };
                Some(Self::new(kind, text.clone().into_owned()))
            }
            Body::ToolCall { id, name, role, input, paths, .. } => {
                let input = input.as_deref().map_or(Node::Other, |raw| Node::parse(raw.get()));
                let call = Call {
                    id: id.as_deref().map(str::to_owned),
                    tool: name.clone().into_owned(),
                    reads: *role == ToolRole::Reader,
                    writes: *role == ToolRole::Writer,
                    patched: paths.iter().map(ToString::to_string).collect(),
                    input,
                };
                let text = call.input.text();
                Some(Self { call: Some(call), ..Self::new(ItemKind::Call, text) })
            }
            Body::ToolResult { call_id, outcome, text } => {
                let failed = *outcome != trace_model::event::Outcome::Succeeded;
                let answers = call_id.as_deref().map(|id| (id.to_owned(), failed));
                Some(Self { answers, ..Self::new(ItemKind::Result, text.clone().into_owned()) })
            }
            _ => None,
        }
    }
}

/// What a record adds to the items of a run.
pub(super) enum Step {
    /// An item.
    Item(Box<Item>),
    /// The context was compacted here.
    Compaction,
}

/// What a record of the session's file that is about to be folded adds, in order.
pub(super) fn steps(state: &RunState, record: &Record<'_>) -> Vec<Step> {
    if record.thread != Thread::Main {
        return Vec::new();
    }
    let mut is_prompt = matches!(record.turn, Turn::Prompt(_));
    let mut steps = Vec::new();
    for event in record.events.iter().filter(|event| !state.has_seen(record, event)) {
        if matches!(event.body, Body::Compaction(_)) {
            steps.push(Step::Compaction);
        } else if let Some(mut item) = Item::of(record, event) {
            item.offset = usize::try_from(record.at.offset.0).unwrap_or(usize::MAX);
            item.by_person = item.kind == ItemKind::Put && event.source == Source::User;
            // A prompt of several blocks begins with its first one.
            item.is_prompt = item.kind == ItemKind::Put && std::mem::take(&mut is_prompt);
            steps.push(Step::Item(Box::new(item)));
        }
    }
    steps
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::continuation::replay) fn said(text: &str) -> Item {
        Item::new(ItemKind::Said, text.to_owned())
    }

    pub(in crate::continuation::replay) fn prompt(text: &str) -> Item {
        Item { is_prompt: true, by_person: true, ..Item::new(ItemKind::Put, text.to_owned()) }
    }

    pub(in crate::continuation::replay) fn result(text: &str) -> Item {
        Item::new(ItemKind::Result, text.to_owned())
    }

    pub(in crate::continuation::replay) fn summary(text: &str) -> Item {
        Item::new(ItemKind::Summary, text.to_owned())
    }

    pub(in crate::continuation::replay) fn call(json: &str) -> Item {
        let input = Node::parse(json);
        let text = input.text();
        let call = Call {
            id: None,
            tool: "Bash".to_owned(),
            reads: false,
            writes: false,
            input,
            patched: Vec::new(),
        };
        Item { call: Some(call), ..Item::new(ItemKind::Call, text) }
    }
}
