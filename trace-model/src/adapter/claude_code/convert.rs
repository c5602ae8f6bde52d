//! From a record's JSON shape to its meaning, as `docs/DEFINITIONS.md` sets it down.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::event::{
    ApiReport, Background, Body, ClientSums, CommandMeaning, Event, EventKind, Iteration, Outcome,
    Progress, RawRef, RawUsage, Record, SessionNote, Source, StatedTokens, TaskReport, Thread,
    Turn, Withheld, Wrapper,
};
use crate::ids::{Digest64, Sha256};

use super::harness_text::{
    INTERRUPTION, command, is_caveat, is_interruption, typed_part, typed_parts,
};
use super::record_types::{is_bookkeeping, is_spoken};
use super::shape::{Attachment, Block, BlockItem, Blocks, Envelope, Message, MessageObject, Usage};
use super::{background, plan, remarks, tools};
use crate::adapter::boundary::FileRole;
use crate::adapter::lenient::{Count, Field, Shape};

/// The model name of answers that the client made up itself.
const SYNTHETIC_MODEL: &str = "<synthetic>";

/// The tool of a call that names none.
const UNNAMED_TOOL: &str = "unknown";

/// Start of a refused call's result in clients that write no `toolDenialKind`.
const DENIALS: [&str; 3] = [
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action",
    "Permission to use ",
];

/// What the result of a call starts with that the client gave up because of another one.
const CANCELLATIONS: [&str; 3] = [
    "Sibling tool call errored",
    "Cancelled: parallel tool call",
    "Error: Streaming fallback - tool execution discarded",
];

/// Reads a record out of its JSON shape; `json` is the record as written.
pub(super) fn record<'a>(
    mut outer: Box<Envelope<'a>>,
    json: &str,
    at: RawRef,
    role: &FileRole,
) -> Record<'a> {
    match take_inner(&mut outer) {
        Some((inner, agent)) => {
            let mut degraded = odd_fields(&outer);
            let launched_by = id(std::mem::take(&mut outer.launched_by));
            let mut record = plain(inner, json, at, role, agent);
            degraded.append(&mut record.degraded);
            record.degraded = degraded;
            // The inner record stands for the outer one.
            record.written = record.written.map(|whole| inner_json(json).map_or(whole, digest));
            let main = role.agent.is_none()
                && outer.sidechain.value != Some(true)
                && id(outer.agent).is_none()
                && id(outer.parent_tool_use).is_none();
            let (uuid, parent) = (id(outer.uuid), id(outer.parent));
            record.wrapper = Some(Wrapper { uuid, parent, main });
            record.launched_by = launched_by.or(record.launched_by);
            record.time = record.time.or(outer.timestamp.value.map(|t| t.0));
            record.note.session = record.note.session.or(outer.session.value.take());
            record
        }
        None => plain(outer, json, at, role, None),
    }
}

/// The record that an `agent_progress` record carries, as written.
fn inner_json(json: &str) -> Option<&str> {
    #[derive(Deserialize)]
    struct Outer<'a> {
        #[serde(borrow)]
        data: Data<'a>,
    }
    #[derive(Deserialize)]
    struct Data<'a> {
        #[serde(borrow)]
        message: &'a RawValue,
    }
    serde_json::from_str::<Outer<'_>>(json).ok().map(|outer| outer.data.message.get())
}

fn digest(json: &str) -> Digest64 {
    Digest64::of(json.trim())
}

/// The record that an `agent_progress` record carries, and its agent.
fn take_inner<'a>(outer: &mut Envelope<'a>) -> Option<(Box<Envelope<'a>>, Option<Cow<'a, str>>)> {
    if outer.kind.value.as_deref() != Some("progress") {
        return None;
    }
    let data = outer.data.value.as_mut()?;
    if data.kind.value.as_deref() != Some("agent_progress") {
        return None;
    }
    let inner = data.message.value.as_ref()?;
    if inner.message.odd || inner.message.value.is_none() {
        return None;
    }
    let inner = data.message.value.take()?;
    Some((inner, id(std::mem::take(&mut data.agent))))
}

