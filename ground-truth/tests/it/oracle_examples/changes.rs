//! "What changes within a run".

use ground_truth::oracle::{FieldValue, TrackedValue};
use serde_json::{Value, json};

use super::support::{api, count, user, with};

/// The value, the event from which it has held, and the number of changes.
fn held(of: &TrackedValue) -> (Option<&str>, Option<u64>, u64) {
    (of.value.as_deref(), of.since, of.changes)
}

fn at(cwd: &str, branch: &str) -> Value {
    with(user("x"), &json!({"cwd": cwd, "gitBranch": branch}))
}

#[test]
fn the_newest_value_holds_from_the_event_that_stated_it_first() {
    let run = count(&[
        json!({"type": "mode"}),
        at("/a", "main"),
        with(user(json!(["one", "two"])), &json!({"cwd": "/b", "gitBranch": "main"})),
        at("/b", "main"),
        json!({"type": "permission-mode", "permissionMode": "plan"}),
    ]);
    assert_eq!(held(&run.cwd), (Some("/b"), Some(2), 1));
    assert_eq!(held(&run.branch), (Some("main"), Some(1), 0));
    assert_eq!(held(&run.permission_mode), (Some("plan"), Some(5), 0));
    assert_eq!(held(&run.model), (None, None, 0));
    let run = count(&[at("/a", "x"), at("/b", "x"), at("/a", "x")]);
    assert_eq!(held(&run.cwd), (Some("/a"), Some(2), 2), "back again is a change");
}

#[test]
fn only_records_of_the_main_thread_that_state_a_value_count() {
    let once = with(at("/b", "x"), &json!({"uuid": "u"}));
    let run = count(&[
        once.clone(),
        at("/a", ""),
        once,
        with(at("/c", "y"), &json!({"agentId": "a"})),
        with(at("/c", "y"), &json!({"isSidechain": true})),
        with(user("x"), &json!({"cwd": null, "gitBranch": ["z"]})),
    ]);
    assert_eq!(held(&run.cwd), (Some("/a"), Some(1), 1), "a duplicate states nothing");
    assert_eq!(held(&run.branch), (Some("x"), Some(0), 0));
}

#[test]
fn events_are_counted_over_the_whole_ledger() {
    let twice = with(user("x"), &json!({"uuid": "u"}));
    let run = count(&[twice.clone(), twice, at("/a", "x")]);
    assert_eq!(held(&run.cwd), (Some("/a"), Some(2), 0), "duplicates included");
}

#[test]
fn the_model_is_that_of_a_reported_call() {
    let of = |model: &str, fields: Value| {
        let mut record = with(api(model, model, &json!({})), &fields);
        record["message"]["model"] = json!(model);
        record["message"]["content"] = json!("x");
        record
    };
    let run = count(&[
        of("one", json!({})),
        of("two", json!({})),
        of("<synthetic>", json!({})),
        of("three", json!({"isApiErrorMessage": true})),
        of("four", json!({"agentId": "a"})),
        json!({"type": "system", "subtype": "init", "model": "five"}),
    ]);
    assert_eq!(held(&run.model), (Some("two"), Some(1), 1));
}

#[test]
fn what_is_never_stated_is_absent() {
    let fields = count(&[user("x")]).fields();
    for name in ["cwd", "cwd_since", "branch", "model_since", "permission_mode", "stated_cost_usd"]
    {
        assert_eq!(fields[name], FieldValue::Absent, "{name}");
    }
    assert_eq!(fields["cwd_changes"], FieldValue::Int(0));
    let fields = count(&[at("/a", "x")]).fields();
    assert_eq!(fields["branch"], FieldValue::Text("x".to_owned()));
    assert_eq!(fields["branch_since"], FieldValue::Int(0));
}
