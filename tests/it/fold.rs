//! Folding: what is printed of runs, folders, subagents; going on from a saved state.

use std::fs;

use serde_json::{Value, json};

use crate::support::{
    Folder, Transcript, call, json_lines, session, small, stderr, stdout, text, tracefold,
};

#[test]
fn a_run_for_people() {
    let folder = Folder::new();
    let file = folder.write(
        "session.jsonl",
        session("s1").raw("{\"type\":\"use").record("future-thing", &json!({"x": 1})).text()
            + "{\"ty",
    );
    let printed = stdout(&tracefold(&["fold", &file]).assert().code(0));
    insta::assert_snapshot!(folder.portable(&printed));
}

#[test]
fn a_run_for_programs() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", session("s1").text());
    let assert = tracefold(&["fold", "--json", &file]).assert().code(0);
    let run = json_lines(&assert).remove(0);
    insta::assert_snapshot!(folder.portable(&serde_json::to_string_pretty(&run).unwrap()));
}

/// A run with what a run can hold beside turns that go on: tasks in the background, a turn taken back,
/// a command, calls that were cancelled and abandoned, a folder that changes.
fn eventful(folder: &Folder) -> String {
    let bash = |id: &str, command: &str| call(id, "Bash", &json!({"command": command}));
    let command = "<command-message>prune</command-message>\n<command-name>/prune</command-name>\n\
                   <command-args>rows 3 to 5</command-args>";
    let notification = "<task-notification>\n<task-id>sh7</task-id>\n<status>failed</status>\n\
                        <summary>pump.sh ended with exit code 3</summary>\n</task-notification>";
    let receipt = |id: &str, result: &serde_json::Value| {
        json!({"toolUseResult": result, "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": id, "content": "launched"},
        ]}})
    };
    let person = |fields: &serde_json::Value, text: &str| {
        let mut record = json!({"message": {"role": "user", "content": text}});
        record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        record
    };
    let session = Transcript::new("s1")
        .record(
            "user",
            &person(&json!({"cwd": "/orchard", "gitBranch": "main"}), "Water the trees."),
        )
        .answer("m1", &bash("c1", "water all"))
        .answer("m1", &bash("c2", "water again"))
        .result("c1", "Exit code 1\nno pressure", true)
        .result("c2", "<tool_use_error>Sibling tool call errored</tool_use_error>", true)
        .answer("m2", &text("There is no pressure."))
        .prompt("Then dig a well under the shed.")
        .answer("m3", &call("c3", "Task", &json!({"prompt": "find water"})))
        .record("user", &receipt("c3", &json!({"agentId": "x"})))
        .answer("m4", &text("Digging starts."))
        // Back to before the well.
        .record("user", &person(&json!({"parentUuid": "s1-5"}), command))
        .record(
            "user",
            &json!({"isMeta": true, "message": {"role": "user", "content": [text("Prune them.")]}}),
        )
        .answer("m5", &bash("c4", "pump.sh"))
        .record("user", &receipt("c4", &json!({"backgroundTaskId": "sh7"})))
        .answer("m5", &call("c5", "Agent", &json!({"prompt": "count the \u{1b}[31mpears"})))
        .record("user", &receipt("c5", &json!({"status": "async_launched", "agentId": "a3"})))
        .record(
            "user",
            &person(
                &json!({"cwd": "/orchard/shed", "gitBranch": "main", "permissionMode": "plan"}),
                notification,
            ),
        )
        .answer("m6", &text(&"The pump failed; the pears are being counted. ".repeat(8)));
    let agent = Transcript::new("s1")
        .record("user", &json!({"isSidechain": true, "message": {"content": "find water"}}))
        .answer("mx", &bash("cx", "drill"));
    folder.write("s1/subagents/agent-x.jsonl", agent.text().replace("s1-", "x-"));
    folder.write("s1.jsonl", session.text())
}

