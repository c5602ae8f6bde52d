//! Background tasks, agents that are over, calls that the client gave up, and agents of the stream
//! that `claude -p` prints.

use serde_json::{Value, json};
use trace_model::adapter::FileRole;
use trace_model::detect::AnomalyKind;
use trace_model::event::{TaskKind, TaskState};
use trace_model::fold::{FoldConfig, RunState};
use trace_model::run::fold_bytes;
use trace_model::totals::Totals;

use crate::common::{Folded, Script};

/// The tasks as (id, kind, state).
fn tasks(state: &RunState) -> Vec<(&str, TaskKind, TaskState)> {
    state.background_tasks().map(|task| (task.id.as_str(), task.kind, task.state)).collect()
}

fn launch(script: Script, call: &str, tool: &str, result: Value) -> Script {
    script
        .call(call, tool, json!({"command": "make all", "run_in_background": true}))
        .result(call, "ok")
        .with(json!({"toolUseResult": result}))
}

fn notice(id: &str, status: &str, summary: &str) -> String {
    format!(
        "<task-notification>\n<task-id>{id}</task-id>\n<status>{status}</status>\n\
         <summary>{summary}</summary>\n</task-notification>"
    )
}

fn command_b1() -> Script {
    let script = Script::new().prompt("build");
    launch(script, "t1", "Bash", json!({"stdout": "", "backgroundTaskId": "b1"}))
}

use TaskKind::{Agent, Command};
use TaskState::{Completed, Failed, Running, Stopped};

#[test]
fn a_receipt_is_not_an_end() {
    let folded = command_b1().says("It builds.").fold();
    assert_eq!(tasks(&folded.state), [("b1", Command, Running)]);
    assert!(folded.state.has_running_task());
    let totals = folded.totals();
    assert_eq!((totals.succeeded_calls, totals.open_tool_calls), (1, 0));
    assert_eq!((totals.background_tasks.launched, totals.background_tasks.running), (1, 1));
    let view = folded.view();
    let line = "- command [b1] running since 2030-01-02T03:00:03Z, not ended yet, launched at event 2 \
                by Bash: ";
    assert!(view.contains(line), "{view}");
}

#[test]
fn receipts_of_every_kind_are_known() {
    let of = |result: Value| {
        let folded = launch(Script::new().prompt("go"), "t1", "X", result).fold();
        let all = tasks(&folded.state).into_iter();
        all.map(|(id, kind, _)| (id.to_owned(), kind)).next()
    };
    let some = |id: &str, kind| Some((id.to_owned(), kind));
    assert_eq!(of(json!({"status": "async_launched", "agentId": "a7"})), some("a7", Agent));
    assert_eq!(of(json!({"status": "remote_launched", "taskId": "r1"})), some("r1", Command));
    assert_eq!(
        of(json!({"status": "x_launched", "agentId": "", "task_id": "r2"})),
        some("r2", Command)
    );
    assert_eq!(of(json!({"status": "completed", "agentId": "a7"})), None);
    assert_eq!(of(json!({"status": "async_launched"})), None);
    assert_eq!(of(json!({"backgroundTaskId": ""})), None);
    assert_eq!(of(json!(["x"])), None);
    let text = |text: &str, result: Value| {
        let script = Script::new().prompt("go").call("t1", "Bash", json!({})).result("t1", text);
        let folded = script.with(json!({"toolUseResult": result})).fold();
        folded.state.background_tasks().next().map(|task| (task.id.clone(), task.kind))
    };
    let running = "Command running in background with ID: b2. Output is being written to: /tmp/b2";
    let by_hand = "Command was manually backgrounded by user with ID: b3. Output is being written";
    let agent = "Async agent launched successfully.\nagentId: a9 (internal)";
    assert_eq!(text(running, json!(null)), some("b2", Command));
    assert_eq!(text(by_hand, json!("a string")), some("b3", Command));
    assert_eq!(text(agent, json!(null)), some("a9", Agent));
    assert_eq!(text(running, json!({"stdout": "the fields say nothing"})), None);
    // An error launches nothing, nor does a second result.
    let script = Script::new().prompt("go").call("t1", "Bash", json!({})).fails("t1", running);
    assert_eq!(tasks(&script.clone().fold().state), []);
    assert_eq!(tasks(&script.result("t1", running).fold().state), []);
}

