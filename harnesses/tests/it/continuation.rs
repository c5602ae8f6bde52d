//! CONTINUE without a model: what each arm keeps, what runs count, what grids store.

use corpus_gen::tasks::{Family, TaskSpec, generate};
use harnesses::common::{Reporter, Verdict};
use harnesses::continuation::arms::{ARMS, ArmSpec};
use harnesses::continuation::context::Prompt;
use harnesses::continuation::mechanical::{self, Mechanical};
use harnesses::continuation::protocol::{Protocol, StepCap};
use harnesses::continuation::run::{EndReason, Finished, RunRow, RunSpec, run};
use harnesses::continuation::worker::{PricedAs, Reply, Worker};
use harnesses::continuation::{grid_board, tables};
use harnesses::fidelity;
use harnesses::usage::TokenUsage;
use proptest::prelude::*;
use scoreboards::{Scoreboard, verify};
use trace_model::pricing::{Dollars, PriceTable};
use trace_model::view::Version;

use crate::support::{continuation_grid, fidelity as fidelity_args};

fn priced() -> PricedAs {
    let prices = PriceTable::builtin();
    let date = prices.date().to_owned();
    PricedAs { model: "claude-sonnet-4-5".to_owned(), prices, date }
}

/// A worker that replies by a function of the context.
struct ScriptedWorker<F>(F);

impl<F: FnMut(&Prompt) -> String> Worker for ScriptedWorker<F> {
    fn reply(&mut self, prompt: &Prompt, _: u64) -> anyhow::Result<Reply> {
        let usage = TokenUsage { input: prompt.tokens(), output: 1, ..TokenUsage::default() };
        Ok(Reply { text: (self.0)(prompt), usage, dollars: Some(Dollars::ZERO), model: None })
    }
}

fn arm(name: &str) -> &'static ArmSpec {
    ArmSpec::named(name).unwrap_or_else(|| panic!("no arm {name}"))
}

fn run_by(
    arm: &ArmSpec,
    task: TaskSpec,
    protocol: &Protocol,
    reply: impl FnMut(&Prompt) -> String,
) -> Finished {
    let task = generate(task).expect("a task");
    let priced = priced();
    let spec =
        RunSpec { task: &task, arm, protocol, priced: &priced, helper: None, fallback: None };
    run(spec, &mut ScriptedWorker(reply)).expect("no reply is an error")
}

fn chain(horizon: u32, seed: u64) -> TaskSpec {
    TaskSpec { family: Family::Chain, horizon, seed }
}

#[test]
fn a_second_call_a_link_has_room_for_a_second_calls_errors() {
    let task = generate(chain(120, 1)).expect("a task");
    let cap = |name: &str| StepCap::ByTask.of(&task, arm(name));
    // 2 calls a link at an error rate of 0.08 come to 240 / 0.92 = 261 on average, up to 270 over 30 seeds.
    assert_eq!((cap("full"), cap("calculator")), (145, 290));
}

fn board(flags: &[&str]) -> Scoreboard {
    let out = tempfile::tempdir().expect("a folder");
    let out = out.path().to_str().expect("plain");
    let flags: Vec<&str> = flags.iter().copied().chain(["--out", out]).collect();
    grid_board(&continuation_grid(&flags), &Reporter::silent()).expect("the grid can be run")
}

/// The arms of a scoreboard that succeeded in every run, and those that failed in every run.
fn outcomes(board: &Scoreboard) -> (Vec<&str>, Vec<&str>) {
    let all = |wanted: bool| {
        let holds = |arm: &&ArmSpec| {
            let mut rows = board.rows.iter().filter(|row| row.labels["arm"] == arm.name).peekable();
            rows.peek().is_some()
                && rows.all(|row| row.measures["success"] == scoreboards::Measure::Flag(wanted))
        };
        ARMS.iter().filter(holds).map(|arm| arm.name).collect()
    };
    (all(true), all(false))
}