fn plain<'a>(
    mut envelope: Box<Envelope<'a>>,
    json: &str,
    at: RawRef,
    role: &FileRole,
    progress_agent: Option<Cow<'a, str>>,
) -> Record<'a> {
    let degraded = odd_fields(&envelope);
    let sidechain = envelope.sidechain.value == Some(true);
    let launcher = id(std::mem::take(&mut envelope.parent_tool_use));
    let thread = thread(&mut envelope, role, progress_agent, launcher.as_ref(), sidechain);
    let launched_by = launcher.or_else(|| role_launcher(role, &thread));
    let api = api_report(&mut envelope);
    let sums = client_sums(&mut envelope);
    // Only records in a person's place are searched for their meaning.
    let texts = if is_type(&envelope, "user") { texts(&envelope) } else { Vec::new() };
    let turn = turn(&envelope, &thread, &texts);
    let command = typed_command(&envelope, &thread, &turn, &texts);
    let tells = tells(&envelope, api.is_some(), &texts);
    let exchange = is_type(&envelope, "user") || is_type(&envelope, "assistant");
    let summarises = envelope.compact_summary.value == Some(true);
    let reports = task_reports(&envelope, &texts);
    let retry = is_type(&envelope, "system") && subtype(&envelope) == Some("api_error");
    let progress = progress(&mut envelope);
    let events = events(&mut envelope, &turn);
    let uuid = id(std::mem::take(&mut envelope.uuid));
    let is_alike = |event: &Event<'_>| {
        matches!(event.body.kind(), EventKind::Unknown | EventKind::SessionMeta)
    };
    let written = (uuid.is_some() && events.iter().any(is_alike)).then(|| digest(json));
    let results = background::of_results(envelope.tool_use_result.0.take(), &events);
    let remarks = remarks::of_results(&events);
    Record {
        at,
        parent: id(std::mem::take(&mut envelope.parent)),
        time: envelope.timestamp.value.map(|t| t.0),
        thread,
        wrapper: None,
        sidechain,
        launched_by,
        api,
        sums,
        turn,
        command,
        tells,
        exchange,
        summarises,
        background: Background { reports, ..results },
        remarks,
        retry,
        progress,
        note: note(&mut envelope),
        uuid,
        written,
        degraded,
        events,
    }
}

/// An identifier; an empty one identifies nothing.
fn id(field: Field<Cow<'_, str>>) -> Option<Cow<'_, str>> {
    field.value.filter(|id| !id.is_empty())
}

fn is_type(envelope: &Envelope<'_>, kind: &str) -> bool {
    envelope.kind.value.as_deref() == Some(kind)
}

fn subtype<'e>(envelope: &'e Envelope<'_>) -> Option<&'e str> {
    envelope.subtype.value.as_deref()
}

fn thread<'a>(
    envelope: &mut Envelope<'a>,
    role: &FileRole,
    progress_agent: Option<Cow<'a, str>>,
    launcher: Option<&Cow<'a, str>>,
    sidechain: bool,
) -> Thread<'a> {
    progress_agent
        .or_else(|| id(std::mem::take(&mut envelope.agent)))
        .or_else(|| launcher.cloned())
        .or_else(|| role.agent.clone().map(Cow::Owned))
        .map_or(if sidechain { Thread::Sidechain } else { Thread::Main }, Thread::Agent)
}

/// The call that launched a file's agent, for a record that is that agent's.
fn role_launcher<'a>(role: &FileRole, thread: &Thread<'_>) -> Option<Cow<'a, str>> {
    let Thread::Agent(agent) = thread else { return None };
    let own = role.agent.as_deref() == Some(agent.as_ref());
    own.then(|| role.launched_by.clone()).flatten().map(Cow::Owned)
}

fn note<'a>(envelope: &mut Envelope<'a>) -> SessionNote<'a> {
    SessionNote {
        session: (envelope.session.value.take())
            .or_else(|| id(std::mem::take(&mut envelope.stream_session))),
        cwd: envelope.cwd.value.take(),
        client_version: envelope.version.value.take(),
        branch: envelope.branch.value.take(),
        title: (envelope.custom_title.value.take())
            .or_else(|| envelope.ai_title.value.take())
            .or_else(|| envelope.summary.value.take()),
        asks_approval: envelope.permission_mode.value.as_deref().map(asks_approval),
        permission_mode: envelope.permission_mode.value.take(),
    }
}

