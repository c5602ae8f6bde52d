//! The questions over real transcripts, where they are there: the truth is right, and agrees with the
//! recount.
//!
//! The folder is `TRACEFOLD_TRANSCRIPTS`, else `shared/transcripts` beside the workspace.

mod questions_support;

use std::path::{Path, PathBuf};

use ground_truth::graders::{Answer, RuleSet, Score, grade};
use ground_truth::oracle::{RunFiles, recount};
use questions_support::both;
use serde_json::json;

/// Larger files take long in a debug build.
const LARGEST: u64 = 1_000_000;

/// Enough of them to meet every shape.
const MOST: usize = 60;

fn sessions(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_small = || path.metadata().is_ok_and(|meta| meta.len() <= LARGEST);
        if path.is_dir() {
            sessions(&path, found);
        } else if path.extension() == Some("jsonl".as_ref())
            && !name.starts_with("agent-")
            && is_small()
        {
            found.push(path);
        }
    }
}

#[test]
fn the_truth_is_right_of_real_runs() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/transcripts");
    let folder = std::env::var_os("TRACEFOLD_TRANSCRIPTS").map_or(beside, PathBuf::from);
    let mut paths = Vec::new();
    sessions(&folder.join("claude-code"), &mut paths);
    if paths.is_empty() {
        eprintln!("skipped: no transcripts in {}", folder.display());
        return;
    }
    paths.sort();
    let every = paths.len().div_ceil(MOST);
    for path in paths.iter().step_by(every) {
        let run = RunFiles::of_session(path).unwrap();
        let counted = recount(&run);
        let name = path.display();
        for question in both(&run, 1).iter().flat_map(|set| &set.questions) {
            let answer = question.truth.answer();
            match question.question_type.as_str() {
                "latest_ask" => assert_eq!(answer, json!(counted.latest_request), "{name}"),
                "n_turns" => assert_eq!(answer, json!(counted.prompts), "{name}"),
                "last_error" => assert_eq!(answer, json!(counted.last_error), "{name}"),
                _ => {}
            }
            for rule_set in RuleSet::ALL {
                let grade = grade(rule_set, question, &Answer::Json(answer.clone()));
                assert_eq!(grade.score, Score::ONE, "{name}: {rule_set} {}", question.id);
            }
        }
    }
}
