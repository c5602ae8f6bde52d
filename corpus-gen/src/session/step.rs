//! One step of the agent: a message with reasoning, text and calls, and the results of the calls with
//! whatever the client records between them.

use super::answers::Pending;
use super::tools::Call;
use super::worker::Worker;
use crate::rng::to_index;
use crate::text::prose;
use crate::transcript::reply::Block;
use crate::truth::tally::Thread;

impl Worker {
    /// A message with `n` calls, answered.
    pub(crate) fn step(&mut self, thread: Thread, n: u64) {
        let pending = self.ask_for(thread, n);
        self.collect(thread, pending);
    }

    /// A message with `n` calls of the agent's choice, not yet answered.
    pub(crate) fn ask_for(&mut self, thread: Thread, n: u64) -> Vec<Pending> {
        let mut calls = Vec::new();
        for _ in 0..n {
            let size = self.next_size();
            calls.push(self.choose(thread, size));
        }
        self.send(thread, calls)
    }

    /// A message with these calls.
    pub(crate) fn send(&mut self, thread: Thread, calls: Vec<Call>) -> Vec<Pending> {
        let (mut thoughts, mut texts) = (0, 0);
        for made in 0..calls.len() as u64 {
            let slots = self.budget.calls.saturating_sub(made);
            thoughts += self.draw.share(self.budget.thinking - thoughts, slots);
            let free = self.budget.messages.saturating_sub(self.kept_messages + texts);
            texts += self.draw.share(free, slots);
        }
        let (thoughts, texts) = (thoughts.min(2), texts.min(1));
        let mut reply = self.reply(thread, thoughts + texts + calls.len() as u64);
        for n in 0..thoughts {
            self.think(&mut reply, n > 0);
        }
        if texts > 0 {
            let text = self.saying(900);
            self.budget.messages -= 1;
            self.rec.block(&mut reply, Block::Text(&text), "tool_use");
        }
        let mut pending = Vec::new();
        for call in calls {
            let letters = self.draw.between(100, 700);
            self.rec.pass(letters);
            let id = self.rec.id("toolu_01", 22);
            let input = call.input.json();
            let path = call.input.path.as_deref();
            let block = Block::Call { id: &id, tool: call.tool, input: &input, path };
            let asked = self.rec.block(&mut reply, block, "tool_use");
            self.budget.calls = self.budget.calls.saturating_sub(1);
            pending.push(Pending { call, id, asked });
        }
        self.busy.clear();
        pending
    }

    /// Answers these calls, in order or not.
    pub(crate) fn collect(&mut self, thread: Thread, mut pending: Vec<Pending>) {
        if self.draw.chance(1, 2) {
            self.draw.shuffle(&mut pending);
        }
        let mut unanswered = pending.len() as u64;
        for one in pending {
            let slots = self.budget.calls + unanswered;
            let main = thread == Thread::Main;
            let meta = if main { self.draw.share(self.budget.meta, slots) } else { 0 };
            let before = if one.call.ms > 2000 { meta / 2 } else { 0 };
            for _ in 0..before {
                self.meta(Some(&one.id));
            }
            self.answer(thread, one);
            for _ in before..meta {
                self.meta(None);
            }
            if main {
                for _ in 0..self.draw.share(self.budget.attachments, slots) {
                    self.attach();
                }
            }
            unanswered -= 1;
        }
    }

    /// A block of reasoning.
    pub(crate) fn think(&mut self, reply: &mut crate::transcript::reply::Reply, redacted: bool) {
        self.budget.thinking = self.budget.thinking.saturating_sub(1);
        let pause = self.draw.between(300, 4000);
        self.rec.pass(pause);
        let letters = to_index(self.draw.between(120, 400));
        let signature = self.base64(letters);
        if redacted && self.draw.chance(1, 2) {
            self.rec.block(reply, Block::Redacted(&signature), "tool_use");
            return;
        }
        // Some records keep the signature alone.
        let text = if self.draw.chance(1, 8) {
            String::new()
        } else {
            let bytes = to_index(self.draw.between(40, self.habits.thinking));
            prose::paragraphs(&mut self.text, bytes)
        };
        self.rec.block(reply, Block::Thinking { text: &text, signature: &signature }, "tool_use");
    }

    /// Something that the agent says, of at most about `most` bytes.
    pub(crate) fn saying(&mut self, most: u64) -> String {
        let bytes = to_index(self.draw.between(self.says_least, most));
        prose::paragraphs(&mut self.text, bytes)
    }

    /// A message that ends a turn; reasoning that is overdue goes into it.
    pub(crate) fn conclude(&mut self, thread: Thread) -> String {
        let overdue = self.budget.thinking.saturating_sub(self.budget.calls).min(3);
        let mut reply = self.reply(thread, 1 + overdue);
        for _ in 0..overdue {
            self.think(&mut reply, false);
        }
        let text = self.saying(1600);
        self.budget.messages = self.budget.messages.saturating_sub(1);
        self.rec.block(&mut reply, Block::Text(&text), "end_turn");
        text
    }
}
