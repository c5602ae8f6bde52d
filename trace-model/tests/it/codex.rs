//! Codex CLI's rollouts: the shapes of real faults with their right values, what holds for every rollout, and
//! the rollouts of a run.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use trace_model::adapter::{AdapterRef, FileRole, Format, Heads, sessions_below};
use trace_model::event::{EventKind, TaskState};
use trace_model::fold::{FoldConfig, TodoStatus};
use trace_model::reader::{ReadStats, TranscriptReader};
use trace_model::run::{Run, RunChange};
use trace_model::totals::Totals;

use crate::common::{fold_in_pieces_as, four, pieces};

fn adapter() -> AdapterRef {
    Format::Codex.adapter().unwrap()
}

fn totals(path: &Path) -> Totals {
    let run = Run::fold(path, FoldConfig::default()).unwrap();
    Totals::of(run.state(), &run.reading())
}

#[test_needs::shared]
#[test]
fn shapes_and_cases_give_their_right_values() {
    let shared = test_needs::shared_dir!();
    let expected = |folder: &str| -> Value {
        serde_json::from_slice(&fs::read(shared.join(folder).join("expect.json")).unwrap()).unwrap()
    };
    let (quirks, cases) = (expected("quirks"), expected("cases"));
    let quirk = |name: &str| {
        (totals(&shared.join("quirks").join(name).with_extension("jsonl")), &quirks[name])
    };
    let number = |value: &Value| value.as_u64().unwrap();

    let (of, right) = quirk("54-codex-reemit");
    let [input, output, _, cached] = four(of.tokens);
    assert_eq!(
        [input, cached, output],
        ["uncached_input", "cached", "output"].map(|field| number(&right[field]))
    );
    assert_eq!(input + cached + output, number(&right["total_tokens"]));
    assert_eq!([of.calls, of.prompts], [number(&right["calls"]), number(&right["prompts"])]);
    // What is written again is what a plain sum counts twice.
    assert_eq!(four(of.naive_tokens).iter().sum::<u64>(), 2 * number(&right["total_tokens"]));

    let (of, right) = quirk("55-codex-fork");
    assert_eq!(four(of.tokens).iter().sum::<u64>(), number(&right["own_total_tokens"]));
    assert_eq!(of.prompts, number(&right["own_prompts"]));

    let (of, right) = quirk("61-codex-double-messages");
    assert_eq!(of.prompts, number(&right["prompts"]));
    let messages = of.events_by_kind[EventKind::Message.name()];
    assert_eq!(messages - of.prompts, number(&right["assistant_messages"]));

    let (of, right) = quirk("65-codex-aborted-call");
    let of = [of.tool_calls, of.interrupted_calls, of.open_tool_calls];
    assert_eq!(
        of,
        ["tool_calls", "interrupted_calls", "open_tool_calls"].map(|field| number(&right[field]))
    );

    let name = "18-codex-output-without-call-id";
    let (of, right) =
        (totals(&shared.join("cases").join(name).with_extension("jsonl")), &cases[name]);
    let counts = [of.prompts, of.tool_calls, of.results, of.orphan_results];
    assert_eq!(
        counts,
        ["prompts", "tool_calls", "results", "orphan_results"].map(|field| number(&right[field]))
    );
    let tokens = ["input", "output", "cache_read"].map(|field| number(&right["tokens"][field]));
    let [input, output, _, cached] = four(of.tokens);
    assert_eq!([input, output, cached], tokens);
    assert_eq!(of.failed_calls, 1, "arguments that could not be parsed");
}

/// Cumulative totals tell the same as the calls that they were summed over.
#[test_needs::transcripts]
#[test]
fn tokens_of_real_rollouts_are_what_their_last_totals_state() {
    let folder = test_needs::transcripts_dir!().join("codex");
    let mut checked = 0;
    for path in sessions_below(&folder, &Heads::default()).unwrap().files {
        let text = fs::read_to_string(&path).unwrap();
        let records: Vec<Value> =
            text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        // What a fork repeats is told elsewhere.
        if records[0]["payload"]["forked_from_id"].is_string() {
            continue;
        }
        let last =
            records.iter().rev().map(|record| &record["payload"]["info"]["total_token_usage"]);
        let Some(last) = last.into_iter().find(|total| total.is_object()) else { continue };
        let stated = ["input_tokens", "output_tokens", "cached_input_tokens"]
            .map(|f| last[f].as_u64().unwrap());
        let [input, output, _, cached] = four(totals(&path).tokens);
        assert_eq!([input + cached, output, cached], stated, "{}", path.display());
        checked += 1;
    }
    assert!(checked >= 10, "only {checked} rollouts were checked");
}

