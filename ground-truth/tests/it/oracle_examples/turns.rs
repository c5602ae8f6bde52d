//! "What a person wrote" of commands, and "Turns, and turns taken back".

use ground_truth::oracle::{FieldValue, Recount};
use serde_json::{Value, json};

use super::support::{api, assistant, call, count, failure, progress, result, texts, user, with};

/// The record with its own id and its parent's.
fn linked(uuid: &str, parent: impl Into<Value>, record: Value) -> Value {
    let parent: Value = parent.into();
    with(record, &json!({"uuid": uuid, "parentUuid": parent}))
}

fn prompt(uuid: &str, parent: impl Into<Value>) -> Value {
    linked(uuid, parent, user(uuid))
}

fn answer(uuid: &str, parent: &str) -> Value {
    linked(uuid, parent, assistant("ok"))
}

fn turns(records: &[Value]) -> Vec<String> {
    count(records).turns
}

fn facts(run: &Recount) -> Vec<String> {
    match run.fields().remove("facts") {
        Some(FieldValue::List(facts)) => facts,
        other => panic!("{other:?}"),
    }
}

/// A reading of a file with its result, each linked to the record before: `ID` and `ID-r`.
fn reading(id: &str, parent: &str, path: &str, text: &str) -> [Value; 2] {
    let call = call(id, "Read", json!({ "file_path": path }));
    [linked(id, parent, call), linked(&format!("{id}-r"), id, result(id, text))]
}

const NAME: &str = "<command-name>/review</command-name>";

/// Prompts, goal.
fn said(records: &[Value]) -> (u64, Option<String>) {
    let run = count(records);
    (run.prompts, run.goal)
}

fn one(text: &str) -> (u64, Option<String>) {
    (1, Some(text.to_owned()))
}

#[test]
fn a_command_that_starts_work_is_a_prompt() {
    let meta = || with(user("Review the code."), &json!({"isMeta": true}));
    let none = (0, None);
    assert_eq!(said(&[user(NAME), meta()]), one("/review"));
    let synthetic = with(user("Review."), &json!({"isSynthetic": true}));
    assert_eq!(said(&[user(NAME), synthetic]), one("/review"));
    assert_eq!(said(&[user(NAME), api("m", "r", &json!({}))]), one("/review"));
    let error = with(assistant("529"), &json!({"isApiErrorMessage": true}));
    assert_eq!(said(&[user(NAME), error]), one("/review"));
    let mut silent = assistant("No response requested.");
    silent["message"]["model"] = json!("<synthetic>");
    assert_eq!(said(&[user(NAME), silent]), none);
    assert_eq!(said(&[user(NAME)]), none, "nothing follows");
    let output = user("<local-command-stdout>ok</local-command-stdout>");
    assert_eq!(said(&[user(NAME), output, meta()]), none);
    let local = json!({"type": "system", "subtype": "local_command", "content": "ok"});
    assert_eq!(said(&[user(NAME), local, meta()]), none);
    assert_eq!(said(&[user(NAME), user("hi")]), one("hi"));
    assert_eq!(said(&[user(NAME), user(NAME), meta()]), one("/review"), "the second one");
    assert_eq!(said(&[user(NAME), result("t", "x"), meta()]), none, "a result is local output too");
    for caveat in
        ["<local-command-caveat>x</local-command-caveat>", " \nCaveat: The messages below"]
    {
        let caveat = with(user(caveat), &json!({"isMeta": true}));
        assert_eq!(said(&[user(NAME), caveat, meta()]), none);
    }
}

#[test]
fn what_stands_between_a_command_and_what_tells_it_says_nothing() {
    let meta = with(user("Review."), &json!({"isMeta": true}));
    let once = with(user(NAME), &json!({"uuid": "u"}));
    let records = [
        once.clone(),
        json!({"type": "system", "subtype": "other"}),
        json!({"type": "attachment", "attachment": {"type": "todo"}}),
        json!({"type": "mode"}),
        with(user("aside"), &json!({"isSidechain": true})),
        with(assistant("x"), &json!({"agentId": "a"})),
        once,
        meta,
    ];
    assert_eq!(said(&records), one("/review"));
}