#[test]
fn a_chain_is_finished_where_the_context_keeps_its_sum() {
    let board = board(&["--horizons", "30", "--seeds", "1-2", "--error-rate", "0.08"]);
    assert_eq!(verify(&board), []);
    let (succeeded, failed) = outcomes(&board);
    let lossy = ["mask", "summary-capped", "retrieval", "list", "vendor-summary"];
    assert_eq!(failed, lossy);
    assert_eq!(succeeded.len() + failed.len(), ARMS.iter().filter(|a| a.only.is_none()).count());
    for row in &board.rows {
        let count = |name: &str| row.measures[name].number().unwrap();
        assert!(count("injected_errors") > scoreboards::Decimal::ZERO, "{}", row.id);
        assert_eq!(count("retries"), count("injected_errors"), "{}: one retry an error", row.id);
        assert_eq!(count("repeats"), scoreboards::Decimal::ZERO, "{}", row.id);
        let said = matches!(row.measures["not_shown"], scoreboards::Measure::Text(_));
        let failed = row.measures["success"] == scoreboards::Measure::Flag(false);
        assert_eq!(said, failed, "{}: a worker that fails says what was gone", row.id);
    }
}

#[test]
fn an_alternating_sum_outlives_the_facts_only_where_it_is_declared() {
    let arms = "full,curated,curated-declared,minimal-tally,scratchpad-cached,curated/2,curated-declared/2";
    let flags = ["--families", "altchain", "--horizons", "70", "--seeds", "1", "--arms", arms];
    let board = board(&flags);
    let (succeeded, failed) = outcomes(&board);
    assert_eq!(succeeded, ["full", "scratchpad-cached", "curated-declared", "curated-declared/2"]);
    assert_eq!(failed, ["curated", "minimal-tally", "curated/2"]);
}

#[test]
fn a_view_that_does_not_say_what_it_covers_is_added_to_twice() {
    // At 70 links the facts of the first ones are no longer in view.
    let ablated = ["view-without-aggregates", "curated-unstamped"];
    let second = ablated.map(|arm| format!("{arm}/2"));
    let arms = format!("curated,curated/2,{},{}", ablated.join(","), second.join(","));
    let board = board(&["--horizons", "70", "--seeds", "1-2", "--arms", &arms]);
    let (succeeded, failed) = outcomes(&board);
    assert_eq!(succeeded, ["curated", "curated/2"]);
    assert_eq!(failed, [&ablated[..], &second.each_ref().map(String::as_str)].concat());
    let unstamped = |row: &&scoreboards::Row| row.labels["arm"].starts_with("curated-unstamped");
    for row in board.rows.iter().filter(unstamped) {
        let scoreboards::Measure::Text(said) = &row.measures["not_shown"] else { panic!() };
        assert!(said.starts_with("what the running total covers"), "{said}");
    }
}

#[test]
fn prose_is_added_up_where_its_facts_are_extracted() {
    let arms = "full,curated,parser-fixed,parser-tuned,parser-model,curated/2,parser-fixed/2,parser-tuned/2";
    let flags = ["--families", "prosechain", "--horizons", "30", "--seeds", "1-2", "--arms", arms];
    let board = board(&flags);
    let (succeeded, failed) = outcomes(&board);
    assert_eq!(succeeded, ["full", "parser-tuned", "parser-tuned/2"]);
    assert_eq!(failed, ["curated", "parser-fixed", "curated/2", "parser-fixed/2"]);
    assert_eq!(board.provenance.notes, ["parser-model needs a model and is left out"]);
}

#[test]
fn work_on_folders_is_done_under_full_context() {
    let flags = ["--families", "scatter,fix", "--horizons", "6", "--seeds", "1-3"];
    let arms =
        ["full", "curated", "curated-cached", "curated/2", "curated/2@9500", "curated-cached/2"];
    let board = board(&[&flags[..], &["--arms", &arms.join(",")]].concat());
    assert_eq!(outcomes(&board).0, arms);
}

#[test]
fn what_is_in_no_list_and_in_no_summary_is_lost_beyond_the_last_steps() {
    // A violation is repaired from the last step; a value of the first file is long gone.
    let flags = ["--families", "scatter,fix", "--horizons", "30", "--seeds", "1-2"];
    let board = board(&[&flags[..], &["--arms", "list,vendor-summary"]].concat());
    for row in &board.rows {
        let expected = row.labels["family"] == "fix";
        assert_eq!(row.measures["success"], scoreboards::Measure::Flag(expected), "{}", row.id);
    }
}