fn record(second: u64, kind: &str, payload: Value) -> String {
    let time = format!("2030-01-01T00:{:02}:{:02}.000Z", second / 60, second % 60);
    json!({"timestamp": time, "type": kind, "payload": payload}).to_string() + "\n"
}

fn event(second: u64, kind: &str, mut payload: Value) -> String {
    payload["type"] = kind.into();
    record(second, "event_msg", payload)
}

fn item(second: u64, kind: &str, mut payload: Value) -> String {
    payload["type"] = kind.into();
    record(second, "response_item", payload)
}

fn call(second: u64, name: &str, id: &str, arguments: &Value) -> String {
    let arguments = arguments.to_string();
    item(second, "function_call", json!({"name": name, "call_id": id, "arguments": arguments}))
}

fn output(second: u64, id: &str, text: &str) -> String {
    item(second, "function_call_output", json!({"call_id": id, "output": text}))
}

fn count(second: u64, input: u64) -> String {
    let usage = json!({"input_tokens": input, "output_tokens": 1, "total_tokens": input + 1});
    event(
        second,
        "token_count",
        json!({"info": {"total_token_usage": usage, "last_token_usage": usage}}),
    )
}

const PARENT: &str = "019d7d08-46c9-7f73-affe-4e6ca9852d56";
const CHILD: &str = "019d7e3a-8c28-7662-aaba-a2d9ed140081";

fn meta(id: &str) -> Value {
    json!({"id": id, "cwd": "/w", "cli_version": "0.139.0", "source": "cli"})
}

#[test]
fn a_todo_list_is_what_update_plan_says_last() {
    let plan = |second, id, steps: Value| call(second, "update_plan", id, &json!({"plan": steps}));
    let text = record(0, "session_meta", meta("t"))
        + &event(1, "user_message", json!({"message": "Never push. Go."}))
        + &plan(2, "p1", json!([{"step": "a", "status": "in_progress"}]))
        + &output(3, "p1", "Plan updated")
        + &plan(4, "p2", json!([{"step": "a", "status": "completed"}, {"step": "b"}]))
        + &output(5, "p2", "Plan updated")
        + &plan(6, "p3", json!([]))
        + &output(7, "p3", "failed to parse function arguments: x");
    let folded = fold_in_pieces_as(FileRole::session(adapter()), text.as_bytes(), &[]);
    let work = folded.state.handover();
    let todos: Vec<_> = work.todos().iter().map(|todo| (&*todo.text, todo.status)).collect();
    assert_eq!(todos, [("a", TodoStatus::Done), ("b", TodoStatus::Pending)]);
    assert_eq!(&*work.instructions()[0].text, "Never push.");
    assert_eq!(work.plan(), None);
}

#[test]
fn a_spawned_thread_is_a_part_of_its_parents_run() {
    let folder = tempfile::tempdir().unwrap();
    let name = |id: &str| folder.path().join(format!("rollout-2030-01-01T00-00-00-{id}.jsonl"));
    let spawned = json!({"agent_id": CHILD, "nickname": "Ohm"}).to_string();
    let parent = record(0, "session_meta", meta(PARENT))
        + &record(0, "turn_context", json!({"model": "gpt-demo"}))
        + &event(1, "user_message", json!({"message": "go"}))
        + &call(2, "spawn_agent", "k1", &json!({"message": "look"}))
        + &output(3, "k1", &spawned)
        + &count(4, 10);
    let mut of_child = meta(CHILD);
    of_child["parent_thread_id"] = PARENT.into();
    let child = record(3, "session_meta", of_child)
        + &event(3, "user_message", json!({"message": "look"}))
        + &call(4, "exec_command", "k2", &json!({"cmd": "ls"}))
        + &count(5, 20);
    let other = record(0, "session_meta", meta("other")) + &count(1, 40);
    for (id, text) in [(PARENT, &parent), (CHILD, &child), ("other", &other)] {
        fs::write(name(id), text).unwrap();
    }
    assert_eq!(
        sessions_below(folder.path(), &Heads::default()).unwrap().files,
        [name(PARENT), name("other")]
    );
    let run = Run::fold(&name(PARENT), FoldConfig::default()).unwrap();
    let totals = Totals::of(run.state(), &run.reading());
    assert_eq!(
        [totals.prompts, totals.calls, totals.subagents, totals.tokens.input],
        [1, 2, 1, 30]
    );
    let task = run.state().background_tasks().next().unwrap();
    assert_eq!((task.id.as_str(), task.state), (CHILD, TaskState::Running));
    assert_eq!(totals.open_tool_calls, 1);

    // It is over when its parent hears so: its own call can never be answered.
    let notice = json!({"agent_path": CHILD, "status": {"completed": "done"}});
    let notice = format!("<subagent_notification>\n{notice}\n</subagent_notification>");
    let told = item(
        6,
        "message",
        json!({"role": "user", "content": [{"type": "input_text", "text": notice}]}),
    );
    fs::write(name(PARENT), parent + &told).unwrap();
    let run = Run::fold(&name(PARENT), FoldConfig::default()).unwrap();
    assert_eq!((run.state().in_flight_count(), run.state().abandoned_count()), (0, 1));

    // Without its parent it is a session like any other.
    fs::remove_file(name(PARENT)).unwrap();
    assert_eq!(
        sessions_below(folder.path(), &Heads::default()).unwrap().files,
        [name(CHILD), name("other")]
    );
    let run = Run::fold(&name(CHILD), FoldConfig::default()).unwrap();
    assert_eq!(run.state().conversation().prompts(), 1);
}