#[test]
fn a_commands_text_is_what_was_typed() {
    let of = |text: &str| said(&[user(text), with(user("x"), &json!({"isMeta": true}))]).1;
    let is = |text: &str| Some(text.to_owned());
    let args = "<command-message>m</command-message>\n<command-name> prune \n</command-name>\n<command-args>\n row 9, <b> \n</command-args>";
    assert_eq!(of(args), is("/prune row 9, <b>"));
    assert_eq!(of("<command-name>/x</command-name><command-args> </command-args>"), is("/x"));
    assert_eq!(of("<command-name>/x</command-name><command-args>never closed"), is("/x"));
    assert_eq!(of("<command-name> </command-name>"), None);
    assert_eq!(of("<command-message>x</command-message>"), None);
    let beside = "<command-name>/x</command-name> and please";
    assert_eq!(of(beside), is("and please"), "something remains: a prompt of its own");
    let picture = json!([{"type": "text", "text": NAME}, {"type": "image"}]);
    assert_eq!(said(&[user(picture)]), one("[image]"), "so with a picture");
}

#[test]
fn a_command_meets_the_first_three_conditions() {
    let of = |fields: Value| said(&[with(user(NAME), &fields), assistant("x")]).0;
    assert_eq!(of(json!({})), 1);
    assert_eq!(of(json!({"sourceToolUseID": "t"})), 0);
    assert_eq!(of(json!({"isMeta": true})), 0);
    assert_eq!(of(json!({"isSynthetic": true})), 0);
    assert_eq!(of(json!({"origin": {"kind": "channel"}})), 0);
    assert_eq!(of(json!({"agentId": "a"})), 0);
    assert_eq!(said(&[with(user("hi"), &json!({"sourceToolUseID": "t"}))]).0, 0, "nor a prompt");
    assert_eq!(said(&[with(user("hi"), &json!({"sourceToolUseID": null}))]).0, 1);
}

#[test]
fn a_command_has_its_own_place_and_its_tellers_turn() {
    let command = linked("c", "a1", user(NAME));
    let meta = linked("m", "c", with(user("Review."), &json!({"isMeta": true})));
    let start = [prompt("p1", Value::Null), answer("a1", "p1")];
    let records = [&start[..], &[command.clone(), meta.clone()]].concat();
    assert_eq!(turns(&records), ["1 parent 0", "2 parent 1"]);
    let to_command = [&records[..], &[prompt("p3", "c")]].concat();
    assert_eq!(turns(&to_command)[1..], ["2 parent 1 taken back", "3 parent 1"], "before its turn");
    let to_meta = [&records[..], &[prompt("p3", "m")]].concat();
    assert_eq!(turns(&to_meta)[1..], ["2 parent 1", "3 parent 2"], "with what told it");
    let open = call("t", "Bash", json!({}));
    let closed = count(&[&start[..], &[open, command, meta]].concat());
    assert_eq!(closed.interrupted_calls, 1);
}

#[test]
fn a_turns_parent_is_where_its_prompts_parent_stands() {
    let records = [
        prompt("p1", Value::Null),
        answer("a1", "p1"),
        prompt("p2", "a1"),
        answer("a2", "p2"),
        prompt("p3", "a1"),
        answer("a3", "p3"),
    ];
    let run = count(&records);
    assert_eq!(run.turns, ["1 parent 0", "2 parent 1 taken back", "3 parent 1"]);
    assert_eq!((run.turns_taken_back, run.prompts), (1, 3));
    let back = [&records[..], &[prompt("p4", "a2")]].concat();
    let in_force = ["1 parent 0", "2 parent 1", "3 parent 1 taken back", "4 parent 2"];
    assert_eq!(turns(&back), in_force, "the branch is in force again");
    let edited = [&records[..], &[prompt("p4", Value::Null)]].concat();
    let run = count(&edited);
    assert_eq!(run.turns[3], "4 parent 0", "the first request edited");
    assert_eq!((run.turns_taken_back, run.goal.as_deref()), (3, Some("p4")));
    assert_eq!(run.latest_request.as_deref(), Some("p4"));
    let prompt_itself = [&records[..], &[prompt("p4", "p2")]].concat();
    assert_eq!(turns(&prompt_itself)[3], "4 parent 2", "a prompt stands in its own turn");
    assert_eq!(turns(&[]), texts(&[]));
}

