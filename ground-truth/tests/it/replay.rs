//! Replay over invented and real runs: items, cuts, and what is needed at them.

use std::collections::BTreeSet;

use ground_truth::oracle::RunFiles;
use ground_truth::replay::{
    Cut, CutKind, Entity, Kind, cuts, entities_of_calls, holds, item_texts, normal_form,
};
use serde_json::{Value, json};

use crate::oracle_examples::support::{assistant, call, lines, progress, result, user, with};
use crate::transcripts;

fn run(records: &[Value]) -> RunFiles {
    RunFiles::from_bytes(vec![("s.jsonl".into(), lines(records).into_bytes())])
}

fn codex(records: &[Value]) -> RunFiles {
    let name = "rollout-2030-01-01T00-00-00-x.jsonl";
    let run = RunFiles::from_bytes(vec![(name.into(), lines(records).into_bytes())]);
    assert_eq!(run.format(), ground_truth::oracle::Format::Codex);
    run
}

fn bash(id: &str, command: &str) -> Value {
    call(id, "Bash", json!({"command": command}))
}

fn texts(entities: &BTreeSet<Entity>) -> Vec<String> {
    entities.iter().map(|it| format!("{} {}", it.kind.name(), it.text)).collect()
}

fn places(cuts: &[Cut]) -> Vec<(usize, CutKind)> {
    cuts.iter().map(|cut| (cut.before, cut.kind)).collect()
}

/// What is used next at the cut before the second call.
fn used_at_second_call(records: &[Value]) -> Vec<String> {
    let cuts = cuts(&run(records), 30, 1, usize::MAX);
    let first = &cuts[0];
    assert_eq!(first.kind, CutKind::Calls);
    texts(&first.used_next)
}

#[test]
fn items_are_what_was_said_called_and_answered_in_the_main_thread() {
    let twice = with(user("again"), &json!({"uuid": "u1"}));
    let summary = with(user("the summary"), &json!({"isCompactSummary": true}));
    let records = [
        user("ask"),
        twice.clone(),
        assistant(json!([
            {"type": "thinking", "thinking": "hm"},
            {"type": "text", "text": "say"},
            {"type": "tool_use", "id": "1", "name": "T", "input": {"z": ["a", {"k": "b"}], "c": 7, "d": "e"}},
        ])),
        bash("1", "the second of its id"),
        result("1", "first"),
        result("1", "second"),
        result("none", "orphan"),
        twice,
        progress("x", "1", &user("of an agent")),
        with(user("aside"), &json!({"isSidechain": true})),
        with(
            assistant(json!([{"type": "text", "text": "no"}])),
            &json!({"isApiErrorMessage": true}),
        ),
        json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "queued"}}),
        user(
            json!([{"type": "image"}, {"type": "text", "text": "one"}, {"type": "text", "text": "two"}]),
        ),
        summary,
        user(json!([])),
    ];
    assert_eq!(
        item_texts(&run(&records)),
        [
            "ask",
            "again",
            "say",
            "e a b",
            "first",
            "second",
            "orphan",
            "one",
            "two",
            "the summary",
            ""
        ]
    );
}

#[test]
fn codex_items_are_told_once_and_its_patches_name_files() {
    let item = |payload: Value| json!({"type": "response_item", "payload": payload});
    let event = |payload: Value| json!({"type": "event_msg", "payload": payload});
    let records = [
        json!({"type": "session_meta", "payload": {"id": "x", "cwd": "/w/run"}}),
        item(
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "ask"}]}),
        ),
        event(json!({"type": "user_message", "message": "ask"})),
        item(
            json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "say"}]}),
        ),
        event(json!({"type": "agent_message", "message": "say"})),
        item(json!({"type": "custom_tool_call", "call_id": "1", "name": "apply_patch",
            "input": "*** Update File: /w/run/src/a.rs\n+foo_bar"})),
        item(
            json!({"type": "custom_tool_call_output", "call_id": "1", "output": "Exit code: 0\nOutput:\ndone"}),
        ),
        item(json!({"type": "function_call", "call_id": "2", "name": "shell",
            "arguments": "{\"command\":[\"bash\",\"-lc\",\"cat src/a.rs\"],\"workdir\":\"/w/run\"}"})),
    ];
    let run = codex(&records);
    assert_eq!(
        item_texts(&run),
        [
            "ask",
            "say",
            "*** Update File: /w/run/src/a.rs +foo_bar",
            "done",
            "bash -lc cat src/a.rs /w/run"
        ]
    );
    let used: Vec<_> = entities_of_calls(&run).iter().map(|(at, it)| (*at, texts(it))).collect();
    let second = ["path src/a.rs", "command cat src/a.rs", "whole command cat src/a.rs"];
    assert_eq!(
        used,
        [(2, vec!["path src/a.rs".to_owned()]), (4, second.map(str::to_owned).to_vec())]
    );
    let cuts = cuts(&run, 30, 1, 1);
    assert_eq!(places(&cuts), [(4, CutKind::Calls)]);
    assert_eq!(texts(&cuts[0].needed), ["path src/a.rs"]);
}

