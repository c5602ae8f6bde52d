//! The stage for scenes: honest work between them, and the means to script calls, answers and
//! messages exactly.

use super::shapes::Shape;
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

    /// Plays the scene of a shape.
    pub(crate) fn play(&mut self, shape: Shape) {
        match shape {
            Shape::AgentNotified => self.agent_notified(),
            Shape::AgentQueued => self.agent_queued(),
            Shape::AgentQueueOnly => self.agent_queue_only(),
            Shape::AgentFailed => self.agent_ends_badly("failed"),
            Shape::AgentKilled => self.agent_ends_badly("killed"),
            Shape::AgentResumed => self.agent_resumed(),
            Shape::AgentStillAtIt => self.agent_still_at_it(),
            Shape::CommandDone => self.command_done(),
            Shape::CommandFailed => self.command_failed(),
            Shape::CommandAskedFor => self.command_asked_for(),
            Shape::CommandStopped => self.command_stopped("TaskStop", "task_id"),
            Shape::ShellKilled => self.command_stopped("KillShell", "shell_id"),
            Shape::PutInTheBackground => self.put_in_the_background(),
            Shape::ReceiptInWords => self.receipt_in_words(),
            Shape::NoticeOfNothing => self.notice_of_nothing(),
            Shape::CommandStillRunning => self.command_still_running(),
            Shape::CutOff => self.cut_off(),
            Shape::CutOffTwice => self.cut_off_twice(),
            Shape::TakenBack => self.taken_back(),
            Shape::BackToTheStart => self.back_to_the_start(),
            Shape::EditedAndSentAgain => self.edited_and_sent_again(),
            Shape::Returned => self.returned(),
            Shape::ReadAgain => self.read_again(),
            Shape::CommandWithArguments => self.command_with_arguments(),
            Shape::CommandAlone => self.command_alone(),
            Shape::CommandWithoutExpansion => self.command_without_expansion(),
            Shape::ClientCommand => self.client_command(),
            Shape::ClientCommandAsSystem => self.client_command_as_system(),
            Shape::ClientCommandFails => self.client_command_fails(),
            Shape::Skill => self.skill(),
            Shape::SiblingErrored => self.sibling_errored(),
            Shape::ParallelCancelled => self.parallel_cancelled(),
            Shape::StreamFellBack => self.stream_fell_back(),
            Shape::HookStopped => self.hook_stopped(),
            Shape::Worktree => self.worktree(),
            Shape::OtherBranch => self.other_branch(),
            Shape::OtherModel => self.other_model(),
            Shape::OtherMode => self.other_mode(),
            Shape::Compacted => self.compacted(),
            Shape::Advised => self.advised(),
            Shape::FellBack => self.fell_back(),
            Shape::SumFits => self.sum_fits(),
            Shape::LastFits => self.last_fits(),
            Shape::NothingFits => self.nothing_fits(),
            Shape::UnknownEntry => self.unknown_entry(),
            Shape::WithheldThinking => self.withheld_thinking(),
            Shape::RedactedThinking => self.redacted_thinking(),
            Shape::StartOnly => self.start_only(),
            Shape::GrownUnended => self.grown_unended(),
            Shape::RightUnended => self.right_unended(),
            Shape::UnknownRecords => self.unknown_records(),
            Shape::HalfASurrogate => self.half_a_surrogate(),
        }
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

    /// The agent says how it stands.
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