#[test]
fn each_version_of_a_view_has_its_arm_and_its_renderer() {
    let viewing = |version| move |arm: &&ArmSpec| arm.view().is_some_and(|v| v.version == version);
    let names = |version| ARMS.iter().filter(viewing(version)).map(|arm| arm.name);
    let second: Vec<&str> = names(Version::Two).filter(|name| !name.contains('@')).collect();
    let counterparts: Vec<String> = names(Version::One).map(|name| format!("{name}/2")).collect();
    assert_eq!(second, counterparts);
    assert_eq!(ARMS.len(), 33, "docs/CONTINUE.md lists them");
    let board =
        board(&["--horizons", "6", "--seeds", "1", "--arms", "curated,curated-unstamped/2"]);
    assert_eq!(verify(&board), []);
    let keys: Vec<&str> = board.rows.iter().filter_map(|row| row.renderer.as_deref()).collect();
    assert_eq!(keys, ["worker-unstamped/2", "worker"]);
    let versions = keys.iter().map(|key| board.provenance.renderers[*key].version.as_str());
    assert_eq!(versions.collect::<Vec<_>>(), ["2", "1"]);
}

#[test]
fn the_worker_decides_by_the_text_alone() {
    let protocol = Protocol::default();
    for arm in ARMS.iter().filter(|arm| arm.is_for(Family::Chain)) {
        let mut worker = Mechanical::default();
        let finished = run_by(arm, chain(14, 3), &protocol, |prompt| {
            let reply = worker.next(prompt);
            assert_eq!(reply, mechanical::next(&prompt.text()), "{}", arm.name);
            reply
        });
        assert_eq!(finished.row.ended, EndReason::Done, "{}", arm.name);
    }
}

#[test]
fn a_run_that_reaches_its_step_cap_says_so() {
    let protocol = Protocol { step_cap: StepCap::Fixed(5), ..Protocol::default() };
    let mut worker = Mechanical::default();
    let row = run_by(arm("full"), chain(14, 1), &protocol, |prompt| worker.next(prompt)).row;
    assert_eq!((row.ended, row.counts.steps, row.success), (EndReason::StepCap, 5, false));
}

#[test]
fn three_unreadable_replies_in_a_row_end_a_run_and_are_shown_and_paid() {
    let mut contexts = Vec::new();
    let mut replies = ["what?", "{\"tool\":\"read_file\"}", "no", "{}", "never"].into_iter();
    let row = run_by(arm("full"), chain(3, 1), &Protocol::default(), |prompt| {
        contexts.push(prompt.text());
        replies.next().unwrap().to_owned()
    });
    let RunRow { ended, counts, .. } = row.row;
    assert_eq!(ended, EndReason::ProtocolErrors);
    assert_eq!((counts.steps, counts.protocol_errors, counts.validation_errors), (5, 4, 1));
    assert_eq!(counts.output, 5);
    assert!(contexts[1].contains("[observation 1]\nprotocol error: "), "{}", contexts[1]);
    let transcript = String::from_utf8(row.transcript).unwrap();
    assert!(transcript.contains("protocol error: "), "{transcript}");
}

#[test]
fn equal_calls_are_repeats_unless_they_follow_an_injected_error() {
    let protocol = Protocol::default();
    let task = generate(chain(3, 1)).unwrap();
    let read = |path: &str| format!(r#"{{"tool":"read_file","args":{{"path":"{path}"}}}}"#);
    let paths: Vec<&str> = task.links.iter().map(|link| link.path.as_str()).collect();
    let script = [paths[0], paths[1], paths[0], "nowhere", "nowhere"].map(read);
    let mut replies = script.into_iter().chain(["{\"tool\":\"done\"}".to_owned()]);
    let row = run_by(arm("full"), chain(3, 1), &protocol, |_| replies.next().unwrap()).row;
    assert_eq!((row.counts.repeats, row.counts.retries, row.counts.tool_errors), (2, 0, 2));
}

#[test]
fn a_recorded_run_is_folded_as_the_oracle_recounts_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    board(&["--horizons", "25", "--seeds", "1", "--error-rate", "0.08", "--record", path]);
    let flags = ["--profile", "none", "--pathology", "none", "--transcripts", path];
    let args = fidelity_args(&flags);
    let found = fidelity::run(&args, &Reporter::silent()).unwrap();
    assert_eq!(fidelity::verdict(&found), Verdict::Holds);
}