#[test]
fn a_patch_writes_each_of_its_files_and_a_rollback_takes_turns_back() {
    let patch = "*** Begin Patch\n*** Add File: a.txt\n+x\n*** Update File: b.txt\n*** Move to: c.txt\n*** End Patch";
    let text = record(0, "session_meta", meta(PARENT))
        + &event(1, "user_message", json!({"message": "first"}))
        + &item(
            2,
            "custom_tool_call",
            json!({"name": "apply_patch", "call_id": "k1", "input": patch}),
        )
        + &item(3, "custom_tool_call_output", json!({"call_id": "k1", "output": "Success."}))
        + &event(4, "user_message", json!({"message": "second"}))
        + &event(5, "thread_rolled_back", json!({"num_turns": 1}))
        + &event(6, "user_message", json!({"message": "third"}));
    let folded = fold_in_pieces_as(FileRole::session(adapter()), text.as_bytes(), &[]);
    let files: Vec<&str> = folded.state.files().keys().map(String::as_str).collect();
    assert_eq!(files, ["a.txt", "b.txt", "c.txt"]);
    assert!(folded.state.files().values().all(|file| file.writes() == 1));
    let turns: Vec<(u64, bool)> =
        folded.state.turns().iter().map(|turn| (turn.parent, turn.is_in_force())).collect();
    assert_eq!(turns, [(0, true), (1, false), (1, true)]);
    assert_eq!(folded.totals().orphans, 0);
}

/// A choice of what stands in rollouts.
fn snippets() -> Vec<String> {
    let mut forked = meta(CHILD);
    forked["forked_from_id"] = PARENT.into();
    let said = |text: &str| json!({"role": "assistant", "content": [{"type": "output_text", "text": text}]});
    let turn = |id: &str, model: &str| {
        json!({"turn_id": id, "model": model, "cwd": "/w", "approval_policy": "never",
        "sandbox_policy": {"type": "read-only"}})
    };
    let usage =
        |input: u64| json!({"input_tokens": input, "cached_input_tokens": 3, "output_tokens": 2});
    let head = "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 1\nOutput:\nx = 1\n";
    vec![
        record(0, "session_meta", meta(PARENT)),
        record(0, "session_meta", forked),
        record(1, "turn_context", turn(PARENT, "gpt-a")),
        record(2, "turn_context", turn(CHILD, "gpt-b")),
        event(3, "task_started", json!({"turn_id": CHILD})),
        event(4, "user_message", json!({"message": "go on \u{1f600}"})),
        event(9, "user_message", json!({"message": "again", "kind": "plain"})),
        event(10, "agent_message", json!({"message": "said"})),
        item(10, "message", said("said")),
        item(11, "message", said("more")),
        item(11, "reasoning", json!({"summary": [{"type": "summary_text", "text": "hm"}]})),
        call(12, "exec_command", "k1", &json!({"cmd": "ls"})),
        call(12, "spawn_agent", "k2", &json!({})),
        call(12, "close_agent", "k3", &json!({"target": "a1"})),
        output(13, "k1", head),
        output(13, "k2", "{\"agent_id\":\"a1\"}"),
        output(13, "k3", "{\"previous_status\":\"running\"}"),
        event(13, "exec_command_end", json!({"call_id": "k1", "status": "declined"})),
        item(14, "function_call_output", json!({"output": "nobody's"})),
        item(14, "custom_tool_call", json!({"name": "apply_patch", "call_id": "k4", "input": "*** Add File: a\n"})),
        item(14, "web_search_call", json!({"action": {"query": "q"}})),
        count(15, 10),
        count(15, 30),
        count(16, 30),
        event(16, "token_count", json!({"info": {"total_token_usage": {"total_tokens": 9}}})),
        event(16, "token_count", json!({"info": null})),
        record(17, "token_usage_record", json!({"response_id": "r1", "usage": usage(10)})),
        record(17, "token_usage_record", json!({"response_id": "r2", "usage": usage(20)})),
        record(18, "compacted", json!({"message": "", "replacement_history": []})),
        event(18, "context_compacted", json!({})),
        event(18, "turn_aborted", json!({"reason": "interrupted"})),
        event(19, "thread_rolled_back", json!({"num_turns": 1})),
        event(19, "error", json!({"message": "no"})),
        record(20, "future", json!({"type": 7})),
        "{\"type\":7,\"payload\":[1]}\n".to_owned(),
        "{\"type\":\"event_msg\",\"payload\":{\"type\":\"user_message\",\"message\":\"\\ud83d\"}}\n".to_owned(),
    ]
}

