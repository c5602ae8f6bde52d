//! The oracle's and the generator's values in the form in which they can be compared with the fold's.
//!
//! The fold keeps long texts as excerpts and facts as digests. So a text is compared by its number of
//! characters and its SHA-256, a fact by its source (shortened as the fold does), key, line and the
//! digest of its value; every other field as it is.

use std::collections::BTreeMap;

use corpus_gen::{Shapes, TrackedValue, Truth};
use ground_truth::oracle::{Dollars, Estimate, FieldValue, Recount};
use trace_model::fold::source_name;
use trace_model::ids::{Digest64, Excerpt, Sha256};

/// Field values by name.
pub(super) type Fields = BTreeMap<String, FieldValue>;

/// The fields that are texts.
const TEXTS: [&str; 3] = ["goal", "last_error", "latest_request"];

/// Whether a field is a text, compared by its length and digest.
pub(super) fn is_text(name: &str) -> bool {
    TEXTS.contains(&name)
}

/// A text as it is compared.
pub(super) fn of_text(text: &str) -> FieldValue {
    FieldValue::Text(format!("{}:{}", text.chars().count(), Sha256::of(text)))
}

/// A text of which the fold kept only the beginning.
pub(super) fn of_excerpt(excerpt: Option<&Excerpt>) -> FieldValue {
    excerpt.map_or(FieldValue::Absent, |e| FieldValue::Text(format!("{}:{}", e.chars, e.sha256)))
}

/// A fact as it is compared.
pub(super) fn fact_line(source: &str, key: &str, line: u64, digest: Digest64) -> String {
    format!("{source}:{line}: {key} = {:016x}", digest.0)
}

/// The oracle's fields.
pub(super) fn of_oracle(recount: &Recount, dollars: &Dollars, estimate: &Estimate) -> Fields {
    let mut fields = recount.fields();
    fields.extend(dollars.fields());
    fields.extend(estimate.fields());
    for name in TEXTS {
        if let Some(FieldValue::Text(text)) = fields.get(name) {
            let value = of_text(text);
            fields.insert(name.to_owned(), value);
        }
    }
    let line = |fact: &ground_truth::oracle::Fact| {
        let digest = Digest64::of(&fact.value);
        fact_line(&source_name(&fact.source), &fact.key, fact.line, digest)
    };
    let facts = FieldValue::List(recount.facts.iter().map(line).collect());
    fields.insert("facts".to_owned(), facts);
    fields
}

/// The fields that the generator knows.
pub(super) fn of_truth(truth: &Truth) -> Fields {
    let mut fields = Fields::new();
    let groups = [
        truth_counts(truth),
        truth_tokens(truth),
        truth_lists(truth),
        truth_facts(truth),
        truth_shapes(&truth.shapes),
    ];
    for (name, value) in groups.into_iter().flatten() {
        fields.insert(name.to_owned(), value);
    }
    fields
}

fn truth_counts(truth: &Truth) -> Vec<(&'static str, FieldValue)> {
    let counts = [
        ("events", truth.events()),
        ("duplicates", truth.duplicates),
        ("bad_lines", truth.bad_lines),
        ("subagents", truth.subagents),
        ("orphans", truth.orphans),
        ("errors", truth.errors),
        ("retries", truth.retries),
        ("compactions", truth.compactions),
        ("prompts", truth.prompts),
        ("tool_calls", truth.tool_calls),
        ("results", truth.results),
        ("orphan_results", truth.orphan_results),
        ("succeeded_calls", truth.succeeded_calls),
        ("failed_calls", truth.failed_calls),
        ("denied_calls", truth.denied_calls),
        ("interrupted_calls", truth.interrupted_calls),
        ("open_tool_calls", truth.open_tool_calls),
        ("calls", truth.calls),
        ("over_200k_calls", truth.over_200k_calls),
    ];
    counts.map(|(name, count)| (name, FieldValue::Int(count))).into()
}

fn truth_tokens(truth: &Truth) -> Vec<(&'static str, FieldValue)> {
    let (all, naive, writes) = (&truth.tokens, &truth.naive_tokens, &truth.cache_writes);
    let counts = [
        ("tokens.input", all.input),
        ("tokens.output", all.output),
        ("tokens.cache_creation", all.cache_creation),
        ("tokens.cache_creation_5m", writes.five_minutes),
        ("tokens.cache_creation_1h", writes.one_hour),
        ("tokens.cache_read", all.cache_read),
        ("naive_tokens.input", naive.input),
        ("naive_tokens.output", naive.output),
        ("naive_tokens.cache_creation", naive.cache_creation),
        ("naive_tokens.cache_read", naive.cache_read),
        ("naive_tokens", naive.input + naive.output + naive.cache_creation + naive.cache_read),
    ];
    let model = |of: fn(&corpus_gen::Tokens) -> u64| {
        let counts = truth.by_model.iter().map(|(m, tokens)| (m.clone(), of(tokens).to_string()));
        FieldValue::Map(counts.collect())
    };
    let mut fields: Vec<_> = counts.map(|(name, count)| (name, FieldValue::Int(count))).into();
    fields.extend([
        ("by_model.input", model(|tokens| tokens.input)),
        ("by_model.output", model(|tokens| tokens.output)),
        ("by_model.cache_creation", model(|tokens| tokens.cache_creation)),
        ("by_model.cache_read", model(|tokens| tokens.cache_read)),
    ]);
    fields
}

