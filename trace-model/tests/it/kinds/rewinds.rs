//! Turns taken back and put in force again, commands that a person typed, and what changes within a
//! run.

use serde_json::json;
use trace_model::adapter::FileRole;
use trace_model::derived::{Dependency, NodeId, Validity};
use trace_model::fold::{FoldConfig, RunState};
use trace_model::run::Folder;
use trace_model::view::flatlog::FlatLog;

use crate::common::{Folded, Script};

/// The number, parent and whether it is in force of each turn.
fn turns(state: &RunState) -> Vec<(u64, u64, bool)> {
    state.turns().iter().map(|turn| (turn.number, turn.parent, turn.is_in_force())).collect()
}

fn goal_and_latest(state: &RunState) -> (&str, &str) {
    let said = state.conversation();
    (&said.goal().unwrap().text.text, &said.latest_request().unwrap().text.text)
}

fn after(parent: &str) -> serde_json::Value {
    json!({"parentUuid": parent})
}

/// A prompt, a reading and an answer: u0001 to u0004, then the same from u0005 on.
fn two_turns() -> Script {
    Script::new()
        .prompt("one")
        .call("a", "Read", json!({"file_path": "a.cfg"}))
        .with(after("u0001"))
        .result("a", "x = 1\ny = 2")
        .with(after("u0002"))
        .says("read a")
        .with(after("u0003"))
        .prompt("two")
        .with(after("u0004"))
        .call("b", "Read", json!({"file_path": "b.cfg"}))
        .with(after("u0005"))
        .result("b", "z = 3")
        .with(after("u0006"))
        .says("read b")
        .with(after("u0007"))
}

fn validities(state: &RunState, number: u64) -> Vec<Validity> {
    let node = NodeId(format!("episode-{number:06}"));
    let versions = state.episodes().versions().filter(|(version, _)| version.node == node);
    versions.map(|(_, version)| version.state).collect()
}

fn read_in_force(state: &RunState) -> Vec<&str> {
    let files = state.files().iter().filter(|(_, file)| file.reads() > 0);
    files.map(|(path, _)| path.as_str()).collect()
}

fn log(script: &Script) -> String {
    let mut log = FlatLog::default();
    Folder::of([(FileRole::default(), script.bytes().as_slice())], FoldConfig::default(), &mut log);
    log.finish()
}

#[test]
fn a_prompt_that_goes_on_from_an_earlier_record_takes_back_what_came_between() {
    let script = two_turns().prompt("three").with(after("u0004")).says("ok").with(after("u0009"));
    let folded = script.fold();
    let state = &folded.state;
    assert_eq!(turns(state), [(1, 0, true), (2, 1, false), (3, 1, true)]);
    assert_eq!(state.turns()[1].taken_back_by, Some(3));
    let totals = folded.totals();
    assert_eq!((totals.prompts, totals.turns_taken_back, totals.tool_calls), (3, 1, 2));
    assert_eq!(goal_and_latest(state), ("one", "three"));
    // What was read for it is no longer in force; what was spent is.
    assert_eq!((totals.facts, totals.calls), (2, 5));
    assert_eq!(read_in_force(state), ["a.cfg"]);
    assert_eq!(state.files()["b.cfg"].reads_ever(), 1);
    let keys: Vec<&str> = state.aggregates().iter().map(|aggregate| aggregate.key).collect();
    assert_eq!(keys, ["x", "y"]);
    // No version of its episode holds.
    assert_eq!(validities(state, 2), [Validity::Superseded, Validity::Invalidated]);
    assert_eq!(validities(state, 3), [Validity::Current]);
    let view = folded.view();
    assert!(view.contains("- turn 2, event 4, taken back by turn 3"), "{view}");
    assert!(view.contains("it had asked: two"), "{view}");
    assert_eq!(view.matches("two").count(), 1, "nowhere else: {view}");
    assert!(!view.contains("b.cfg") && !view.contains("z = 3"), "{view}");
    let log = log(&script);
    let marker = "8 2030-01-02T03:00:09Z system rewind: turns 2 taken back by turn 3";
    let lines: Vec<&str> = log.lines().collect();
    let at = lines.iter().position(|line| line.starts_with(marker)).unwrap();
    assert!(lines[at + 1].starts_with("8 2030-01-02T03:00:09Z user message three"), "{log}");
}

