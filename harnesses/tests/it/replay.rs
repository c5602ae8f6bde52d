//! Replay over generated sessions: what it prints, what it keeps.

use std::fs;

use harnesses::common::{Reporter, defaults};
use harnesses::continuation::replay::{CutKind, CutRules, ReplayArgs, Replayed, cuts_of, run};
use scoreboards::measures::replay::{self as measures, What};
use scoreboards::verify;
use serde_json::json;

use crate::support::{claude_code_transcripts, codex_transcripts, sessions};

fn args() -> ReplayArgs {
    let mut args: ReplayArgs = defaults();
    args.profile = corpus_gen::cli::ProfileChoice::Paper;
    args.seeds = Some("201-203".parse().unwrap());
    args.budgets = [2000, 9500].map(|size| size.try_into().unwrap()).to_vec();
    args.min_calls = 10;
    args.every = 20.try_into().unwrap();
    args.common.date = Some("2026-12-01".parse().unwrap());
    args
}

fn replayed(args: &ReplayArgs) -> Replayed {
    run(args, &Reporter::silent()).unwrap()
}

#[test]
fn tables_stay_as_they_are() {
    let Replayed { board, tables } = replayed(&args());
    insta::assert_snapshot!("replay_tables", tables);
    for row in &board.rows {
        assert_eq!(measures::undefined(row), Vec::<String>::new(), "{}", row.id);
    }
}

#[test]
fn the_scoreboard_holds_and_does_not_depend_on_jobs() {
    let mut args = args();
    args.contexts = ["flatlog", "worker/1", "other", "everything"].map(str::to_owned).to_vec();
    args.common.jobs = Some(1.try_into().unwrap());
    let one = replayed(&args);
    args.common.jobs = Some(3.try_into().unwrap());
    let three = replayed(&args);
    assert_eq!(one.tables, three.tables);
    assert_eq!(one.board.rows, three.board.rows);
    assert!(verify(&one.board).is_empty());
}

#[test]
fn everything_holds_all_and_no_context_more() {
    let mut args = args();
    args.contexts = ["raw", "list", "words", "summary", "everything"].map(str::to_owned).to_vec();
    let board = replayed(&args).board;
    let rows = board.rows.iter().filter(|row| row.is(&measures::WHAT, What::Context.name()));
    let mut ceilings = 0;
    for row in rows {
        let count = |key| row.value(key).unwrap();
        let (needed, used) = (count(&measures::NEEDED), count(&measures::USED));
        let (needed_held, used_held) = (count(&measures::NEEDED_HELD), count(&measures::USED_HELD));
        assert!(needed <= used && needed_held <= needed && used_held <= used, "{}", row.id);
        if row.is(&measures::CONTEXT, "everything") {
            ceilings += 1;
            assert_eq!((needed_held, used_held), (needed, used), "{}", row.id);
        }
    }
    assert!(ceilings > 0);
}

#[test]
fn a_context_that_is_not_there_is_named_with_those_that_are() {
    let mut args = args();
    args.contexts = vec!["worker/9".to_owned()];
    let error = run(&args, &Reporter::silent()).unwrap_err().to_string();
    assert!(error.starts_with("there is no context `worker/9`; there are flatlog, raw"), "{error}");
}

/// A transcript in which each line is one record of the main thread.
fn transcript(records: &[serde_json::Value]) -> String {
    let line = |(at, record): (usize, &serde_json::Value)| {
        let mut record = record.clone();
        record["uuid"] = json!(format!("u{at}"));
        record["sessionId"] = json!("s");
        record["cwd"] = json!("/w/repo");
        format!("{record}\n")
    };
    records.iter().enumerate().map(line).collect()
}

fn prompt(text: &str) -> serde_json::Value {
    json!({"type": "user", "message": {"role": "user", "content": text}})
}

fn call(id: &str, name: &str, input: &serde_json::Value) -> serde_json::Value {
    let content = json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
    json!({"type": "assistant", "message": {"role": "assistant", "id": id, "content": content}})
}