#[test]
fn an_eventful_run_for_people() {
    let folder = Folder::new();
    let file = eventful(&folder);
    let printed = stdout(&tracefold(&["fold", &file]).assert().code(0));
    insta::assert_snapshot!(folder.portable(&printed));
}

#[test]
fn an_eventful_run_for_programs_says_the_same() {
    let folder = Folder::new();
    let file = eventful(&folder);
    let run = json_lines(&tracefold(&["fold", "--json", &file]).assert().code(0)).remove(0);
    let tasks: Vec<_> = run["background_tasks"].as_array().unwrap().iter().collect();
    let told: Vec<_> =
        tasks.iter().map(|task| (&task["id"], &task["kind"], &task["state"])).collect();
    assert_eq!(json!(told), json!([["a3", "agent", "running"], ["sh7", "command", "failed"]]));
    assert_eq!(run["turns_taken_back"][0]["number"], 2);
    assert_eq!(run["turns_taken_back"][0]["taken_back_by"], 3);
    assert_eq!(run["abandoned"][0]["id"], "cx");
    assert_eq!(run["totals"]["cancelled_calls"], 1);
    assert_eq!(run["latest_request"]["text"]["text"], "/prune rows 3 to 5");
    assert_eq!(run["identity"]["cwd"], "/orchard/shed");
    assert_eq!(run["identity"]["cwd_changes"], 1);
}

#[test]
fn what_the_client_states_it_cost_stands_beside_our_sum() {
    let folder = Folder::new();
    let answer = json!({"session_id": "s9", "parent_tool_use_id": null, "uuid": "j1", "type": "assistant",
        "message": {"id": "m1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5-20250929",
            "content": [text("Frogs.")], "stop_reason": "end_turn",
            "usage": {"input_tokens": 1000, "output_tokens": 2000, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}}});
    let init = json!({"type": "system", "subtype": "init", "cwd": "/pond", "model": "claude-sonnet-4-5-20250929",
        "tools": ["Bash"], "uuid": "j0", "session_id": "s9"});
    let end = json!({"type": "result", "subtype": "success", "is_error": false, "num_turns": 1, "result": "Frogs.",
        "total_cost_usd": 0.04, "uuid": "j2", "session_id": "s9",
        "usage": {"input_tokens": 1000, "output_tokens": 2000, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}});
    let file = folder.write("s9.jsonl", format!("{init}\n{answer}\n{end}\n"));
    let printed = stdout(&tracefold(&["fold", &file]).assert().code(0));
    // 1,000 tokens at $3 and 2,000 at $15 a million.
    assert!(printed.contains("$0.0330 at the prices of"), "{printed}");
    assert!(printed.contains("the client states $0.0400, $0.0070 more"), "{printed}");
}

#[test]
fn each_call_counts_once_and_the_report_says_what_naive_counting_would_say() {
    let folder = Folder::new();
    let file = folder.write("session.jsonl", session("s1").text());
    let printed = stdout(&tracefold(&["fold", &file]).assert().code(0));
    // Five records of four calls.
    assert!(printed.contains("counting every record would say 1.250x the tokens"), "{printed}");
}

#[test]
fn a_folder_is_every_session_below_it_in_order() {
    let folder = Folder::new();
    folder.write("p/b.jsonl", small("b"));
    folder.write("p/a.jsonl", small("a"));
    folder.write("p/a/subagents/agent-x.jsonl", small("a"));
    folder.write("p/journal.jsonl", "{}");
    folder.write("q/deep/c.jsonl", small("c"));
    let assert = tracefold(&["fold", "--json", &folder.name("")]).assert().code(0);
    let names: Vec<String> = (json_lines(&assert).iter())
        .map(|run| folder.portable(run["session"].as_str().unwrap()))
        .collect();
    assert_eq!(names, ["DIR/p/a.jsonl", "DIR/p/b.jsonl", "DIR/q/deep/c.jsonl"]);
    assert_eq!(stderr(&assert), "");
}

