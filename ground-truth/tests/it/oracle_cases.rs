//! The oracle against inputs from public reports: each case of Claude Code's format gives the values that
//! `expect.json` states beside it. `oracle_examples` has examples of each kind that stand without them.

use std::path::Path;

use ground_truth::oracle::{FieldValue, PriceTable, Rates, Recount, RunFiles, dollars, recount};
use rust_decimal::Decimal;
use serde_json::Value;

use crate::{expectations, prices};

/// The cases of Claude Code's format, with their session files.
const CASES: [(&str, &str); 10] = [
    ("01-compaction-iteration", "01-compaction-iteration.jsonl"),
    ("03-async-agent", "03-async-agent/s-t2.jsonl"),
    ("05-background-bash-fails", "05-background-bash-fails.jsonl"),
    ("06-cut-off-agent", "06-cut-off-agent/s-t2.jsonl"),
    ("07-rewind", "07-rewind.jsonl"),
    ("08-slash-command-session", "08-slash-command-session.jsonl"),
    ("11-worktree-switch", "11-worktree-switch.jsonl"),
    ("16-sdk-stream-json", "16-sdk-stream-json.jsonl"),
    ("q10-fallback", "q10-fallback.jsonl"),
    ("q49-lone-surrogate", "q49-lone-surrogate.jsonl"),
];

/// Expectations that are sentences about a command or a page.
const NOT_FIELDS: [&str; 5] =
    ["why", "or", "view", "page head and view", "totals.failed_calls or a background task failed"];

fn folder() -> &'static Path {
    test_needs::shared_dir!()
}

/// A case's recount.
fn case(name: &str) -> Recount {
    let (_, file) = CASES.iter().find(|(case, _)| *case == name).unwrap();
    recount(&RunFiles::of_session(folder().join("cases").join(file)).unwrap())
}

#[test_needs::shared]
#[test]
fn every_case_gives_its_expected_values() {
    let expectations = expectations::read(&folder().join("cases/expect.json"));
    let mut faults = Vec::new();
    let mut checked = 0;
    for (name, _) in CASES {
        let counted = case(name);
        for (path, expected) in &expectations[name] {
            if NOT_FIELDS.contains(&path.as_str()) {
                continue;
            }
            checked += 1;
            if let Err(found) = check(&counted, path, expected) {
                faults.push(format!("{name}: {path} is {found}, expected {expected}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(checked > 20, "only {checked} expectations were found");
}

/// Compares one expectation; the error is what was found instead.
fn check(counted: &Recount, path: &str, expected: &Value) -> Result<(), String> {
    let fields = counted.fields();
    match path.trim_start_matches("totals.") {
        "cost_usd" => {
            let found = dollars(counted, &prices()).dollars.to_string();
            if Some(found.as_str()) == expected.as_str() { Ok(()) } else { Err(found) }
        }
        "goal" | "latest_request" => {
            // `holds "TEXT"`.
            let part = expected.as_str().unwrap().split('"').nth(1).unwrap();
            match &fields[path] {
                FieldValue::Text(text) if text.contains(part) => Ok(()),
                other => Err(format!("{other:?}")),
            }
        }
        "latest_request.text" | "identity.branch" | "identity.cwd" => {
            let name = path.trim_start_matches("identity.").trim_end_matches(".text");
            match &fields[name] {
                // A value, which a remark may follow.
                FieldValue::Text(text) if expected.as_str().unwrap().starts_with(text) => Ok(()),
                other => Err(format!("{other:?}")),
            }
        }
        name => expectations::check(counted, name, expected),
    }
}

/// The prices that case 01 reckons with.
fn prices() -> PriceTable {
    let rates = Rates {
        input: Decimal::from(3),
        output: Decimal::from(15),
        cache_read: Some(Decimal::new(3, 1)),
        cache_write_5m: None,
        cache_write_1h: None,
    };
    prices::table("claude-sonnet-4-5-20250929", rates)
}

/// The tasks as "id kind state".
fn tasks(run: &Recount) -> Vec<String> {
    run.background_tasks.iter().map(|(id, task)| format!("{id} {task}")).collect()
}

#[test_needs::shared]
#[test]
fn an_agent_that_was_only_launched_is_at_work() {
    let run = case("03-async-agent");
    assert_eq!(tasks(&run), ["a77 agent running"]);
    assert_eq!((run.succeeded_calls, run.abandoned_calls), (2, 0));
}

#[test_needs::shared]
#[test]
fn a_background_command_that_failed_is_the_last_error() {
    let run = case("05-background-bash-fails");
    assert_eq!(tasks(&run), ["b41 command failed"]);
    let error = run.last_error.unwrap();
    assert!(error.ends_with("failed with exit code 2"), "{error}");
    assert_eq!((run.failed_calls, run.open_tool_calls), (0, 0));
}

#[test_needs::shared]
#[test]
fn a_call_of_an_agent_that_was_cut_off_is_abandoned() {
    let run = case("06-cut-off-agent");
    assert_eq!((run.abandoned_calls, run.tool_calls), (1, 2));
    assert!(run.background_tasks.is_empty());
}

#[test_needs::shared]
#[test]
fn a_rewound_request_is_taken_back_with_what_was_read_for_it() {
    let run = case("07-rewind");
    assert_eq!(run.turns, ["1 parent 0", "2 parent 1 taken back", "3 parent 1"]);
    assert!(run.facts.is_empty() && run.files_read.is_empty());
    assert_eq!(run.goal.as_deref(), Some("Plant the tulips."));
}

#[test_needs::shared]
#[test]
fn commands_with_arguments_are_prompts() {
    let run = case("08-slash-command-session");
    let goal = "/prune-orchard rows 3 to 5, only the old trees";
    assert_eq!(run.goal.as_deref(), Some(goal));
    assert_eq!(run.latest_request.as_deref(), Some("/prune-orchard row 9"));
    assert_eq!(run.turns, ["1 parent 0", "2 parent 1"]);
}

#[test_needs::shared]
#[test]
fn folder_and_branch_hold_from_where_they_changed() {
    let run = case("11-worktree-switch");
    assert_eq!((run.cwd.since, run.cwd.changes), (Some(3), 1));
    assert_eq!((run.branch.since, run.branch.changes), (Some(3), 1));
    assert_eq!((run.model.since, run.model.changes), (Some(1), 0));
}

#[test_needs::shared]
#[test]
fn a_streams_sums_are_those_of_its_result() {
    let run = case("16-sdk-stream-json");
    assert_eq!((run.unattributed_tokens.output, run.unattributed_tokens.input), (516, 0));
    assert_eq!((run.tokens.input, run.tokens.cache_read), (15, 310));
    assert_eq!((run.calls, run.goal.as_deref()), (3, None));
    assert_eq!(run.stated_cost_usd.as_deref(), Some("0.012"));
    // 15 x 3 + 520 x 15 + 310 x 0.30, which is what the client states of the model.
    assert_eq!(dollars(&run, &prices()).dollars.to_string(), "0.007938");
}

#[test_needs::shared]
#[test]
fn half_a_surrogate_pair_reads_as_a_replacement() {
    let run = case("q49-lone-surrogate");
    assert_eq!((run.bad_lines, run.records), (0, 2));
}
