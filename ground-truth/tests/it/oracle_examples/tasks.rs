//! "Background tasks", and what they decide: abandoned calls, and the last error.

use ground_truth::oracle::Recount;
use serde_json::{Value, json};

use super::support::{call, count, count_files, failure, result, texts, user, with};

/// A call of a tool with a result whose record has this `toolUseResult`.
fn answered(id: &str, tool: &str, input: Value, told: &Value) -> [Value; 2] {
    [call(id, tool, input), with(result(id, "done"), &json!({ "toolUseResult": told }))]
}

/// A call that launches an agent.
fn launch_agent(id: &str, agent: &str) -> [Value; 2] {
    answered(id, "Agent", json!({}), &json!({"status": "async_launched", "agentId": agent}))
}

/// A call that launches a command.
fn launch_command(id: &str, task: &str) -> [Value; 2] {
    answered(id, "Bash", json!({}), &json!({"stdout": "", "backgroundTaskId": task}))
}

fn notification(task: &str, status: &str, summary: &str) -> String {
    format!(
        "<task-notification>\n<task-id>{task}</task-id>\n<status>{status}</status>\n<summary>{summary}</summary>\n</task-notification>"
    )
}

fn notified(task: &str, status: &str) -> Value {
    user(notification(task, status, &format!("{task} has {status}")))
}

/// The tasks as "id kind state".
fn tasks_of(run: &Recount) -> Vec<String> {
    run.background_tasks.iter().map(|(id, task)| format!("{id} {task}")).collect()
}

fn tasks(records: &[Value]) -> Vec<String> {
    tasks_of(&count(records))
}

#[test]
fn a_receipt_launches_a_task_and_answers_its_call() {
    let told = |told: Value| tasks(&answered("t", "X", json!({}), &told));
    assert_eq!(told(json!({"status": "async_launched", "agentId": "a7"})), ["a7 agent running"]);
    assert_eq!(
        told(json!({"status": "teammate_launched", "agentId": "", "taskId": "b", "task_id": "c"})),
        ["b command running"]
    );
    assert_eq!(told(json!({"status": "remote_launched", "task_id": "c"})), ["c command running"]);
    assert_eq!(told(json!({"backgroundTaskId": "b41"})), ["b41 command running"]);
    assert_eq!(
        told(json!({"status": "x_launched", "backgroundTaskId": "b"})),
        ["b command running"]
    );
    for none in [
        json!({"status": "completed", "agentId": "a7"}),
        json!({"status": "async_launched"}),
        json!({"status": "async_launched", "agentId": 7}),
        json!({"backgroundTaskId": ""}),
        json!("async_launched"),
    ] {
        assert_eq!(told(none.clone()), texts(&[]), "{none}");
    }
    let run = count(&launch_command("t", "b"));
    assert_eq!((run.succeeded_calls, run.results, run.open_tool_calls), (1, 1, 0));
}

#[test]
fn a_receipt_is_the_first_result_of_a_call_and_no_error() {
    let [open, receipt] = launch_command("t", "b");
    let error = with(failure("t", "x"), &json!({"toolUseResult": {"backgroundTaskId": "b"}}));
    assert_eq!(tasks(&[open.clone(), error]), texts(&[]));
    assert_eq!(tasks(&[open.clone(), result("t", "x"), receipt.clone()]), texts(&[]), "the second");
    assert_eq!(tasks(std::slice::from_ref(&receipt)), texts(&[]), "of no call");
    let running = texts(&["b command running"]);
    assert_eq!(tasks(&[receipt.clone(), open.clone()]), running, "before its call");
    let aside = [open, receipt].map(|record| with(record, &json!({"agentId": "x"})));
    assert_eq!(tasks(&aside), running, "in any thread");
}

#[test]
fn a_text_is_a_receipt_where_no_object_says_more() {
    let text = "Command running in background with ID: b41. Output is being written to: /tmp/x";
    let agent = "Async agent launched successfully.\nagentId: a77 (internal)";
    let of = |text: &str, told: Value| {
        let record = with(result("t", text), &json!({ "toolUseResult": told }));
        tasks(&[call("t", "X", json!({})), record])
    };
    assert_eq!(of(text, Value::Null), ["b41 command running"]);
    assert_eq!(of(text, json!("a string")), ["b41 command running"]);
    assert_eq!(of(agent, Value::Null), ["a77 agent running"]);
    assert_eq!(of(text, json!({})), texts(&[]), "an object that says nothing");
    assert_eq!(of(&format!("$ make\n{text}"), Value::Null), texts(&[]), "not in the first line");
}

