//! What the fold keeps for a handover: instructions, plan and todo list, refusals, mended failures, and the calls
//! that stand out.

use serde_json::{Value, json};
use trace_model::event::Outcome;
use trace_model::fold::{Handover, RunState, TodoStatus};
use trace_model::ids::Seq;

use crate::common::Script;

const REFUSED: &str =
    "The user doesn't want to proceed with this tool use. The tool use was rejected.";

fn handover(script: &Script, look: impl FnOnce(&Handover)) {
    let folded = script.fold();
    look(folded.state.handover());
    let written = serde_json::to_string(&folded.state).unwrap();
    let read: RunState = serde_json::from_str(&written).unwrap();
    assert_eq!(read.handover(), folded.state.handover(), "it survives a snapshot");
}

fn after(parent: &str) -> Value {
    json!({"parentUuid": parent})
}

fn instructions(work: &Handover) -> Vec<&str> {
    work.instructions().iter().map(|it| &*it.text).collect()
}

fn todos(work: &Handover) -> Vec<(Option<&str>, &str, TodoStatus)> {
    work.todos().iter().map(|it| (it.id.as_deref(), &*it.text, it.status)).collect()
}

fn command(text: &str) -> Value {
    json!({"command": text})
}

#[test]
fn instructions_are_read_to_the_end_of_long_prompts() {
    let long = format!("Fix it.\n{}\nNever push to main.", "Some background.\n".repeat(1000));
    let script = Script::new().prompt(&long).says("ok").prompt("Always use tabs. Can you not?");
    handover(&script, |work| {
        assert_eq!(instructions(work), ["Never push to main.", "Always use tabs."]);
    });
    let again = script.says("ok").prompt("Never push to main.");
    handover(&again, |work| {
        assert_eq!(instructions(work), ["Always use tabs.", "Never push to main."]);
        assert_eq!((work.instructions()[1].at, work.instructions()[1].turn), (Seq(4), 3));
        assert_eq!(work.instructions_dropped(), 0);
    });
}

#[test]
fn a_long_instruction_says_how_long_it_is_and_old_ones_are_counted() {
    let many: Vec<String> = (0..70).map(|n| format!("Never touch file {n}.")).collect();
    let long = format!("Always {}", "x".repeat(400));
    handover(&Script::new().prompt(&many.join("\n")).says("ok").prompt(&long), |work| {
        assert_eq!((work.instructions().len(), work.instructions_dropped()), (60, 11));
        let last = work.instructions().last().unwrap();
        assert_eq!((last.text.text.len(), last.text.chars), (300, 407));
    });
}

#[test]
fn instructions_of_turns_taken_back_do_not_count() {
    let script = Script::new()
        .prompt("Always use tabs")
        .says("ok")
        .with(after("u0001"))
        .prompt("Never push")
        .with(after("u0002"))
        .says("ok")
        .with(after("u0003"));
    handover(&script, |work| {
        assert_eq!(instructions(work), ["Always use tabs", "Never push"]);
    });
    let back = script.prompt("Prefer short names").with(after("u0002"));
    handover(&back, |work| {
        assert_eq!(instructions(work), ["Always use tabs", "Prefer short names"]);
    });
}

#[test]
fn the_todo_list_is_what_succeeded_calls_made_of_it() {
    let list = json!({"todos": [
        {"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress"},
    ]});
    let script = Script::new().prompt("go").done("TodoWrite", list, "ok");
    let script = script
        .call("no", "TodoWrite", json!({"todos": []}))
        .fails("no", "bad input")
        .done("TaskCreate", json!({"subject": "c"}), "Task #7 created successfully: c")
        .done("TaskCreate", json!({"subject": "d"}), "Task #8 created successfully: d")
        .done("TaskUpdate", json!({"taskId": "7", "status": "completed"}), "Updated task #7")
        .done("TaskUpdate", json!({"taskId": "8", "status": "deleted", "subject": "e"}), "ok")
        .call("open", "TaskUpdate", json!({"taskId": "7", "status": "pending"}));
    handover(&script, |work| {
        let expected = [
            (None, "a", TodoStatus::Done),
            (None, "b", TodoStatus::InProgress),
            (Some("7"), "c", TodoStatus::Done),
            (Some("8"), "e", TodoStatus::Dropped),
        ];
        assert_eq!(todos(work), expected);
        assert_eq!(work.todos_at(), Some(Seq(12)), "the last change is not answered yet");
    });
}