#[test]
fn a_parent_that_names_nothing_is_the_turn_before() {
    let records = [prompt("p1", Value::Null), answer("a1", "p1"), prompt("p2", "a1")];
    let third = |parent: Value, more: &[Value]| {
        turns(&[&records[..], &[prompt("p3", parent)], more].concat())[2].clone()
    };
    assert_eq!(third(json!("lost"), &[]), "3 parent 2");
    assert_eq!(third(json!("later"), &[answer("later", "p3")]), "3 parent 2", "not read before");
    assert_eq!(third(json!("p3"), &[]), "3 parent 2", "its own");
    let aside = with(answer("aside", "p1"), &json!({"isSidechain": true}));
    let records = [&records[..2], &[aside], &records[2..], &[prompt("p3", "aside")]].concat();
    assert_eq!(turns(&records)[2], "3 parent 2", "a record of another thread");
}

#[test]
fn old_clients_link_nothing() {
    let unlinked = [user("one"), assistant("x"), user("two"), assistant("y"), user("three")];
    assert_eq!(turns(&unlinked), ["1 parent 0", "2 parent 1", "3 parent 2"]);
    let elsewhere = with(assistant("x"), &json!({"agentId": "a", "parentUuid": "q"}));
    let bookkeeping = json!({"type": "system", "parentUuid": "q"});
    let only_prompts = linked("p", "q", user("two"));
    let records = [user("one"), elsewhere, bookkeeping, only_prompts, user("three")];
    assert_eq!(turns(&records), ["1 parent 0", "2 parent 1", "3 parent 2"]);
    let before = [answer("a", "q"), user("one"), user("two")];
    assert_eq!(turns(&before), ["1 parent 0", "2 parent 1"], "before the first prompt");
    let linked_once = [user("one"), answer("a", "q"), user("two"), user("three")];
    assert_eq!(
        turns(&linked_once),
        ["1 parent 0 taken back", "2 parent 0 taken back", "3 parent 0"],
        "this one links"
    );
}

#[test]
fn a_record_stands_where_it_was_read_first() {
    let first = answer("a1", "p1");
    let note = linked("s1", "a1", json!({"type": "system", "subtype": "x"}));
    let records = [
        prompt("p1", Value::Null),
        first.clone(),
        note,
        prompt("p2", "s1"),
        first,
        prompt("p3", "a1"),
    ];
    let expected = ["1 parent 0", "2 parent 1 taken back", "3 parent 1"];
    assert_eq!(
        turns(&records),
        expected,
        "bookkeeping has a place, and a repeated record keeps its own"
    );
    let outer =
        with(progress("a", "t", &assistant("x")), &json!({"uuid": "o", "parentUuid": "p1"}));
    let records = [
        prompt("p1", Value::Null),
        outer,
        prompt("p2", "p1"),
        answer("a2", "p2"),
        prompt("p3", "o"),
    ];
    assert_eq!(turns(&records), expected, "so has the record around an agent's");
}

#[test]
fn results_of_parallel_calls_take_nothing_back() {
    let records = [
        prompt("p1", Value::Null),
        linked("c1", "p1", call("1", "Bash", json!({}))),
        linked("c2", "c1", call("2", "Bash", json!({}))),
        linked("r1", "c1", result("1", "ok")),
        linked("r2", "c2", result("2", "ok")),
        prompt("p2", "r1"),
    ];
    assert_eq!(turns(&records), ["1 parent 0", "2 parent 1"]);
}

