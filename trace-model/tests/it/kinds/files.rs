//! The files of a run, subagents, and links between records.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;
use trace_model::adapter::{Heads, agent_of, sessions_below};
use trace_model::fold::FoldConfig;
use trace_model::run::{Run, RunError, check};
use trace_model::totals::Totals;

use crate::common::{Script, four, usage};

/// A folder of files, gone when it is dropped.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }
}

fn totals(session: &Path) -> Totals {
    let run = Run::fold(session, FoldConfig::default()).unwrap();
    Totals::of(run.state(), &run.reading())
}

/// A subagent's transcript: the task it was given, one call with its result, one answer.
fn agent(id: &str, session: &str) -> Script {
    let side = json!({"isSidechain": true, "agentId": id, "sessionId": session});
    let name = |what: &str| format!("{what}-{id}");
    let answer = |s: Script, message: &str, block: Value| {
        s.answer(&name(message), &name(message), json!([block]), usage(10, 5, 0, 0))
            .with(side.clone())
            .with(json!({"uuid": name(message)}))
    };
    let script =
        Script::new().prompt("your task").with(side.clone()).with(json!({"uuid": name("u")}));
    let call =
        json!({"type": "tool_use", "id": name("t"), "name": "Read", "input": {"file_path": "x"}});
    let script = answer(script, "m1", call)
        .result(&name("t"), "v = 1")
        .with(side.clone())
        .with(json!({"uuid": name("r")}));
    answer(script, "m2", json!({"type": "text", "text": "done"}))
}

fn session() -> Script {
    Script::new().prompt("go").call("task", "Task", json!({"prompt": "your task"}))
}

