//! The calls of a COMPREHEND run.

use std::path::Path;

use anyhow::Context as _;
use ground_truth::questions::QuestionSet;

use super::calls::Calls;
use super::prompt::PromptSettings;
use super::reader::Reader;
use super::replies::CallId;
use crate::comprehend::prepare::{PreparedRun, RenderedContext};
use crate::comprehend::setup::Setup;
use crate::model::{Request, Runner};

/// A call to make.
pub(in crate::comprehend) struct Job<'a> {
    pub(in crate::comprehend) id: CallId,
    pub(super) set: &'a QuestionSet,
    pub(super) context: &'a str,
}

impl Job<'_> {
    pub(in crate::comprehend) fn request(&self, settings: &PromptSettings) -> Request {
        settings.request(self.set, self.context)
    }
}

/// The calls of a COMPREHEND run, in order; calls about one text come together.
pub(in crate::comprehend) fn jobs<'a>(
    setup: &'a Setup,
    reader: &'a Reader,
) -> impl Iterator<Item = Job<'a>> {
    let texts = setup.runs.iter().flat_map(|run| run.conditions.iter().map(move |it| (run, it)));
    texts.flat_map(move |(run, shown)| {
        let sets = run.sets.iter().filter(|set| !set.questions.is_empty());
        sets.flat_map(move |set| (0..reader.repeats).map(move |it| job(run, shown, set, it)))
    })
}

/// The same for a run's folder: what each is recorded under by a runner, and in which `cassette`, where the
/// user names one.
///
/// # Errors
/// If the cassette's path cannot be made absolute.
pub(in crate::comprehend) fn calls(
    setup: &Setup,
    reader: &Reader,
    runner: &Runner,
    cassette: Option<&Path>,
) -> anyhow::Result<Calls> {
    let settings = reader.prompt_settings();
    let key = |job: &Job<'_>| runner.key(&job.request(&settings), job.id.repeat);
    let recorded_as = jobs(setup, reader).map(|job| (job.id.key(), key(&job))).collect();
    let cassette = cassette.map(std::path::absolute).transpose();
    let cassette = cassette.context("cannot make the path of --cassette absolute")?;
    Ok(Calls { cassette, pricing: runner.pricing().clone(), recorded_as })
}

fn job<'a>(
    run: &'a PreparedRun,
    shown: &'a RenderedContext,
    set: &'a QuestionSet,
    repeat: u32,
) -> Job<'a> {
    let (run, condition, pack) = (run.name.clone(), shown.condition.clone(), set.pack.clone());
    Job {
        id: CallId { run, condition, pack, repeat },
        set,
        context: shown.text.as_deref().unwrap_or_default(),
    }
}