fn truth_lists(truth: &Truth) -> Vec<(&'static str, FieldValue)> {
    let text = |text: Option<&String>| text.map_or(FieldValue::Absent, |text| of_text(text));
    let mut dangling: Vec<String> = truth.dangling.iter().map(|call| call.id.clone()).collect();
    dangling.sort_unstable();
    let kinds = trace_model::event::EventKind::ALL.map(|kind| {
        let count = truth.events_by_kind.get(kind.name()).copied().unwrap_or(0);
        (kind.name().to_owned(), count.to_string())
    });
    let tools = truth.per_tool.iter().map(|(tool, count)| (tool.clone(), count.to_string()));
    vec![
        ("goal", text(truth.goal.as_ref())),
        ("latest_request", text(truth.latest_request.as_ref())),
        ("last_error", text(truth.last_error.as_ref())),
        ("dangling", FieldValue::List(dangling)),
        ("files_read", FieldValue::List(truth.files_read.iter().cloned().collect())),
        ("files_written", FieldValue::List(truth.files_written.iter().cloned().collect())),
        ("events_by_kind", FieldValue::Map(kinds.into())),
        ("per_tool", FieldValue::Map(tools.collect())),
    ]
}

fn truth_shapes(shapes: &Shapes) -> Vec<(&'static str, FieldValue)> {
    let beside = &shapes.unattributed_tokens;
    let counts = [
        ("cancelled_calls", shapes.cancelled_calls),
        ("abandoned_calls", shapes.abandoned_calls),
        ("turns_taken_back", shapes.turns_taken_back),
        ("unreconciled_iterations", shapes.unreconciled_iterations),
        ("unattributed_tokens.input", beside.input),
        ("unattributed_tokens.output", beside.output),
        ("unattributed_tokens.cache_creation", beside.cache_creation),
        ("unattributed_tokens.cache_read", beside.cache_read),
    ];
    let mut fields: Vec<_> =
        counts.map(|(name, count)| (name, FieldValue::Int(count))).into_iter().collect();
    fields.extend(shapes.unfinished_usage.map(|n| ("unfinished_usage", FieldValue::Int(n))));
    let entries = shapes.unknown_iterations.iter();
    let entries = entries.map(|(kind, count)| (kind.clone(), count.to_string())).collect();
    fields.extend([
        ("background_tasks", FieldValue::Map(shapes.background_tasks.clone())),
        ("turns", FieldValue::List(shapes.turns.clone())),
        ("unknown_iterations", FieldValue::Map(entries)),
        ("stated_cost_usd", plain(shapes.stated_cost_usd.as_deref())),
    ]);
    fields.extend(truth_held(["cwd", "cwd_since", "cwd_changes"], shapes.cwd.as_ref()));
    fields.extend(truth_held(["branch", "branch_since", "branch_changes"], shapes.branch.as_ref()));
    fields.extend(truth_held(["model", "model_since", "model_changes"], shapes.model.as_ref()));
    fields.extend(truth_held(
        ["permission_mode", "permission_mode_since", "permission_mode_changes"],
        shapes.permission_mode.as_ref(),
    ));
    fields
}