#[test]
fn a_task_that_failed_is_an_error() {
    let said = notice("b1", "failed", "make all failed with exit code 2");
    let folded = command_b1().prompt(&said).says("It failed.").fold();
    assert_eq!(tasks(&folded.state), [("b1", Command, Failed)]);
    let totals = folded.totals();
    assert_eq!((totals.prompts, totals.failed_calls, totals.background_tasks.failed), (1, 0, 1));
    assert_eq!(folded.state.last_error().unwrap().text, "make all failed with exit code 2");
    let failure = folded.state.failures().next().unwrap();
    assert_eq!((failure.at.0, failure.tool.as_str()), (3, "Bash"));
    assert_eq!(folded.state.failure_count(), 1);
    let view = folded.view();
    assert!(view.contains("LAST ERROR: make all failed with exit code 2"), "{view}");
    assert!(view.contains("RECENT FAILURES (all 1, newest first)"), "{view}");
    // Said twice it failed once: in the queue, then to the agent.
    let twice = command_b1()
        .record(json!({"type": "queue-operation", "operation": "enqueue", "content": said}))
        .prompt(&said);
    assert_eq!(twice.fold().state.failure_count(), 1);
}

#[test]
fn what_says_last_how_a_task_stands_holds() {
    let of = |script: Script| tasks(&script.fold().state)[0].2;
    let queue = |text: &str| json!({"type": "queue-operation", "content": text});
    let queued = |text: &str| json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": text}});
    let done = notice("b1", "completed", "");
    assert_eq!(of(command_b1().prompt(&done)), Completed);
    assert_eq!(of(command_b1().record(queue(&done))), Completed);
    assert_eq!(of(command_b1().record(queued(&done))), Completed);
    assert_eq!(of(command_b1().user(json!([{"type": "text", "text": done}]))), Completed);
    for (word, state) in [
        ("killed", Stopped),
        ("stopped", Stopped),
        ("canceled", Stopped),
        ("cancelled", Stopped),
        ("failed", Failed),
        ("running", Running),
    ] {
        assert_eq!(of(command_b1().prompt(&notice("b1", word, ""))), state, "{word}");
    }
    assert_eq!(of(command_b1().prompt(&done).prompt(&notice("b1", "killed", ""))), Stopped);
    // Before the launch, in another's words, or of another task, it says nothing.
    let early = Script::new().prompt(&done);
    let script = launch(early, "t1", "Bash", json!({"backgroundTaskId": "b1"}));
    assert_eq!(of(script), Running);
    assert_eq!(of(command_b1().prompt(&format!("It said {done}"))), Running);
    assert_eq!(of(command_b1().says(&done)), Running);
    assert_eq!(of(command_b1().prompt(&notice("b2", "completed", ""))), Running);
    // A second of the same record changes nothing after a resumption.
    let first = command_b1().prompt(&done);
    let line = first.lines().pop().unwrap() + "\n";
    let resumed = launch(first, "t2", "Bash", json!({"backgroundTaskId": "b1"}));
    assert_eq!(of(resumed.clone()), Running);
    assert_eq!(of(resumed.raw(line)), Running);
}

#[test]
fn tools_that_stop_or_ask_after_a_task_say_how_it_stands() {
    let of = |script: Script| tasks(&script.fold().state)[0].2;
    for (tool, field) in
        [("TaskStop", "task_id"), ("KillShell", "shell_id"), ("KillBash", "bash_id")]
    {
        let asked = command_b1().call("k", tool, json!({field: "b1"}));
        assert_eq!(of(asked.clone()), Running, "not until it answers");
        assert_eq!(of(asked.clone().fails("k", "no such task")), Running);
        assert_eq!(of(asked.result("k", "stopped")), Stopped, "{tool}");
    }
    assert_eq!(of(command_b1().done("Bash", json!({"task_id": "b1"}), "ok")), Running);
    let output = |status: &str| {
        let result =
            json!({"retrieval_status": "success", "task": {"task_id": "b1", "status": status}});
        command_b1()
            .done("TaskOutput", json!({"task_id": "b1"}), "x")
            .with(json!({"toolUseResult": result}))
    };
    assert_eq!([of(output("running")), of(output("completed"))], [Running, Completed]);
    let failed = output("failed").fold();
    assert_eq!((failed.state.failure_count(), failed.totals().failed_calls), (1, 0));
}