/// Whole records, torn ones, glued ones, and other noise.
fn rollout_like() -> impl Strategy<Value = Vec<u8>> {
    let line = prop::sample::select(snippets());
    let noise: Vec<&'static [u8]> = vec![
        b"\n",
        b"\r\n",
        b" ",
        b"\xEF\xBB\xBF",
        b"\xff",
        b"{",
        b"}",
        b"\"",
        b"\\",
        b"12",
        b"null",
    ];
    let piece = prop_oneof![
        10 => line.clone().prop_map(String::into_bytes),
        2 => line.clone().prop_map(|line| line.trim_end().as_bytes().to_vec()),
        2 => (line, any::<prop::sample::Index>(), any::<bool>()).prop_map(|(line, at, head)| {
            let bytes = line.into_bytes();
            let (head_part, tail_part) = bytes.split_at(at.index(bytes.len()));
            if head { head_part } else { tail_part }.to_vec()
        }),
        1 => prop::sample::select(noise).prop_map(<[u8]>::to_vec),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn cuts() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<usize>(), 0..12)
}

/// Every record as it was handed on, what reading came across, and where it would go on.
fn read(pieces: &[&[u8]]) -> (Vec<String>, ReadStats, String) {
    let mut records = Vec::new();
    let mut reader = TranscriptReader::new(FileRole::session(adapter()));
    for piece in pieces {
        reader.feed(piece, |record| records.push(format!("{record:?}")));
    }
    reader.finish(|record| records.push(format!("{record:?}")));
    (records, reader.stats().clone(), serde_json::to_string(&reader.token()).unwrap())
}

fn append(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// What a line means depends on those before it, and on nothing else.
    #[test]
    fn rollouts_read_the_same_in_any_pieces(bytes in rollout_like(), cuts in cuts()) {
        let whole = read(&[&bytes]);
        prop_assert_eq!(&whole, &read(&pieces(&bytes, &cuts)));
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        prop_assert_eq!(&whole, &read(&single));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// What a reader keeps of the lines before is in the snapshot: saved, loaded and read on at any place, a
    /// run ends as one that was never interrupted.
    #[test]
    fn rollouts_go_on_after_a_snapshot(bytes in rollout_like(), cuts in cuts()) {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let (session, snapshot) = (at("rollout-x.jsonl"), at("snapshot"));
        let mut run = Run::new(adapter(), &session, FoldConfig::default());
        for piece in pieces(&bytes, &cuts) {
            append(&session, piece);
            let read = run.poll().unwrap();
            prop_assert!(matches!(read, RunChange::Read(_)), "{:?}", read);
            run.save(&snapshot).unwrap();
            let resumed = Run::resume(&snapshot, None).unwrap();
            prop_assert_eq!(resumed.1, None);
            run = resumed.0;
        }
        run.poll().unwrap();
        run.finish();
        let mut once = Run::new(adapter(), &session, FoldConfig::default());
        once.poll().unwrap();
        once.finish();
        prop_assert_eq!(run.state(), once.state());
        prop_assert_eq!(run.reading(), once.reading());
        let whole = fold_in_pieces_as(FileRole::session(adapter()), &bytes, &[]);
        prop_assert_eq!(once.state(), &whole.state);
    }
}
