//! The oracle over Codex CLI's rollout files: shared cases, real transcripts, and examples of the rules.

use std::path::{Path, PathBuf};

use ground_truth::oracle::{FIELD_NAMES, Format, Recount, RunFiles, recount, timeline};
use serde_json::{Value, json};

use crate::expectations;
use crate::oracle_transcripts::invariants;

fn of_file(path: &Path) -> Recount {
    let run = RunFiles::of_session(path).unwrap();
    assert_eq!(run.format(), Format::Codex, "{}", path.display());
    recount(&run)
}

/// The fields of a recount that an expectation of the collection of faults is about.
fn check(run: &Recount, name: &str, expected: &Value) -> Result<(), String> {
    let found = match name {
        "total_tokens" | "own_total_tokens" => run.tokens.total(),
        "uncached_input" => run.tokens.input,
        "cached" => run.tokens.cache_read,
        "output" => run.tokens.output,
        "own_prompts" => run.prompts,
        "assistant_messages" => run.events_by_kind["message"] - run.prompts,
        "note" | "why" => return Ok(()),
        field => return expectations::check(run, field, expected),
    };
    if Some(found) == expected.as_u64() { Ok(()) } else { Err(found.to_string()) }
}

#[test_needs::shared]
#[test]
fn every_case_gives_its_expected_values() {
    for (folder, names) in [
        ("quirks", &["54-codex-reemit", "55-codex-fork", "61-codex-double-messages"][..]),
        ("quirks", &["65-codex-aborted-call"]),
        ("cases", &["18-codex-output-without-call-id"]),
    ] {
        let folder = test_needs::shared_dir!().join(folder);
        let expectations = expectations::read(&folder.join("expect.json"));
        for name in names {
            let run = of_file(&folder.join(format!("{name}.jsonl")));
            for (field, expected) in &expectations[*name] {
                assert_eq!(check(&run, field, expected), Ok(()), "{name}: {field}: {expected}");
            }
        }
    }
}

fn rollouts() -> Vec<PathBuf> {
    let folder = test_needs::transcripts_dir!().join("codex");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_rollout = |path: &PathBuf| path.to_string_lossy().contains("rollout-");
    let mut found: Vec<PathBuf> = entries.filter(is_rollout).collect();
    found.sort();
    found
}

#[test_needs::transcripts]
#[test]
fn what_must_hold_of_any_run_holds_of_real_ones() {
    let rollouts = rollouts();
    assert!(!rollouts.is_empty());
    for path in rollouts {
        let run = of_file(&path);
        let name = path.display().to_string();
        if std::env::var_os("TRACEFOLD_ORACLE_PRINT").is_some() {
            println!("{}", json!({ "file": name, "fields": run.fields() }));
        }
        invariants(&run, &name);
        let bytes = std::fs::read(&path).unwrap();
        let cut = bytes[..bytes.len() / 2].to_vec();
        let cut = RunFiles::from_bytes(vec![("rollout-x.jsonl".into(), cut)]);
        invariants(&recount(&cut), &name);
        let timeline = timeline(&cut);
        assert_eq!(timeline.prompts.len() as u64, recount(&cut).prompts, "{name}");
    }
}

/// Recounts a rollout of these records, given by type and payload, a second apart.
fn count(records: &[(&str, Value)]) -> Recount {
    count_files(&[records])
}

fn count_files(files: &[&[(&str, Value)]]) -> Recount {
    let file = |(at, records): (usize, &&[(&str, Value)])| {
        let line = |(second, (kind, payload)): (usize, &(&str, Value))| {
            let time = format!("2030-01-01T00:{:02}:{:02}Z", second / 60, second % 60);
            format!("{}\n", json!({"timestamp": time, "type": kind, "payload": payload}))
        };
        let text: String = records.iter().enumerate().map(line).collect();
        (format!("rollout-{at}.jsonl"), text.into_bytes())
    };
    let run = RunFiles::from_bytes(files.iter().enumerate().map(file).collect());
    let run = recount(&run);
    assert_eq!(run.fields().keys().map(String::as_str).collect::<Vec<_>>(), FIELD_NAMES);
    run
}

fn meta(id: &str) -> (&'static str, Value) {
    ("session_meta", json!({"id": id, "cwd": "/w", "git": {"branch": "main"}}))
}

fn event(kind: &str, fields: Value) -> (&'static str, Value) {
    ("event_msg", with(kind, fields))
}

fn item(kind: &str, fields: Value) -> (&'static str, Value) {
    ("response_item", with(kind, fields))
}

fn with(kind: &str, mut fields: Value) -> Value {
    fields["type"] = json!(kind);
    fields
}

fn prompt(text: &str) -> (&'static str, Value) {
    event("user_message", json!({ "message": text }))
}

