//! Small inputs that are kept outside the repository, each for a kind of fault, with the right values.

#![allow(clippy::unwrap_used)]

mod common;

use std::fs;
use std::path::Path;

use serde_json::Value;
use trace_model::fold::FoldConfig;
use trace_model::run::Run;
use trace_model::totals::Totals;
use trace_model::view::worker::{WorkerViewConfig, compile};

/// The cases about the course of a run; those about tokens and prices are looked at elsewhere.
const CASES: [(&str, &str); 7] = [
    ("03-async-agent", "03-async-agent/s-t2.jsonl"),
    ("05-background-bash-fails", "05-background-bash-fails.jsonl"),
    ("06-cut-off-agent", "06-cut-off-agent/s-t2.jsonl"),
    ("07-rewind", "07-rewind.jsonl"),
    ("08-slash-command-session", "08-slash-command-session.jsonl"),
    ("11-worktree-switch", "11-worktree-switch.jsonl"),
    ("16-sdk-stream-json", "16-sdk-stream-json.jsonl"),
];

fn run(folder: &Path, file: &str) -> Run {
    Run::fold(&folder.join(file), FoldConfig::default()).unwrap()
}

/// Every expected value that is named by a path into the totals; tokens are not this test's.
#[test_needs::shared]
#[test]
fn totals_of_cases_are_as_expected() {
    let folder = test_needs::shared_dir!().join("cases");
    let expected: Value =
        serde_json::from_slice(&fs::read(folder.join("expect.json")).unwrap()).unwrap();
    let mut checked = 0;
    for (name, file) in CASES {
        let run = run(&folder, file);
        let totals = serde_json::to_value(Totals::of(run.state(), &run.reading())).unwrap();
        for (path, expected) in expected[name].as_object().unwrap() {
            let field = path.strip_prefix("totals.").filter(|field| !field.starts_with("tokens."));
            let Some(field) = field.filter(|field| !field.contains(' ')) else { continue };
            common::assert_same(name, field, expected, &totals[field]);
            checked += 1;
        }
    }
    assert!(checked >= 14, "only {checked} values were checked");
}

/// What the cases say in sentences.
#[test_needs::shared]
#[test]
fn states_of_cases_are_as_described() {
    let folder = test_needs::shared_dir!().join("cases");
    let of = |at: usize| run(&folder, CASES[at].1);
    let view = |run: &Run| compile(run.state(), &WorkerViewConfig::default());
    let prompts = |run: &Run| {
        let said = run.state().conversation();
        [said.goal(), said.latest_request()].map(|prompt| prompt.unwrap().text.text.clone())
    };

    let run = of(0);
    assert!(run.state().has_running_task());
    assert!(view(&run).contains("- agent [a77] running since"), "{}", view(&run));

    let run = of(1);
    assert_eq!(run.state().background_counts().failed, 1);
    assert!(run.state().last_error().unwrap().text.ends_with("failed with exit code 2"));

    assert_eq!(of(2).state().abandoned_count(), 1);

    let run = of(3);
    assert_eq!(prompts(&run)[1], "Water the tulips instead.");
    assert_eq!(run.state().turns_taken_back(), 1);
    let (text, shown) = (view(&run), "it had asked: Now pour concrete over the beds.");
    assert!(text.contains(shown), "{text}");
    assert!(!text.replace(shown, "").contains("oncrete"), "{text}");

    let [goal, latest] = prompts(&of(4));
    assert_eq!(goal, "/prune-orchard rows 3 to 5, only the old trees");
    assert_eq!(latest, "/prune-orchard row 9");

    let run = of(5);
    let identity = run.state().identity();
    assert_eq!(identity.cwd.as_deref(), Some("/w/pear/.claude/worktrees/gate"));
    assert_eq!(identity.branch.as_deref(), Some("worktree-gate"));
    assert_eq!((identity.cwd_changes, identity.cwd_since.map(|at| at.0)), (1, Some(3)));

    assert!(of(6).state().conversation().goal().is_none());
}
