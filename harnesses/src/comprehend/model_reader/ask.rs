//! Asking a model: every call that has no reply yet, many at once, each reply written down as it comes.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::bail;
use ground_truth::graders::{RuleSet, Score, grade};
use ground_truth::questions::QuestionSet;
use rust_decimal::Decimal;

use super::folder::Begun;
use super::{Asking, CallId, NoAnswer, Reader, Replies, Reply};
use crate::common::{Reporter, Stage};
use crate::comprehend::measure::{Measured, Under};
use crate::comprehend::setup::Setup;
use crate::model::{CallError, Called, Next, Request, Runner, run_all};

/// A call to make.
pub(in crate::comprehend) struct Job<'a> {
    pub(in crate::comprehend) id: CallId,
    set: &'a QuestionSet,
    context: &'a str,
}

impl Job<'_> {
    pub(in crate::comprehend) fn request(&self, asking: &Asking) -> Request {
        asking.request(self.set, self.context)
    }
}

/// The calls of a run of COMPREHEND, in order; those about one text come together.
pub(in crate::comprehend) fn jobs<'a>(
    setup: &'a Setup,
    reader: &'a Reader,
) -> impl Iterator<Item = Job<'a>> {
    let texts = setup.runs.iter().flat_map(|run| run.conditions.iter().map(move |it| (run, it)));
    texts.flat_map(move |(run, under)| {
        let sets = run.sets.iter().filter(|set| !set.questions.is_empty());
        sets.flat_map(move |set| (0..reader.repeats).map(move |it| job(run, under, set, it)))
    })
}

fn job<'a>(run: &'a Measured, under: &'a Under, set: &'a QuestionSet, repeat: u32) -> Job<'a> {
    let (run, condition, pack) = (run.name.clone(), under.condition.clone(), set.pack.clone());
    Job {
        id: CallId { run, condition, pack, repeat },
        set,
        context: under.text.as_deref().unwrap_or_default(),
    }
}

/// Makes the calls that have no reply yet.
///
/// # Errors
/// If the run has to end before all calls are made; what is done is kept, and the message says how much.
pub(in crate::comprehend) async fn ask(
    setup: &Setup,
    reader: &Reader,
    runner: &Runner,
    begun: Begun,
    progress: &Reporter,
) -> anyhow::Result<Replies> {
    let Begun { journal, done } = begun;
    let mut open: Vec<Job<'_>> = jobs(setup, reader).collect();
    let all = open.len();
    let conditions = open.iter().map(|job| job.id.condition.clone()).collect();
    let mut state = State::new(done, conditions, progress.stage("asking", all));
    open.retain(|job| !state.calls.contains_key(&job.id.key()));
    let asking = reader.asking();
    let work = |Job { id, set, context }| {
        let (runner, request) = (runner.clone(), asking.request(set, context));
        async move {
            let called = runner.call(&request, id.repeat).await;
            (id, set, called)
        }
    };
    let ended = run_all(open, runner.jobs(), runner.stop(), work, |(id, set, called)| {
        if let Ok(called) = &called {
            journal.append(&id.key(), called)?;
        }
        Ok(state.done(&id, set, called, runner))
    })
    .await?;
    journal.sync()?;
    runner.ledger().sync()?;
    let State { calls, failures, fatal, .. } = state;
    let finished = calls.len();
    if let Some(error) = fatal {
        bail!("{error}; {finished} of {all} calls are done and kept");
    }
    if !ended.is_complete() {
        bail!(
            "stopped: {finished} of {all} calls are done and kept; the same command goes on from there"
        );
    }
    Ok(Replies { calls, failures, spend: runner.ledger().spend() })
}

/// What has come so far.
struct State {
    calls: BTreeMap<String, Called>,
    failures: BTreeMap<String, NoAnswer>,
    /// Conditions of which no call has come back. A text that is too long for the model is turned away
    /// under one condition and not under another, so one refusal says little about the rest.
    untried: BTreeSet<String>,
    /// Why the run cannot go on.
    fatal: Option<CallError>,
    stage: Stage,
    graded: Graded,
}

impl State {
    fn new(calls: BTreeMap<String, Called>, untried: BTreeSet<String>, stage: Stage) -> Self {
        stage.already(calls.len());
        let (failures, graded) = (BTreeMap::new(), Graded::default());
        Self { calls, failures, untried, fatal: None, stage, graded }
    }

    fn done(
        &mut self,
        id: &CallId,
        set: &QuestionSet,
        called: Result<Called, CallError>,
        runner: &Runner,
    ) -> Next {
        self.untried.remove(&id.condition);
        let next = match called {
            Ok(called) => {
                self.grade(set, &called);
                self.calls.insert(id.key(), called);
                Next::Continue
            }
            Err(error) if error.kind.ends_run() || self.would_all_fail(&error) => {
                self.fatal.get_or_insert(error);
                Next::Stop
            }
            Err(error) => {
                let retries = error.retries() as u64;
                self.failures.insert(id.key(), NoAnswer { why: error.to_string(), retries });
                Next::Continue
            }
        };
        self.stage.done(&self.message(runner));
        next
    }

    /// Whether a call was turned away when none had been answered, though each condition had its turn.
    fn would_all_fail(&self, error: &CallError) -> bool {
        error.kind.is_final() && self.untried.is_empty() && self.calls.is_empty()
    }

    fn grade(&mut self, set: &QuestionSet, called: &Called) {
        let strict = RuleSet::STRICT;
        let reply = Reply::of(&called.completion, strict);
        for question in &set.questions {
            self.graded.add(grade(strict, question, &reply.answer(question)).score);
        }
    }

    /// Running accuracy by the strict rules, spend and failures, for a person who waits.
    fn message(&self, runner: &Runner) -> String {
        let line = runner.status().line(self.graded.mean());
        match self.failures.len() {
            0 => line,
            failed => format!("{line}, {failed} failed"),
        }
    }
}

/// Answers graded now.
#[derive(Default)]
struct Graded {
    answers: u64,
    scores: Decimal,
}

impl Graded {
    fn add(&mut self, score: Score) {
        self.answers += 1;
        self.scores += Decimal::from(score.num) / Decimal::from(score.den);
    }

    fn mean(&self) -> Option<Decimal> {
        self.scores.checked_div(Decimal::from(self.answers))
    }
}