#[test]
fn a_request_edited_and_sent_again_is_a_sibling_each_time() {
    let script = two_turns()
        .prompt("two, edited")
        .with(after("u0004"))
        .says("x")
        .with(after("u0009"))
        .prompt("two, edited again")
        .with(after("u0004"));
    let state = script.fold().state;
    assert_eq!(turns(&state), [(1, 0, true), (2, 1, false), (3, 1, false), (4, 1, true)]);
    let by: Vec<_> = state.turns().iter().map(|turn| turn.taken_back_by).collect();
    assert_eq!(by, [None, Some(3), Some(4), None]);
}

#[test]
fn a_rewind_to_the_start_makes_a_new_goal() {
    let script = two_turns().prompt("anew").with(json!({"parentUuid": null}));
    let folded = script.clone().fold();
    assert_eq!(turns(&folded.state), [(1, 0, false), (2, 1, false), (3, 0, true)]);
    assert_eq!(goal_and_latest(&folded.state), ("anew", "anew"));
    assert!(folded.view().contains("GOAL (turn 3, event 8): anew"));
    assert_eq!((folded.totals().facts, folded.state.aggregates().len()), (0, 0));
    // Back on the old branch its goal is the goal again.
    let back = script.prompt("go on").with(after("u0008")).fold();
    assert_eq!(turns(&back.state), [(1, 0, true), (2, 1, true), (3, 0, false), (4, 2, true)]);
    assert_eq!(goal_and_latest(&back.state), ("one", "go on"));
    assert_eq!(back.totals().facts, 3);
}

/// Clients that link nothing take nothing back.
#[test]
fn prompts_without_parents_go_on_where_nothing_is_linked() {
    let script = Script::new().prompt("one").says("x").prompt("two").says("y").prompt("three");
    assert_eq!(turns(&script.fold().state), [(1, 0, true), (2, 1, true), (3, 2, true)]);
    // Nor does a parent that is nowhere, or that only an agent's record has.
    let script = two_turns()
        .says("agent")
        .with(json!({"agentId": "a1", "isSidechain": true, "parentUuid": "u0004"}))
        .prompt("three")
        .with(after("u0009"))
        .prompt("four")
        .with(after("gone"));
    assert_eq!(turns(&script.fold().state)[2..], [(3, 2, true), (4, 3, true)]);
}

#[test]
fn parallel_results_are_no_fork() {
    let script = Script::new()
        .prompt("one")
        .call("a", "Read", json!({"file_path": "a"}))
        .with(after("u0001"))
        .call("b", "Read", json!({"file_path": "b"}))
        .with(after("u0002"))
        .result("b", "x = 1")
        .with(after("u0003"))
        .result("a", "y = 1")
        .with(after("u0002"))
        .prompt("two")
        .with(after("u0004"));
    let folded = script.fold();
    assert_eq!(folded.totals().turns_taken_back, 0);
    assert_eq!(folded.totals().facts, 2);
}

/// Return to a branch: its turns are in force again, with new versions that rest on one another.
#[test]
fn a_return_to_a_branch_brings_back_what_it_read() {
    use Validity::{Current, Invalidated, Superseded};

    let script = two_turns()
        .prompt("three")
        .with(after("u0004"))
        .done("Read", json!({"file_path": "a.cfg"}), "x = 1\ny = 20")
        .prompt("four")
        .with(after("u0008"));
    let folded = script.fold();
    let state = &folded.state;
    assert_eq!(turns(state), [(1, 0, true), (2, 1, true), (3, 1, false), (4, 2, true)]);
    // x was only read again by turn 3 and stays turn 1's; y was changed by it, and that does not
    // come back.
    let facts: Vec<(&str, String)> = (state.facts_in_force().iter())
        .map(|fact| (fact.key, fact.number.unwrap().to_string()))
        .collect();
    assert_eq!(facts, [("x", "1".to_owned()), ("z", "3".to_owned())]);
    let shown: Vec<&str> = state.shown_facts().iter().map(|fact| fact.key).collect();
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert_eq!(validities(state, 2), [Superseded, Invalidated, Current]);
    assert_eq!(validities(state, 3), [Superseded, Invalidated]);
    assert_eq!(validities(state, 4), [Current]);
    let live =
        |number: u64| state.episodes().live(&NodeId(format!("episode-{number:06}"))).unwrap();
    let (two, version) = live(2);
    assert_eq!(version.dependencies, [Dependency::Pinned(live(1).0)]);
    assert_eq!(live(4).1.dependencies, [Dependency::Pinned(two)]);
    assert_eq!(version.content.conclusion.text, "read b", "it says what it said");
    assert_eq!(validities(state, 1), [Superseded, Current], "what it goes on from is as it was");
}