#[test]
fn a_file_that_is_named_twice_is_folded_once() {
    let folder = Folder::new();
    let file = folder.write("a.jsonl", small("a"));
    let assert = tracefold(&["fold", "--json", &file, &folder.name(""), &file]).assert().code(0);
    assert_eq!(json_lines(&assert).len(), 1);
}

fn with_subagent(folder: &Folder) -> (String, String) {
    let session = folder.write(
        "s1.jsonl",
        Transcript::new("s1")
            .prompt("look around")
            .answer("m1", &call("t1", "Task", &json!({"prompt": "look"})))
            .text(),
    );
    let agent = Transcript::new("s1")
        .record("user", &json!({"isSidechain": true, "message": {"content": "look"}}))
        .answer("m2", &text("I looked."));
    let agent = folder.write("s1/subagents/agent-x.jsonl", agent.text().replace("s1-", "x-"));
    (session, agent)
}

#[test]
fn a_subagent_counts_in_its_sessions_run() {
    let folder = Folder::new();
    let (session, _) = with_subagent(&folder);
    let assert = tracefold(&["fold", "--json", &session]).assert().code(0);
    let run = json_lines(&assert).remove(0);
    assert_eq!(run["totals"]["calls"], 2);
    assert_eq!(run["totals"]["prompts"], 1);
    assert_eq!(run["subagents"], json!(["x"]));
    assert_eq!(run["reading"]["files"][1]["agent"], "x");
}

#[test]
fn a_subagent_that_is_named_beside_its_session_is_not_counted_twice() {
    let folder = Folder::new();
    let (session, agent) = with_subagent(&folder);
    let assert = tracefold(&["fold", "--json", &agent, &session]).assert().code(0);
    assert_eq!(json_lines(&assert).len(), 1);
    assert!(stderr(&assert).contains("is counted in its session's run only"));
    let assert = tracefold(&["fold", "--json", "--quiet", &agent, &session]).assert().code(0);
    assert_eq!(stderr(&assert), "");
}

#[test]
fn a_lone_subagent_is_folded_by_itself_and_said_to_be_one() {
    let folder = Folder::new();
    let (_, agent) = with_subagent(&folder);
    let assert = tracefold(&["fold", "--json", &agent]).assert().code(0);
    assert_eq!(json_lines(&assert)[0]["totals"]["calls"], 1);
    assert!(stderr(&assert).contains("folded without its session"));
}

#[test]
fn subagents_of_no_session_are_not_left_out_silently() {
    let folder = Folder::new();
    folder.write("a.jsonl", small("a"));
    folder.write("gone/subagents/agent-y.jsonl", small("gone"));
    let assert = tracefold(&["fold", "--json", &folder.name("")]).assert().code(0);
    assert_eq!(json_lines(&assert).len(), 1);
    assert!(stderr(&assert).contains("1 subagent's file below"), "{}", stderr(&assert));
}

