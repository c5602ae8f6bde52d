//! Asking a model: every call that has no reply yet, many at once, each reply written down as it comes.

use std::collections::BTreeMap;

use anyhow::bail;
use ground_truth::graders::{RuleSet, grade};

use super::folder::Begun;
use super::{Asking, CallId, Reader, Replies, Reply};
use crate::common::{Reporter, Stage};
use crate::comprehend::measure::{Measured, Under};
use crate::comprehend::setup::Setup;
use crate::model::{CallError, Called, Next, Request, Runner, run_all};
use ground_truth::questions::QuestionSet;

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
    let all = jobs(setup, reader).count();
    let mut state = State::new(done, progress.stage("asking", all));
    let open: Vec<Job<'_>> =
        jobs(setup, reader).filter(|job| !state.calls.contains_key(&job.id.key())).collect();
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
        bail!("{error}\n{finished} of {all} calls are done and kept");
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
    failures: BTreeMap<String, String>,
    /// Why the run cannot go on.
    fatal: Option<CallError>,
    stage: Stage,
    /// Answers graded now, and the sum of their scores, for the display alone.
    graded: (u64, f64),
}

impl State {
    fn new(calls: BTreeMap<String, Called>, stage: Stage) -> Self {
        stage.already(calls.len());
        Self { calls, failures: BTreeMap::new(), fatal: None, stage, graded: (0, 0.0) }
    }

    fn done(
        &mut self,
        id: &CallId,
        set: &QuestionSet,
        called: Result<Called, CallError>,
        runner: &Runner,
    ) -> Next {
        let next = match called {
            Ok(called) => {
                self.grade(set, &called);
                self.calls.insert(id.key(), called);
                Next::Continue
            }
            Err(error) if error.kind.ends_run() => {
                self.fatal.get_or_insert(error);
                Next::Stop
            }
            Err(error) => {
                self.failures.insert(id.key(), error.to_string());
                Next::Continue
            }
        };
        self.stage.done(&self.message(runner));
        next
    }

    fn grade(&mut self, set: &QuestionSet, called: &Called) {
        let reply = Reply::of(&called.completion);
        for question in &set.questions {
            let score = grade(RuleSet::Strict1, question, &reply.answer(question)).score;
            self.graded.0 += 1;
            self.graded.1 += score.as_f64();
        }
    }

    /// Running accuracy and spend, for a person who waits.
    fn message(&self, runner: &Runner) -> String {
        let status = runner.status();
        let (graded, sum) = self.graded;
        #[allow(clippy::cast_precision_loss)] // a display of three digits
        let accuracy = if graded == 0 { 0.0 } else { sum / graded as f64 };
        format!(
            "strict/1 {accuracy:.3}, ${:.4}, {} retries, {} failed, {} at once",
            status.spend.dollars().amount().round_dp(4),
            status.retries,
            self.failures.len(),
            status.concurrency
        )
    }
}
