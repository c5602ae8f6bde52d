//! Runs as rows of a scoreboard.

use corpus_gen::tasks::TaskSpec;
use scoreboards::measures::continuation as measures;
use scoreboards::{Decimal, Row};
use trace_model::pricing::Dollars;
use trace_model::view::{Version, WorkerView};

use super::arms::ArmSpec;
use super::run::{EndReason, RunRow};

/// The row's id, which is the key of the stored row too: the same for the same run everywhere.
pub(super) fn id(arm: &ArmSpec, task: TaskSpec) -> String {
    format!("{}/{}/{}/{}", task.family, task.horizon, arm.name, task.seed)
}

pub(super) fn row(arm: &ArmSpec, task: TaskSpec, worker: &str, run: &RunRow) -> Row {
    let counts = &run.counts;
    let all_input = counts.input + counts.cache_read + counts.cache_write;
    let both = run.dollars.zip(run.helper_dollars).map(|(worker, helper)| worker + helper);
    let not_shown = run.missing.clone().ok_or("the worker did not say that anything was missing");
    let row = Row::new(id(arm, task))
        .label(&measures::WHAT, measures::What::Run)
        .label(&measures::ARM, arm.name)
        .label(&measures::FAMILY, task.family.name())
        .label(&measures::HORIZON, task.horizon.to_string())
        .label(&measures::SEED, task.seed.to_string())
        .label(&measures::TASK, task.to_string())
        .label(&measures::WORKER, worker)
        .with(&measures::SUCCESS, run.success)
        .with_ratio(&measures::PARTIAL, run.partial.0, run.partial.1)
        .with(&measures::ENDED, run.ended.name())
        .with(&measures::AT_STEP_CAP, run.ended == EndReason::StepCap)
        .with(&measures::CHECK, run.why.clone())
        .with_known(&measures::NOT_SHOWN, not_shown)
        .with_known(&measures::DOLLARS, dollars(run.dollars))
        .with_known(&measures::HELPER_DOLLARS, dollars(run.helper_dollars))
        .with_known(&measures::ALL_DOLLARS, dollars(both))
        .with(&measures::INPUT_TOKENS, counts.input)
        .with(&measures::OUTPUT_TOKENS, counts.output)
        .with(&measures::CACHE_READ_TOKENS, counts.cache_read)
        .with(&measures::CACHE_WRITE_TOKENS, counts.cache_write)
        .with(&measures::ALL_INPUT_TOKENS, all_input)
        .with(&measures::LARGEST_CONTEXT_TOKENS, counts.largest_context)
        .with(&measures::HELPER_INPUT_TOKENS, counts.helper_input)
        .with(&measures::HELPER_OUTPUT_TOKENS, counts.helper_output)
        .with(&measures::STEPS, counts.steps)
        .with(&measures::PROTOCOL_ERRORS, counts.protocol_errors)
        .with(&measures::VALIDATION_ERRORS, counts.validation_errors)
        .with(&measures::INJECTED_ERRORS, counts.injected_errors)
        .with(&measures::TOOL_ERRORS, counts.tool_errors)
        .with(&measures::RETRIES, counts.retries)
        .with(&measures::REPEATS, counts.repeats)
        .with(&measures::REFRESHES, counts.refreshes)
        .with(&measures::HELPER_CALLS, counts.helper_calls)
        .with(&measures::REFUSALS, counts.refusals)
        .with(&measures::FALLBACKS, counts.fallbacks)
        .with(&measures::NOT_VERBATIM, counts.not_verbatim);
    match arm.view() {
        Some(view) => row.renderer(renderer_key(view)),
        None => row,
    }
}

/// What rows and the board's header call a view. The first version was alone when rows were first written, so it
/// has none in its key.
pub(super) fn renderer_key(view: WorkerView) -> String {
    match view.version {
        Version::One => view.variant.name().to_owned(),
        Version::Two => view.to_string(),
    }
}

fn dollars(amount: Option<Dollars>) -> Result<Decimal, &'static str> {
    amount.map(Dollars::amount).ok_or("some tokens have no known price")
}