fn call(id: &str, name: &str, arguments: &Value) -> (&'static str, Value) {
    let arguments = arguments.to_string();
    item("function_call", json!({"call_id": id, "name": name, "arguments": arguments}))
}

fn output(id: &str, output: &str) -> (&'static str, Value) {
    item("function_call_output", json!({"call_id": id, "output": output}))
}

fn totals(numbers: [u64; 4], last: [u64; 4]) -> (&'static str, Value) {
    let usage = |[input, cached, written, output]: [u64; 4]| {
        json!({
            "input_tokens": input,
            "cached_input_tokens": cached,
            "cache_write_input_tokens": written,
            "output_tokens": output,
            "total_tokens": input + output,
        })
    };
    let info = json!({"total_token_usage": usage(numbers), "last_token_usage": usage(last)});
    event("token_count", json!({ "info": info }))
}

#[test]
fn turns_that_were_rolled_back_are_not_in_force() {
    let back = |turns: u64| event("thread_rolled_back", json!({ "num_turns": turns }));
    let run = count(&[meta("a"), prompt("1"), prompt("2"), prompt("3"), back(2), prompt("4")]);
    let lines = ["1 parent 0", "2 parent 1 taken back", "3 parent 2 taken back", "4 parent 1"];
    assert_eq!(run.turns, lines);
    let run = count(&[meta("a"), prompt("1"), prompt("2"), back(1), back(1), prompt("3")]);
    assert_eq!(run.turns, ["1 parent 0 taken back", "2 parent 1 taken back", "3 parent 0"]);
    assert_eq!(run.goal.as_deref(), Some("3"));
    let run = count(&[meta("a"), prompt("1"), prompt("2"), back(1)]);
    assert_eq!((run.turns_taken_back, run.prompts), (0, 2), "only the next prompt takes back");
    let first = count(&[prompt("1"), prompt("2"), back(2), prompt("3")]);
    assert_eq!(first.turns, ["1 parent 0", "2 parent 1", "3 parent 2"]);
}

#[test]
fn only_what_a_person_wrote_is_a_prompt() {
    let run = count(&[
        meta("a"),
        prompt("<environment_context>x"),
        prompt("  "),
        event("user_message", json!({"message": "", "images": ["x"]})),
        event("user_message", json!({"message": "x", "kind": "environment_context"})),
        prompt("# Context\n## My request for Codex:\n Mow. \n"),
        event(
            "item_completed",
            json!({"item": {"type": "UserMessage", "content": [{"type": "text", "text": "Rake."}]}}),
        ),
    ]);
    assert_eq!((run.prompts, run.goal.as_deref()), (3, Some("[image]")));
    assert_eq!(run.latest_request.as_deref(), Some("Rake."));
}

#[test]
fn an_answer_that_is_written_twice_is_one() {
    let said = |text: &str| event("agent_message", json!({ "message": text }));
    let answer = |text: &str| {
        let content = json!([{"type": "output_text", "text": text}]);
        item("message", json!({"role": "assistant", "content": content}))
    };
    let messages = |records: &[(&str, Value)]| count(records).events_by_kind["message"];
    assert_eq!(messages(&[said("a"), answer("a"), answer("a"), said("b")]), 3);
    assert_eq!(messages(&[said("a"), prompt("go"), answer("a")]), 3);
    assert_eq!(messages(&[said(" "), answer(" ")]), 2, "blank texts are never copies");
}

#[test]
fn usage_is_the_difference_of_totals() {
    let context = ("turn_context", json!({"model": "m"}));
    let run = count(&[
        meta("a"),
        context,
        totals([100, 40, 10, 5], [100, 40, 10, 5]),
        totals([100, 40, 10, 5], [100, 40, 10, 5]),
        totals([150, 90, 10, 9], [1, 1, 1, 1]),
        // The totals start anew.
        totals([20, 0, 0, 2], [20, 0, 0, 2]),
    ]);
    assert_eq!((run.calls, run.tokens.input, run.tokens.output), (3, 70, 11));
    assert_eq!((run.tokens.cache_read, run.tokens.cache_creation_5m), (90, 10));
    assert_eq!(run.naive_tokens.output, 16);
    assert_eq!(run.model.value.as_deref(), Some("m"));
    assert_eq!(run.by_model["m"].calls, 3);
}

#[test]
fn totals_without_numbers_break_the_base() {
    let full = event(
        "token_count",
        json!({"info": {"total_token_usage": {"total_tokens": 900}, "last_token_usage": {}}}),
    );
    let run = count(&[
        totals([100, 0, 0, 5], [100, 0, 0, 5]),
        full,
        totals([130, 0, 0, 8], [20, 0, 0, 2]),
        totals([140, 0, 0, 9], [1, 0, 0, 0]),
    ]);
    assert_eq!((run.calls, run.tokens.input, run.tokens.output), (3, 130, 8));
}

