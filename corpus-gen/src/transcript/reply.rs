//! Replies of the model: one API message written as one record per block, each of which repeats the message's
//! id and usage; the output count grows from record to record and is final in the last.

use super::client::Layout;
use super::recorder::{Parent, Parts, Recorder, fields};
use crate::json::{self, Obj};
use crate::truth::tally::{Kind, Thread, Usage};
use crate::truth::tracked::Tracked;

/// An API message that is being written.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) thread: Thread,
    pub(crate) model: String,
    pub(crate) message_id: String,
    /// Absent where the model's provider gives none.
    pub(crate) request_id: Option<String>,
    /// The final usage.
    pub(crate) usage: Usage,
    /// An advisor's tokens (input, output), reported beside the message's own.
    pub(crate) advisor: Option<(String, u64, u64)>,
    /// Whether the records before the last one state a smaller output.
    pub(crate) grows: bool,
    /// Blocks in all, and written so far.
    pub(crate) blocks: u64,
    pub(crate) written: u64,
    /// Whether the last record says why the message ended.
    pub(crate) ends: bool,
    /// Whether all that is stated is the output of the stream's start. Then `usage` holds that number,
    /// and the text is far longer.
    pub(crate) unfinished: bool,
    /// Requests that the client made for this message, as `usage.iterations` lists them.
    pub(crate) iterations: Iterations,
}

/// `usage.iterations` of a message.
#[derive(Debug, Clone, Default)]
pub(crate) struct Iterations {
    pub(crate) entries: Vec<Entry>,
    /// Whether they do not tell what the top level holds.
    pub(crate) unreconciled: bool,
}

/// One of them.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) kind: &'static str,
    /// Its model; absent: the message's.
    pub(crate) model: Option<String>,
    pub(crate) usage: Usage,
    /// Whether it states cache reads and writes.
    pub(crate) states_cache: bool,
    /// Whether the top level of the usage holds it.
    pub(crate) held: bool,
}

/// Types of entries that are documented.
const ENTRY_TYPES: [&str; 4] = ["message", "compaction", "advisor_message", "fallback_message"];

/// One block.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Block<'a> {
    Thinking {
        text: &'a str,
        signature: &'a str,
    },
    /// Reasoning that only the provider can read.
    Redacted(&'a str),
    Text(&'a str),
    Call {
        id: &'a str,
        tool: &'a str,
        input: &'a [u8],
        path: Option<&'a str>,
    },
}

impl Block<'_> {
    fn kind(self) -> Kind {
        match self {
            Block::Thinking { .. } | Block::Redacted(_) => Kind::Thinking,
            Block::Text(_) => Kind::Message,
            Block::Call { .. } => Kind::ToolCall,
        }
    }

    fn write(self, o: &mut Obj<'_>) {
        match self {
            Block::Thinking { text, signature } => {
                o.s("type", "thinking");
                o.s("thinking", text);
                o.s("signature", signature);
            }
            Block::Redacted(data) => {
                o.s("type", "redacted_thinking");
                o.s("data", data);
            }
            Block::Text(text) => {
                o.s("type", "text");
                o.s("text", text);
            }
            Block::Call { id, tool, input, .. } => {
                o.s("type", "tool_use");
                o.s("id", id);
                o.s("name", tool);
                o.raw("input", input);
            }
        }
    }
}

impl Recorder {
    /// Writes the next block of `reply`. The last one carries the final usage and `stop`.
    pub(crate) fn block(&mut self, reply: &mut Reply, block: Block<'_>, stop: &str) -> String {
        reply.written += 1;
        let last = reply.written >= reply.blocks;
        let mut usage = reply.usage;
        if !last && reply.grows {
            usage.output = (usage.output * reply.written / (reply.blocks + 2)).max(1);
        }
        let advisor = reply.advisor.as_ref().filter(|_| last);
        let body = json::built(|o| {
            o.obj("message", |o| {
                o.s("model", &reply.model);
                o.s("id", &reply.message_id);
                o.s("type", "message");
                o.s("role", "assistant");
                o.one("content", |o| block.write(o));
                o.opt("stop_reason", (last && reply.ends).then_some(stop));
                o.null("stop_sequence");
                o.obj("usage", |o| {
                    write_usage(o, usage, advisor);
                    if last {
                        write_iterations(o, &reply.iterations);
                    }
                });
            });
            if let Some(request) = &reply.request_id {
                o.s("requestId", request);
            }
            o.s("type", "assistant");
        });
        if reply.thread == Thread::Main {
            self.tally.state(Tracked::Model, &reply.model);
            if self.client.layout != Layout::Stream {
                self.tally.links();
            }
        }
        self.tally.event(block.kind());
        self.tally.stated_usage(usage);
        if let Block::Call { id, tool, path, .. } = block {
            self.tally.call(reply.thread, id, tool, path);
        }
        if last {
            self.tally.api_call(&reply.model, reply.usage);
            if let Some((model, input, output)) = &reply.advisor {
                let usage = Usage { input: *input, output: *output, ..Usage::default() };
                self.tally.api_call(model, usage);
            }
            self.count_iterations(reply);
            if reply.unfinished {
                self.tally.unfinished();
            }
        }
        let parts = Parts { body: fields(&body), after: b"", parent: Parent::Last, aside: false };
        self.record(reply.thread, parts)
    }