/// What changes within a run: its newest value, the event from which that has held, how often it changed.
fn truth_held(
    names: [&'static str; 3],
    held: Option<&TrackedValue>,
) -> [(&'static str, FieldValue); 3] {
    let [value, since, changes] = names;
    [
        (value, plain(held.map(|held| held.value.as_str()))),
        (since, held.map_or(FieldValue::Absent, |held| FieldValue::Int(held.since))),
        (changes, FieldValue::Int(held.map_or(0, |held| held.changes))),
    ]
}

/// A text that the fold keeps whole.
pub(super) fn plain(text: Option<&str>) -> FieldValue {
    text.map_or(FieldValue::Absent, |text| FieldValue::Text(text.to_owned()))
}

fn truth_facts(truth: &Truth) -> Vec<(&'static str, FieldValue)> {
    let of = |value: fn(&corpus_gen::KeyFacts) -> Option<String>| {
        let values =
            truth.facts.iter().filter_map(|(key, facts)| Some((key.clone(), value(facts)?)));
        FieldValue::Map(values.collect())
    };
    vec![
        ("aggregates.count", of(|key| Some(key.n.to_string()))),
        ("aggregates.numeric", of(|key| Some(key.n_numeric.to_string()))),
        ("aggregates.sum", of(|key| (key.n_numeric > 0).then(|| key.sum.clone()))),
    ]
}

/// The names of the fields in which two sets of fields differ, a field that only one has among them.
pub(super) fn differences<V: PartialEq>(
    a: &BTreeMap<String, V>,
    b: &BTreeMap<String, V>,
) -> Vec<String> {
    let missing_in_a = b.keys().filter(|name| !a.contains_key(*name));
    let different = a.iter().filter(|(name, value)| b.get(*name) != Some(*value));
    let mut names: Vec<String> =
        different.map(|(name, _)| name).chain(missing_in_a).cloned().collect();
    names.sort_unstable();
    names
}

/// Whether a run has anything to show for a field: a value of nothing would be equal anyway.
pub(super) fn is_exercised(value: &FieldValue) -> bool {
    match value {
        FieldValue::Absent => false,
        FieldValue::Int(count) => *count > 0,
        FieldValue::Text(text) => !text.is_empty() && text != "0",
        FieldValue::List(list) => !list.is_empty(),
        FieldValue::Map(map) => map.values().any(|value| value != "0"),
    }
}

/// Maximum characters recorded of a value.
const SHOWN: usize = 160;

/// A value beside another that it should equal, short: the first place in which they differ. Of a
/// private run only counts and digests.
pub(super) fn describe(
    value: Option<&FieldValue>,
    other: Option<&FieldValue>,
    private: bool,
) -> String {
    let Some(value) = value else { return "no such field".to_owned() };
    match (value, other) {
        (FieldValue::Absent, _) => "absent".to_owned(),
        (FieldValue::Int(count), _) => count.to_string(),
        (FieldValue::Text(text), _) if !private => cut(text),
        (FieldValue::List(list), Some(FieldValue::List(others))) if !private => {
            let at = list.iter().zip(others).take_while(|(a, b)| a == b).count();
            let entry = list.get(at).map_or("the end".to_owned(), |entry| cut(entry));
            format!("{} entries, entry {}: {entry}", list.len(), at + 1)
        }
        (FieldValue::Map(map), Some(FieldValue::Map(others))) if !private => {
            let key = map
                .keys()
                .chain(others.keys())
                .filter(|key| map.get(*key) != others.get(*key))
                .min();
            let entry = key.map(|key| {
                let value = map.get(key).map_or("nothing", String::as_str);
                cut(&format!("{key}: {value}"))
            });
            format!("{} entries, {}", map.len(), entry.unwrap_or_default())
        }
        (value, _) => digest(value),
    }
}

fn digest(value: &FieldValue) -> String {
    let length = match value {
        FieldValue::List(list) => list.len(),
        FieldValue::Map(map) => map.len(),
        FieldValue::Absent | FieldValue::Int(_) | FieldValue::Text(_) => 1,
    };
    let sha = Sha256::of(&format!("{value:?}")).to_string();
    format!("{length} entries, sha256 {}", sha.get(..12).unwrap_or(&sha))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(items: &[&str]) -> FieldValue {
        FieldValue::List(items.iter().map(|item| (*item).to_owned()).collect())
    }

    #[test]
    fn a_field_that_is_missing_on_one_side_differs() {
        let fields = |names: &[&str]| -> Fields {
            names.iter().map(|name| ((*name).to_owned(), FieldValue::Int(1))).collect()
        };
        assert_eq!(differences(&fields(&["a", "b"]), &fields(&["b", "c"])), ["a", "c"]);
        assert!(differences(&fields(&["a"]), &fields(&["a"])).is_empty());
    }

    #[test]
    fn the_fold_keeps_enough_of_a_long_text_to_compare_it() {
        let long = "ä".repeat(9000);
        assert_eq!(of_excerpt(Some(&Excerpt::new(&long, 10))), of_text(&long));
        let other = format!("{}b", "ä".repeat(8999));
        assert_ne!(of_excerpt(Some(&Excerpt::new(&long, 10))), of_text(&other));
    }

    #[test]
    fn descriptions_point_at_the_difference_and_keep_private_runs_private() {
        let (a, b) = (list(&["x", "secret"]), list(&["x"]));
        assert_eq!(describe(Some(&a), Some(&b), false), "2 entries, entry 2: secret");
        assert_eq!(describe(Some(&b), Some(&a), false), "1 entries, entry 2: the end");
        let private = describe(Some(&a), Some(&b), true);
        assert!(private.starts_with("2 entries, sha256 ") && !private.contains("secret"));
        assert_eq!(describe(None, Some(&a), true), "no such field");
    }
}
