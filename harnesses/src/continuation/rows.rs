//! Runs as rows of a scoreboard.

use corpus_gen::tasks::TaskSpec;
use scoreboards::{Measure, Row};
use trace_model::pricing::Dollars;

use super::arms::ArmSpec;
use super::run::{EndReason, RunRow};

/// The row's id, which is the key of the stored row too: the same for the same run everywhere.
pub(super) fn id(arm: &ArmSpec, task: TaskSpec) -> String {
    format!("{}/{}/{}/{}", task.family, task.horizon, arm.name, task.seed)
}

pub(super) fn row(arm: &ArmSpec, task: TaskSpec, worker: &str, run: &RunRow) -> Row {
    let counts = &run.counts;
    let row = Row::new(id(arm, task))
        .label("what", "run")
        .label("arm", arm.name)
        .label("family", task.family.name())
        .label("horizon", task.horizon.to_string())
        .label("seed", task.seed.to_string())
        .label("task", task.to_string())
        .label("worker", worker)
        .flag("success", run.success)
        .measure("partial", Measure::score_ratio(run.partial.0, run.partial.1))
        .text("ended", run.ended.name())
        .flag("at_step_cap", run.ended == EndReason::StepCap)
        .text("check", run.why.clone())
        .measure("dollars", dollars(run.dollars))
        .measure("aside_dollars", dollars(run.helper_dollars))
        .measure("all_dollars", dollars(run.dollars.zip(run.helper_dollars).map(|(a, b)| a + b)));
    let row = match arm.view {
        Some(view) => row.renderer(view.name()),
        None => row,
    };
    let row = match &run.missing {
        Some(missing) => row.text("not_shown", missing.clone()),
        None => row.missing("not_shown", "the worker did not say that anything was missing"),
    };
    let tokens = [
        ("input_tokens", counts.input),
        ("output_tokens", counts.output),
        ("cache_read_tokens", counts.cache_read),
        ("cache_write_tokens", counts.cache_write),
        ("all_input_tokens", counts.input + counts.cache_read + counts.cache_write),
        ("largest_context_tokens", counts.largest_context),
        ("aside_input_tokens", counts.helper_input),
        ("aside_output_tokens", counts.helper_output),
    ];
    let row = tokens
        .into_iter()
        .fold(row, |row, (name, tokens)| row.measure(name, Measure::Tokens(tokens)));
    let numbers = [
        ("steps", counts.steps),
        ("protocol_errors", counts.protocol_errors),
        ("validation_errors", counts.validation_errors),
        ("injected_errors", counts.injected_errors),
        ("tool_errors", counts.tool_errors),
        ("retries", counts.retries),
        ("repeats", counts.repeats),
        ("refreshes", counts.refreshes),
        ("aside_calls", counts.helper_calls),
        ("refusals", counts.refusals),
        ("fallbacks", counts.fallbacks),
        ("not_verbatim", counts.not_verbatim),
    ];
    numbers.into_iter().fold(row, |row, (name, number)| row.count(name, number))
}

fn dollars(amount: Option<Dollars>) -> Measure {
    match amount {
        Some(amount) => Measure::Dollars(amount.amount()),
        None => Measure::Missing { reason: "some tokens have no known price".to_owned() },
    }
}
