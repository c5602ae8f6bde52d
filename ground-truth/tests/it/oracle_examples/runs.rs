//! "Threads" and "A run": the files of a run, and what they come to together.

use std::fs;
use std::path::Path;

use ground_truth::oracle::{OracleError, RunFiles, recount};
use serde_json::{Value, json};

use super::support::{api, call, count, count_files, lines, result, user, with};

fn write(folder: &Path, name: &str, records: &[Value]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, lines(records)).unwrap();
}

/// A record of a session that reports an API call of one output token.
fn of_session(session: &str, message: &str) -> Value {
    with(api(message, message, &json!({"output_tokens": 1})), &json!({ "sessionId": session }))
}

#[test]
fn a_run_is_found_below_and_beside_its_session_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, records: &[Value]| write(folder.path(), name, records);
    at("x.jsonl", &[json!({"type": "mode"}), of_session("s1", "m0")]);
    at("x/subagents/agent-a.jsonl", &[of_session("whatever", "m1")]);
    at("x/subagents/workflows/wf_1/agent-b.jsonl", &[of_session("s1", "m2")]);
    at("x/subagents/journal.jsonl", &[of_session("s1", "m3")]);
    at("agent-c.jsonl", &[of_session("s1", "m4")]);
    at("agent-d.jsonl", &[of_session("s2", "m5")]);
    at("subagents/agent-e.jsonl", &[of_session("s1", "m6")]);
    at("subagents/agent-f.jsonl", &[]);
    at("subagents/deeper/agent-g.jsonl", &[of_session("s1", "m7")]);
    at("y.jsonl", &[of_session("s1", "m8")]);
    let counted = recount(&RunFiles::of_session(folder.path().join("x.jsonl")).unwrap());
    assert_eq!((counted.calls, counted.subagents), (5, 4));
}

#[test]
fn a_session_has_two_names() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, records: &[Value]| write(folder.path(), name, records);
    at("resumed.jsonl", &[of_session("original", "m0"), of_session("later", "m1")]);
    at("agent-a.jsonl", &[of_session("original", "m2"), of_session("other", "m3")]);
    at("subagents/agent-b.jsonl", &[of_session("resumed", "m4")]);
    at("agent-c.jsonl", &[of_session("later", "m5"), of_session("original", "m6")]);
    let counted = recount(&RunFiles::of_session(folder.path().join("resumed.jsonl")).unwrap());
    assert_eq!((counted.calls, counted.subagents), (5, 2));
}

#[test]
fn a_session_file_that_names_no_session_has_its_file_name() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "s9.jsonl", &[user("hi")]);
    write(folder.path(), "agent-a.jsonl", &[of_session("s9", "m1")]);
    let counted = recount(&RunFiles::of_session(folder.path().join("s9.jsonl")).unwrap());
    assert_eq!(counted.calls, 1);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = RunFiles::of_session("no/such/file.jsonl").unwrap_err();
    assert!(matches!(error, OracleError::Read { .. }));
    assert!(error.to_string().contains("no/such/file.jsonl"), "{error}");
}

#[test]
fn a_record_names_its_thread_in_order_of_preference() {
    let aside = |fields: Value| with(user("x"), &fields);
    let agents = |records: &[Value]| count(records).subagents;
    assert_eq!(agents(&[aside(json!({"isSidechain": true}))]), 0);
    assert_eq!(agents(&[aside(json!({"isSidechain": true, "agentId": "a"}))]), 1);
    assert_eq!(agents(&[aside(json!({"agentId": "a"})), aside(json!({"agentId": "b"}))]), 2);
    let named = [user("x"), with(user("y"), &json!({"agentId": "other"}))];
    let counted = count_files(&[("s.jsonl", &[]), ("s/subagents/agent-a.jsonl", &named)]);
    assert_eq!((counted.subagents, counted.prompts), (2, 0));
}

#[test]
fn files_are_read_in_byte_order_of_their_paths() {
    let session = [call("t", "Task", json!({}))];
    let agent = |text: &str| [result("t", text)];
    let counted = count_files(&[
        ("s.jsonl", &session),
        ("s/agent-b.jsonl", &agent("[Request interrupted by user]")),
        ("s/agent-a/agent-c.jsonl", &[]),
        ("s/agent-a.jsonl", &agent("first")),
    ]);
    assert_eq!((counted.succeeded_calls, counted.interrupted_calls), (1, 0));
    assert_eq!(counted.duplicate_results, 1);
}

