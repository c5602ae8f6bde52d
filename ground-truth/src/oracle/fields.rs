//! The recount as named fields, which the FIDELITY harness compares with the fold's one by one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::api_call::{ModelTotals, Tokens};
use super::changes::TrackedValue;
use super::exact::Exact;
use super::facts::{Aggregate, Fact};
use super::recount::Recount;

/// The value of a field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldValue {
    /// The run has none.
    Absent,
    /// A count.
    Int(u64),
    /// A text, whole; or a decimal as text without trailing zeros.
    Text(String),
    /// A list in the order that the field's documentation gives.
    List(Vec<String>),
    /// Texts by name; counts and decimals are written as text.
    Map(BTreeMap<String, String>),
}

/// The names of all fields that [`Recount::fields`] gives, sorted.
pub const FIELD_NAMES: &[&str] = &[
    "abandoned_calls",
    "aggregates.alternating",
    "aggregates.count",
    "aggregates.last",
    "aggregates.max",
    "aggregates.min",
    "aggregates.numeric",
    "aggregates.sum",
    "background_tasks",
    "bad_lines",
    "branch",
    "branch_changes",
    "branch_since",
    "by_model.cache_creation",
    "by_model.cache_creation_1h",
    "by_model.cache_creation_5m",
    "by_model.cache_read",
    "by_model.calls",
    "by_model.input",
    "by_model.output",
    "calls",
    "calls_without_id",
    "cancelled_calls",
    "compactions",
    "cwd",
    "cwd_changes",
    "cwd_since",
    "dangling",
    "deduplicated_tokens",
    "denied_calls",
    "duplicate_calls",
    "duplicate_results",
    "duplicates",
    "errors",
    "events",
    "events_by_kind",
    "facts",
    "failed_calls",
    "fast_calls",
    "files_read",
    "files_written",
    "goal",
    "interrupted_calls",
    "interruptions",
    "last_error",
    "late_results",
    "latest_request",
    "lines",
    "model",
    "model_changes",
    "model_since",
    "naive_tokens",
    "naive_tokens.cache_creation",
    "naive_tokens.cache_read",
    "naive_tokens.input",
    "naive_tokens.output",
    "open_call_ids",
    "open_tool_calls",
    "orphan_results",
    "orphans",
    "over_200k_calls",
    "pending_partial_lines",
    "per_tool",
    "per_tool_failed",
    "permission_mode",
    "permission_mode_changes",
    "permission_mode_since",
    "prompts",
    "records",
    "results",
    "retries",
    "stated_cost_usd",
    "subagents",
    "succeeded_calls",
    "tokens.cache_creation",
    "tokens.cache_creation_1h",
    "tokens.cache_creation_5m",
    "tokens.cache_read",
    "tokens.input",
    "tokens.output",
    "tool_calls",
    "turns",
    "turns_taken_back",
    "unattributed_tokens.cache_creation",
    "unattributed_tokens.cache_read",
    "unattributed_tokens.input",
    "unattributed_tokens.output",
    "unknown",
    "unknown_iterations",
    "unreconciled_iterations",
    "web_fetch_requests",
    "web_search_requests",
];

/// The text of a fact in the field `facts`.
#[must_use]
pub fn fact_text(source: &str, key: &str, line: u64, value: &str) -> String {
    format!("{source}:{line}: {key} = {value}")
}

