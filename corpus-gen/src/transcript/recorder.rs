//! The recorder: a run's files as bytes, its simulated clock and ids, and its tally. Everything that
//! is written to a run goes through it.

use super::client::{Client, Layout};
use crate::clock;
use crate::json::{self, Obj};
use crate::rng::Draw;
use crate::truth::tally::{Tally, Thread};
use crate::truth::tracked::Tracked;
use crate::truth::turns::Above;

/// A subagent of the run.
#[derive(Debug)]
pub(crate) struct Agent {
    /// The agent's id, as records and file names have it.
    pub(crate) id: String,
    /// The call that launched it.
    pub(crate) launch: String,
    /// Kind and task, for its `.meta.json`.
    pub(crate) kind: String,
    pub(crate) task: String,
    /// Its own transcript (empty for one that is recorded inline).
    pub(crate) out: Vec<u8>,
    last_uuid: Option<String>,
}

/// Where a record hangs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parent {
    /// Below the thread's last record.
    Last,
    /// At a root.
    Root,
    /// Below a record that is nowhere in the run.
    Lost,
}

/// A record's own fields, each part without the comma before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parts<'a> {
    pub(crate) body: &'a [u8],
    pub(crate) after: &'a [u8],
    pub(crate) parent: Parent,
    /// Written in the main file, but beside the conversation.
    pub(crate) aside: bool,
}

/// A run that is being written.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) main: Vec<u8>,
    /// Lines of the main file that are complete.
    pub(crate) lines: u64,
    pub(crate) agents: Vec<Agent>,
    pub(crate) client: Client,
    /// Milliseconds since 1970.
    pub(crate) now: u64,
    pub(crate) tally: Tally,
    pub(crate) ids: Draw,
    /// The prompt that the session is at, as current clients write it.
    pub(crate) prompt_id: String,
    /// Whether U+FFFD is written as half a surrogate pair, as a client does that cut a string in one.
    pub(crate) halves: bool,
    last_uuid: Option<String>,
    agent_bytes: usize,
}

impl Recorder {
    pub(crate) fn new(profile: &str, seed: u64, layout: Layout) -> Self {
        let mut ids = Draw::new(profile, seed, "ids");
        let session = uuid(&mut ids);
        let client = Client::new(layout, session, &mut ids);
        // Some day between December 2025 and September 2026.
        let now = 1_765_000_000_000 + ids.below(24_000_000_000);
        let prompt_id = uuid(&mut ids);
        Self {
            main: Vec::new(),
            lines: 0,
            agents: Vec::new(),
            client,
            now,
            tally: Tally::default(),
            ids,
            prompt_id,
            halves: false,
            last_uuid: None,
            agent_bytes: 0,
        }
    }

    /// Bytes of all transcripts of the run so far.
    pub(crate) fn bytes(&self) -> usize {
        self.main.len() + self.agent_bytes
    }

    /// Lets time pass.
    pub(crate) fn pass(&mut self, ms: u64) {
        self.now += ms;
    }

    pub(crate) fn time(&self) -> String {
        clock::iso(self.now)
    }

    pub(crate) fn uuid(&mut self) -> String {
        uuid(&mut self.ids)
    }

    /// An id such as `toolu_01…`.
    pub(crate) fn id(&mut self, prefix: &str, letters: usize) -> String {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789ABCDEF";
        let mut id = prefix.to_owned();
        for _ in 0..letters {
            id.push(char::from(LETTERS[self.ids.bits(6)]));
        }
        id
    }

    /// Adds a subagent and gives its number.
    pub(crate) fn add_agent(&mut self, launch: &str, kind: &str, task: &str) -> usize {
        let digits = if self.client.layout == Layout::Classic { 7 } else { 17 };
        let id = format!("a{}", crate::text::names::hex(&mut self.ids, digits - 1));
        self.agents.push(Agent {
            id,
            launch: launch.to_owned(),
            kind: kind.to_owned(),
            task: task.to_owned(),
            out: Vec::new(),
            last_uuid: None,
        });
        let agent = self.agents.len() - 1;
        self.tally.launch(agent, &self.agents[agent].id, launch);
        agent
    }

