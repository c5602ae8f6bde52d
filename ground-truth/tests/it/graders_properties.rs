//! What must hold of every grader, over runs and answers of all kinds.

use crate::questions_support::{Script, both, printer_run};
use ground_truth::graders::{Answer, RuleSet, Score, best_constant, grade};
use ground_truth::oracle::RunFiles;
use ground_truth::questions::Question;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Texts that are hard to tell from what is around an answer.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c ]{1,12}",
        "\\PC{1,30}",
        prop::sample::select(vec![
            "none",
            "[]",
            "{\"answer\": 1}",
            "```\nx\n```",
            "\"quoted\"",
            "a, b; c and d",
            "...",
            "?!",
            "No \u{201c}way\u{201d} \u{2026} [3 of 9]",
            "not stated",
            "7",
            "\u{130}stanbul",
            "yes",
            "the file",
            "C:\\a\\b.rs",
            "./a/",
            "a/B.rs",
            "a/b.rs",
            "src/a/b.rs",
            "\u{0}",
        ])
        .prop_map(str::to_owned),
    ]
}

#[derive(Debug, Clone)]
enum Step {
    Ask(String),
    Say(String),
    Call { tool: String, input: Value, end: u8, seconds: i64 },
}

fn step() -> impl Strategy<Value = Step> {
    let tool = prop_oneof![
        4 => prop::sample::select(vec!["Read", "Edit", "Write", "Bash", "Task", "Grep"])
            .prop_map(str::to_owned),
        1 => text(),
    ];
    let input = (prop::sample::select(vec!["path", "command", "description", "x"]), text())
        .prop_map(|(key, text)| json!({ (key): text }));
    prop_oneof![
        1 => text().prop_map(Step::Ask),
        1 => text().prop_map(Step::Say),
        5 => (tool, input, 0_u8..6, 0_i64..500)
            .prop_map(|(tool, input, end, seconds)| Step::Call { tool, input, end, seconds }),
    ]
}

fn run(steps: &[Step]) -> RunFiles {
    let mut script = Script::default();
    for (at, step) in steps.iter().enumerate() {
        let id = format!("id{at}");
        match step {
            Step::Ask(text) => script.ask(text),
            Step::Say(text) => script.say(text),
            Step::Call { tool, input, end, seconds } => {
                script.call(&id, tool, input).wait(*seconds);
                match end {
                    0 => script.wait(0),
                    1 => script.fail(&id, &input.to_string()),
                    2 => script.deny(&id),
                    _ => script.ok(&id, "done"),
                }
            }
        };
    }
    script.run(&[])
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn asked(run: &RunFiles, seed: u64) -> Vec<Question> {
    both(run, seed).into_iter().flat_map(|set| set.questions).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_truth_is_right(steps in prop::collection::vec(step(), 0..30), seed: u64) {
        for question in asked(&run(&steps), seed) {
            let answer = question.truth.answer();
            for rule_set in RuleSet::ALL {
                let grade = grade(rule_set, &question, &Answer::Json(answer.clone()));
                prop_assert_eq!(grade.score, Score::ONE, "{} {:?} {}", rule_set, &question, answer);
            }
        }
    }

    #[test]
    fn any_answer_has_a_score_between_0_and_1(value in json_value(), text in ".{0,80}") {
        for question in asked(&printer_run(), 7) {
            for answer in [Answer::Json(value.clone()), Answer::Text(text.clone())] {
                for rule_set in RuleSet::ALL {
                    let score = grade(rule_set, &question, &answer).score;
                    prop_assert!(score.den > 0 && score.num <= score.den);
                }
            }
        }
    }

    #[test]
    fn the_best_constant_is_no_worse_than_any_truth(
        runs in prop::collection::vec(prop::collection::vec(step(), 4..14), 1..4),
    ) {
        let all: Vec<Question> =
            runs.iter().flat_map(|steps| asked(&run(steps), 1)).collect();
        for kind in ["n_turns", "top_tool", "files", "dangling", "busiest_turn", "latest_ask"] {
            let of_kind: Vec<&Question> =
                all.iter().filter(|question| question.question_type.as_str() == kind).collect();
            for rule_set in RuleSet::ALL {
                let Some(best) = best_constant(&all, rule_set, kind) else {
                    prop_assert!(of_kind.is_empty());
                    continue;
                };
                prop_assert_eq!(best.questions, of_kind.len());
                let mean = |answer: &Answer| {
                    let scores = of_kind.iter().map(|it| grade(rule_set, it, answer).score.as_f64());
                    scores.sum::<f64>() / f64::from(u32::try_from(of_kind.len()).unwrap())
                };
                prop_assert!((mean(&best.answer) - best.mean).abs() < 1e-9);
                for question in &of_kind {
                    prop_assert!(mean(&Answer::Json(question.truth.answer())) <= best.mean + 1e-9);
                }
            }
        }
    }
}

#[test]
fn the_best_constant_is_found() {
    let run = |tools: &[&str], turns: usize, files: &[&str]| {
        let mut script = Script::default();
        for turn in 0..turns {
            script.ask(&format!("Turn {turn} is about {}", tools.join(" and ")));
        }
        for (at, tool) in tools.iter().enumerate() {
            script
                .call(&format!("t{at}"), tool, &json!({"command": "x"}))
                .ok(&format!("t{at}"), "");
        }
        for (at, file) in files.iter().enumerate() {
            script
                .call(&format!("f{at}"), "Write", &json!({"path": file}))
                .ok(&format!("f{at}"), "");
        }
        script.run(&[])
    };
    let runs = [
        run(&["Bash", "Bash", "Bash"], 2, &["a/x.rs", "a/y.rs"]),
        run(&["Bash", "Bash", "Bash"], 2, &["a/y.rs", "a/z.rs"]),
        run(&["Read", "Read", "Read", "Read"], 5, &["a/y.rs"]),
    ];
    let all: Vec<Question> = runs.iter().flat_map(|run| asked(run, 1)).collect();
    let best = |rule_set, kind| best_constant(&all, rule_set, kind).unwrap();
    let two_thirds = 2.0 / 3.0;
    let tool = best(RuleSet::Strict1, "top_tool");
    assert_eq!(tool.answer, Answer::Json(json!("Bash")));
    assert!((tool.mean - two_thirds).abs() < 1e-9);
    let turns = best(RuleSet::Strict1, "monitoring/1/n_turns");
    assert_eq!(turns.answer, Answer::Json(json!(2)));
    let files = best(RuleSet::Strict1, "files");
    assert_eq!(files.answer, Answer::Json(json!(["a/y.rs"])));
    assert!((files.mean - (2.0 / 3.0 + 2.0 / 3.0 + 1.0) / 3.0).abs() < 1e-9);
    assert!((best(RuleSet::Paper1, "latest_ask").mean - 1.0).abs() < 1e-9, "a letter, or a dump");
    assert!(best(RuleSet::Strict1, "latest_ask").mean < 0.7);
    assert_eq!(best_constant(&all, RuleSet::Strict1, "last_error"), None);
}