#[test]
fn a_grid_goes_on_where_it_was_and_never_with_another_protocol() {
    let out = tempfile::tempdir().unwrap();
    let common = ["--out", out.path().to_str().unwrap(), "--arms", "mask,curated"];
    let grid = |flags: &[&str]| {
        let flags: Vec<&str> = common.iter().chain(flags).copied().collect();
        grid_board(&continuation_grid(&flags), &Reporter::silent())
    };
    let first = grid(&["--horizons", "6", "--seeds", "1-2"]).unwrap();
    let rows = out.path().join("continue/rows.jsonl");
    let stored = std::fs::read_to_string(&rows).unwrap();
    assert_eq!(stored.lines().count(), 1 + 4, "a header and four rows");
    let again = grid(&["--horizons", "6", "--seeds", "1-2"]).unwrap();
    assert_eq!(again.rows_sha256, first.rows_sha256);
    assert_eq!(std::fs::read_to_string(&rows).unwrap(), stored, "nothing was run again");
    let more = grid(&["--horizons", "6", "--seeds", "1-3"]).unwrap();
    assert_eq!(more.rows.len(), 6);
    let error = grid(&["--horizons", "6", "--seeds", "1-2", "--refresh-every", "3"]).unwrap_err();
    let error = format!("{error:#}");
    assert!(error.contains("arms.every_k is `5` there and `3` here"), "{error}");
}

#[test]
fn tables_say_what_succeeded_at_what_price() {
    let flags = ["--horizons", "8,12", "--seeds", "1-2", "--jobs", "2"];
    let arms = "full,full-cached,mask,curated,summary-capped,minimal-tally";
    let board = board(&[&flags[..], &["--arms", arms, "--summary-chars", "100"]].concat());
    insta::assert_snapshot!(tables(&board));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever a worker replies, the run goes on or ends as the protocol says.
    #[test]
    fn no_reply_can_break_a_run(
        arm in prop::sample::select(&ARMS[..]),
        replies in prop::collection::vec(reply(), 1..12),
    ) {
        let protocol = Protocol { step_cap: StepCap::Fixed(12), ..Protocol::default() };
        let family = arm.only.unwrap_or(Family::Chain);
        let task = TaskSpec { family, horizon: 4, seed: 1 };
        let mut replies = replies.iter().cycle();
        let row = run_by(&arm, task, &protocol, |prompt| {
            // The worker without a model reads whatever came of the replies before.
            let _ = mechanical::next(&prompt.text());
            replies.next().unwrap().clone()
        });
        prop_assert!(row.row.counts.steps <= 12);
        let mut lines = std::str::from_utf8(&row.transcript).unwrap().lines();
        prop_assert!(lines.all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
    }
}

/// Replies that are calls, nearly calls, and anything at all.
fn reply() -> impl Strategy<Value = String> {
    let text = prop_oneof![
        Just("records/a.txt".to_owned()),
        Just("answer.txt".to_owned()),
        Just("[view]\nAGGREGATES\n- delta sum 1, over 1 values".to_owned()),
        ".{0,30}",
    ];
    let tool = prop_oneof![
        Just("read_file"),
        Just("write_file"),
        Just("search"),
        Just("list_files"),
        Just("tally"),
        Just("done"),
        Just("nothing"),
    ];
    let call = (tool, text.clone(), text, any::<i64>()).prop_map(|(tool, path, content, add)| {
        let args = match tool {
            "read_file" => serde_json::json!({ "path": path }),
            "search" => serde_json::json!({ "pattern": path }),
            "tally" => serde_json::json!({ "name": path, "add": add }),
            _ => serde_json::json!({ "path": path, "content": content }),
        };
        serde_json::json!({ "tool": tool, "args": args, "note": content }).to_string()
    });
    prop_oneof![3 => call, 1 => ".{0,80}", 1 => Just("{\"tool\": 1}".to_owned())]
}