#[test]
fn a_run_that_goes_on_from_a_saved_state_equals_one_that_is_read_whole() {
    let folder = Folder::new();
    let text = session("s1").text();
    let file = folder.name("s1.jsonl");
    let (snapshot, ledger) = (folder.name("s1.snapshot"), folder.name("s1.ledger"));
    let whole_ledger = folder.name("whole.ledger");
    // The first part ends within a line.
    fs::write(&file, &text[..text.len() / 2]).unwrap();
    tracefold(&["fold", "--save", &snapshot, "--ledger", &ledger, &file]).assert().code(0);
    fs::write(&file, &text).unwrap();
    let on = ["fold", "--json", "--resume", &snapshot, "--save", &snapshot, "--ledger", &ledger];
    let went_on = tracefold(&on).assert().code(0);
    let whole = tracefold(&["fold", "--json", "--ledger", &whole_ledger, &file]).assert().code(0);
    assert_eq!(json_lines(&went_on), json_lines(&whole));
    assert_eq!(stderr(&went_on), "");
    let events = fs::read_to_string(&ledger).unwrap();
    assert_eq!(events, fs::read_to_string(&whole_ledger).unwrap());
    assert_eq!(events.lines().count(), 11);
    assert!(events.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    // Nothing new: the same again.
    assert_eq!(json_lines(&tracefold(&on).assert().code(0)), json_lines(&whole));
}

#[test]
fn a_file_that_was_replaced_is_read_anew_and_that_is_said() {
    let folder = Folder::new();
    let file = folder.write("s1.jsonl", session("s1").text());
    let snapshot = folder.name("s1.snapshot");
    tracefold(&["fold", "--save", &snapshot, &file]).assert().code(0);
    fs::write(&file, small("s2")).unwrap();
    let assert = tracefold(&["fold", "--json", "--resume", &snapshot]).assert().code(0);
    assert_eq!(json_lines(&assert)[0]["totals"]["prompts"], 1);
    assert!(stderr(&assert).contains("read from the start"), "{}", stderr(&assert));
    fs::remove_file(&file).unwrap();
    let assert = tracefold(&["fold", "--resume", &snapshot]).assert().code(2);
    assert!(stderr(&assert).contains("no such file"), "{}", stderr(&assert));
}

#[test]
fn ledger_and_save_take_one_run() {
    let folder = Folder::new();
    folder.write("a.jsonl", small("a"));
    folder.write("b.jsonl", small("b"));
    let ledger = folder.name("ledger");
    let assert = tracefold(&["fold", "--ledger", &ledger, &folder.name("")]).assert().code(2);
    assert!(stderr(&assert).contains("take a single run"));
    assert!(!folder.path("ledger").exists());
}

#[test]
fn statistics_are_computed_on_request() {
    let folder = Folder::new();
    let read = |id: &str, file: &str| call(id, "Read", &json!({"file_path": file}));
    let file = folder.write(
        "s1.jsonl",
        Transcript::new("s1")
            .prompt("add them up")
            .answer("m1", &read("c1", "/a"))
            .result("c1", "delta = 10", false)
            .answer("m2", &read("c2", "/b"))
            .result("c2", "delta = -2.5", false)
            .text(),
    );
    let all = ["fold", "--json", "--statistics", "sum,count,min,max,last,alternating_sum", &file];
    let run = json_lines(&tracefold(&all).assert().code(0)).remove(0);
    let delta = &run["facts"]["aggregates"][0];
    assert_eq!(
        delta["statistics"],
        json!({"sum": "7.5", "min": "-2.5", "max": "10", "last": "-2.5", "alternating_sum": "12.5"})
    );
    assert_eq!(delta["facts"], 2);
}

#[test]
fn prices_budget_and_thresholds_can_be_given() {
    let folder = Folder::new();
    let file = folder.write("s1.jsonl", session("s1").text());
    let table = folder.write(
        "prices.json",
        json!({"date": "2026-01-01", "models": [
            {"name": "claude-sonnet-4-5", "rates": [
                {"input": "1000", "output": "0", "cache_read": "0", "cache_write_5m": "0"},
            ]},
        ]})
        .to_string(),
    );
    let own = tracefold(&["fold", "--json", "--prices", &table, &file]).assert().code(0);
    let own = json_lines(&own).remove(0);
    assert_eq!(own["prices_of"], "2026-01-01");
    // 400 tokens of uncached input.
    assert_eq!(own["totals"]["cost_usd"], "0.4");
    let over =
        tracefold(&["fold", "--json", "--set", "budget.dollars=0.0001", &file]).assert().code(0);
    assert_eq!(json_lines(&over)[0]["anomalies"]["raised"]["budget"], 1);
    let within =
        tracefold(&["fold", "--json", "--set", "budget.dollars=1000", &file]).assert().code(0);
    assert_eq!(json_lines(&within)[0]["anomalies"]["raised"]["budget"], 0);
    let over = tracefold(&["fold", "--json", "--set", "budget.tokens=1", &file]).assert().code(0);
    assert_eq!(json_lines(&over)[0]["anomalies"]["raised"]["budget"], 1);
}