#[test]
fn what_is_said_last_holds() {
    let start = || launch_command("t", "b");
    let after = |said: &[Value]| tasks(&[&start()[..], said].concat());
    for (status, state) in [
        ("completed", "completed"),
        ("failed", "failed"),
        ("killed", "stopped"),
        ("stopped", "stopped"),
        ("cancelled", "stopped"),
        ("canceled", "stopped"),
        ("paused", "running"),
        ("Failed", "running"),
    ] {
        assert_eq!(after(&[notified("b", status)]), [format!("b command {state}")], "{status}");
    }
    assert_eq!(
        after(&[notified("b", "failed"), notified("b", "completed")]),
        ["b command completed"]
    );
    assert_eq!(after(&[notified("b", "failed"), notified("b", "odd")]), ["b command failed"]);
    assert_eq!(after(&[notified("other", "failed")]), ["b command running"]);
    let again = [&start()[..], &[notified("b", "completed")], &launch_command("t2", "b")[..]];
    assert_eq!(tasks(&again.concat()), ["b command running"], "it was resumed");
    let before = [&[notified("b", "completed")], &start()[..]].concat();
    assert_eq!(tasks(&before), ["b command running"], "said before the launch");
    assert_eq!(tasks(&[notified("b", "completed")]), texts(&[]), "never launched");
}

#[test]
fn a_notification_comes_in_several_records() {
    let text = notification("b", "completed", "x");
    let after = |record: Value| tasks(&[&launch_command("t", "b")[..], &[record]].concat());
    let ended = texts(&["b command completed"]);
    let queued = |prompt: Value| json!({"type": "attachment", "attachment": {"type": "queued_command", "commandMode": "task-notification", "prompt": prompt}});
    assert_eq!(after(user(text.clone())), ended);
    assert_eq!(after(user(json!([{"type": "image"}, {"type": "text", "text": text}]))), ended);
    assert_eq!(after(queued(json!(text))), ended);
    assert_eq!(after(queued(json!([{"type": "text", "text": text}]))), ended);
    assert_eq!(after(json!({"type": "queue-operation", "content": text})), ended);
    assert_eq!(after(with(user(text.clone()), &json!({"agentId": "x"}))), ended, "in any thread");
    let two = format!(" {}\n{text}", notification("c", "failed", "y"));
    assert_eq!(after(user(two)), ended, "after another notification");
    let running = texts(&["b command running"]);
    assert_eq!(after(user(format!("See {text}"))), running, "not at the start");
    assert_eq!(after(user(format!("<tick>1</tick>{text}"))), running);
    assert_eq!(after(with(user(text.clone()), &json!({"type": "assistant"}))), running);
    assert_eq!(
        after(json!({"type": "attachment", "attachment": {"type": "todo", "prompt": text}})),
        running
    );
    assert_eq!(after(json!({"type": "queue-operation", "content": [text]})), running);
    let named = with(notified("b", "failed"), &json!({"uuid": "u"}));
    let done = with(notified("b", "completed"), &json!({"uuid": "v"}));
    let records = [&launch_command("t", "b")[..], &[named.clone(), done, named]].concat();
    assert_eq!(tasks(&records), ended, "a duplicate says nothing");
}

#[test]
fn a_call_says_how_a_task_stands_or_stops_it() {
    let after = |calls: &[Value]| tasks(&[&launch_command("t", "b")[..], calls].concat());
    let asked = |task: Value| answered("o", "TaskOutput", json!({}), &json!({ "task": task }));
    let of = |status: &str| asked(json!({"task_id": "b", "status": status}));
    assert_eq!(after(&of("completed")), ["b command completed"]);
    assert_eq!(after(&of("failed")), ["b command failed"]);
    assert_eq!(after(&of("running")), ["b command running"]);
    assert_eq!(after(&asked(json!({"task_id": "", "status": "failed"}))), ["b command running"]);
    let stop = |tool: &str, input: Value| [call("s", tool, input), result("s", "ok")];
    for tool in ["TaskStop", "KillShell", "KillBash"] {
        assert_eq!(after(&stop(tool, json!({"shell_id": "b"}))), ["b command stopped"], "{tool}");
    }
    let first = json!({"task_id": "", "shell_id": 5, "bash_id": "b"});
    assert_eq!(after(&stop("TaskStop", first)), ["b command stopped"]);
    let other = json!({"task_id": "other", "bash_id": "b"});
    assert_eq!(after(&stop("TaskStop", other)), ["b command running"], "the first one");
    assert_eq!(after(&stop("Bash", json!({"task_id": "b"}))), ["b command running"]);
    let [open, _] = stop("TaskStop", json!({"task_id": "b"}));
    assert_eq!(after(&[open.clone(), failure("s", "no such task")]), ["b command running"]);
    let between = [open, notified("b", "completed"), result("s", "ok")];
    assert_eq!(after(&between), ["b command stopped"], "at its result");
}