/// A late result of a turn taken back is credited to its episode, which still does not hold.
#[test]
fn a_late_result_does_not_put_a_turn_in_force() {
    let script = two_turns()
        .call("late", "Read", json!({"file_path": "c.cfg"}))
        .with(after("u0008"))
        .prompt("three")
        .with(after("u0004"))
        .result("late", "k = 1");
    let folded = script.fold();
    let node = NodeId("episode-000002".to_owned());
    let (_, newest) = folded.state.episodes().newest(&node).unwrap();
    assert_eq!((newest.state, newest.content.late_results), (Validity::Invalidated, 1));
    assert!(folded.state.episodes().live(&node).is_none());
    assert_eq!((folded.totals().facts, folded.totals().late_results), (2, 1));
    assert_eq!(read_in_force(&folded.state), ["a.cfg"]);
}

/// A command with its elements, as the client writes it.
fn command(script: Script, name: &str, arguments: &str) -> Script {
    script.prompt(&format!(
        "<command-message>{name}</command-message>\n<command-name>/{name}</command-name>\n\
         <command-args>{arguments}</command-args>"
    ))
}

fn expansion(script: Script) -> Script {
    script.user(json!([{"type": "text", "text": "Do it."}])).with(json!({"isMeta": true}))
}

#[test]
fn commands_that_start_work_are_prompts() {
    let script = command(Script::new(), "review", " the diff ");
    let script = command(expansion(script).says("done"), "test", "");
    let folded = expansion(script.clone()).says("tested").fold();
    assert_eq!(goal_and_latest(&folded.state), ("/review the diff", "/test"));
    assert_eq!((folded.totals().prompts, folded.state.turns()[1].at.0), (2, 3));
    assert!(folded.view().contains("GOAL (turn 1, event 0): /review the diff"));
    // Until it is told, it is none; an answer tells it too.
    assert_eq!(script.clone().fold().totals().prompts, 1);
    assert_eq!(script.says("tested").fold().totals().prompts, 2);
    let script = command(Script::new(), "review", "x");
    let log = log(&expansion(script.clone()));
    assert!(log.contains("user command of event 0: /review x"), "{log}");
    // An endpoint's failure says that it was asked.
    let failed = script.says("overloaded").with(json!({"isApiErrorMessage": true}));
    assert_eq!(failed.fold().totals().prompts, 1);
}

#[test]
fn commands_that_drive_the_client_are_no_prompts() {
    let clear = || command(Script::new(), "clear", "");
    let out = "<local-command-stdout>cleared</local-command-stdout>";
    let failure = "<local-command-stderr>Error: no such model</local-command-stderr>";
    let caveat = "Caveat: The messages below were generated by the user while running local \
                  commands. Do not answer them.";
    let tagged = "<local-command-caveat>Caveat: The messages below</local-command-caveat>";
    let meta = json!({"isMeta": true});
    for (name, script) in [
        ("nothing", clear()),
        ("output", clear().prompt(out).says("x")),
        ("failure", clear().prompt(failure).says("x")),
        ("caveat", clear().prompt(caveat).with(meta.clone()).says("x")),
        ("tagged", clear().prompt(tagged).with(meta.clone()).says("x")),
        ("made up", clear().says("x").with(json!({"message": {"model": "<synthetic>"}}))),
        (
            "system",
            clear()
                .record(json!({"type": "system", "subtype": "local_command", "content": out}))
                .says("x"),
        ),
        ("meta", clear().with(meta).says("x")),
        ("agent", clear().with(json!({"agentId": "a1", "isSidechain": true})).says("x")),
        ("blank", Script::new().prompt("<command-name> </command-name>").says("x")),
        (
            "quoted",
            Script::new()
                .prompt("<bash-stdout><command-name>/x</command-name></bash-stdout>")
                .says("x"),
        ),
    ] {
        assert_eq!(script.fold().totals().prompts, 0, "{name}");
    }
    // A prompt tells it too, and is one itself.
    assert_eq!(clear().prompt("go").says("x").fold().totals().prompts, 1);
    // Bookkeeping and agents' records between tell nothing.
    let script = clear()
        .record(json!({"type": "attachment", "attachment": {"type": "hook_success"}}))
        .says("agent")
        .with(json!({"agentId": "a1", "isSidechain": true}));
    assert_eq!(expansion(script).fold().totals().prompts, 1);
}