fn agent_role(id: &str, launched_by: Option<&str>) -> FileRole {
    FileRole { launched_by: launched_by.map(str::to_owned), ..FileRole::default().of_agent(id) }
}

/// An agent's file with a call that was never answered.
fn cut_off(id: &str, call: &str, tool: &str) -> Vec<u8> {
    let side = json!({"isSidechain": true, "agentId": id});
    let script = Script::new().prompt("look").with(side.clone());
    let script = script.call(call, tool, json!({"id": id})).with(side);
    // Ids of its own.
    String::from_utf8(script.bytes()).unwrap().replace("\"u00", &format!("\"{id}-")).into_bytes()
}

fn fold_files(files: &[(FileRole, Vec<u8>)]) -> (RunState, Totals) {
    let files = files.iter().map(|(role, bytes)| (role.clone(), bytes.as_slice()));
    let (state, reading) = fold_bytes(files, FoldConfig::default());
    let totals = Totals::of(&state, &reading);
    (state, totals)
}

/// Whichever file is read first, and however the launching call is known.
#[test]
fn calls_of_an_agent_that_is_over_are_abandoned() {
    let session = |result: Value| {
        Script::new()
            .prompt("go")
            .call("t1", "Agent", json!({}))
            .result("t1", "I start.")
            .with(json!({"toolUseResult": result}))
            .says("It is back.")
            .bytes()
    };
    let named = json!({"status": "completed", "agentId": "a1"});
    for (result, launched_by) in
        [(named.clone(), Some("t1")), (named.clone(), None), (json!(null), Some("t1"))]
    {
        let mut files = vec![
            (FileRole::default(), session(result)),
            (agent_role("a1", launched_by), cut_off("a1", "at1", "Grep")),
        ];
        for _ in 0..2 {
            let (state, totals) = fold_files(&files);
            let counts = (totals.open_tool_calls, totals.abandoned_calls, totals.tool_calls);
            assert_eq!(counts, (0, 1, 2), "{launched_by:?}");
            assert_eq!(state.abandoned()[0].id, "at1");
            assert_eq!(state.tools()["Grep"].abandoned, 1);
            assert_eq!(state.silence_alarm(), None, "nobody waits for it");
            files.reverse();
        }
    }
    // Not known which call launched it: never over.
    let files = [
        (FileRole::default(), session(json!(null))),
        (agent_role("a1", None), cut_off("a1", "at1", "Grep")),
    ];
    let (_, totals) = fold_files(&files);
    assert_eq!((totals.open_tool_calls, totals.abandoned_calls), (1, 0));
}

#[test]
fn agents_of_agents_that_are_over_are_over() {
    let session = |answered: bool| {
        let script = Script::new().prompt("go").call("t1", "Agent", json!({}));
        if answered { script.result("t1", "back") } else { script }.bytes()
    };
    let files = |answered| {
        [
            (FileRole::default(), session(answered)),
            (agent_role("a1", Some("t1")), cut_off("a1", "at1", "Agent")),
            (agent_role("a2", Some("at1")), cut_off("a2", "at2", "Bash")),
        ]
    };
    let (_, totals) = fold_files(&files(true));
    assert_eq!((totals.open_tool_calls, totals.abandoned_calls), (0, 2));
    let (_, totals) = fold_files(&files(false));
    assert_eq!((totals.open_tool_calls, totals.abandoned_calls), (3, 0));
    let mut reversed = files(true);
    reversed.reverse();
    let (_, totals) = fold_files(&reversed);
    assert_eq!((totals.open_tool_calls, totals.abandoned_calls), (0, 2));
}