#[test]
fn a_subagents_meta_file_names_the_launching_call() {
    let meta = |name: &str| {
        let session = lines(&[call("t", "Task", json!({})), user("stop that")]).into_bytes();
        let agent = lines(&[call("inner", "Bash", json!({}))]).into_bytes();
        let meta = br#"{"agentType":"x","toolUseId":"t"}"#.to_vec();
        let files = vec![
            ("s.jsonl".to_owned(), session),
            ("s/subagents/agent-a.jsonl".to_owned(), agent),
            (format!("s/subagents/{name}"), meta),
        ];
        let counted = recount(&RunFiles::from_bytes(files));
        (counted.interrupted_calls, counted.open_tool_calls)
    };
    assert_eq!(meta("agent-a.meta.json"), (2, 0));
    assert_eq!(meta("agent-b.meta.json"), (1, 1));
}

#[test]
fn a_subagents_call_in_two_files_counts_once() {
    let inner = with(of_session("s", "m1"), &json!({"uuid": "u1", "isSidechain": true}));
    let session = [super::support::progress("a", "t", &inner)];
    let counted = count_files(&[
        ("s.jsonl", &session),
        ("s/subagents/agent-a.jsonl", std::slice::from_ref(&inner)),
    ]);
    assert_eq!((counted.calls, counted.subagents, counted.duplicates), (1, 1, 1));
    assert_eq!(counted.records, 2);
}

#[test]
fn a_stream_names_its_session_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, records: &[Value]| write(folder.path(), name, records);
    let call = |message: &str| api(message, message, &json!({"output_tokens": 1}));
    at("x.jsonl", &[with(call("m0"), &json!({"session_id": "s1"}))]);
    at("agent-a.jsonl", &[with(call("m1"), &json!({"session_id": "", "sessionId": "s1"}))]);
    at("agent-b.jsonl", &[with(call("m2"), &json!({"session_id": "s1", "sessionId": "s2"}))]);
    at("agent-c.jsonl", &[call("m3"), with(call("m4"), &json!({"session_id": "s1"}))]);
    let counted = recount(&RunFiles::of_session(folder.path().join("x.jsonl")).unwrap());
    assert_eq!((counted.calls, counted.subagents), (4, 2));
}

/// The recount of a folder's `x.jsonl`.
#[cfg(unix)]
fn of_folder(folder: &Path) -> ground_truth::oracle::Recount {
    recount(&RunFiles::of_session(folder.join("x.jsonl")).unwrap())
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_end_where_they_lead_back() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, records: &[Value]| write(folder.path(), name, records);
    at("x.jsonl", &[of_session("s1", "m0")]);
    at("x/subagents/agent-a.jsonl", &[of_session("s1", "m1")]);
    at("elsewhere/deep/agent-b.jsonl", &[of_session("s1", "m2")]);
    at("elsewhere/other.jsonl", &[of_session("s1", "m3")]);
    let subagents = folder.path().join("x/subagents");
    symlink(folder.path().join("elsewhere/deep"), subagents.join("linked")).unwrap();
    symlink(folder.path().join("elsewhere/other.jsonl"), subagents.join("agent-c.jsonl")).unwrap();
    symlink(&subagents, subagents.join("back")).unwrap();
    symlink(&subagents, folder.path().join("elsewhere/deep/back")).unwrap();
    let counted = of_folder(folder.path());
    assert_eq!((counted.calls, counted.subagents, counted.lines), (4, 3, 4));
}

#[cfg(unix)]
#[test]
fn a_file_that_two_paths_lead_to_is_one_file() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, records: &[Value]| write(folder.path(), name, records);
    at("x.jsonl", &[of_session("s1", "m0")]);
    at("x/subagents/agent-b.jsonl", &[call("t", "Bash", json!({}))]);
    let subagents = folder.path().join("x/subagents");
    symlink(subagents.join("agent-b.jsonl"), subagents.join("agent-a.jsonl")).unwrap();
    symlink(folder.path().join("x.jsonl"), subagents.join("agent-c.jsonl")).unwrap();
    symlink(&subagents, folder.path().join("subagents")).unwrap();
    fs::write(subagents.join("agent-a.meta.json"), r#"{"toolUseId": "launch"}"#).unwrap();
    let counted = of_folder(folder.path());
    assert_eq!((counted.lines, counted.subagents, counted.calls), (2, 1, 2));
    at("x.jsonl", &[of_session("s1", "m0"), call("launch", "Task", json!({})), user("next")]);
    let counted = of_folder(folder.path());
    assert_eq!(counted.interrupted_calls, 2, "it is agent a's, the first path's");
}
