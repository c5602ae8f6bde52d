//! The simulated agent: what it works on, how it works, and what it still has to write to reach its
//! plan. Shared by sessions and by the honest work in pathology traces.

use std::collections::{BTreeMap, VecDeque};

use crate::rng::{Draw, to_index};
use crate::text::lines::Dialect;
use crate::transcript::client::Layout;
use crate::transcript::recorder::Recorder;
use crate::transcript::reply::{Iterations, Reply};
use crate::truth::tally::{Thread, Usage};
use crate::world::{self, Doc};

/// What is left to write, by kind of event. Structural records take from it too.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Budget {
    pub(crate) calls: u64,
    pub(crate) meta: u64,
    pub(crate) thinking: u64,
    pub(crate) messages: u64,
    pub(crate) attachments: u64,
    /// Bytes that the transcripts are to have at the end.
    pub(crate) bytes: usize,
}

/// How the agent works.
#[derive(Debug, Clone)]
pub(crate) struct Habits {
    /// Tools by weight.
    pub(crate) tools: Vec<(u64, &'static str)>,
    /// Never asks the same thing twice.
    pub(crate) novel: bool,
    /// One call in this many fails.
    pub(crate) fails_one_in: u64,
    /// Sometimes reads pictures.
    pub(crate) pictures: bool,
    /// Bytes of reasoning at most.
    pub(crate) thinking: u64,
    /// Writes its cache for an hour.
    pub(crate) hour_cache: bool,
    /// Bytes that a record takes beside its content.
    pub(crate) overhead: u64,
    /// One message in this many has an advisor's; none where 0.
    pub(crate) advisor_one_in: u64,
}

/// What a client writes of the end of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// Why it ended, and what it took in the end.
    Stated,
    /// Neither: mostly the output of the stream's start, at times a number that has grown.
    Never,
    /// Neither; a later record states the sums of the model.
    Later,
}

/// The agent at work.
#[derive(Debug)]
pub(crate) struct Worker {
    pub(crate) rec: Recorder,
    /// Decisions.
    pub(crate) draw: Draw,
    /// Texts.
    pub(crate) text: Draw,
    pub(crate) docs: Vec<Doc>,
    /// Files that a call in the current message is about.
    pub(crate) busy: Vec<usize>,
    pub(crate) budget: Budget,
    pub(crate) habits: Habits,
    pub(crate) models: Vec<String>,
    /// Messages that are kept for turns to come.
    pub(crate) kept_messages: u64,
    /// Inputs of the last calls.
    pub(crate) recent: VecDeque<String>,
    pub(crate) since_failure: u64,
    /// Remaining calls that make up for bytes that others did not use.
    pub(crate) closing: u64,
    /// What the client writes of the end of a message.
    pub(crate) ends: Ends,
    /// Bytes that the agent says at least.
    pub(crate) says_least: u64,
    contexts: BTreeMap<Thread, u64>,
}

/// Calls after which the same input may come again.
const FORGET_AFTER: usize = 14;

impl Worker {
    pub(crate) fn new(
        profile: &str,
        seed: u64,
        rec: Recorder,
        habits: Habits,
        budget: Budget,
    ) -> Self {
        Self {
            rec,
            draw: Draw::new(profile, seed, "decisions"),
            text: Draw::new(profile, seed, "texts"),
            docs: Vec::new(),
            busy: Vec::new(),
            budget,
            habits,
            models: vec!["claude-sonnet-4-5-20250929".to_owned()],
            kept_messages: 0,
            recent: VecDeque::new(),
            since_failure: 0,
            closing: 0,
            ends: Ends::Stated,
            says_least: 30,
            contexts: BTreeMap::new(),
        }
    }

    /// Bytes that the next call's records should take.
    pub(crate) fn next_size(&mut self) -> usize {
        const TAIL: [u64; 8] = [25, 40, 60, 75, 90, 110, 150, 250];
        let free = self.free();
        let size = free / self.budget.calls.max(1) * TAIL[self.draw.bits(3)] / 100;
        to_index(size.min(free / 2).min(400_000)).max(120)
    }

    /// Bytes that are left for results.
    pub(crate) fn free(&self) -> u64 {
        let budget = self.budget;
        let others = budget.meta + budget.thinking + budget.messages + budget.attachments;
        let reserved = (others + 2 * budget.calls) * self.habits.overhead;
        budget.bytes.saturating_sub(self.rec.bytes() + to_index(reserved)) as u64
    }

