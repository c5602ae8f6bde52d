//! The stage for scenes: honest work between them, and the means to script calls, answers and
//! messages exactly.

use crate::profile::Profile;
use crate::rng::to_index;
use crate::session::answers::{Pending, succeeded};
use crate::session::tools::{Action, Call, Input};
use crate::session::worker::{Budget, Habits, Worker};
use crate::text::prompts;
use crate::transcript::client::Layout;
use crate::transcript::recorder::Recorder;
use crate::transcript::reply::{Block, Reply};
use crate::transcript::users::PromptForm;
use crate::truth::tally::Thread;

/// A session that is being played.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) worker: Worker,
    /// Whether what a person asks is on record.
    pub(crate) asks: bool,
}

impl Stage {
    pub(crate) fn new(seed: u64, layout: Layout) -> Self {
        let profile = Profile::Varied.name();
        let rec = Recorder::new(profile, seed, layout);
        let habits = Habits {
            tools: vec![
                (10, "Read"),
                (9, "Bash"),
                (7, "Edit"),
                (6, "Grep"),
                (3, "Write"),
                (3, "Glob"),
                (2, "TodoWrite"),
                (2, "WebFetch"),
                (2, crate::session::tools::SERVER_TOOLS[0]),
            ],
            novel: false,
            fails_one_in: 12,
            pictures: false,
            thinking: 500,
            hour_cache: !seed.is_multiple_of(3),
            overhead: 0,
            advisor_one_in: 0,
        };
        let worker = Worker::new(profile, seed, rec, habits, Budget::default());
        Self { worker, asks: true }
    }

    /// A person asks; gives the text.
    pub(crate) fn ask(&mut self) -> String {
        let text = prompts::request(&mut self.worker.text);
        self.ask_for(&text);
        text
    }

    /// A person asks for this.
    pub(crate) fn ask_for(&mut self, text: &str) {
        let pause = self.worker.draw.between(4000, 150_000);
        self.worker.rec.pass(pause);
        if self.asks {
            self.worker.rec.prompt(text, &PromptForm::default());
        }
    }

    /// A whole turn of honest work.
    pub(crate) fn turn(&mut self) {
        let text = self.ask();
        let began = self.worker.rec.now;
        let calls = self.worker.draw.between(1, 5);
        self.work(calls);
        self.conclude();
        if self.worker.rec.client.layout != Layout::Stream {
            self.worker.budget.meta = 8;
            self.worker.turn_end(began, &text);
        }
    }

    /// `calls` calls of honest work in the present turn.
    pub(crate) fn work(&mut self, calls: u64) {
        self.work_of(Thread::Main, calls);
    }

    /// `calls` calls of honest work of a thread.
    pub(crate) fn work_of(&mut self, thread: Thread, calls: u64) {
        let mut left = calls;
        while left > 0 {
            let n = (*self.worker.draw.weighted(&[(8, 1), (3, 2), (1, 3)])).min(left);
            self.fill(n);
            self.worker.step(thread, n);
            left -= n;
        }
    }

    /// The agent reports its status.
    pub(crate) fn conclude(&mut self) -> String {
        self.fill(0);
        self.worker.conclude(Thread::Main)
    }

    /// Gives the worker what one step may use up.
    pub(crate) fn fill(&mut self, calls: u64) {
        let client = self.worker.rec.client.layout != Layout::Stream;
        let draw = &mut self.worker.draw;
        let size = to_index(calls * draw.between(1500, 9000));
        self.worker.budget = Budget {
            calls,
            meta: draw.below(3) * u64::from(calls > 0),
            thinking: draw.below(2) * u64::from(calls > 0),
            messages: draw.below(2) * u64::from(calls > 0),
            attachments: u64::from(client && calls > 0 && draw.chance(1, 6)),
            bytes: self.worker.rec.bytes() + size,
        };
    }

    /// A message of `thread` with these calls, not yet answered.
    pub(crate) fn send(&mut self, thread: Thread, calls: Vec<Call>) -> Vec<Pending> {
        self.fill(calls.len() as u64);
        self.worker.budget.meta = 0;
        self.worker.budget.attachments = 0;
        self.worker.send(thread, calls)
    }

    /// A message of the main thread with one scripted call, not yet answered.
    pub(crate) fn call(&mut self, tool: &'static str, input: Input) -> Pending {
        let action = Action::Picture(0); // answered by whoever scripted it
        let mut pending = self.send(Thread::Main, vec![Call { tool, input, action, ms: 0 }]);
        pending.remove(0)
    }

    /// Answers a scripted call of the main thread.
    pub(crate) fn says(&mut self, pending: &Pending, text: &str, extra: Vec<u8>) {
        let pause = self.worker.draw.between(40, 3000);
        self.worker.rec.pass(pause);
        let answer = succeeded(pending.id.clone(), text.to_owned(), extra, None);
        self.worker.rec.result(Thread::Main, answer, &pending.asked);
    }

    /// A message of one text, changed by `shape` before it is written.
    pub(crate) fn message(&mut self, shape: impl FnOnce(&mut Worker, &mut Reply)) {
        let text = self.worker.saying(1200);
        self.message_of(&text, shape);
    }

    /// A message of this text, changed by `shape` before it is written.
    pub(crate) fn message_of(&mut self, text: &str, shape: impl FnOnce(&mut Worker, &mut Reply)) {
        let mut reply = self.worker.reply(Thread::Main, 1);
        shape(&mut self.worker, &mut reply);
        self.worker.rec.block(&mut reply, Block::Text(text), "end_turn");
    }

    /// The session ends while calls are in flight.
    pub(crate) fn leave_in_flight(&mut self) {
        self.ask();
        let calls = (0..self.worker.draw.between(1, 2)).map(|_| self.worker.shell(900)).collect();
        self.send(Thread::Main, calls);
    }
}