    /// Writes a record that has an envelope. Gives its uuid.
    pub(crate) fn record(&mut self, thread: Thread, parts: Parts<'_>) -> String {
        self.tally.seen(thread);
        let uuid = self.uuid();
        if thread == Thread::Main && !parts.aside {
            self.tally.stands(&uuid);
            if self.client.layout != Layout::Stream {
                self.tally.state(Tracked::Folder, &self.client.cwd);
                self.tally.state(Tracked::Branch, &self.client.branch);
            }
        }
        match thread {
            Thread::Agent(agent) if self.client.layout == Layout::Classic => {
                self.inline(agent, parts, &uuid);
            }
            _ if self.client.layout == Layout::Stream => self.streamed(thread, parts, &uuid),
            _ => self.enveloped(thread, parts, &uuid),
        }
        uuid
    }

    fn enveloped(&mut self, thread: Thread, parts: Parts<'_>, uuid: &str) {
        let mut line = Vec::with_capacity(parts.body.len() + parts.after.len() + 640);
        let parent = self.parent(thread, parts.parent);
        line.extend_from_slice(b"{\"parentUuid\":");
        match &parent {
            Some(parent) => json::string(&mut line, parent),
            None => line.extend_from_slice(b"null"),
        }
        let side = thread != Thread::Main || parts.aside;
        line.extend_from_slice(if side {
            b",\"isSidechain\":true"
        } else {
            b",\"isSidechain\":false"
        });
        if let Thread::Agent(agent) = thread {
            line.extend_from_slice(b",\"agentId\":");
            json::string(&mut line, &self.agents[agent].id);
        }
        self.client.before(&mut line);
        line.push(b',');
        line.extend_from_slice(parts.body);
        self.stamp(&mut line, uuid);
        if !parts.after.is_empty() {
            line.push(b',');
            line.extend_from_slice(parts.after);
        }
        self.client.after(&mut line);
        line.push(b'}');
        if !parts.aside {
            self.advance(thread, uuid);
        }
        self.line(thread, &line);
    }

    /// A subagent's record inside a progress record of the main thread.
    fn inline(&mut self, agent: usize, parts: Parts<'_>, uuid: &str) {
        let mut inner = b"{".to_vec();
        inner.extend_from_slice(parts.body);
        self.stamp(&mut inner, uuid);
        inner.push(b'}');
        let (id, launch) = (self.agents[agent].id.clone(), self.agents[agent].launch.clone());
        let prompt = self.agents[agent].task.clone();
        let message = self.id("agent_msg_01", 22);
        let body = json::built(|o| {
            o.s("type", "progress");
            o.obj("data", |o| {
                o.raw("message", &inner);
                o.raw("normalizedMessages", b"[]");
                o.s("type", "agent_progress");
                o.s("prompt", &prompt);
                o.s("agentId", &id);
            });
            o.s("toolUseID", &message);
            o.s("parentToolUseID", &launch);
        });
        let outer = self.uuid();
        let parts = Parts { body: fields(&body), after: b"", parent: Parent::Last, aside: false };
        // What follows hangs below what came before: only the record inside is part of the run.
        let last = self.last_uuid.clone();
        self.enveloped(Thread::Main, parts, &outer);
        self.last_uuid = last;
    }

    /// A record as the SDK prints it.
    fn streamed(&mut self, thread: Thread, parts: Parts<'_>, uuid: &str) {
        let mut line = b"{".to_vec();
        line.extend_from_slice(parts.body);
        line.extend_from_slice(b",\"parent_tool_use_id\":");
        match thread {
            Thread::Main => line.extend_from_slice(b"null"),
            Thread::Agent(agent) => json::string(&mut line, &self.agents[agent].launch),
        }
        line.extend_from_slice(b",\"session_id\":");
        json::string(&mut line, &self.client.session);
        line.extend_from_slice(b",\"uuid\":");
        json::string(&mut line, uuid);
        if !parts.after.is_empty() {
            line.push(b',');
            line.extend_from_slice(parts.after);
        }
        line.push(b'}');
        self.line(Thread::Main, &line);
    }

    fn stamp(&self, line: &mut Vec<u8>, uuid: &str) {
        line.extend_from_slice(b",\"uuid\":");
        json::string(line, uuid);
        line.extend_from_slice(b",\"timestamp\":");
        json::string(line, &self.time());
    }

