//! The questions over real transcripts: the truth is right, and agrees with the recount.

use ground_truth::graders::{Answer, RuleSet, Score, grade};
use ground_truth::oracle::{RunFiles, recount};
use serde_json::json;

use crate::questions_support::both;
use crate::transcripts;

/// Larger files take long in a debug build.
const LARGEST: u64 = 1_000_000;

/// Enough of them to meet every shape.
const MOST: usize = 60;

#[test_needs::transcripts]
#[test]
fn the_truth_is_right_of_real_runs() {
    let mut paths = transcripts::claude_code();
    paths.retain(|path| path.metadata().is_ok_and(|meta| meta.len() <= LARGEST));
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