    fn count_iterations(&mut self, reply: &Reply) {
        for entry in &reply.iterations.entries {
            if !ENTRY_TYPES.contains(&entry.kind) {
                self.tally.unknown_iteration(entry.kind);
            }
            if !entry.held {
                let model = entry.model.as_ref().unwrap_or(&reply.model);
                self.tally.api_call(model, entry.usage);
            }
        }
        if reply.iterations.unreconciled {
            self.tally.unreconciled();
        }
    }

    /// A side question: the message again, under another request, beside the conversation. It is a
    /// replay and no call of its own.
    pub(crate) fn replay(&mut self, reply: &Reply, text: &str) {
        let request = self.id("req_011C", 20);
        let body = json::built(|o| {
            o.obj("message", |o| {
                o.s("model", &reply.model);
                o.s("id", &reply.message_id);
                o.s("type", "message");
                o.s("role", "assistant");
                o.one("content", |o| Block::Text(text).write(o));
                o.s("stop_reason", "end_turn");
                o.null("stop_sequence");
                o.obj("usage", |o| write_usage(o, reply.usage, None));
            });
            o.s("requestId", &request);
            o.s("type", "assistant");
        });
        self.tally.event(Kind::Message);
        self.tally.stated_usage(reply.usage);
        let parts = Parts { body: fields(&body), after: b"", parent: Parent::Last, aside: true };
        self.record(Thread::Main, parts);
    }

    /// The record of an API error that was given up on.
    pub(crate) fn api_error(&mut self, error: &str, text: &str) {
        let id = self.uuid();
        let body = json::built(|o| {
            o.s("type", "assistant");
            o.obj("message", |o| {
                o.s("id", &id);
                o.null("container");
                o.s("model", "<synthetic>");
                o.s("role", "assistant");
                o.s("stop_reason", "stop_sequence");
                o.s("stop_sequence", "");
                o.s("type", "message");
                o.obj("usage", |o| write_usage(o, Usage::default(), None));
                o.one("content", |o| Block::Text(text).write(o));
                o.null("context_management");
            });
            o.s("error", error);
            o.b("isApiErrorMessage", true);
        });
        self.tally.event(Kind::Error);
        let parts = Parts { body: fields(&body), after: b"", parent: Parent::Last, aside: false };
        self.record(Thread::Main, parts);
    }
}

fn write_iterations(o: &mut Obj<'_>, iterations: &Iterations) {
    if iterations.entries.is_empty() {
        return;
    }
    o.each("iterations", &iterations.entries, |o, entry| {
        o.s("type", entry.kind);
        if let Some(model) = &entry.model {
            o.s("model", model);
        }
        o.n("input_tokens", entry.usage.input);
        o.n("output_tokens", entry.usage.output);
        if entry.states_cache {
            o.n("cache_read_input_tokens", entry.usage.cache_read);
            o.n("cache_creation_input_tokens", entry.usage.write_5m + entry.usage.write_1h);
        }
    });
}

fn write_usage(o: &mut Obj<'_>, usage: Usage, advisor: Option<&(String, u64, u64)>) {
    o.n("input_tokens", usage.input);
    o.n("cache_creation_input_tokens", usage.write_5m + usage.write_1h);
    o.n("cache_read_input_tokens", usage.cache_read);
    o.obj("cache_creation", |o| {
        o.n("ephemeral_5m_input_tokens", usage.write_5m);
        o.n("ephemeral_1h_input_tokens", usage.write_1h);
    });
    o.n("output_tokens", usage.output);
    o.s("service_tier", "standard");
    if let Some((model, input, output)) = advisor {
        let own = (None, usage.input, usage.output);
        let beside = (Some(model), *input, *output);
        o.each("iterations", &[own, beside], |o, (model, input, output)| {
            o.s("type", if model.is_some() { "advisor_message" } else { "message" });
            if let Some(model) = model {
                o.s("model", model);
            }
            o.n("input_tokens", *input);
            o.n("output_tokens", *output);
        });
    }
}