/// Two agents that each say that the other launched them.
#[test]
fn agents_that_launch_one_another_are_not_over() {
    let files = [
        (agent_role("a1", Some("at2")), cut_off("a1", "at1", "Agent")),
        (agent_role("a2", Some("at1")), cut_off("a2", "at2", "Agent")),
    ];
    let (_, totals) = fold_files(&files);
    assert_eq!((totals.open_tool_calls, totals.abandoned_calls), (2, 0));
}

#[test]
fn an_agent_in_the_background_is_over_when_its_task_ends() {
    let launched = json!({"isAsync": true, "status": "async_launched", "agentId": "a1"});
    let session = launch(Script::new().prompt("go"), "t1", "Agent", launched.clone());
    let of = |session: Script| {
        let files = [
            (FileRole::default(), session.bytes()),
            (agent_role("a1", Some("t1")), cut_off("a1", "at1", "Bash")),
        ];
        let (state, totals) = fold_files(&files);
        let states: Vec<TaskState> = state.background_tasks().map(|task| task.state).collect();
        (states, totals.open_tool_calls, totals.abandoned_calls)
    };
    assert_eq!(of(session.clone()), (vec![Running], 1, 0));
    let done = session.prompt(&notice("a1", "completed", "back"));
    assert_eq!(of(done.clone()), (vec![Completed], 0, 1));
    // Resumed, it runs.
    let resumed = launch(done, "t2", "SendMessage", launched);
    assert_eq!(of(resumed.clone()), (vec![Running], 1, 0));
    let stopped = resumed.done("TaskStop", json!({"task_id": "a1"}), "ok");
    assert_eq!(of(stopped), (vec![Stopped], 0, 1));
}

#[test]
fn an_answer_that_comes_after_all_is_no_longer_missing() {
    let side = json!({"isSidechain": true, "agentId": "a1"});
    let mut agent = cut_off("a1", "at1", "Bash");
    agent.extend(Script::new().result("at1", "4 rows").with(side).bytes());
    let session = Script::new().prompt("go").call("t1", "Agent", json!({})).result("t1", "back");
    let files = [(FileRole::default(), session.bytes()), (agent_role("a1", Some("t1")), agent)];
    let (state, totals) = fold_files(&files);
    assert_eq!((totals.succeeded_calls, totals.abandoned_calls, totals.open_tool_calls), (2, 0, 0));
    assert_eq!(state.tools()["Bash"].abandoned, 0);
}

/// A person stopped it: interrupted goes before abandoned.
#[test]
fn a_stopped_agents_calls_are_interrupted() {
    let session = Script::new().prompt("go").call("t1", "Agent", json!({})).interruption();
    let files = [
        (FileRole::default(), session.bytes()),
        (agent_role("a1", Some("t1")), cut_off("a1", "at1", "Bash")),
    ];
    let (_, totals) = fold_files(&files);
    let counts = (totals.interrupted_calls, totals.abandoned_calls, totals.open_tool_calls);
    assert_eq!(counts, (2, 0, 0));
}

#[test]
fn a_cancelled_call_is_not_failed() {
    let texts = [
        "<tool_use_error>Sibling tool call errored</tool_use_error>",
        " <tool_use_error> Cancelled: parallel tool call Bash(x) errored</tool_use_error>",
        "Error: Streaming fallback - tool execution discarded",
    ];
    let mut script =
        Script::new().prompt("go").call("bad", "Bash", json!({})).fails("bad", "exit 1");
    for n in 0..12 {
        let id = format!("c{n}");
        script = script.call(&id, "Bash", json!({"n": n})).fails(&id, texts[n % texts.len()]);
    }
    let folded = script.fold();
    let totals = folded.totals();
    assert_eq!((totals.cancelled_calls, totals.failed_calls), (12, 1));
    assert_eq!(folded.state.tools()["Bash"].cancelled, 12);
    assert_eq!(folded.state.raised(AnomalyKind::ErrorStreak), 0);
    assert_eq!(folded.state.last_error().unwrap().text, "exit 1");
    assert_eq!(folded.state.failures().len(), 1);
    assert!(folded.view().contains("0 interrupted, 12 cancelled by the client, 0 in flight"));
    // Only an error is one, and only from its start on.
    let script = Script::new().prompt("go").call("a", "Bash", json!({})).result("a", texts[2]);
    let script =
        script.call("b", "Bash", json!({})).fails("b", "It said: Sibling tool call errored");
    let totals = script.fold().totals();
    assert_eq!((totals.cancelled_calls, totals.succeeded_calls, totals.failed_calls), (0, 1, 1));
}