/// Whether the client asks a person before it lets tools run in this permission mode. In mode `auto` a
/// classifier decides in the person's place.
fn asks_approval(mode: &str) -> bool {
    !matches!(mode, "bypassPermissions" | "dontAsk" | "auto")
}

/// What a progress record says of the call that it belongs to: that a hook runs after it, or that it runs.
fn progress<'a>(envelope: &mut Envelope<'a>) -> Option<Progress<'a>> {
    if !is_type(envelope, "progress") {
        return None;
    }
    let data = envelope.data.value.as_ref()?;
    let hook = data.hook_event.value.as_deref();
    let is_hook = data.kind.value.as_deref() == Some("hook_progress");
    let call = id(std::mem::take(&mut envelope.launched_by))?;
    match (is_hook, hook) {
        (false, _) => Some(Progress::Started(call)),
        (true, Some("PostToolUse" | "PostToolUseFailure")) => Some(Progress::Returned(call)),
        // Other hooks run before the tool, or belong to no call.
        (true, _) => None,
    }
}

fn odd_fields(envelope: &Envelope<'_>) -> Vec<&'static str> {
    let mut odd = Vec::new();
    envelope.collect_odd_within(&mut odd);
    odd
}

/// Content blocks of a record, if it has any.
fn items<'e, 'a>(envelope: &'e Envelope<'a>) -> &'e [BlockItem<'a>] {
    match envelope.message.value.as_ref().and_then(|m| m.object.content.value.as_ref()) {
        Some(Blocks::List(items)) => items,
        _ => &[],
    }
}

/// The texts of a user record: of its string content, its text blocks, its bare strings.
fn texts<'e>(envelope: &'e Envelope<'_>) -> Vec<&'e str> {
    let content = envelope.message.value.as_ref().and_then(|m| m.object.content.value.as_ref());
    match content {
        Some(Blocks::Text(text)) => vec![text],
        Some(Blocks::List(items)) => items
            .iter()
            .filter_map(|item| match item {
                BlockItem::Text(text) => Some(text.as_ref()),
                BlockItem::Block(block) if block.kind.value.as_deref() == Some("text") => {
                    block.text.value.as_deref()
                }
                _ => None,
            })
            .collect(),
        None => Vec::new(),
    }
}

fn block_types<'e>(envelope: &'e Envelope<'_>) -> impl Iterator<Item = &'e str> {
    items(envelope).iter().filter_map(|item| match item {
        BlockItem::Block(block) => block.kind.value.as_deref(),
        _ => None,
    })
}

fn is_result(block_type: &str) -> bool {
    block_type == "tool_result" || block_type.ends_with("_tool_result")
}

fn is_picture(block_type: &str) -> bool {
    matches!(block_type, "image" | "document")
}

fn turn<'a>(envelope: &Envelope<'a>, thread: &Thread<'_>, texts: &[&str]) -> Turn<'a> {
    match envelope.kind.value.as_deref() {
        Some("user") => user_turn(envelope, thread, texts),
        Some("attachment") if *thread == Thread::Main => queued_turn(envelope),
        _ => Turn::None,
    }
}

fn user_turn<'a>(envelope: &Envelope<'_>, thread: &Thread<'_>, texts: &[&str]) -> Turn<'a> {
    let may_be_typed = *thread == Thread::Main && may_be_typed(envelope);
    if may_be_typed && let Some(text) = typed_parts(texts.iter().copied()) {
        return Turn::Prompt(Cow::Owned(text.into_owned()));
    }
    if has_results(envelope) {
        return Turn::None;
    }
    if may_be_typed {
        let interrupted = texts.iter().any(|text| is_interruption(text));
        if block_types(envelope).any(is_picture) && !interrupted {
            return Turn::Prompt(Cow::Borrowed("[image]"));
        }
    }
    if texts.iter().any(|text| is_interruption(text)) { Turn::Interruption } else { Turn::None }
}

/// Whether a record holds results of calls.
fn has_results(envelope: &Envelope<'_>) -> bool {
    block_types(envelope).any(is_result)
}