#[test]
fn subagents_below_the_session_are_part_of_it() {
    let folder = Folder::new();
    let path = folder.write("s1.jsonl", session().result("task", "done").bytes());
    let alone = totals(&path);
    assert_eq!((alone.calls, alone.subagents, alone.tool_calls), (1, 0, 1));
    folder.write("s1/subagents/agent-a1.jsonl", agent("a1", "s1").bytes());
    folder.write("s1/subagents/agent-a1.meta.json", r#"{"agentType":"x","toolUseId":"task"}"#);
    folder.write("s1/subagents/workflows/wf_7/agent-b2.jsonl", agent("b2", "s1").bytes());
    // None of these is a transcript of the run.
    folder.write("s1/subagents/journal.jsonl", agent("j", "s1").bytes());
    folder.write("s1/subagents/workflows/wf_7/journal.jsonl", agent("j", "s1").bytes());
    folder.write("s1/tool-results/agent-x.jsonl", agent("x", "s1").bytes());
    folder.write("s2/subagents/agent-y.jsonl", agent("y", "s2").bytes());
    let all = totals(&path);
    assert_eq!((all.calls, all.subagents, all.prompts, all.tool_calls), (5, 2, 1, 3));
    assert_eq!(four(all.tokens), [41, 21, 0, 0]);
    assert_eq!((all.results, all.open_tool_calls, all.facts), (3, 0, 0));
    assert_eq!(sessions_below(&folder.path(""), &Heads::default()).unwrap().files, [path]);
}

#[test]
fn subagents_beside_the_session_are_part_of_it_if_they_name_it() {
    let folder = Folder::new();
    // The older layout, and a file that is not named after its session's id.
    let path = folder.write("archive.jsonl", session().bytes());
    folder.write("agent-flat.jsonl", agent("flat", "s1").bytes());
    folder.write("agent-by-name.jsonl", agent("by-name", "archive").bytes());
    folder.write("agent-other.jsonl", agent("other", "s9").bytes());
    folder.write("subagents/deep/agent-deep.jsonl", agent("deep", "s1").bytes());
    folder.write("subagents/agent-other2.jsonl", agent("other2", "s9").bytes());
    let all = totals(&path);
    assert_eq!((all.calls, all.subagents, all.prompts), (7, 3, 1));
    assert_eq!(sessions_below(&folder.path(""), &Heads::default()).unwrap().files, [path]);
}

#[test]
fn a_subagents_file_can_be_folded_by_itself() {
    let folder = Folder::new();
    let path = folder.write("agent-a1.jsonl", agent("a1", "s1").bytes());
    folder.write("agent-b2.jsonl", agent("b2", "s1").bytes());
    let alone = totals(&path);
    assert_eq!((alone.calls, alone.subagents, alone.prompts, alone.tool_calls), (2, 1, 0, 1));
    assert_eq!(agent_of(&path, &Heads::default()).as_deref(), Some("a1"));
    assert_eq!(agent_of(Path::new("agent-.jsonl"), &Heads::default()), None);
    assert_eq!(agent_of(Path::new("agent-a1.meta.json"), &Heads::default()), None);
}

/// Wraps a record of a subagent as older clients did in the session's own file.
fn in_progress(script: Script, inner: Value) -> Script {
    script.record(json!({
        "type": "progress",
        "parentToolUseID": "task",
        "data": {"type": "agent_progress", "agentId": "a1", "message": inner},
    }))
}

fn records(script: &Script) -> Vec<Value> {
    script.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_call_in_progress_records_and_in_the_subagents_file_counts_once() {
    let folder = Folder::new();
    let wrapped = records(&agent("a1", "s1")).into_iter().fold(session(), in_progress);
    let path = folder.write("s1.jsonl", wrapped.result("task", "done").bytes());
    let inline = totals(&path);
    assert_eq!((inline.calls, inline.subagents, inline.prompts, inline.tool_calls), (3, 1, 1, 2));
    assert_eq!((inline.duplicates, inline.open_tool_calls, inline.facts), (0, 0, 0));
    // The same records in the subagent's own file are known.
    folder.write("s1/subagents/agent-a1.jsonl", agent("a1", "s1").bytes());
    let both = totals(&path);
    assert_eq!((both.calls, both.tool_calls, four(both.tokens)), (3, 2, four(inline.tokens)));
    assert_eq!((both.duplicates, both.duplicate_calls, both.subagents), (4, 0, 1));
    // With other uuids, the calls are known by their ids all the same.
    let mut own = Script::new();
    for mut record in records(&agent("a1", "s1")) {
        record["uuid"] = json!(format!("other-{}", record["uuid"].as_str().unwrap()));
        own = own.record(record);
    }
    folder.write("s1/subagents/agent-a1.jsonl", own.bytes());
    let renamed = totals(&path);
    assert_eq!((renamed.calls, renamed.tool_calls, renamed.results), (3, 2, 2));
    assert_eq!((renamed.duplicate_calls, renamed.duplicate_results), (1, 1));
}

#[test]
fn progress_records_that_carry_nothing_are_bookkeeping() {
    let progress = |data: Value| json!({"type": "progress", "data": data});
    let folded = Script::new()
        .record(progress(json!({"type": "bash_progress", "output": "…"})))
        .record(progress(json!({"type": "agent_progress", "agentId": "a1", "message": "text"})))
        .record(progress(
            json!({"type": "agent_progress", "agentId": "a1", "message": {"type": "user"}}),
        ))
        .record(progress(json!("odd")))
        .record(json!({"type": "progress"}))
        .fold();
    let totals = folded.totals();
    assert_eq!(
        (totals.events_by_kind["session_meta"], totals.subagents, totals.unknown),
        (5, 0, 0)
    );
    // A carried record has the outer one's time where it has none of its own.
    let inner = json!({"type": "user", "message": {"content": "x"}});
    let folded =
        in_progress(Script::new(), inner).with(json!({"timestamp": "2031-01-01T00:00:00Z"}));
    let folded = folded.fold();
    assert_eq!(folded.state.observed().time.unwrap().to_string(), "2031-01-01T00:00:00Z");
    assert_eq!(folded.state.subagents().collect::<Vec<_>>(), ["a1"]);
}

#[test]
fn side_chains_are_billed_and_are_no_turns() {
    let side = json!({"isSidechain": true});
    let totals = Script::new()
        .prompt("go")
        .prompt("task of a side chain")
        .with(side.clone())
        .says("answer in the side chain")
        .with(side.clone())
        .call("t", "Read", json!({"file_path": "x"}))
        .with(side)
        .fold()
        .totals();
    assert_eq!((totals.prompts, totals.calls, totals.subagents), (1, 2, 0));
    assert_eq!((totals.tool_calls, totals.open_tool_calls), (1, 1));
}

#[test]
fn a_first_prompt_that_is_echoed_is_one_turn() {
    let echo = json!({"uuid": "A"});
    let script = Script::new()
        .prompt("hello")
        .with(echo.clone())
        .record(json!({"type": "system", "subtype": "init"}))
        .prompt("hello")
        .with(echo.clone())
        .says("hi");
    let totals = script.fold().totals();
    assert_eq!((totals.prompts, totals.duplicates, totals.calls), (1, 1, 1));
    // An edited text under the same uuid is another event; a text without a uuid is no repeat.
    assert_eq!(script.clone().prompt("hello!").with(echo).fold().totals().prompts, 2);
    assert_eq!(
        Script::new().prompt("a").with(json!({"uuid": null})).again().fold().totals().prompts,
        2
    );
    // A repeated interruption, retry or orphan counts once as well.
    let interruption = Script::new().call("t", "Bash", json!({})).interruption();
    let totals = interruption.again().call("t2", "Bash", json!({})).fold().totals();
    assert_eq!((totals.open_tool_calls, totals.interrupted_calls), (1, 1));
    let replayed =
        Script::new().call("t", "Bash", json!({})).interruption().with(json!({"uuid": "i"}));
    let replayed = replayed.call("t2", "Bash", json!({})).interruption().with(json!({"uuid": "i"}));
    assert_eq!(
        replayed.fold().totals().open_tool_calls,
        1,
        "a repeat of the marker closes nothing"
    );
}

#[test]
fn records_whose_parent_is_nowhere_are_orphans_and_count() {
    let script = Script::new()
        .prompt("go")
        .says("a")
        .with(json!({"parentUuid": "u0001"}))
        .says("b")
        .with(json!({"parentUuid": "gone"}))
        .says("c")
        .with(json!({"parentUuid": "gone"}))
        .says("d")
        .with(json!({"parentUuid": "later"}));
    let totals = script.fold().totals();
    assert_eq!((totals.orphans, totals.calls, totals.prompts), (3, 4, 1));
    // A parent may come after its child; an empty one is none.
    let script = script.says("e").with(json!({"uuid": "later", "parentUuid": ""}));
    assert_eq!(script.fold().totals().orphans, 2);
    // A record repeated is no second orphan.
    let repeated = Script::new().says("a").with(json!({"parentUuid": "gone"})).again();
    assert_eq!(repeated.fold().totals().orphans, 1);
    // Compaction starts a new chain; what follows hangs on its boundary.
    let compacted = Script::new()
        .prompt("go")
        .record(json!({"type": "system", "subtype": "compact_boundary", "uuid": "boundary",
            "parentUuid": null, "logicalParentUuid": "u0001"}))
        .says("on")
        .with(json!({"parentUuid": "boundary"}));
    assert_eq!(compacted.fold().totals().orphans, 0);
    // Of a carried record the outer one's parent is asked for, and either uuid is there.
    let inner =
        json!({"type": "user", "uuid": "in", "parentUuid": "gone", "message": {"content": "x"}});
    let carried = in_progress(Script::new().prompt("go"), inner)
        .with(json!({"uuid": "out", "parentUuid": "u0001"}))
        .says("a")
        .with(json!({"parentUuid": "in"}))
        .says("b")
        .with(json!({"parentUuid": "out"}));
    assert_eq!(carried.fold().totals().orphans, 0);
}

#[test]
fn bookkeeping_records_have_neither_uuid_nor_time_nor_session() {
    let types: Vec<&str> =
        "summary ai-title custom-title agent-name agent-setting agent-color mode \
         permission-mode last-prompt file-history-snapshot pr-link bridge-session \
         queue-operation tag task-summary worktree-state content-replacement \
         attribution-snapshot speculation-accept"
            .split(' ')
            .collect();
    let mut script = Script::new();
    for kind in &types {
        script = script.raw(format!("{{\"type\":\"{kind}\"}}\n"));
    }
    let folded = script.prompt("go").fold();
    let totals = folded.totals();
    assert_eq!(totals.events_by_kind["session_meta"], types.len() as u64);
    assert_eq!((totals.bad_lines, totals.unknown, totals.prompts), (0, 0, 1));
    assert_eq!((totals.degraded_fields, totals.duplicates), (0, 0));
    assert_eq!(folded.state.identity().session.as_deref(), Some("s1"));
}

#[test]
fn titles_and_identity_come_from_wherever_they_stand() {
    let folded = Script::new()
        .raw("{\"type\":\"ai-title\",\"aiTitle\":\"First\"}\n{\"type\":\"summary\",\"summary\":\"Second\"}\n")
        .prompt("go")
        .with(json!({"cwd": "/a", "gitBranch": "main", "version": "2.0.1"}))
        .says("x")
        .with(json!({"cwd": "/b", "gitBranch": "topic", "version": "2.1.0", "sessionId": "s2"}))
        .fold();
    let identity = folded.state.identity();
    assert_eq!(identity.title.as_deref(), Some("Second"));
    assert_eq!((identity.session.as_deref(), identity.cwd.as_deref()), (Some("s1"), Some("/b")));
    assert_eq!(identity.branch.as_deref(), Some("topic"));
    assert_eq!(identity.client_version.as_deref(), Some("2.1.0"));
}

#[test]
fn what_is_no_transcript_is_named_with_a_remedy() {
    let folder = Folder::new();
    let error = |name: &str, bytes: Option<&str>| {
        let path = match bytes {
            Some(bytes) => folder.write(name, bytes),
            None => folder.path(name),
        };
        let error = Run::fold(&path, FoldConfig::default()).unwrap_err();
        let said = error.to_string();
        assert!(said.contains(name) && !said.contains('\n'), "{said}");
        error
    };
    assert!(matches!(error("absent.jsonl", None), RunError::NotFound(_)));
    folder.write("folder/x", "");
    assert!(matches!(error("folder", None), RunError::IsFolder(_)));
    assert!(matches!(error("empty.jsonl", Some("")), RunError::Empty(_)));
    for (name, text) in [
        ("notes.txt", "Dear reader,\nthis is no transcript.\n"),
        ("data.json", "[1, 2, 3]\n"),
        ("other.jsonl", "{\"type\":\"thing\"}\n{\"level\":\"info\",\"message\":\"hi\"}\n"),
        ("blank.jsonl", "\n\n\n"),
        ("zeros.bin", "\0\0\0\0"),
    ] {
        assert!(matches!(error(name, Some(text)), RunError::NotATranscript(_)), "{name}");
    }
    let copilot = "{\"type\":\"session.start\",\"data\":{\"id\":\"x\"}}\n";
    assert!(matches!(
        error("events.jsonl", Some(copilot)),
        RunError::OtherFormat { format: "copilot", .. }
    ));
    // Damage at the head, and any number of bookkeeping records, hide nothing.
    let mut script = Script::new().raw("\u{feff}{torn\n\n");
    for _ in 0..20 {
        script = script.raw("{\"type\":\"file-history-snapshot\"}\n");
    }
    let path = folder.write("real.jsonl", script.prompt("go").bytes());
    assert!(check(&path).is_ok());
    // A record that has no end is none, however long; one with an end is one.
    let torn = "{\"type\":\"user\",\"message\":{\"content\":\"go";
    let long = format!("{torn}{}", "x".repeat(1_100_000));
    for text in [torn, &long] {
        let path = folder.write("torn.jsonl", text);
        assert!(matches!(check(&path), Err(RunError::NotATranscript(_))));
    }
    assert!(check(&folder.write("long.jsonl", long + "\"}}")).is_ok());
}