#[test]
fn reads_of_turns_taken_back_are_no_longer_in_force() {
    let start = [prompt("p1", Value::Null), answer("a1", "p1"), prompt("p2", "a1")];
    let agents = reading("x", "p2", "agents.cfg", "g=1")
        .map(|record| with(record, &json!({"agentId": "a"})));
    let write = [
        linked("w", "f-r", call("w", "Write", json!({"file_path": "out"}))),
        linked("w-r", "w", result("w", "ok")),
        linked("e", "w-r", call("e", "Bash", json!({}))),
        linked("e-r", "e", failure("e", "exit 1")),
    ];
    let read = reading("f", "p2", "f.cfg", "a=1");
    let taken = [&start[..], &read, &agents, &write, &[prompt("p3", "a1")]].concat();
    let run = count(&taken);
    assert_eq!(run.turns_taken_back, 1);
    assert_eq!((run.files_read, run.files_written), (texts(&["agents.cfg"]), texts(&["out"])));
    assert!(run.facts.is_empty() && run.aggregates.is_empty());
    assert_eq!(run.last_error.as_deref(), Some("exit 1"));
    assert_eq!((run.tool_calls, run.succeeded_calls, run.goal.as_deref()), (4, 3, Some("p1")));
    let back = count(&[&taken[..], &[prompt("p4", "e-r")]].concat());
    assert_eq!(facts(&back), ["f.cfg:1: a = 1"]);
    assert_eq!(back.files_read, texts(&["agents.cfg", "f.cfg"]));
}

#[test]
fn a_late_result_belongs_to_the_turn_of_its_call() {
    let [open, read] = reading("f", "p2", "f.cfg", "a=1");
    let records = [
        prompt("p1", Value::Null),
        answer("a1", "p1"),
        prompt("p2", "a1"),
        open,
        prompt("p3", "a1"),
        read,
    ];
    let run = count(&records);
    assert_eq!((run.late_results, run.files_read.len(), run.facts.len()), (1, 0, 0));
}

#[test]
fn a_fact_that_is_read_again_goes_to_the_turn_in_force() {
    let first = [&[prompt("p1", Value::Null)][..], &reading("f", "p1", "f", "a=1\nb=2")].concat();
    let second =
        |text: &str| [&first[..], &[prompt("p2", "f-r")], &reading("g", "p2", "f", text)].concat();
    let then = |records: &[Value], more: &[Value]| facts(&count(&[records, more].concat()));
    let back = [prompt("p3", "f-r")];
    assert_eq!(then(&second("a=1\nb=2"), &back), ["f:1: a = 1", "f:2: b = 2"], "nothing changed");
    assert_eq!(then(&second("a=1\nb=3"), &back), ["f:1: a = 1"], "b was read anew");
    assert_eq!(then(&second("a=1\nb=3"), &[]), ["f:1: a = 1", "f:2: b = 3"]);
    assert_eq!(then(&second("a=1"), &back), ["f:1: a = 1"], "what was replaced stays away");
    assert_eq!(then(&second("c=0\na=1\nb=2"), &back), ["f:2: a = 1", "f:3: b = 2"], "moved lines");
    let third = [&back[..], &reading("h", "p3", "f", "a=1\nb=3")].concat();
    assert_eq!(
        then(&second("a=1\nb=3"), &third),
        ["f:1: a = 1", "f:2: b = 3"],
        "it was taken back"
    );
    let fourth = [&third[..], &[prompt("p4", "g-r")]].concat();
    assert_eq!(
        then(&second("a=1\nb=3"), &fourth),
        ["f:1: a = 1"],
        "b belongs to the third turn now"
    );
}

#[test]
fn facts_not_in_force_keep_their_place() {
    let records = [
        &[prompt("p1", Value::Null), answer("a1", "p1"), prompt("p2", "a1")][..],
        &reading("f", "p2", "f", "a=1"),
        &[prompt("p3", "a1")],
        &reading("g", "p3", "g", "b=2"),
        &reading("h", "g-r", "f", "a=1"),
    ];
    assert_eq!(facts(&count(&records.concat())), ["f:1: a = 1", "g:1: b = 2"]);
    let written = [
        linked("w", "h-r", call("w", "Edit", json!({"file_path": "f"}))),
        linked("w-r", "w", result("w", "ok")),
    ];
    let after = [&records.concat()[..], &written, &[prompt("p4", "a1")]].concat();
    assert_eq!(facts(&count(&after)), texts(&[]), "a write stays though it was taken back");
}