fn may_be_typed(envelope: &Envelope<'_>) -> bool {
    let by_harness = is_meta(envelope)
        || [&envelope.compact_summary, &envelope.transcript_only]
            .into_iter()
            .any(|flag| flag.value == Some(true));
    let by_tool = envelope.source_tool_use.value.as_deref().is_some_and(|id| !id.is_empty());
    let origin = envelope.origin.value.as_ref().and_then(|o| o.kind.value.as_deref());
    !by_harness && !by_tool && origin.is_none_or(|kind| kind == "human")
}

/// Whether the client wrote the record in a person's place.
fn is_meta(envelope: &Envelope<'_>) -> bool {
    envelope.meta.value == Some(true) || envelope.synthetic.value == Some(true)
}

/// The command a person typed, for a record whose text is not a prompt.
fn typed_command<'a>(
    envelope: &Envelope<'a>,
    thread: &Thread<'_>,
    turn: &Turn<'_>,
    texts: &[&str],
) -> Option<Cow<'a, str>> {
    let may_be = is_type(envelope, "user")
        && *thread == Thread::Main
        && !matches!(turn, Turn::Prompt(_))
        && may_be_typed(envelope)
        && !has_results(envelope);
    may_be.then(|| command(texts)).flatten().map(Cow::Owned)
}

/// What a record tells of a command before it.
fn tells(envelope: &Envelope<'_>, reports_call: bool, texts: &[&str]) -> Option<CommandMeaning> {
    let started = match envelope.kind.value.as_deref()? {
        "user" => is_meta(envelope) && !texts.iter().copied().any(is_caveat),
        "assistant" => reports_call || envelope.api_error.value == Some(true),
        "system" if subtype(envelope) == Some("local_command") => false,
        _ => return None,
    };
    Some(if started { CommandMeaning::Started } else { CommandMeaning::Drove })
}

/// What a record's notifications say of background tasks.
fn task_reports(envelope: &Envelope<'_>, texts: &[&str]) -> Vec<TaskReport<'static>> {
    match envelope.kind.value.as_deref() {
        Some("user") => background::reports(texts.iter().copied()),
        Some("queue-operation") => background::reports(envelope.content.0.as_deref().into_iter()),
        Some("attachment") => {
            let attachment = envelope.attachment.value.as_ref();
            attachment.map(background::reports_of_attachment).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// A prompt that was typed while the agent worked.
fn queued_turn<'a>(envelope: &Envelope<'a>) -> Turn<'a> {
    let Some(attachment) = &envelope.attachment.value else { return Turn::None };
    if attachment.kind.value.as_deref() != Some("queued_command") || !typed_in_queue(attachment) {
        return Turn::None;
    }
    match attachment.prompt.value.as_ref().map(|prompt| typed_part(&prompt.0)) {
        Some(text) if !text.is_empty() => Turn::Prompt(Cow::Owned(text.to_owned())),
        _ => Turn::None,
    }
}

fn typed_in_queue(attachment: &Attachment<'_>) -> bool {
    let origin = attachment.origin.value.as_ref().and_then(|o| o.kind.value.as_deref());
    origin.is_none_or(|kind| kind == "human")
        && attachment.command_mode.value.as_deref().is_none_or(|mode| mode == "prompt")
}

fn api_report<'a>(envelope: &mut Envelope<'a>) -> Option<ApiReport<'a>> {
    if !is_type(envelope, "assistant") || envelope.api_error.value == Some(true) {
        return None;
    }
    let mut report = ApiReport {
        request_id: id(std::mem::take(&mut envelope.request_id)),
        recorded_cost: envelope.cost.value.take().map(|amount| amount.0),
        ..ApiReport::default()
    };
    let Some(Message { object }) = envelope.message.value.as_mut() else { return Some(report) };
    if object.model.value.as_deref() == Some(SYNTHETIC_MODEL) {
        return None;
    }
    report.message_id = id(std::mem::take(&mut object.id));
    report.model = object.model.value.take();
    report.stopped = object.stop_reason.value.as_ref().is_some_and(|reason| !reason.is_empty());
    if let Some(usage) = object.usage.value.take() {
        report.usage = raw_usage(&usage);
        report.states_output = usage.output.value.is_some();
        report.iterations = iterations(&usage);
        report.speed = usage.speed.value;
        report.service_tier = usage.service_tier.value;
        report.inference_geo = usage.inference_geo.value;
    }
    Some(report)
}