fn result(id: &str, text: &str) -> serde_json::Value {
    let content = json!([{"type": "tool_result", "tool_use_id": id, "content": text}]);
    json!({"type": "user", "message": {"role": "user", "content": content}})
}

#[test]
fn a_recorded_run_is_cut_and_scored() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.jsonl");
    let records = [
        prompt("mend the parser"),
        call("c1", "Bash", &json!({"command": "cd /w/repo && cargo test 2>&1 | tail -5"})),
        result("c1", "test_parse failed in src/parse.rs"),
        // The same record twice is one item.
        call("c2", "Edit", &json!({"file_path": "/w/repo/src/parse.rs", "new_string": "let a_b;"})),
        result("c2", "done"),
        json!({"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto"}}),
        json!({"type": "user", "isCompactSummary": true,
               "message": {"role": "user", "content": "It was about test_other."}}),
        call("c3", "Bash", &json!({"command": "cargo test | head -3"})),
        result("c3", "src/parse.rs again"),
        call("c4", "Read", &json!({"file_path": "/w/repo/src/parse.rs"})),
        call("c4", "Read", &json!({"file_path": "/w/repo/src/other.rs"})),
        call("c5", "Grep", &json!({"pattern": "test_parse|test_other"})),
    ];
    fs::write(&session, transcript(&records)).unwrap();
    let rules = CutRules { min_calls: 1, every: 3, window: 3 };
    let cuts = cuts_of(&session, rules).unwrap();
    let kinds: Vec<(CutKind, usize)> = cuts.iter().map(|cut| (cut.kind, cut.before)).collect();
    assert_eq!(kinds, [(CutKind::Compaction, 5), (CutKind::Calls, 8)]);
    let own = |names: &[(&'static str, &str)]| -> Vec<(&'static str, String)> {
        names.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect()
    };
    assert_eq!(cuts[0].needed, own(&[("command", "cargo test"), ("test", "test_parse")]));
    assert_eq!(
        cuts[0].used_next,
        own(&[("command", "cargo test"), ("path", "src/parse.rs"), ("test", "test_parse")])
    );
}

/// Two implementations of one page, by different hands, ask for the same at every cut.
fn agree(session: &std::path::Path) -> usize {
    let rules = CutRules::default();
    let run = ground_truth::oracle::RunFiles::of_session(session).unwrap();
    let naive = ground_truth::replay::cuts(&run, rules.window, rules.every, rules.min_calls);
    let texts = |entities: &std::collections::BTreeSet<ground_truth::replay::Entity>| {
        let mut texts: Vec<_> =
            entities.iter().map(|it| (it.kind.name(), it.text.clone())).collect();
        texts.sort();
        texts
    };
    let kind = |kind| match kind {
        ground_truth::replay::CutKind::Turn => CutKind::Turn,
        ground_truth::replay::CutKind::Compaction => CutKind::Compaction,
        ground_truth::replay::CutKind::Calls => CutKind::Calls,
    };
    let naive: Vec<_> = naive
        .iter()
        .map(|cut| (kind(cut.kind), cut.before, texts(&cut.needed), texts(&cut.used_next)))
        .collect();
    let fast = cuts_of(session, rules).unwrap();
    let fast: Vec<_> =
        fast.into_iter().map(|cut| (cut.kind, cut.before, cut.needed, cut.used_next)).collect();
    for (fast, naive) in fast.iter().zip(&naive) {
        assert_eq!(fast, naive, "{}", session.display());
    }
    assert_eq!(fast.len(), naive.len(), "{}", session.display());
    fast.len()
}

#[test_needs::transcripts]
#[test]
fn both_implementations_agree_on_every_cut_and_entity() {
    let folders = [claude_code_transcripts(), codex_transcripts()];
    let cuts: usize = folders.into_iter().flat_map(sessions).map(|session| agree(&session)).sum();
    assert!(cuts > 0, "no cut was compared");
}
