//! What the pipeline reads from a recorded run.

use corpus_gen::tasks::{ANSWER_FILE, Family, Task, TaskSpec, generate};
use ground_truth::oracle::{RunFiles, recount};
use serde_json::json;
use trace_model::adapter::claude_code::FileRole;
use trace_model::adapter::{Format, sniff};
use trace_model::fold::FoldConfig;
use trace_model::run::fold_bytes;

use super::*;
use crate::usage::TokenUsage;
use crate::workbench::{Action, BenchConfig, CallOutcome, Workbench};

fn label() -> RunLabel {
    RunLabel {
        session: "chain-120-1/full".to_owned(),
        title: "chain, 120 links".to_owned(),
        model: "claude-sonnet-5".to_owned(),
    }
}

/// A worker that follows the chain, reads every seventh file twice, and answers.
fn run(task: &Task, rate: &str) -> (Recorder, LiveFold) {
    let config = BenchConfig { error_rate: rate.parse().unwrap(), ..BenchConfig::default() };
    let mut bench = Workbench::new(task, config);
    let mut recorder = Recorder::new(&label());
    let mut live = LiveFold::new(FoldConfig::default());
    recorder.goal(&task.goal);
    let total = task.total().unwrap();
    let mut actions: Vec<Action> = Vec::new();
    for (at, link) in task.links.iter().enumerate() {
        let read = Action::ReadFile { path: link.path.clone() };
        actions.extend(std::iter::repeat_n(read, if at % 7 == 3 { 2 } else { 1 }));
    }
    let content = format!("total = {total}\n");
    actions.push(Action::WriteFile { path: ANSWER_FILE.to_owned(), content });
    actions.push(Action::Done);
    for action in actions {
        loop {
            let seen = bench.call(&action);
            let usage =
                TokenUsage { input: 100, output: 9, cache_read: 7, ..TokenUsage::default() };
            recorder.turn("", Some((action.tool().name(), &action.args())), usage);
            recorder.result(&seen.text, seen.outcome.is_error());
            if recorder.step().is_multiple_of(5) {
                live.catch_up(&recorder);
            }
            if seen.outcome == CallOutcome::Ok {
                break;
            }
        }
    }
    assert!(bench.verdict().success);
    live.catch_up(&recorder);
    (recorder, live)
}

fn chain(horizon: u32, seed: u64) -> Task {
    generate(TaskSpec { family: Family::Chain, horizon, seed }).unwrap()
}

#[test]
fn the_fold_of_a_recorded_chain_holds_every_delta_and_their_sum() {
    for (seed, rate) in [(1, "0"), (2, "0.08"), (3, "0.3")] {
        let task = chain(120, seed);
        let (recorder, live) = run(&task, rate);
        let deltas: Vec<(String, String)> = (live.state().facts_in_force().into_iter())
            .filter(|fact| fact.key == "delta")
            .map(|fact| (fact.source.to_owned(), fact.number.unwrap().to_string()))
            .collect();
        let expected: Vec<(String, String)> =
            task.links.iter().map(|link| (link.path.clone(), link.value.to_string())).collect();
        assert_eq!(deltas, expected, "seed {seed}");
        let aggregates = live.state().aggregates();
        let delta = aggregates.iter().find(|aggregate| aggregate.key == "delta").unwrap();
        let sums: Vec<String> = delta.statistics.iter().map(|(_, sum)| sum.to_string()).collect();
        assert_eq!(sums, [task.total().unwrap().to_string()], "seed {seed}");
        // Nothing but the files' own lines became a fact.
        assert_eq!(aggregates.iter().map(|a| a.key).collect::<Vec<_>>(), ["delta", "next"]);
        // The oracle, from the raw record alone.
        let files = vec![("run.jsonl".to_owned(), recorder.into_bytes())];
        let recount = recount(&RunFiles::from_bytes(files));
        let counted = &recount.aggregates["delta"];
        let sum = counted.sum.as_ref().unwrap().to_string();
        assert_eq!(sum, task.total().unwrap().to_string());
        assert_eq!((counted.count, counted.numeric), (120, 120));
    }
}

#[test]
fn a_fold_that_keeps_up_equals_a_fold_of_the_whole() {
    let (recorder, live) = run(&chain(30, 4), "0.08");
    let whole = [(FileRole::default(), recorder.bytes())];
    let (state, reading) = fold_bytes(whole, FoldConfig::default());
    assert_eq!(&state, live.state());
    assert_eq!((reading.bad_lines, reading.pending_bytes), (0, 0));
    assert!(reading.degraded_fields.is_empty(), "{:?}", reading.degraded_fields);
    assert_eq!(reading.known_records, reading.records);
}

#[test]
fn a_record_is_a_transcript_of_one_request_with_its_calls_and_tokens() {
    let (recorder, live) = run(&chain(9, 2), "0.3");
    assert_eq!(sniff(recorder.bytes()), Some(Format::ClaudeCode));
    let state = live.state();
    let turns = recorder.step();
    assert_eq!(state.conversation().prompts(), 1);
    assert_eq!(state.tool_totals().calls, turns);
    assert!(state.tool_totals().failed > 0);
    assert_eq!((state.in_flight_count(), state.orphans(), state.duplicates()), (0, 0, 0));
    let spending = state.spending();
    assert_eq!((spending.calls, spending.unpriced_tokens), (turns, 0));
    assert_eq!(
        (spending.tokens.input, spending.tokens.output, spending.tokens.cache_read),
        (100 * turns, 9 * turns, 7 * turns)
    );
}

#[test]
fn an_unread_reply_is_paid_and_what_the_harness_says_is_no_request() {
    let mut recorder = Recorder::new(&label());
    recorder.goal("do it");
    recorder.turn("I would rather not.", None, TokenUsage { input: 5, ..TokenUsage::default() });
    recorder.result("never written", false);
    recorder.protocol_error("the reply holds no call; answer with one JSON object");
    recorder.turn("", Some(("done", &json!({}))), TokenUsage::default());
    recorder.result("the task is declared done", false);
    let mut live = LiveFold::new(FoldConfig::default());
    let state = live.catch_up(&recorder);
    assert_eq!(state.conversation().prompts(), 1);
    assert_eq!((state.results(), state.orphan_results()), (1, 0));
    assert_eq!((state.spending().calls, state.spending().tokens.input), (2, 5));
}

#[test]
fn equal_runs_are_equal_bytes_and_other_runs_have_other_ids() {
    let (first, _) = run(&chain(5, 1), "0.08");
    let (again, _) = run(&chain(5, 1), "0.08");
    assert_eq!(first.bytes(), again.bytes());
    let other = Recorder::new(&RunLabel { session: "other".to_owned(), ..label() });
    assert_ne!(first.bytes()[..200], other.bytes()[..200.min(other.bytes().len())]);
    let text = String::from_utf8(first.into_bytes()).unwrap();
    let time = |line: &str| line.split("\"timestamp\":\"").nth(1).map(|t| t[..20].to_owned());
    let times: Vec<String> = text.lines().filter_map(time).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert_eq!(times[0], "2026-11-29T00:00:00Z");
}

#[test]
fn keys_of_arguments_are_sorted() {
    let mut recorder = Recorder::new(&label());
    recorder.turn(
        "",
        Some(("x", &json!({"b": {"d": 1, "c": [{"z": 1, "y": 2}]}, "a": 2}))),
        TokenUsage::default(),
    );
    let text = String::from_utf8(recorder.into_bytes()).unwrap();
    assert!(text.contains(r#""input":{"a":2,"b":{"c":[{"y":2,"z":1}],"d":1}}"#), "{text}");
}