fn iterations<'a>(usage: &Usage<'a>) -> Vec<Iteration<'a>> {
    let entries = usage.iterations.value.iter().flat_map(|list| &list.0);
    entries
        .map(|(at, entry)| Iteration {
            at: *at,
            kind: entry.kind.value.clone(),
            model: entry.model.value.clone(),
            usage: raw_usage(entry),
            stated: StatedTokens {
                input: entry.input.value.is_some(),
                output: entry.output.value.is_some(),
                cache_read: entry.cache_read.value.is_some(),
                cache_creation: entry.cache_creation.value.is_some(),
            },
            speed: entry.speed.value.clone(),
            service_tier: entry.service_tier.value.clone(),
            inference_geo: entry.inference_geo.value.clone(),
        })
        .collect()
}

/// What a `result` record says that the client's process used.
fn client_sums<'a>(envelope: &mut Envelope<'a>) -> Option<Box<ClientSums<'a>>> {
    if !is_type(envelope, "result") {
        return None;
    }
    let count = |count: Option<Count>| count.map_or(0, |c| c.0);
    let models = envelope.model_usage.value.take().map_or_else(Vec::new, |models| models.0);
    let sums = ClientSums {
        models: (models.into_iter())
            .map(|(model, used)| {
                let usage = RawUsage {
                    input: count(used.input.value),
                    output: count(used.output.value),
                    cache_read: count(used.cache_read.value),
                    cache_creation: count(used.cache_creation.value),
                    web_searches: count(used.searches.value),
                    ..RawUsage::default()
                };
                (model, usage)
            })
            .collect(),
        cost: envelope.total_cost.value.take().map(|amount| amount.0),
    };
    Some(Box::new(sums))
}

fn raw_usage(usage: &Usage<'_>) -> RawUsage {
    let count = |count: Option<Count>| count.map_or(0, |c| c.0);
    let split = usage.cache_split.value.as_ref();
    let tools = usage.server_tools.value.as_ref();
    RawUsage {
        input: count(usage.input.value),
        output: count(usage.output.value),
        cache_read: count(usage.cache_read.value),
        cache_creation: count(usage.cache_creation.value),
        cache_5m: count(split.and_then(|s| s.five_minutes.value)),
        cache_1h: count(split.and_then(|s| s.one_hour.value)),
        web_searches: count(tools.and_then(|t| t.searches.value)),
        web_fetches: count(tools.and_then(|t| t.fetches.value)),
    }
}

fn events<'a>(envelope: &mut Envelope<'a>, turn: &Turn<'_>) -> Vec<Event<'a>> {
    let kind = envelope.kind.value.clone().unwrap_or_default();
    let one = |source, body| vec![event(0, source, body)];
    match kind.as_ref() {
        "assistant" if envelope.api_error.value == Some(true) => {
            one(Source::System, Body::Error(Cow::Owned(texts(envelope).join("\n"))))
        }
        "assistant" => content_events(envelope, Source::Agent),
        "user" if matches!(turn, Turn::Prompt(_)) => content_events(envelope, Source::User),
        "user" => content_events(envelope, Source::Meta),
        "attachment" => {
            let label = envelope.attachment.value.as_mut().and_then(|a| a.kind.value.take());
            let typed = matches!(turn, Turn::Prompt(_));
            let source = if typed { Source::User } else { Source::System };
            one(source, Body::Attachment(label.unwrap_or_default()))
        }
        "system" if subtype(envelope) == Some("compact_boundary") => {
            let metadata = envelope.compact_metadata.value.as_mut();
            let trigger = metadata.and_then(|m| m.trigger.value.take());
            one(Source::System, Body::Compaction(trigger.unwrap_or_default()))
        }
        "system" => {
            let label = envelope.subtype.value.take().unwrap_or(Cow::Borrowed("system"));
            one(Source::System, Body::SessionMeta(label))
        }
        "progress" => {
            let label = envelope.data.value.as_mut().and_then(|data| data.kind.value.take());
            one(Source::System, Body::SessionMeta(label.unwrap_or(Cow::Borrowed("progress"))))
        }
        other if is_bookkeeping(other) => one(Source::System, Body::SessionMeta(kind)),
        other => {
            debug_assert!(!is_spoken(other), "a spoken type has its own arm");
            one(Source::System, Body::Unknown(kind))
        }
    }
}