    /// A new file of about `bytes` bytes, not yet part of the project.
    pub(crate) fn new_doc(&mut self, bytes: usize) -> Doc {
        let dialect = *self.draw.weighted(&Dialect::MIX);
        let root = self.rec.client.cwd.clone();
        let mut path = world::new_path(&mut self.text, &root, dialect);
        while self.docs.iter().any(|doc| doc.path == path) {
            path = world::new_path(&mut self.text, &root, dialect);
        }
        Doc::new(&mut self.text, dialect, path, bytes)
    }

    /// Notes an input as used; says no if it was used a short while ago.
    pub(crate) fn fresh(&mut self, key: String) -> bool {
        if self.recent.contains(&key) {
            return false;
        }
        self.recent.push_back(key);
        if self.recent.len() > FORGET_AFTER {
            self.recent.pop_front();
        }
        true
    }

    /// The model at work in `thread`.
    fn model(&mut self, thread: Thread) -> String {
        match thread {
            Thread::Agent(_) => "claude-haiku-4-5-20251001".to_owned(),
            Thread::Main => self.models[0].clone(),
        }
    }

    /// Begins a message of `blocks` blocks.
    pub(crate) fn reply(&mut self, thread: Thread, blocks: u64) -> Reply {
        let model = self.model(thread);
        let foreign = !model.starts_with("claude");
        let pause = self.draw.between(1500, 12_000);
        self.rec.pass(pause);
        let usage = self.usage(thread);
        let advisor = (self.habits.advisor_one_in > 0
            && self.draw.chance(1, self.habits.advisor_one_in))
        .then(|| {
            let (input, output) = (self.draw.between(300, 9000), self.draw.between(20, 700));
            ("claude-opus-4-5-20251101".to_owned(), input, output)
        });
        let asked = !foreign && self.rec.client.layout != Layout::Stream;
        let mut reply = Reply {
            thread,
            model,
            message_id: self.rec.id("msg_01", 22),
            request_id: asked.then(|| self.rec.id("req_011C", 20)),
            usage,
            advisor,
            grows: self.draw.chance(3, 4),
            blocks,
            written: 0,
            ends: self.ends == Ends::Stated,
            unfinished: false,
            iterations: Iterations::default(),
        };
        if self.ends != Ends::Stated {
            self.leave_open(&mut reply);
        }
        reply
    }

    /// States a message's output as at the stream's start, or at times growing.
    fn leave_open(&mut self, reply: &mut Reply) {
        reply.grows = self.ends == Ends::Never && reply.blocks > 2 && self.draw.chance(1, 2);
        if !reply.grows {
            // So few that any text of a message makes more, whatever the model's scale.
            reply.usage.output = self.draw.between(1, 9);
            reply.unfinished = self.ends == Ends::Never;
        }
    }

    fn usage(&mut self, thread: Thread) -> Usage {
        let context = self.contexts.get(&thread).copied().unwrap_or(0);
        let fresh = if context == 0 {
            self.draw.between(14_000, 32_000)
        } else {
            self.draw.between(120, 1900)
        };
        self.contexts.insert(thread, context + fresh);
        let hour = match (self.habits.hour_cache, thread) {
            (true, Thread::Main) => fresh - fresh / 10 * u64::from(self.draw.chance(1, 5)),
            _ => 0,
        };
        Usage {
            input: self.draw.between(2, 12),
            output: self.draw.between(60, 1400),
            cache_read: context,
            write_5m: fresh - hour,
            write_1h: hour,
        }
    }

    /// Tokens in the main thread's context.
    pub(crate) fn context(&self) -> u64 {
        self.contexts.get(&Thread::Main).copied().unwrap_or(0)
    }

    /// Sets the main thread's context after a compaction.
    pub(crate) fn compacted(&mut self, tokens: u64) {
        self.contexts.insert(Thread::Main, tokens);
    }

    /// Random base64.
    pub(crate) fn base64(&mut self, letters: usize) -> String {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut out = String::with_capacity(letters + 10);
        while out.len() < letters {
            let mut word = self.text.word();
            for _ in 0..10 {
                out.push(char::from(LETTERS[to_index(word & 63)]));
                word >>= 6;
            }
        }
        out
    }

    /// A picture of about `bytes` bytes in base64.
    pub(crate) fn picture(&mut self, bytes: usize) -> String {
        format!("iVBORw0KGgoAAAANSUhEUgAA{}", self.base64(bytes))
    }
}
