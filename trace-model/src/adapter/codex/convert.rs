//! From a record's JSON shape to its meaning, as `docs/formats/codex.md` sets it down.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::agents::{AgentCalls, notice};
use super::fork::Fork;
use super::plan;
use super::prompts::{Links, Prompts, typed};
use super::record_types::{is_known_event, is_known_type};
use super::results::{answer, stated};
use super::said_twice::{SaidTwice, Told};
use super::shape::{Block, Content, Envelope, Payload, Text, plain, read};
use super::tools::Tool;
use super::usage::{CallKey, Counter, StatedCall};
use crate::adapter::boundary::FileRole;
use crate::adapter::lenient::{AnyField, Shape as _};
use crate::event::{
    ApiReport, Background, Body, Event, Outcome, RawRef, Record, SessionNote, Source, Thread, Turn,
    Withheld,
};
use crate::ids::Sha256;

/// What is kept of the records before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Memory {
    fork: Fork,
    prompts: Prompts,
    said: SaidTwice,
    /// The model of the turn.
    model: Option<String>,
    counter: Counter,
    /// How calls in flight ended, as events before their results say.
    ends: BTreeMap<String, Outcome>,
    agents: AgentCalls,
}

/// What a record means beside its events.
#[derive(Default)]
struct Meaning<'a> {
    turn: Turn<'a>,
    links: Option<Links>,
    note: SessionNote<'a>,
    api: Option<ApiReport<'a>>,
    background: Background<'a>,
    retry: bool,
}

