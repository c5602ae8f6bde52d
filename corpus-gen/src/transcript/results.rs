//! Results of tool calls: the block that the model gets, and the client's own structured copy beside
//! it.

use std::borrow::Cow;

use super::client::Layout;
use super::recorder::{Parent, Parts, Recorder, fields};
use crate::json::{self, Obj};
use crate::truth::facts::Reading;
use crate::truth::tally::{CallOutcome, Kind, Thread};

/// The content of a result.
#[derive(Debug, Clone)]
pub(crate) enum Content {
    Text(String),
    /// Several text blocks.
    Blocks(Vec<String>),
    /// A picture in base64: no text.
    Image(String),
}

impl Content {
    /// The text that counts as the result's.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Content::Text(text) => Cow::Borrowed(text),
            Content::Blocks(blocks) => Cow::Owned(blocks.join("\n")),
            Content::Image(_) => Cow::Borrowed(""),
        }
    }

    fn write(&self, o: &mut Obj<'_>) {
        match self {
            Content::Text(text) => o.s("content", text),
            Content::Blocks(blocks) => o.each("content", blocks, |o, text| {
                o.s("type", "text");
                o.s("text", text);
            }),
            Content::Image(data) => o.one("content", |o| {
                o.s("type", "image");
                o.obj("source", |o| {
                    o.s("type", "base64");
                    o.s("data", data);
                    o.s("media_type", "image/png");
                });
            }),
        }
    }
}

/// A result to write.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) call: String,
    pub(crate) outcome: CallOutcome,
    pub(crate) content: Content,
    /// The client's `toolUseResult`, as JSON.
    pub(crate) extra: Vec<u8>,
    /// `toolDenialKind`, as newer clients write it.
    pub(crate) denial: Option<&'static str>,
    pub(crate) reading: Option<Reading>,
    /// Whether a success says `is_error: false`.
    pub(crate) says_ok: bool,
}

impl Recorder {
    /// Writes the result of a call of `thread`; `asked` is the uuid of the call's record.
    pub(crate) fn result(&mut self, thread: Thread, answer: Answer, asked: &str) {
        let failed = answer.outcome != CallOutcome::Succeeded;
        let body = json::built(|o| {
            o.s("type", "user");
            o.obj("message", |o| {
                o.s("role", "user");
                o.one("content", |o| {
                    if failed {
                        o.s("type", "tool_result");
                        answer.content.write(o);
                        o.b("is_error", true);
                        o.s("tool_use_id", &answer.call);
                    } else {
                        o.s("tool_use_id", &answer.call);
                        o.s("type", "tool_result");
                        answer.content.write(o);
                        if answer.says_ok {
                            o.b("is_error", false);
                        }
                    }
                });
            });
        });
        let inline = thread != Thread::Main && self.client.layout == Layout::Classic;
        let bare = inline || self.client.layout == Layout::Stream;
        let after = if bare {
            Vec::new()
        } else {
            json::built(|o| {
                o.raw("toolUseResult", &answer.extra);
                o.s("sourceToolAssistantUUID", asked);
                if let Some(denial) = answer.denial {
                    o.s("toolDenialKind", denial);
                }
            })
        };
        if thread == Thread::Main && self.client.layout != Layout::Stream {
            self.tally.links();
        }
        self.tally.event(Kind::ToolResult);
        self.tally.result(&answer.call, answer.outcome, &answer.content.text(), answer.reading);
        let parts = Parts {
            body: fields(&body),
            after: fields(&after),
            parent: Parent::Last,
            aside: false,
        };
        self.record(thread, parts);
    }
}

/// A string as JSON.
pub(crate) fn text_json(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 16);
    json::string(&mut out, text);
    out
}
