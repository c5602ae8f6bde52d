//! CONTINUE's names: written by the instrument, read by its tables and by reports.

use super::access;
use super::define::{aggregates, label_values, labels, measures};
use crate::row::Row;

/// The worker that needs no model.
pub const MECHANICAL: &str = "mechanical";

label_values! {
    /// What a row is about: the values of [`WHAT`].
    What of WHAT {
        /// A worker's run of a task under an arm.
        Run = "run",
    }
}

labels! {
    /// What the row is about.
    WHAT = "what";
    /// The arm: how the worker's context is made.
    ARM = "arm";
    /// The family of the task.
    FAMILY = "family";
    /// The task's length.
    HORIZON = "horizon";
    /// The seed of the task.
    SEED = "seed";
    /// The task: the cluster of every interval.
    TASK = "task";
    /// Who works: a model, or `mechanical`.
    WORKER = "worker";
}

measures! {
    /// Whether the end state is right.
    SUCCESS: Flag = "success";
    /// Partial credit, from 0 to 1.
    PARTIAL: Score = "partial";
    /// How the run ended.
    ENDED: Text = "ended";
    /// Whether it ended at the step cap.
    AT_STEP_CAP: Flag = "at_step_cap";
    /// What the check of the end state says.
    CHECK: Text = "check";
    /// What the worker said it was not shown.
    NOT_SHOWN: Text = "not_shown";
    /// Dollars of the worker's calls.
    DOLLARS: Dollars = "dollars";
    /// Dollars of the calls of the arm's own model: an extractor or a summarizer.
    HELPER_DOLLARS: Dollars = "aside_dollars";
    /// Both.
    ALL_DOLLARS: Dollars = "all_dollars";
    /// Input tokens of the worker that were neither read from nor written to the cache.
    INPUT_TOKENS: Tokens = "input_tokens";
    /// Output tokens of the worker.
    OUTPUT_TOKENS: Tokens = "output_tokens";
    /// Tokens read from the cache.
    CACHE_READ_TOKENS: Tokens = "cache_read_tokens";
    /// Tokens written to the cache.
    CACHE_WRITE_TOKENS: Tokens = "cache_write_tokens";
    /// Input tokens of every class.
    ALL_INPUT_TOKENS: Tokens = "all_input_tokens";
    /// Tokens of the largest context.
    LARGEST_CONTEXT_TOKENS: Tokens = "largest_context_tokens";
    /// Input tokens of the arm's own model.
    HELPER_INPUT_TOKENS: Tokens = "aside_input_tokens";
    /// Output tokens of the arm's own model.
    HELPER_OUTPUT_TOKENS: Tokens = "aside_output_tokens";
    /// The worker's calls.
    STEPS: Count = "steps";
    /// Replies that did not keep to the protocol.
    PROTOCOL_ERRORS: Count = "protocol_errors";
    /// Actions with wrong arguments.
    VALIDATION_ERRORS: Count = "validation_errors";
    /// Errors that the workbench injected.
    INJECTED_ERRORS: Count = "injected_errors";
    /// Errors of tools.
    TOOL_ERRORS: Count = "tool_errors";
    /// Actions tried again after an error.
    RETRIES: Count = "retries";
    /// Actions that were done already.
    REPEATS: Count = "repeats";
    /// How often the view was compiled again.
    REFRESHES: Count = "refreshes";
    /// Calls of the arm's own model.
    HELPER_CALLS: Count = "aside_calls";
    /// Batches that the extractor refused.
    REFUSALS: Count = "refusals";
    /// How often the arm fell back on less than it should show.
    FALLBACKS: Count = "fallbacks";
    /// Extracted texts that are not in the trace as they stand.
    NOT_VERBATIM: Count = "not_verbatim";
}

aggregates! {
    /// The share of runs whose end state is right.
    SUCCESS_RATE = "success";
    /// Mean partial credit.
    MEAN_PARTIAL = "mean partial credit";
    /// Mean dollars of a run.
    MEAN_DOLLARS = "mean dollars";
    /// Mean dollars of the arm's own model.
    MEAN_HELPER_DOLLARS = "mean dollars of the arm's own model";
    /// Mean dollars over the success rate.
    DOLLARS_PER_SUCCESS = "dollars per success";
    /// Mean steps.
    MEAN_STEPS = "mean steps";
    /// Runs that ended at the step cap.
    ENDED_AT_STEP_CAP = "ended at the step cap";
    /// Mean input tokens of every class.
    MEAN_ALL_INPUT = "mean tokens read";
    /// Mean input tokens outside the cache.
    MEAN_INPUT = "mean uncached input";
    /// Mean output tokens.
    MEAN_OUTPUT = "mean output";
    /// Mean tokens read from the cache.
    MEAN_CACHE_READ = "mean cache read";
    /// Mean tokens written to the cache.
    MEAN_CACHE_WRITE = "mean cache write";
    /// Actions tried again after an error, in all.
    ALL_RETRIES = "retries";
    /// Actions that were done already, in all.
    ALL_REPEATS = "repeats";
    /// Injected errors, in all.
    ALL_INJECTED_ERRORS = "injected_errors";
    /// Protocol errors, in all.
    ALL_PROTOCOL_ERRORS = "protocol_errors";
}

/// The names of a row that this schema does not define, or not as a measure of that kind.
#[must_use]
pub fn undefined(row: &Row) -> Vec<String> {
    let kind = |name: &str| MEASURES.iter().find(|it| it.name == name).map(|it| it.kind);
    access::undefined(row, LABELS, kind)
}