#[test]
fn the_calls_of_a_background_agent_are_open_while_it_runs() {
    let counts = |records: &[Value]| {
        let run = count(records);
        (run.abandoned_calls, run.open_tool_calls)
    };
    let inner = || with(call("inner", "Bash", json!({})), &json!({"agentId": "a"}));
    let running = [&launch_agent("t", "a")[..], &[inner()]].concat();
    assert_eq!(counts(&running), (0, 1), "a receipt is no end");
    for status in ["completed", "failed", "killed"] {
        let ended = [&running[..], &[notified("a", status)]].concat();
        assert_eq!(counts(&ended), (1, 0), "{status}");
    }
    let resumed = [&running[..], &[notified("a", "completed")], &launch_agent("t2", "a")[..]];
    assert_eq!(counts(&resumed.concat()), (0, 1), "it was resumed");
    let first = with(result("t0", "x"), &json!({"toolUseResult": {"agentId": "a"}}));
    let foreground = [&[call("t0", "Agent", json!({})), first], &running[..]].concat();
    assert_eq!(counts(&foreground), (0, 1), "answered once in the foreground, then resumed");
    let streamed = with(call("inner", "Bash", json!({})), &json!({"parent_tool_use_id": "t"}));
    let stream = [&launch_agent("t", "a")[..], &[streamed]].concat();
    assert_eq!(counts(&stream), (0, 1), "a stream names an agent by its launching call");
    assert_eq!(counts(&[&stream[..], &[notified("a", "completed")]].concat()), (1, 0));
}

#[test]
fn an_agents_file_is_over_when_its_task_is() {
    let inner = [with(call("inner", "Bash", json!({})), &json!({"isSidechain": true}))];
    let counts = |session: &[Value]| {
        let run = count_files(&[("s.jsonl", session), ("s/subagents/agent-a.jsonl", &inner)]);
        (run.abandoned_calls, run.open_tool_calls, run.subagents)
    };
    let start = launch_agent("t", "a");
    assert_eq!(counts(&start), (0, 1, 1));
    assert_eq!(counts(&[&start[..], &[notified("a", "stopped")]].concat()), (1, 0, 1));
}

#[test]
fn a_failed_task_is_an_error_at_its_place() {
    let error = |records: &[&[Value]]| count(&records.concat()).last_error;
    let start = launch_command("t", "b");
    let failed = [notified("b", "failed")];
    let broken = [call("x", "Bash", json!({})), failure("x", "exit 1")];
    assert_eq!(error(&[&start, &failed]).as_deref(), Some("b has failed"));
    assert_eq!(error(&[&start, &failed, &broken]).as_deref(), Some("exit 1"));
    assert_eq!(error(&[&start, &broken, &failed]).as_deref(), Some("b has failed"));
    let twice = error(&[&start, &failed, &broken, &failed]);
    assert_eq!(twice.as_deref(), Some("exit 1"), "it was failed already");
    let silent = [user(
        "<task-notification><task-id>b</task-id><status>failed</status></task-notification>",
    )];
    assert_eq!(error(&[&start, &silent]).as_deref(), Some(""));
    assert_eq!(error(&[&failed, &start]), None, "before the launch");
    let aside = start.clone().map(|record| with(record, &json!({"agentId": "x"})));
    assert_eq!(error(&[&aside, &failed]), None, "an agent's call launched it");
    let told = failed.clone().map(|record| with(record, &json!({"agentId": "x"})));
    assert_eq!(error(&[&start, &told]).as_deref(), Some("b has failed"), "wherever it is told");
    let run = count(&[&start[..], &failed].concat());
    assert_eq!(
        (run.failed_calls, run.succeeded_calls, run.errors),
        (0, 1, 0),
        "its call succeeded"
    );
    assert_eq!(run.prompts, 0);
}