impl Recount {
    /// Every field by its name: exactly those of [`FIELD_NAMES`].
    ///
    /// `aggregates.*` are maps by key and `by_model.*` maps by model. Statistics of a key that has no
    /// number are not in their map. `naive_tokens` and `deduplicated_tokens` are totals of all classes.
    #[must_use]
    pub fn fields(&self) -> BTreeMap<String, FieldValue> {
        let mut fields = self.counts();
        fields.extend(self.texts_and_lists());
        fields.extend(self.token_fields());
        fields.extend(self.model_fields());
        fields.extend(self.fact_fields());
        fields.extend(changing(["cwd", "cwd_since", "cwd_changes"], &self.cwd));
        fields.extend(changing(["branch", "branch_since", "branch_changes"], &self.branch));
        fields.extend(changing(["model", "model_since", "model_changes"], &self.model));
        fields.extend(changing(
            ["permission_mode", "permission_mode_since", "permission_mode_changes"],
            &self.permission_mode,
        ));
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn counts(&self) -> Vec<(&'static str, FieldValue)> {
        let counts = [
            ("lines", self.lines),
            ("records", self.records),
            ("bad_lines", self.bad_lines),
            ("pending_partial_lines", self.pending_partial_lines),
            ("events", self.events),
            ("duplicates", self.duplicates),
            ("subagents", self.subagents),
            ("orphans", self.orphans),
            ("errors", self.errors),
            ("retries", self.retries),
            ("compactions", self.compactions),
            ("unknown", self.unknown),
            ("prompts", self.prompts),
            ("interruptions", self.interruptions),
            ("tool_calls", self.tool_calls),
            ("calls_without_id", self.calls_without_id),
            ("duplicate_calls", self.duplicate_calls),
            ("results", self.results),
            ("duplicate_results", self.duplicate_results),
            ("late_results", self.late_results),
            ("orphan_results", self.orphan_results),
            ("succeeded_calls", self.succeeded_calls),
            ("failed_calls", self.failed_calls),
            ("denied_calls", self.denied_calls),
            ("interrupted_calls", self.interrupted_calls),
            ("cancelled_calls", self.cancelled_calls),
            ("abandoned_calls", self.abandoned_calls),
            ("open_tool_calls", self.open_tool_calls),
            ("turns_taken_back", self.turns_taken_back),
            ("unreconciled_iterations", self.unreconciled_iterations),
            ("calls", self.calls),
            ("fast_calls", self.fast_calls),
            ("over_200k_calls", self.over_200k_calls),
            ("web_search_requests", self.web_search_requests),
            ("web_fetch_requests", self.web_fetch_requests),
        ];
        counts.into_iter().map(|(name, count)| (name, FieldValue::Int(count))).collect()
    }

    fn texts_and_lists(&self) -> Vec<(&'static str, FieldValue)> {
        vec![
            ("goal", text(self.goal.as_ref())),
            ("latest_request", text(self.latest_request.as_ref())),
            ("last_error", text(self.last_error.as_ref())),
            ("stated_cost_usd", text(self.stated_cost_usd.as_ref())),
            ("turns", FieldValue::List(self.turns.clone())),
            ("background_tasks", FieldValue::Map(self.background_tasks.clone())),
            ("unknown_iterations", counts_by(&self.unknown_iterations)),
            ("open_call_ids", FieldValue::List(self.open_call_ids.clone())),
            ("dangling", FieldValue::List(self.dangling.clone())),
            ("files_read", FieldValue::List(self.files_read.clone())),
            ("files_written", FieldValue::List(self.files_written.clone())),
            ("events_by_kind", counts_by(&self.events_by_kind)),
            ("per_tool", counts_by(&self.per_tool)),
            ("per_tool_failed", counts_by(&self.per_tool_failed)),
        ]
    }

    fn token_fields(&self) -> Vec<(&'static str, FieldValue)> {
        let (tokens, naive) = (&self.tokens, &self.naive_tokens);
        let unattributed = &self.unattributed_tokens;
        let counts = [
            ("tokens.input", tokens.input),
            ("tokens.output", tokens.output),
            ("tokens.cache_creation", tokens.cache_creation),
            ("tokens.cache_creation_5m", tokens.cache_creation_5m),
            ("tokens.cache_creation_1h", tokens.cache_creation_1h),
            ("tokens.cache_read", tokens.cache_read),
            ("unattributed_tokens.input", unattributed.input),
            ("unattributed_tokens.output", unattributed.output),
            ("unattributed_tokens.cache_creation", unattributed.cache_creation),
            ("unattributed_tokens.cache_read", unattributed.cache_read),
            ("naive_tokens", naive.total()),
            ("naive_tokens.input", naive.input),
            ("naive_tokens.output", naive.output),
            ("naive_tokens.cache_creation", naive.cache_creation),
            ("naive_tokens.cache_read", naive.cache_read),
            ("deduplicated_tokens", self.deduplicated_tokens.total()),
        ];
        counts.into_iter().map(|(name, count)| (name, FieldValue::Int(count))).collect()
    }

    fn model_fields(&self) -> Vec<(&'static str, FieldValue)> {
        let tokens = |class: fn(&Tokens) -> u64| {
            map(&self.by_model, |model| Some(class(&model.tokens).to_string()))
        };
        let calls = |model: &ModelTotals| Some(model.calls.to_string());
        vec![
            ("by_model.calls", map(&self.by_model, calls)),
            ("by_model.input", tokens(|tokens| tokens.input)),
            ("by_model.output", tokens(|tokens| tokens.output)),
            ("by_model.cache_creation", tokens(|tokens| tokens.cache_creation)),
            ("by_model.cache_creation_5m", tokens(|tokens| tokens.cache_creation_5m)),
            ("by_model.cache_creation_1h", tokens(|tokens| tokens.cache_creation_1h)),
            ("by_model.cache_read", tokens(|tokens| tokens.cache_read)),
        ]
    }

    fn fact_fields(&self) -> Vec<(&'static str, FieldValue)> {
        let statistic = |of: fn(&Aggregate) -> Option<Exact>| {
            map(&self.aggregates, |key| of(key).map(|number| number.to_string()))
        };
        let count =
            |of: fn(&Aggregate) -> u64| map(&self.aggregates, |key| Some(of(key).to_string()));
        let line = |fact: &Fact| fact_text(&fact.source, &fact.key, fact.line, &fact.value);
        vec![
            ("facts", FieldValue::List(self.facts.iter().map(line).collect())),
            ("aggregates.count", count(|key| key.count)),
            ("aggregates.numeric", count(|key| key.numeric)),
            ("aggregates.sum", statistic(|key| key.sum)),
            ("aggregates.min", statistic(|key| key.min)),
            ("aggregates.max", statistic(|key| key.max)),
            ("aggregates.last", statistic(|key| key.last)),
            ("aggregates.alternating", statistic(|key| key.alternating)),
        ]
    }
}

/// The three fields of a value that changes. Without a value there is no event from which it holds.
fn changing(names: [&'static str; 3], of: &TrackedValue) -> [(&'static str, FieldValue); 3] {
    let [value, since, changes] = names;
    [
        (value, text(of.value.as_ref())),
        (since, of.since.map_or(FieldValue::Absent, FieldValue::Int)),
        (changes, FieldValue::Int(of.changes)),
    ]
}

fn text(value: Option<&String>) -> FieldValue {
    value.map_or(FieldValue::Absent, |text| FieldValue::Text(text.clone()))
}

fn counts_by(counts: &BTreeMap<String, u64>) -> FieldValue {
    map(counts, |count| Some(count.to_string()))
}

fn map<T>(of: &BTreeMap<String, T>, value: impl Fn(&T) -> Option<String>) -> FieldValue {
    let entries = of.iter().filter_map(|(name, item)| Some((name.clone(), value(item)?)));
    FieldValue::Map(entries.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_exactly_those_of_the_list() {
        let fields = Recount::default().fields();
        assert_eq!(fields.keys().map(String::as_str).collect::<Vec<_>>(), FIELD_NAMES);
    }
}