impl Memory {
    /// Reads the next record out of its JSON shape.
    pub(super) fn record<'a>(
        &mut self,
        envelope: Envelope<'a>,
        at: RawRef,
        role: &FileRole,
    ) -> Record<'a> {
        let mut degraded = Vec::new();
        envelope.collect_odd_within(&mut degraded);
        let time = envelope.time.value.map(|time| time.0);
        let thread = match &role.agent {
            Some(agent) => Thread::Agent(Cow::Owned(agent.clone())),
            None => Thread::Main,
        };
        let main = role.agent.is_none();
        let replayed = self.fork.take(&envelope);
        let kind = envelope.kind.value.unwrap_or_default();
        let payload = envelope.payload.value;
        let mut meaning = Meaning::default();
        let events = if replayed {
            self.replay(&kind, payload.as_deref());
            vec![bookkeeping(Cow::Borrowed("replayed"))]
        } else {
            let events = self.own(&kind, payload, main, &mut meaning);
            debug_assert!(!events.is_empty(), "every record gives an event");
            events
        };
        let Meaning { turn, links, note, api, background, retry } = meaning;
        let (uuid, parent) = match links {
            Some(Links { own, parent }) => (Some(own), parent),
            None => (if main { self.prompts.root() } else { None }, None),
        };
        Record {
            at,
            uuid: uuid.map(Cow::Owned),
            parent: parent.map(Cow::Owned),
            time,
            thread,
            wrapper: None,
            sidechain: false,
            launched_by: role.launched_by.clone().map(Cow::Owned),
            api,
            sums: None,
            turn,
            command: None,
            tells: None,
            exchange: events.iter().any(|event| matches!(event.body, Body::Message(_))),
            summarises: false,
            background,
            remarks: Vec::new(),
            retry,
            progress: None,
            note,
            written: None,
            degraded,
            events,
        }
    }

    /// Keeps what own records that follow need of a replayed one.
    fn replay(&mut self, kind: &str, payload: Option<&Payload<'_>>) {
        let Some(payload) = payload else { return };
        match (kind, payload.kind.value.as_deref()) {
            ("turn_context", _) => self.take_model(payload),
            ("event_msg", Some("token_count")) => {
                if let Some(info) = &payload.info.0 {
                    self.counter.take_totals(info, false);
                }
            }
            _ => {}
        }
    }

    fn take_model(&mut self, payload: &Payload<'_>) {
        if let Some(model) = payload.model.0.as_deref().filter(|model| !model.is_empty())
            && self.model.as_deref() != Some(model)
        {
            self.model = Some(model.to_owned());
        }
    }

    fn own<'a>(
        &mut self,
        kind: &Text<'a>,
        payload: Option<Box<Payload<'a>>>,
        main: bool,
        meaning: &mut Meaning<'a>,
    ) -> Vec<Event<'a>> {
        let Some(payload) = payload else {
            let has_parts = matches!(kind.as_ref(), "event_msg" | "response_item");
            return vec![match kind.as_ref() {
                "compacted" => event(Source::System, Body::Compaction(Cow::Borrowed(""))),
                known if is_known_type(known) && !has_parts => bookkeeping(kind.clone()),
                _ => unknown(kind.clone()),
            }];
        };
        match kind.as_ref() {
            "response_item" => return self.item(*payload, meaning),
            "event_msg" => return self.event(*payload, main, meaning),
            "compacted" => return vec![event(Source::System, Body::Compaction(Cow::Borrowed("")))],
            "session_meta" => self.describe_thread(*payload, meaning),
            "turn_context" => self.describe_turn(*payload, meaning),
            "token_usage_record" => self.count_response(&payload, meaning),
            known if is_known_type(known) => {}
            _ => return vec![unknown(kind.clone())],
        }
        vec![bookkeeping(kind.clone())]
    }

    fn describe_thread<'a>(&mut self, payload: Payload<'a>, meaning: &mut Meaning<'a>) {
        meaning.note = SessionNote {
            session: self.fork.thread().map(|thread| Cow::Owned(thread.to_owned())),
            cwd: payload.cwd.value,
            client_version: payload.version.value,
            branch: payload.git.0.and_then(|git| git.branch.value),
            ..SessionNote::default()
        };
    }

    fn describe_turn<'a>(&mut self, payload: Payload<'a>, meaning: &mut Meaning<'a>) {
        self.take_model(&payload);
        let approval = word(payload.approval, &[]);
        let sandbox = word(payload.sandbox, &["type", "mode"]);
        meaning.note = SessionNote {
            cwd: payload.cwd.value,
            asks_approval: approval.as_deref().map(|approval| approval != "never"),
            permission_mode: match (approval, sandbox) {
                (Some(approval), Some(sandbox)) => Some(format!("{approval}, {sandbox}").into()),
                (approval, _) => approval.map(Cow::Owned),
            },
            ..SessionNote::default()
        };
    }

    fn item<'a>(&mut self, payload: Payload<'a>, meaning: &mut Meaning<'a>) -> Vec<Event<'a>> {
        let kind = payload.kind.value.clone().unwrap_or_default();
        let call = |id: Option<Text<'a>>, tool: Tool<'a>, input: Option<Cow<'a, RawValue>>| {
            let written = input.as_deref().map(RawValue::get);
            let (role, paths) = (tool.role(), tool.paths(written));
            let plan = plan::change(&tool, written).map(Box::new);
            event(Source::Agent, Body::ToolCall { id, name: tool.name, role, input, paths, plan })
        };
        match kind.as_ref() {
            "message" => self.message(&payload, meaning),
            "reasoning" => {
                let texts =
                    [payload.summary, payload.content].into_iter().filter_map(read::<Content<'a>>);
                let texts: Vec<Text<'a>> =
                    texts.map(Content::into_text).filter(|text| !text.is_empty()).collect();
                let text: Text<'a> = match <[Text<'a>; 1]>::try_from(texts) {
                    Ok([text]) => text,
                    Err(texts) => Cow::Owned(texts.join("\n")),
                };
                let withheld = if text.is_empty() { Withheld::Untold } else { Withheld::Nothing };
                vec![Event { withheld, ..event(Source::Agent, Body::Thinking(text)) }]
            }
            "function_call" | "custom_tool_call" => {
                let tool = Tool::of(&payload);
                let written =
                    if kind == "function_call" { payload.arguments } else { payload.input };
                let input = if kind == "function_call" { decoded(written) } else { raw(written) };
                let id = id(payload.call_id.value);
                if let Some(id) = &id {
                    self.agents.issue(id, &tool, input.as_deref().map(RawValue::get));
                }
                vec![call(id, tool, input)]
            }
            "local_shell_call" => {
                let id = id(payload.call_id.value).or_else(|| self::id(payload.id.value));
                vec![call(id, Tool::named("local_shell"), raw(payload.action))]
            }
            "tool_search_call" => {
                let id = id(payload.call_id.value);
                vec![call(id, Tool::named("tool_search"), raw(payload.arguments))]
            }
            "web_search_call" => vec![call(None, Tool::named("web_search"), raw(payload.action))],
            "image_generation_call" => vec![call(None, Tool::named("image_generation"), None)],
            "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                vec![self.result(payload, meaning)]
            }
            "agent_message" | "additional_tools" | "ghost_snapshot" | "compaction"
            | "compaction_summary" | "compaction_trigger" | "context_compaction" => {
                vec![bookkeeping(kind)]
            }
            _ => vec![unknown(kind)],
        }
    }

    fn result<'a>(&mut self, payload: Payload<'a>, meaning: &mut Meaning<'a>) -> Event<'a> {
        let stated = payload.call_id.value.as_deref().and_then(|id| self.ends.remove(id));
        let answer = answer(&payload, stated);
        let call_id = id(payload.call_id.value);
        let said =
            call_id.as_deref().and_then(|id| self.agents.answer(id, &answer.text, answer.outcome));
        meaning.background = said.unwrap_or_default();
        let body = Body::ToolResult { call_id, outcome: answer.outcome, text: answer.text };
        event(Source::Tool, body)
    }

    fn message<'a>(&mut self, payload: &Payload<'a>, meaning: &mut Meaning<'a>) -> Vec<Event<'a>> {
        let role = payload.role.0.clone().unwrap_or_default();
        let content = read::<Content<'a>>(payload.content);
        if role != "assistant" {
            if role == "user" {
                meaning.background.reports.extend(first_text(content).and_then(|t| notice(&t)));
            }
            return vec![bookkeeping(role)];
        }
        let blocks = match content {
            Some(Content::Text(text)) => vec![Block::Text(text)],
            Some(Content::Blocks(blocks)) if !blocks.is_empty() => blocks,
            _ => vec![Block::Text(Cow::Borrowed(""))],
        };
        (0..).zip(blocks).map(|(at, block)| Event { block: at, ..self.block(block) }).collect()
    }

    fn block<'a>(&mut self, block: Block<'a>) -> Event<'a> {
        let text = match block {
            Block::Text(text) => text,
            Block::Odd => return unknown(Cow::Borrowed("")),
            Block::Part(part) => {
                let kind = part.kind.value.unwrap_or_default();
                match kind.as_ref() {
                    "output_text" | "input_text" | "text" => part.text.value.unwrap_or_default(),
                    "refusal" => part.refusal.value.unwrap_or_default(),
                    other if other.ends_with("_image") || other.ends_with("_file") => {
                        return event(Source::Agent, Body::Attachment(kind));
                    }
                    _ => return unknown(kind),
                }
            }
        };
        self.answer_text(Told::Item, text)
    }

    /// What the agent said, unless it is the copy of what it said before.
    fn answer_text<'a>(&mut self, told: Told, text: Text<'a>) -> Event<'a> {
        if self.said.is_copy(told, &text) {
            return bookkeeping(Cow::Borrowed("copy"));
        }
        event(Source::Agent, Body::Message(text))
    }

    fn event<'a>(
        &mut self,
        payload: Payload<'a>,
        main: bool,
        meaning: &mut Meaning<'a>,
    ) -> Vec<Event<'a>> {
        let kind = payload.kind.value.clone().unwrap_or_default();
        let item = payload.item.0.as_ref().and_then(|item| item.kind.value.as_deref());
        let spoken = match (kind.as_ref(), item) {
            ("user_message", _) | ("item_completed", Some("UserMessage")) => Some(Source::User),
            ("agent_message", _) | ("item_completed", Some("AgentMessage")) => Some(Source::Agent),
            _ => None,
        };
        if let Some(source) = spoken {
            return vec![self.spoken(source, payload, main, meaning)];
        }
        match kind.as_ref() {
            "error" => {
                let text = payload.message.0.unwrap_or_default();
                return vec![event(Source::System, Body::Error(text))];
            }
            "task_started" => self.said.forget(),
            "turn_aborted" => meaning.turn = Turn::Interruption,
            "stream_error" => meaning.retry = true,
            "thread_name_updated" => meaning.note.title = payload.title.0,
            "thread_rolled_back" => {
                self.prompts.roll_back(payload.rolled_back.value.map_or(0, |turns| turns.0));
            }
            "token_count" => {
                let told = payload.info.0.and_then(|info| self.counter.take_totals(&info, true));
                meaning.api = told.map(|call| self.report(&call));
            }
            kind => {
                if let (Some(id), Some(end)) =
                    (id(payload.call_id.value.as_deref()), stated(kind, &payload))
                {
                    self.ends.insert(id.to_owned(), end);
                }
            }
        }
        vec![if is_known_event(&kind) { bookkeeping(kind) } else { unknown(kind) }]
    }

    fn spoken<'a>(
        &mut self,
        source: Source,
        payload: Payload<'a>,
        main: bool,
        meaning: &mut Meaning<'a>,
    ) -> Event<'a> {
        let content = payload.item.0.and_then(|item| item.content.value);
        let has_image = is_filled(payload.images)
            || is_filled(payload.local_images)
            || content.as_ref().is_some_and(has_image);
        let text = payload.message.0.or_else(|| content.map(Content::into_text));
        let text = text.unwrap_or_default();
        if source == Source::Agent {
            return self.answer_text(Told::Event, text);
        }
        self.said.forget();
        let is_plain = payload.input_kind.0.is_none_or(|kind| kind == "plain");
        let prompt = if main && is_plain { typed(&text, has_image) } else { None };
        let Some(prompt) = prompt.map(Cow::into_owned) else {
            return event(Source::Meta, Body::Message(text));
        };
        meaning.turn = Turn::Prompt(Cow::Owned(prompt));
        meaning.links = Some(self.prompts.next());
        event(Source::User, Body::Message(text))
    }

    fn count_response(&mut self, payload: &Payload<'_>, meaning: &mut Meaning<'_>) {
        let stated = |text: &Option<Text<'_>>| {
            text.as_deref().filter(|id| !id.is_empty()).map(str::to_owned)
        };
        let thread = stated(&payload.thread.0);
        if thread.is_some() && thread.as_deref() != self.fork.thread() {
            return;
        }
        let Some(usage) = &payload.usage.0 else { return };
        let told = self.counter.take_response(usage, stated(&payload.response.0).as_deref());
        meaning.api = told.map(|call| self.report(&call));
    }

    fn report<'a>(&self, call: &StatedCall) -> ApiReport<'a> {
        let id = match &call.key {
            CallKey::Response(id) => id.clone(),
            CallKey::Number(number) => {
                format!("{} {number}", self.fork.thread().unwrap_or_default())
            }
        };
        ApiReport {
            message_id: Some(Cow::Owned(id)),
            model: self.model.clone().map(Cow::Owned),
            usage: call.usage.classes(),
            states_output: true,
            stopped: true,
            ..ApiReport::default()
        }
    }
}