#[test]
fn runs_are_cut_at_prompts_compactions_and_calls() {
    let compaction = || json!({"type": "system", "subtype": "compact_boundary"});
    let records = [
        user("ask"),                                  // 0
        compaction(),                                 // no call before it
        bash("1", "make"),                            // 1
        user("too early"),                            // 2
        bash("2", "make"),                            // 3
        compaction(),                                 //
        compaction(),                                 //
        user("<system-reminder>x</system-reminder>"), // 4: no prompt
        user(json!([                             // 5, 6, 7: typed beside a result
            {"type": "tool_result", "tool_use_id": "1", "content": "r"},
            {"type": "text", "text": "<system-reminder>x</system-reminder>"},
            {"type": "text", "text": "next"},
        ])),
        bash("3", "make"),                // 8
        bash("4", "make"),                // 9
        user(json!([{"type": "image"}])), // a prompt without a message
        json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "queued"}}),
        bash("5", "make"), // 10
        compaction(),      // no call behind it
        user("last"),      // 11
    ];
    assert_eq!(
        places(&cuts(&run(&records), 30, 2, 2)),
        [(4, CutKind::Compaction), (6, CutKind::Turn), (8, CutKind::Calls), (10, CutKind::Calls)]
    );
    let all = places(&cuts(&run(&records), 30, 0, 0));
    let turns = [0, 2, 6].map(|place| (place, CutKind::Turn));
    assert_eq!(all, [turns[0], turns[1], (4, CutKind::Compaction), turns[2]]);
}

#[test]
fn a_command_that_a_later_record_tells_of_makes_no_cut() {
    let records = [
        bash("1", "make"),
        user("<command-name>/go</command-name>"),
        with(user("expansion"), &json!({"isMeta": true})),
        bash("2", "make"),
    ];
    assert_eq!(places(&cuts(&run(&records), 30, 9, 1)), []);
}

#[test]
fn what_was_not_shown_again_is_needed() {
    let cuts = cuts(
        &run(&[
            user("ask"),
            assistant(json!([{"type": "text", "text": "a.rs b.rs c.rs d.rs"}])),
            bash("1", "make"),
            bash("2", "make"),
            assistant(json!([{"type": "text", "text": "a.rs"}])),
            result("2", "b.rs"),
            user("c.rs"),
            bash("3", "wc a.rs b.rs c.rs new.rs"),
            user("a.rs"),
        ]),
        2,
        1,
        9,
    );
    let at_second = &cuts[0];
    assert_eq!(at_second.before, 3);
    assert_eq!(
        texts(&at_second.used_next),
        ["path a.rs", "path b.rs", "path c.rs", "command make", "whole command make"]
    );
    assert_eq!(texts(&at_second.needed), ["path a.rs", "command make", "whole command make"]);
}

#[test]
fn what_is_trivial_is_left_out() {
    let say = |text: &str| assistant(json!([{"type": "text", "text": text}]));
    let used = used_at_second_call(&[
        user("first.rs"),
        say("half.rs most.rs first.rs one.rs"),
        say("half.rs most.rs"),
        with(user("summary.rs half.rs"), &json!({"isCompactSummary": true})),
        bash("1", "x most.rs"),
        bash("2", "ls first.rs half.rs most.rs one.rs summary.rs"),
    ]);
    assert_eq!(used, ["path half.rs", "path one.rs"], "two of four are not more than half");
}

#[test]
fn a_command_is_known_by_the_form_of_its_first_use() {
    let records = [
        user("ask"),
        assistant(json!([{"type": "text", "text": "I ran: make 2>&1 all"}])),
        bash("1", "true"),
        bash("2", "make all"),
        bash("3", "cd x && make all"),
        bash("4", "make 2>&1 all"),
    ];
    let needed = |window| texts(&cuts(&run(&records), window, 1, 9)[0].needed);
    assert_eq!(needed(2), [""; 0]);
    assert_eq!(needed(3), ["whole command make 2>&1 all"]);
}

#[test]
fn json_as_written_holds_what_it_stands_for() {
    let held = Entity::new(Kind::Command, r#"echo "a b" c"#);
    assert!(holds(&normal_form(r#"{"command":"echo \"a b\"\n c"}"#), &held));
}

#[test_needs::transcripts]
#[test]
fn what_is_needed_in_real_runs_was_known_and_is_used() {
    let mut codex = Vec::new();
    rollouts(&test_needs::transcripts_dir!().join("codex"), &mut codex);
    codex.sort();
    let mut of_kind = std::collections::BTreeMap::<CutKind, [usize; 3]>::new();
    for path in transcripts::claude_code().into_iter().chain(codex) {
        let run = RunFiles::of_session(&path).unwrap();
        let name = path.display();
        let calls = entities_of_calls(&run);
        let texts = item_texts(&run);
        for cut in cuts(&run, 30, 50, 30) {
            assert!(cut.needed.is_subset(&cut.used_next), "{name}: what is needed is used next");
            let window = calls.iter().filter(|(at, _)| *at >= cut.before).take(30);
            let used: BTreeSet<&Entity> = window.flat_map(|(_, used)| used).collect();
            assert!(!cut.used_next.iter().any(|it| !used.contains(it)), "{name}: used by a call");
            let past = &texts[..cut.before];
            for entity in cut.used_next.iter().filter(|it| it.kind != Kind::Command) {
                assert!(past.iter().any(|text| holds(text, entity)), "{name}: {entity:?} is known");
            }
            let sums = of_kind.entry(cut.kind).or_default();
            sums[0] += 1;
            sums[1] += cut.needed.len();
            sums[2] += cut.used_next.len();
        }
    }
    assert_eq!(of_kind.len(), 3, "every kind of cut exists");
    println!("cuts, needed, used next: {of_kind:?}");
    for (kind, [cuts, needed, used]) in of_kind {
        assert!(cuts > 0 && needed > 0 && used > needed, "{kind:?}");
    }
}

fn rollouts(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rollouts(&path, found);
        } else if path.extension() == Some("jsonl".as_ref()) {
            found.push(path);
        }
    }
}