#[test]
fn a_plan_that_was_refused_gives_way_to_the_one_before() {
    let plan = |text: &str| json!({ "plan": text });
    let script = Script::new()
        .prompt("go")
        .done("ExitPlanMode", plan("first"), "User has approved your plan")
        .call("p", "ExitPlanMode", plan("second"));
    let text = |work: &Handover| work.plan().map(|plan| plan.text.text.clone());
    handover(&script, |work| assert_eq!(text(work).as_deref(), Some("second")));
    let refused = script.fails("p", REFUSED);
    handover(&refused, |work| assert_eq!(text(work).as_deref(), Some("first")));
}

#[test]
fn refusals_hold_the_persons_words() {
    let said = format!("{REFUSED} To tell you how to proceed, the user said:\nuse the other one");
    let script = Script::new()
        .prompt("go")
        .call("a", "Bash", command("rm x"))
        .call("b", "Bash", command("rm y"))
        .fails("b", REFUSED)
        .fails("a", &said)
        .call("c", "Bash", command("sleep 9"))
        .interruption();
    handover(&script, |work| {
        let refusals: Vec<_> = work
            .refusals()
            .iter()
            .map(|it| (it.call_at.0, it.at.0, it.id.as_deref(), it.outcome, &*it.reason))
            .collect();
        let expected = [
            (1, 4, Some("a"), Outcome::Denied, "use the other one"),
            (2, 3, Some("b"), Outcome::Denied, ""),
            (5, 6, Some("c"), Outcome::Interrupted, ""),
        ];
        assert_eq!(refusals, expected);
        assert_eq!(&*work.refusals()[0].input, r#"{"command":"rm x"}"#);
    });
    // An answer that comes late is what counts.
    handover(&script.result("c", "done"), |work| {
        assert_eq!((work.refusals().len(), work.refusal_count()), (2, 2));
    });
}

#[test]
fn a_failure_is_mended_by_a_later_call_with_the_same_target() {
    let edit = |new: &str| json!({"file_path": "a.rs", "new_string": new});
    let script = Script::new()
        .prompt("go")
        .call("e1", "Edit", edit("1"))
        .fails("e1", "no match")
        .call("t1", "Bash", command("cd /a && make test"))
        .fails("t1", "exit 1")
        .call("g1", "Grep", json!({"pattern": "x"}))
        .fails("g1", "bad")
        .call("e2", "Edit", edit("2"))
        .result("e2", "ok")
        .call("t2", "Bash", command("make test"))
        .result("t2", "ok")
        .call("g2", "Grep", json!({"pattern": "y"}))
        .result("g2", "ok");
    handover(&script, |work| {
        let mended = [2, 4, 6].map(|at| work.mended(Seq(at)));
        assert_eq!(mended, [Some(Seq(8)), Some(Seq(10)), None]);
        let first = work.first_failure().unwrap();
        assert_eq!((first.at, &*first.text), (Seq(2), "no match"));
    });
}

#[test]
fn a_call_that_was_under_way_when_another_failed_does_not_mend_it() {
    let script = Script::new()
        .prompt("go")
        .call("a", "Bash", command("make"))
        .call("b", "Bash", command("make"))
        .fails("b", "exit 1")
        .result("a", "ok");
    handover(&script, |work| assert_eq!(work.mended(Seq(3)), None));
}

#[test]
fn the_call_after_the_last_edit_follows_it_in_the_order_of_the_calls() {
    let file = |path: &str| json!({ "file_path": path });
    let id = |work: &Handover| work.after_last_edit().and_then(|call| call.id.clone());
    let script = Script::new()
        .prompt("go")
        .call("w1", "Write", file("a"))
        .call("r1", "Read", file("a"))
        .call("w2", "Write", file("b"))
        .call("r2", "Read", file("b"))
        .result("w2", "ok");
    handover(&script, |work| assert_eq!(id(work).as_deref(), Some("r2")));
    // The first edit is answered last, but is not the last.
    let late = script.result("w1", "ok");
    handover(&late, |work| assert_eq!(id(work).as_deref(), Some("r2")));
    let failed = late.call("w3", "Write", file("c")).call("r3", "Read", file("c"));
    let failed = failed.fails("w3", "no").call("w4", "Write", file("d")).result("w4", "ok");
    handover(&failed, |work| {
        assert_eq!(work.after_last_edit(), None);
        assert_eq!(work.last_call().unwrap().id.as_deref(), Some("w4"));
    });
    handover(&failed.call("x", "Bash", command("ls")), |work| {
        assert_eq!(id(work).as_deref(), Some("x"));
    });
}

#[test]
fn turns_count_their_calls_and_the_slowest_is_known() {
    let script = Script::new()
        .bash("before", "ok")
        .prompt("one")
        .call("slow", "Bash", command("sleep 2"))
        .says("waiting")
        .says("still waiting")
        .fails("slow", "exit 1")
        .read("a", "x")
        .call("stopped", "Bash", command("sleep 99"))
        .prompt("two")
        .says(" ")
        .says("done");
    handover(&script, |work| {
        let calls = |turn| {
            let turn = work.turn_work(turn).unwrap();
            let calls = turn.calls.iter().map(|(tool, count)| format!("{tool} {count}"));
            (calls.collect::<Vec<_>>().join(", "), turn.failed, turn.began.is_some())
        };
        assert_eq!(calls(0), ("Bash 1".to_owned(), 0, false));
        assert_eq!(calls(1), ("Bash 2, Read 1".to_owned(), 1, true));
        assert_eq!(calls(2), (String::new(), 0, true));
        assert_eq!(work.turn_work(3), None);
        let slowest = work.slowest_call().unwrap();
        assert_eq!((slowest.id.as_deref(), slowest.millis), (Some("slow"), 3000));
        assert_eq!(work.last_prompt_time(), work.turn_work(2).unwrap().began);
        let said: Vec<&str> = work.answers().iter().map(|it| it.text.text.as_str()).collect();
        assert_eq!((said, work.answer_count()), (vec!["waiting", "still waiting", "done"], 3));
    });
}

#[test]
fn launches_have_a_description_and_were_not_refused() {
    let task = |text: &str| json!({"description": text, "prompt": "p"});
    let script = Script::new()
        .prompt("go")
        .done("Task", task(" look around "), "found")
        .done("Agent", json!({"prompt": "p"}), "found")
        .call("no", "Task", task("delete all"))
        .fails("no", REFUSED)
        .call("open", "Agent", task("test"))
        .done("Bash", json!({"command": "ls", "description": "list"}), "a");
    handover(&script, |work| {
        let launches: Vec<_> =
            work.launches().iter().map(|it| (&*it.description, it.tool.as_str())).collect();
        assert_eq!(launches, [("look around", "Task"), ("test", "Agent")]);
        assert_eq!(work.launch_count(), 2);
    });
}

#[test]
fn what_subagents_do_and_what_is_repeated_does_not_count() {
    let script =
        Script::new().prompt("Never push").again().call("a", "Bash", command("ls")).again().record(
            json!({
                "type": "assistant", "isSidechain": true, "agentId": "x",
                "message": {"id": "m", "content": [
                    {"type": "text", "text": "from below"},
                    {"type": "tool_use", "id": "s", "name": "Write", "input": {"file_path": "a"}},
                ]},
            }),
        );
    handover(&script, |work| {
        assert_eq!(work.last_call().unwrap().id.as_deref(), Some("a"));
        assert_eq!(work.turn_work(1).unwrap().total(), 1);
        assert_eq!((work.instructions().len(), work.answers().len()), (1, 0));
    });
}