#[test]
fn records_of_one_response_are_one_call() {
    let record = |id: &str, output: u64| {
        let usage = json!({"input_tokens": 10, "output_tokens": output});
        ("token_usage_record", json!({"response_id": id, "usage": usage}))
    };
    let run = count(&[meta("a"), record("r", 1), record("r", 4), record("s", 2)]);
    assert_eq!((run.calls, run.tokens.output, run.naive_tokens.output), (2, 6, 7));
    let counted = totals([10, 0, 0, 3], [10, 0, 0, 3]);
    let run = count(&[meta("a"), counted.clone(), record("r", 3), counted, record("s", 3)]);
    assert_eq!((run.calls, run.tokens.output, run.naive_tokens.output), (2, 6, 9));
}

#[test]
fn a_patch_writes_all_its_files() {
    let patch = "*** Begin Patch\n*** Add File: a.rs\n+x\n*** Update File: b.rs\n*** Move to: c.rs\n*** Update File: a.rs\n";
    let run = count(&[
        meta("a"),
        call("1", "read_file", &json!({"path": "b.rs"})),
        output("1", "size = 3"),
        item("custom_tool_call", json!({"call_id": "2", "name": "apply_patch", "input": patch})),
        item(
            "custom_tool_call_output",
            json!({"call_id": "2", "output": "Exit code: 0\nOutput:\nok"}),
        ),
    ]);
    assert_eq!(run.files_written, ["a.rs", "b.rs", "c.rs"]);
    assert_eq!(run.files_read, ["b.rs"]);
    assert!(run.facts.is_empty(), "{:?}", run.facts);
}

#[test]
fn calls_end_as_results_and_events_say() {
    let end = event("exec_command_end", json!({"call_id": "2", "status": "declined"}));
    let run = count(&[
        meta("a"),
        call("1", "shell", &json!({})),
        output("1", "Exit code: 1\nOutput:\n"),
        call("2", "shell", &json!({})),
        end,
        output("2", "no"),
        call("3", "shell", &json!({})),
        output("3", "aborted"),
        call("4", "shell", &json!({})),
        prompt("stop"),
        call("5", "shell", &json!({})),
        item("web_search_call", json!({"action": {"query": "x"}})),
    ]);
    let states = (run.failed_calls, run.denied_calls, run.interrupted_calls, run.open_tool_calls);
    assert_eq!(states, (1, 1, 2, 1));
    assert_eq!((run.calls_without_id, run.per_tool["web_search"]), (1, 1));
    assert_eq!(run.last_error.as_deref(), Some("exit code 1"));
}

#[test]
fn an_agents_file_belongs_to_the_run_that_spawned_it() {
    let agent = |id: &str, parent: &str| {
        ("session_meta", json!({"id": id, "parent_thread_id": parent, "cwd": "/x"}))
    };
    let mains = [
        meta("p"),
        call("1", "spawn_agent", &json!({})),
        output("1", r#"{"agent_id":"c"}"#),
        call("2", "wait_agent", &json!({})),
        output("2", r#"{"status":{"c":{"errored":" it broke "}}}"#),
    ];
    let agents = [agent("c", "p"), call("3", "shell", &json!({}))];
    let deeper = [agent("d", "c"), call("4", "shell", &json!({}))];
    let others = [agent("x", "y"), call("5", "shell", &json!({}))];
    let run = count_files(&[&mains, &others, &deeper, &agents]);
    assert_eq!((run.subagents, run.tool_calls), (2, 4));
    assert_eq!(run.background_tasks["c"], "agent failed");
    assert_eq!((run.abandoned_calls, run.open_call_ids.as_slice()), (1, &["4".to_owned()][..]));
    assert_eq!(run.last_error.as_deref(), Some("it broke"));
    assert_eq!(run.cwd.value.as_deref(), Some("/w"));
}

#[test]
fn the_permission_mode_is_approval_and_sandbox() {
    let context = |approval: Value, sandbox: Value| {
        ("turn_context", json!({"approval_policy": approval, "sandbox_policy": sandbox}))
    };
    let mode = |context| count(&[meta("a"), context]).permission_mode.value;
    let of = |text: &str| Some(text.to_owned());
    assert_eq!(mode(context(json!("never"), json!(null))), of("never"));
    assert_eq!(mode(context(json!({"b": 1, "a": 2}), json!({"mode": "x"}))), of("a, x"));
    assert_eq!(mode(context(json!("never"), json!({"type": "y", "mode": "x"}))), of("never, y"));
    assert_eq!(mode(context(json!(null), json!("x"))), None);
}