    fn parent(&mut self, thread: Thread, parent: Parent) -> Option<String> {
        match (parent, thread) {
            (Parent::Root, _) => None,
            (Parent::Lost, _) => {
                self.tally.orphan();
                Some(self.uuid())
            }
            (Parent::Last, Thread::Main) => self.last_uuid.clone(),
            (Parent::Last, Thread::Agent(agent)) => self.agents[agent].last_uuid.clone(),
        }
    }

    fn advance(&mut self, thread: Thread, uuid: &str) {
        match thread {
            Thread::Main => self.last_uuid = Some(uuid.to_owned()),
            Thread::Agent(agent) => self.agents[agent].last_uuid = Some(uuid.to_owned()),
        }
    }

    /// What a record of the main thread hangs below.
    pub(crate) fn above(&self, parent: Parent) -> Above {
        match (parent, &self.last_uuid) {
            (Parent::Lost, _) => Above::Unknown,
            (Parent::Last, Some(uuid)) if self.client.layout != Layout::Stream => {
                Above::Record(uuid.clone())
            }
            _ => Above::Nothing,
        }
    }

    /// Goes back: the next record of the main thread hangs below this one, or is a root.
    pub(crate) fn go_back(&mut self, uuid: Option<String>) {
        self.last_uuid = uuid;
    }

    /// Writes a record that has no envelope.
    pub(crate) fn bare(&mut self, fill: impl FnOnce(&mut Obj<'_>)) {
        let line = json::built(fill);
        self.line(Thread::Main, &line);
    }

    /// The uuid of the main thread's last record.
    pub(crate) fn last_uuid(&self) -> &str {
        self.last_uuid.as_deref().unwrap_or("")
    }

    fn line(&mut self, thread: Thread, bytes: &[u8]) {
        let out = match thread {
            Thread::Main => &mut self.main,
            Thread::Agent(agent) => {
                self.agent_bytes += bytes.len() + 1;
                &mut self.agents[agent].out
            }
        };
        let halved = self.halves.then(|| halved(bytes));
        out.extend_from_slice(halved.as_deref().unwrap_or(bytes));
        out.push(b'\n');
        self.lines += u64::from(thread == Thread::Main);
        self.tally.written(thread == Thread::Main);
    }

    /// Appends the next record to the last line instead of starting a new one.
    pub(crate) fn join_lines(&mut self) {
        if self.main.last() == Some(&b'\n') {
            self.main.pop();
            self.lines -= 1;
        }
    }

    /// Writes a truncated record, on a separate line or before the next record.
    pub(crate) fn torn(&mut self, own_line: bool) {
        let id = self.uuid();
        let mut line = json::built(|o| {
            o.s("type", "file-history-snapshot");
            o.s("messageId", &id);
            o.obj("snapshot", |o| o.s("messageId", &id));
        });
        line.truncate(line.len() - 20);
        self.main.extend_from_slice(&line);
        self.tally.bad_line();
        if own_line {
            self.main.push(b'\n');
            self.lines += 1;
        }
    }

    /// Writes the main file's last line again, byte for byte; it holds one event.
    pub(crate) fn repeat_last(&mut self) {
        let end = self.main.len().saturating_sub(1);
        let start = self.main[..end].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = self.main[start..end].to_vec();
        self.tally.duplicate();
        self.line(Thread::Main, &line);
    }
}

/// An object's bytes without the braces.
pub(crate) fn fields(object: &[u8]) -> &[u8] {
    object.get(1..object.len().saturating_sub(1)).unwrap_or(b"")
}

/// JSON with half a surrogate pair, escaped, for each U+FFFD in it.
fn halved(json: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(json.len() + 16);
    let mut rest = json;
    while let Some(at) = rest.windows(3).position(|three| three == "\u{fffd}".as_bytes()) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(b"\\ud83d");
        rest = &rest[at + 3..];
    }
    out.extend_from_slice(rest);
    out
}

fn uuid(draw: &mut Draw) -> String {
    let (a, b) = (draw.word(), draw.word());
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        a >> 32,
        a >> 16 & 0xffff,
        a & 0xfff,
        b >> 48 & 0x3fff | 0x8000,
        b & 0xffff_ffff_ffff
    )
}