#[test]
fn what_a_tool_or_a_hook_put_in_a_persons_place_is_no_prompt() {
    let skill = |fields| Script::new().prompt("Base directory for this skill: /s").with(fields);
    assert_eq!(skill(json!({"sourceToolUseID": "t1"})).fold().totals().prompts, 0);
    assert_eq!(skill(json!({"sourceToolUseID": ""})).fold().totals().prompts, 1);
    assert_eq!(skill(json!({"isSynthetic": true})).fold().totals().prompts, 0);
    assert_eq!(Script::new().prompt("Operation stopped by hook: x").fold().totals().prompts, 0);
}

/// The command's own place and parent count, not those of the record that tells it.
#[test]
fn a_command_can_take_turns_back() {
    let script = command(two_turns(), "review", "x").with(after("u0004"));
    let script = expansion(script).with(after("u0009"));
    let folded = script.fold();
    assert_eq!(turns(&folded.state), [(1, 0, true), (2, 1, false), (3, 1, true)]);
    assert_eq!(folded.state.turns()[2].at.0, 8);
}

fn held(folded: &Folded) -> [(Option<&str>, Option<u64>, u64); 4] {
    let all = folded.state.identity();
    [
        (all.cwd.as_deref(), all.cwd_since.map(|at| at.0), all.cwd_changes),
        (all.branch.as_deref(), all.branch_since.map(|at| at.0), all.branch_changes),
        (all.model.as_deref(), all.model_since.map(|at| at.0), all.model_changes),
        (
            all.permission_mode.as_deref(),
            all.permission_mode_since.map(|at| at.0),
            all.permission_mode_changes,
        ),
    ]
}

#[test]
fn what_changes_within_a_run_is_the_newest_with_where_it_changed() {
    let at = |cwd: &str, branch: &str| json!({"cwd": cwd, "gitBranch": branch});
    let script = Script::new()
        .prompt("go")
        .with(at("/a", "main"))
        .with(json!({"permissionMode": "default"}))
        .says("x")
        .with(at("/b", "topic"))
        .says("agent")
        .with(at("/agent", "agent"))
        .with(json!({"agentId": "a1", "isSidechain": true, "message": {"model": "claude-other"}}))
        .says("made up")
        .with(at("", ""))
        .with(json!({"message": {"model": "<synthetic>"}}))
        .record(json!({"type": "permission-mode", "permissionMode": "plan"}))
        .says("y")
        .with(at("/b", "main"))
        .with(json!({"message": {"model": "claude-demo-2"}}));
    let again = script.clone().with(json!({"uuid": "u0001x"})).fold();
    assert_eq!(
        held(&again),
        [
            (Some("/b"), Some(1), 1),
            (Some("main"), Some(5), 2),
            (Some("claude-demo-2"), Some(5), 1),
            (Some("plan"), Some(4), 1),
        ]
    );
    // A record that is repeated changes nothing.
    let first = Script::new().prompt("go").with(at("/a", "main"));
    let line = first.lines().remove(0) + "\n";
    let repeated = first.says("x").with(at("/b", "main")).raw(line).fold();
    assert_eq!(held(&repeated)[0], (Some("/b"), Some(1), 1));
}
