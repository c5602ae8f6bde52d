//! The stage for pathologies: honest work between them, and the means to script calls and answers
//! exactly.

use super::labels::{Instance, Kind, Labels, NearMiss};
use crate::run::GeneratedRun;
use crate::session::answers::Pending;
use crate::session::tools::{Action, Call, Input};
use crate::session::worker::{Budget, Habits, Worker};
use crate::text::prompts;
use crate::transcript::client::Layout;
use crate::transcript::recorder::Recorder;
use crate::transcript::results::Content;
use crate::transcript::users::PromptForm;
use crate::truth::tally::{CallOutcome, Thread};

/// A trace that is being made.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) worker: Worker,
    pub(crate) labels: Labels,
}

/// A scripted answer.
#[derive(Debug, Clone)]
pub(crate) enum Says {
    Works(String),
    Fails(String),
}

/// Calls of honest work between two scripted parts, at least.
const BETWEEN: u64 = 62;

impl Scene {
    pub(crate) fn new(group: &str, seed: u64) -> Self {
        let layout = if seed.is_multiple_of(4) { Layout::Classic } else { Layout::Current };
        let rec = Recorder::new(group, seed, layout);
        let habits = Habits {
            tools: vec![
                (10, "Read"),
                (9, "Bash"),
                (7, "Edit"),
                (7, "Grep"),
                (4, "Write"),
                (3, "Glob"),
                (3, "WebFetch"),
                (3, crate::session::tools::SERVER_TOOLS[2]),
            ],
            novel: true,
            fails_one_in: 30,
            pictures: false,
            thinking: 260,
            hour_cache: seed.is_multiple_of(2),
            overhead: 0,
            advisor_one_in: 0,
        };
        let mut worker = Worker::new(group, seed, rec, habits, Budget::default());
        worker.head();
        Self { worker, labels: Labels::default() }
    }

    /// A new turn, and at least enough honest work to keep two scripted parts apart.
    pub(crate) fn honest(&mut self) {
        let calls = BETWEEN + self.worker.draw.below(25);
        self.work(calls);
    }

    /// `calls` calls of honest work, in turns, each different from all others.
    pub(crate) fn work(&mut self, calls: u64) {
        let mut left = calls;
        while left > 0 {
            self.turn();
            let turn = self.worker.draw.between(8, 30).min(left);
            left -= turn;
            self.steps(turn);
            self.worker.conclude(Thread::Main);
        }
    }

    /// `calls` calls of honest work in the present turn.
    pub(crate) fn steps(&mut self, calls: u64) {
        let mut left = calls;
        while left > 0 {
            let n = (*self.worker.draw.weighted(&[(8, 1), (2, 2), (1, 3)])).min(left);
            self.fill(n);
            self.worker.step(Thread::Main, n);
            left -= n;
        }
    }

    /// A few calls before a scripted part, none of which fails.
    pub(crate) fn lead_in(&mut self) -> u64 {
        self.worker.since_failure = 0;
        self.worker.draw.between(1, 3)
    }

    /// `calls` calls that read and change nothing.
    pub(crate) fn look_around(&mut self, calls: u64) {
        let all = self.worker.habits.tools.clone();
        self.worker.habits.tools = vec![(3, "Read"), (2, "Grep"), (1, "WebFetch")];
        self.steps(calls);
        self.worker.habits.tools = all;
    }

    /// Gives the worker what one step may use up.
    fn fill(&mut self, calls: u64) {
        let size = usize::try_from(calls * self.worker.draw.between(500, 2200)).unwrap_or(2000);
        self.worker.budget = Budget {
            calls,
            meta: self.worker.draw.below(3),
            thinking: self.worker.draw.below(2),
            messages: self.worker.draw.below(2),
            attachments: u64::from(self.worker.draw.chance(1, 6)),
            bytes: self.worker.rec.bytes() + size,
        };
    }

    /// A person's next request, after a short pause.
    pub(crate) fn turn(&mut self) {
        let pause = self.worker.draw.between(3000, 100_000);
        self.worker.rec.pass(pause);
        let text = prompts::request(&mut self.worker.text);
        self.worker.rec.prompt(&text, &PromptForm::default());
    }

    /// Makes a call and leaves it unanswered.
    pub(crate) fn call(&mut self, tool: &'static str, input: Input, says: Says) -> Pending {
        let action = match says {
            Says::Works(text) => {
                let extra = crate::transcript::results::text_json(&text);
                let content = Content::Text(text);
                Action::Say { content, extra, facts: Vec::new(), says_ok: false }
            }
            Says::Fails(text) => {
                Action::Refuse { outcome: CallOutcome::Failed, text, denial: None }
            }
        };
        let ms = self.worker.draw.between(100, 4000);
        self.worker.budget = Budget { calls: 1, ..Budget::default() };
        self.worker.budget.thinking = u64::from(self.worker.draw.chance(1, 3));
        let call = Call { tool, input, action, ms };
        let mut pending = self.worker.send(Thread::Main, vec![call]);
        pending.remove(0)
    }

    /// Makes a call and answers it.
    pub(crate) fn exchange(&mut self, tool: &'static str, input: Input, says: Says) {
        let pending = self.call(tool, input, says);
        self.worker.answer(Thread::Main, pending);
    }

    /// Line of the record that was written last.
    pub(crate) fn line(&self) -> u64 {
        self.worker.rec.lines
    }

    /// Labels what was just written, from the first to the last of `lines`.
    pub(crate) fn label(
        &mut self,
        kind: Kind,
        lines: (u64, u64),
        onset: u64,
        subject: &str,
        note: String,
    ) {
        self.labels.instances.push(Instance {
            kind,
            first_line: lines.0,
            last_line: lines.1,
            onset_line: onset,
            subject: subject.to_owned(),
            note,
        });
    }

    pub(crate) fn near_miss(&mut self, kind: Kind, first: u64, why_not: &str) {
        let last_line = self.line();
        self.labels.near_misses.push(NearMiss {
            kind,
            first_line: first,
            last_line,
            why_not: why_not.to_owned(),
        });
    }

    pub(crate) fn finish(self, name: String, folder: &str, group: &str, seed: u64) -> GeneratedRun {
        GeneratedRun::collect(name, folder, group, seed, self.worker.rec, Some(self.labels), true)
    }
}