fn event(source: Source, body: Body<'_>) -> Event<'_> {
    let sha256 = Sha256::of(body.text());
    Event { block: 0, source, body, sha256, withheld: Withheld::Nothing }
}

fn bookkeeping(label: Text<'_>) -> Event<'_> {
    event(Source::System, Body::SessionMeta(label))
}

fn unknown(label: Text<'_>) -> Event<'_> {
    event(Source::System, Body::Unknown(label))
}

/// An identifier; an empty one identifies nothing.
fn id<T: AsRef<str>>(id: Option<T>) -> Option<T> {
    id.filter(|id| !id.as_ref().is_empty())
}

/// A value as written; `null` is none.
fn raw(field: AnyField<'_>) -> Option<Cow<'_, RawValue>> {
    field.0.filter(|raw| raw.get() != "null").map(Cow::Borrowed)
}

/// The JSON that a string holds; what holds none, or is no string, is as written.
fn decoded(field: AnyField<'_>) -> Option<Cow<'_, RawValue>> {
    let held = plain::<String>(field).and_then(|text| RawValue::from_string(text).ok());
    held.map(Cow::Owned).or_else(|| raw(field))
}

/// The text of a content's first block.
fn first_text(content: Option<Content<'_>>) -> Option<Text<'_>> {
    match content? {
        Content::Text(text) => Some(text),
        Content::Blocks(blocks) => match blocks.into_iter().next()? {
            Block::Part(part) => part.text.value,
            Block::Text(text) => Some(text),
            Block::Odd => None,
        },
    }
}

fn is_filled(list: AnyField<'_>) -> bool {
    plain::<Vec<&RawValue>>(list).is_some_and(|list| !list.is_empty())
}

fn has_image(content: &Content<'_>) -> bool {
    let Content::Blocks(blocks) = content else { return false };
    blocks.iter().any(|block| {
        matches!(block, Block::Part(part)
            if matches!(part.kind.value.as_deref(), Some("image" | "local_image")))
    })
}

/// The word of a policy: a string; of an object the first of these fields that is one, or its first key
/// where none is named.
fn word(field: AnyField<'_>, names: &[&str]) -> Option<String> {
    let value: serde_json::Value = plain(field)?;
    match value {
        serde_json::Value::String(word) => Some(word),
        serde_json::Value::Object(map) if names.is_empty() => {
            map.keys().min_by_key(|key| key.as_bytes()).cloned()
        }
        serde_json::Value::Object(map) => {
            names.iter().find_map(|name| map.get(*name)?.as_str()).map(str::to_owned)
        }
        _ => None,
    }
    .filter(|word| !word.is_empty())
}