fn content_events<'a>(envelope: &mut Envelope<'a>, source: Source) -> Vec<Event<'a>> {
    let denial = envelope.denial.value.take();
    let content = envelope.message.value.take().and_then(|message| {
        let MessageObject { content, .. } = *message.object;
        content.value
    });
    match content {
        Some(Blocks::Text(text)) => vec![event(0, source, Body::Message(text))],
        Some(Blocks::List(items)) if !items.is_empty() => (0..)
            .zip(items)
            .map(|(at, item)| match item {
                BlockItem::Block(block) => block_event(at, source, *block, denial.as_deref()),
                BlockItem::Text(text) => event(at, source, Body::Message(text)),
                BlockItem::Odd => event(at, source, Body::Unknown(Cow::Borrowed(""))),
            })
            .collect(),
        _ => vec![event(0, source, Body::Message(Cow::Borrowed("")))],
    }
}

fn block_event<'a>(at: u32, source: Source, block: Block<'a>, denial: Option<&str>) -> Event<'a> {
    let kind = block.kind.value.unwrap_or_default();
    let text = block.text.value.unwrap_or_default();
    match kind.as_ref() {
        "text" => event(at, source, Body::Message(text)),
        "thinking" | "redacted_thinking" => {
            let text = block.thinking.value.unwrap_or_default();
            let withheld = withheld(&kind, &text, block.signature.value.as_deref());
            Event { withheld, ..event(at, source, Body::Thinking(text)) }
        }
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            let name = id(block.name).unwrap_or(Cow::Borrowed(UNNAMED_TOOL));
            let role = tools::role(&name);
            let input = block.input.0.map(Cow::Borrowed);
            let plan = plan::change(&name, input.as_deref()).map(Box::new);
            let (id, paths) = (id(block.id), Vec::new());
            event(at, source, Body::ToolCall { id, name, role, input, paths, plan })
        }
        kind if is_result(kind) => {
            let text = block.content.value.map(|content| content.0).unwrap_or_default();
            let is_error = block.is_error.value == Some(true);
            let body = Body::ToolResult {
                call_id: id(block.tool_use_id),
                outcome: outcome(&text, is_error, denial),
                text,
            };
            event(at, Source::Tool, body)
        }
        kind if is_picture(kind) => {
            event(at, source, Body::Attachment(Cow::Owned(kind.to_owned())))
        }
        _ => event(at, source, Body::Unknown(kind)),
    }
}

fn outcome(text: &str, is_error: bool, denial: Option<&str>) -> Outcome {
    if denial == Some("interrupted") || text.starts_with(INTERRUPTION) {
        Outcome::Interrupted
    } else if denial.is_some() || (is_error && DENIALS.iter().any(|d| text.starts_with(d))) {
        Outcome::Denied
    } else if is_error && is_cancellation(text) {
        Outcome::Cancelled
    } else if is_error {
        Outcome::Failed
    } else {
        Outcome::Succeeded
    }
}

fn is_cancellation(text: &str) -> bool {
    let said = text.trim_start();
    let said = said.strip_prefix("<tool_use_error>").map_or(said, str::trim_start);
    CANCELLATIONS.iter().any(|start| said.starts_with(start))
}

/// Hidden reasoning in a block; an empty signature means none.
fn withheld(kind: &str, text: &str, signature: Option<&str>) -> Withheld {
    match signature.filter(|signature| !signature.is_empty()) {
        _ if kind == "redacted_thinking" => Withheld::Untold,
        Some(signature) => Withheld::Signed(signature.chars().count() as u64),
        None if text.is_empty() => Withheld::Untold,
        None => Withheld::Nothing,
    }
}

fn event(block: u32, source: Source, body: Body<'_>) -> Event<'_> {
    let sha256 = Sha256::of(body.text());
    Event { block, source, body, sha256, withheld: Withheld::Nothing }
}
