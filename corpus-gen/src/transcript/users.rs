//! User records other than results: prompts, what the harness writes in a person's name, interruptions,
//! compaction summaries.

use super::client::Layout;
use super::recorder::{Parent, Parts, Recorder, fields};
use crate::json::{self, Obj};
use crate::truth::tally::{Kind, Thread};
use crate::truth::tracked::Tracked;

/// How a prompt is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct PromptForm {
    /// Harness text in a block before it.
    pub(crate) before: Option<String>,
    /// Harness text in front of it, in the same block.
    pub(crate) prefix: Option<String>,
    /// Pictures (base64) after it.
    pub(crate) images: Vec<String>,
    /// Hangs below a record that is not in the file.
    pub(crate) lost_parent: bool,
}

impl Recorder {
    /// Writes what a person asks.
    pub(crate) fn prompt(&mut self, text: &str, form: &PromptForm) {
        self.prompt_id = self.uuid();
        let written = match &form.prefix {
            Some(prefix) => format!("{prefix}\n{text}"),
            None => text.to_owned(),
        };
        let blocks = form.before.is_some() || !form.images.is_empty();
        let content = json::built(|o| {
            o.s("role", "user");
            if blocks {
                let mut items = Vec::new();
                items.extend(form.before.as_deref().map(|text| (text, false)));
                items.push((written.as_str(), false));
                items.extend(form.images.iter().map(|image| (image.as_str(), true)));
                o.each("content", &items, |o, (text, image)| write_block(o, text, *image));
            } else {
                o.s("content", &written);
            }
        });
        let parent = if form.lost_parent { Parent::Lost } else { Parent::Last };
        let above = self.above(parent);
        self.tally.prompt(text, &above);
        self.tally.event(Kind::Message);
        if form.before.is_some() {
            self.tally.event(Kind::Message);
        }
        for _ in &form.images {
            self.tally.event(Kind::Attachment);
        }
        let mode = self.client.mode;
        if self.client.layout != Layout::Stream {
            self.tally.state(Tracked::PermissionMode, mode);
        }
        let after = json::built(|o| match self.client.layout {
            Layout::Classic => {
                o.obj("thinkingMetadata", |o| o.n("maxThinkingTokens", 31_999));
                o.raw("todos", b"[]");
                o.s("permissionMode", mode);
            }
            Layout::Current => o.s("permissionMode", mode),
            Layout::Stream => o.b("isReplay", true),
        });
        self.user(Thread::Main, &content, &after, parent);
    }

    /// Writes what a person typed while the agent worked, as the newer client records it.
    pub(crate) fn queued_prompt(&mut self, text: &str) {
        let above = self.above(Parent::Last);
        self.tally.prompt(text, &above);
        self.attachment(|o| {
            o.s("type", "queued_command");
            o.s("prompt", text);
            o.s("commandMode", "prompt");
            o.obj("origin", |o| o.s("kind", "human"));
        });
    }

    /// A user record whose text a person did not write.
    pub(crate) fn harness(&mut self, text: &str, is_meta: bool) {
        let content = json::built(|o| {
            o.s("role", "user");
            o.s("content", text);
        });
        let after = json::built(|o| {
            if is_meta {
                o.b("isMeta", true);
            }
        });
        self.tally.event(Kind::Message);
        self.user(Thread::Main, &content, &after, Parent::Last);
    }

    /// A subagent's task, the first record of its thread.
    pub(crate) fn task(&mut self, thread: Thread, text: &str) {
        let content = json::built(|o| {
            o.s("role", "user");
            o.one("content", |o| write_block(o, text, false));
        });
        self.tally.event(Kind::Message);
        self.user(thread, &content, b"{}", Parent::Last);
    }

    /// The record that a person interrupted `thread`.
    pub(crate) fn interruption(&mut self, thread: Thread, for_tool_use: bool) {
        let text = if for_tool_use {
            "[Request interrupted by user for tool use]"
        } else {
            "[Request interrupted by user]"
        };
        let content = json::built(|o| {
            o.s("role", "user");
            o.one("content", |o| write_block(o, text, false));
        });
        self.tally.interruption(thread);
        self.tally.event(Kind::Message);
        self.user(thread, &content, b"{}", Parent::Last);
    }

    /// A compaction: its boundary and the summary that the conversation continues from.
    pub(crate) fn compaction(&mut self, before: u64, after: u64, summary: &str) {
        let last = self.last_uuid().to_owned();
        self.tally.event(Kind::Compaction);
        let body = json::built(|o| {
            o.s("logicalParentUuid", &last);
            o.s("type", "system");
            o.s("subtype", "compact_boundary");
            o.s("content", "Conversation compacted");
            o.b("isMeta", false);
            o.s("level", "info");
            o.obj("compactMetadata", |o| {
                o.s("trigger", "auto");
                o.n("preTokens", before);
                o.n("postTokens", after);
            });
        });
        let parts = Parts { body: fields(&body), after: b"", parent: Parent::Root, aside: false };
        self.record(Thread::Main, parts);
        self.pass(30);
        let text = format!(
            "This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\n{summary}"
        );
        let content = json::built(|o| {
            o.s("role", "user");
            o.s("content", &text);
        });
        self.tally.event(Kind::Message);
        let flags = br#"{"isVisibleInTranscriptOnly":true,"isCompactSummary":true}"#;
        self.user(Thread::Main, &content, flags, Parent::Last);
    }

    pub(crate) fn user(&mut self, thread: Thread, message: &[u8], after: &[u8], parent: Parent) {
        let prompt_id = self.prompt_id.clone();
        let current = self.client.layout == Layout::Current;
        let body = json::built(|o| {
            if current {
                o.s("promptId", &prompt_id);
            }
            o.s("type", "user");
            o.raw("message", message);
        });
        let parts = Parts { body: fields(&body), after: fields(after), parent, aside: false };
        self.record(thread, parts);
    }
}

fn write_block(o: &mut Obj<'_>, text: &str, image: bool) {
    if image {
        o.s("type", "image");
        o.obj("source", |o| {
            o.s("type", "base64");
            o.s("media_type", "image/png");
            o.s("data", text);
        });
    } else {
        o.s("type", "text");
        o.s("text", text);
    }
}