fn streamed(fields: Value) -> String {
    let mut record = json!({"session_id": "s7", "parent_tool_use_id": null});
    for (key, value) in fields.as_object().unwrap() {
        record[key] = value.clone();
    }
    record.to_string() + "\n"
}

/// The stream that `claude -p` prints names an agent by the call that launched it.
#[test]
fn a_subagents_prompt_in_a_stream_is_nobodys_goal() {
    let call =
        |id: &str, tool: &str| json!([{"type": "tool_use", "id": id, "name": tool, "input": {}}]);
    let message = |content: Value| json!({"model": "claude-demo-1", "content": content});
    let result =
        |id: &str| json!({"content": [{"type": "tool_result", "tool_use_id": id, "content": "x"}]});
    let lines = [
        streamed(json!({"type": "system", "subtype": "init", "uuid": "j0", "cwd": "/w"})),
        streamed(
            json!({"type": "assistant", "uuid": "j1", "message": message(call("t1", "Task"))}),
        ),
        streamed(json!({"type": "user", "uuid": "j2", "parent_tool_use_id": "t1",
            "message": {"content": [{"type": "text", "text": "Look at the pond."}]}})),
        streamed(json!({"type": "assistant", "uuid": "j3", "parent_tool_use_id": "t1",
            "message": message(call("t2", "Bash"))})),
        streamed(json!({"type": "user", "uuid": "j5", "message": result("t1")})),
        streamed(json!({"type": "result", "subtype": "success", "uuid": "j7", "result": "Frogs."})),
    ];
    let folded: Folded = crate::common::fold(lines.concat().as_bytes());
    let totals = folded.totals();
    assert_eq!((totals.prompts, totals.subagents, totals.unknown), (0, 1, 0));
    assert_eq!(folded.state.identity().session.as_deref(), Some("s7"));
    assert_eq!(folded.state.subagents().collect::<Vec<_>>(), ["t1"]);
    assert_eq!((totals.abandoned_calls, totals.open_tool_calls), (1, 0), "t1 is answered");
}

/// There an agent's id is its call's, and a task's id is another.
#[test]
fn an_agent_in_the_background_of_a_stream_is_not_over_at_its_receipt() {
    let launched = json!({"status": "async_launched", "agentId": "a9"});
    let script = launch(Script::new().prompt("go"), "t1", "Agent", launched)
        .call("t2", "Bash", json!({}))
        .with(json!({"parent_tool_use_id": "t1"}));
    let totals = script.clone().fold().totals();
    assert_eq!((totals.open_tool_calls, totals.abandoned_calls), (1, 0));
    let totals = script.prompt(&notice("a9", "completed", "")).fold().totals();
    assert_eq!((totals.open_tool_calls, totals.abandoned_calls), (0, 1));
}

#[test]
fn different_unknown_records_under_one_id_are_no_duplicates() {
    let record = |n: u64| json!({"type": "future-thing", "n": n}).to_string();
    let with_id = |n: u64| json!({"type": "future-thing", "n": n, "uuid": "x"}).to_string();
    let lines = [with_id(1), with_id(2), format!(" {} ", with_id(1)), record(1), record(1)];
    let totals = crate::common::fold((lines.join("\n") + "\n").as_bytes()).totals();
    assert_eq!((totals.unknown, totals.duplicates), (4, 1));
    let meta = |n: u64| json!({"type": "system", "subtype": "informational", "n": n, "uuid": "x"});
    let lines = [meta(1), meta(2), meta(2)].map(|record| record.to_string() + "\n");
    let totals = crate::common::fold(lines.concat().as_bytes()).totals();
    assert_eq!((totals.events_by_kind["session_meta"], totals.duplicates), (2, 1));
}
