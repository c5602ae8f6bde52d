//! Answers that try to be right without saying so, and right answers in odd clothes, with the score that
//! each must get under each rule set.

use crate::questions_support::{both, of_type, printer_run};
use ground_truth::graders::{Answer, RuleSet, Score, grade};
use ground_truth::questions::QuestionSet;
use serde_json::{Value, json};

const RIGHT: (u64, u64) = (1, 1);
const WRONG: (u64, u64) = (0, 1);

const ASK: &str = "Go on, but do not touch the lexer. Run everything again when you are done.";
const ERROR: &str = "thread main panicked at tests/printer.rs:9: assertion failed: left == right";

/// What the answer is, the answer, and the scores under `paper/1`, and under `strict/1` and `strict/2`.
type Row = (&'static str, Value, (u64, u64), (u64, u64));

fn check(name: &str, rows: &[Row]) {
    let sets = both(&printer_run(), 7);
    let mut wrong = Vec::new();
    for (what, answer, paper, strict) in rows {
        for (rule_set, expected) in
            [(RuleSet::Paper1, paper), (RuleSet::Strict1, strict), (RuleSet::Strict2, strict)]
        {
            let grade = grade(rule_set, of_type(&sets, name), &Answer::Json(answer.clone()));
            if grade.score != Score::new(expected.0, expected.1) {
                wrong.push(format!("{name}, {rule_set}, {what}: {grade:?}, not {expected:?}"));
            }
            if let Value::String(text) = answer {
                let free = Answer::Text(text.clone());
                let again = ground_truth::graders::grade(rule_set, of_type(&sets, name), &free);
                assert_eq!(again, grade, "{what}: free text is graded as a string");
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Everything that the questions' truths and what they are taken from hold.
fn dump(sets: &[QuestionSet]) -> String {
    let questions = sets.iter().flat_map(|set| &set.questions);
    questions.map(|question| json!(question.truth).to_string()).collect()
}

/// Every number from 0 to 99.
fn numbers() -> String {
    (0..100).map(|number| number.to_string()).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_quotation() {
    let sets = both(&printer_run(), 7);
    check(
        "latest_ask",
        &[
            ("the truth", json!(ASK), RIGHT, RIGHT),
            ("empty", json!(""), WRONG, WRONG),
            ("blank", json!(" \n"), WRONG, WRONG),
            ("null", json!(null), WRONG, WRONG),
            ("an empty list", json!([]), WRONG, WRONG),
            ("a refusal", json!("I'm sorry, but I can't help with that."), WRONG, WRONG),
            ("case and white space", json!(ASK.to_uppercase().replace(' ', "\n ")), RIGHT, RIGHT),
            ("a fence", json!(format!("```text\n{ASK}\n```")), RIGHT, RIGHT),
            ("quotation marks", json!(format!("\u{201c}{ASK}\u{201d}")), RIGHT, RIGHT),
            ("a list of one", json!([ASK]), RIGHT, RIGHT),
            ("a list of one as text", json!(json!([ASK]).to_string()), RIGHT, RIGHT),
            ("an object", json!({"answer": ASK}), RIGHT, RIGHT),
            ("a sentence", json!(format!("The person said: \"{ASK}\"")), RIGHT, RIGHT),
            ("a denial", json!("It was not \"Go on\""), WRONG, WRONG),
            ("one letter", json!("e"), RIGHT, WRONG),
            ("one word", json!("lexer"), RIGHT, WRONG),
            ("a short run", json!("do not touch the lexer"), RIGHT, WRONG),
            ("a long run", json!("do not touch the lexer. Run everything again"), RIGHT, RIGHT),
            (
                "a run that was cut",
                json!("Go on, but do not touch the lexer. Run everyth\u{2026}"),
                WRONG,
                RIGHT,
            ),
            (
                "a paraphrase",
                json!("Continue without changing the lexer, then rerun all"),
                WRONG,
                WRONG,
            ),
            (
                "most words",
                json!("Go on but don't touch the lexer, run everything again when you are done"),
                WRONG,
                RIGHT,
            ),
            (
                "another turn",
                json!("Now do the same for the printer, and keep the old tests."),
                WRONG,
                WRONG,
            ),
            (
                "all turns",
                json!(format!("Now do the same for the printer, and keep the old tests.\n{ASK}")),
                RIGHT,
                WRONG,
            ),
            (
                "a list of all turns",
                json!(["Now do the same for the printer, and keep the old tests.", ASK]),
                RIGHT,
                WRONG,
            ),
            ("a dump", json!(dump(&sets)), RIGHT, WRONG),
            ("look-alikes", json!(ASK.replace('o', "\u{43e}")), WRONG, WRONG),
            ("a number", json!(7), WRONG, WRONG),
        ],
    );
    check(
        "last_error",
        &[
            ("the truth", json!(ERROR), RIGHT, RIGHT),
            ("its end", json!("tests/printer.rs:9: assertion failed: left == right"), RIGHT, RIGHT),
            ("a short part", json!("assertion failed"), RIGHT, WRONG),
            (
                "the first error",
                json!(
                    "error[E0308]: mismatched types in src/parser.rs line 12, expected Vec, found Option"
                ),
                WRONG,
                WRONG,
            ),
            ("none", json!("none"), WRONG, WRONG),
            ("a vowel", json!("a"), RIGHT, WRONG),
        ],
    );
}

#[test]
fn an_integer() {
    check(
        "n_turns",
        &[
            ("the truth", json!(3), RIGHT, RIGHT),
            ("a string", json!("3"), RIGHT, RIGHT),
            ("a float", json!(3.0), RIGHT, RIGHT),
            ("a fraction", json!(3.5), WRONG, WRONG),
            ("one less", json!(2), WRONG, WRONG),
            ("one more", json!("4"), WRONG, WRONG),
            ("negative", json!(-3), WRONG, WRONG),
            ("a word", json!("three"), WRONG, RIGHT),
            ("another word", json!("four"), WRONG, WRONG),
            ("a sentence", json!("There are 3 user turns."), RIGHT, RIGHT),
            ("a fence", json!("```json\n3\n```"), RIGHT, RIGHT),
            ("bold", json!("**3**"), RIGHT, RIGHT),
            ("a list of one", json!([3]), RIGHT, RIGHT),
            ("a list", json!([3, 4]), WRONG, WRONG),
            ("a choice", json!("3 or 4"), RIGHT, WRONG),
            ("a bound", json!("at least 3"), RIGHT, WRONG),
            ("a denial", json!("not 3"), RIGHT, WRONG),
            ("all numbers", json!(numbers()), WRONG, WRONG),
            ("all numbers, the right one first", json!(format!("3, {}", numbers())), RIGHT, WRONG),
            ("all numbers as a list", json!((0..100).collect::<Vec<_>>()), WRONG, WRONG),
            ("other digits", json!("\u{ff13}"), WRONG, WRONG),
            ("empty", json!(""), WRONG, WRONG),
            ("null", json!(null), WRONG, WRONG),
            ("true", json!(true), WRONG, WRONG),
            ("a refusal", json!("I cannot determine this."), WRONG, WRONG),
            ("huge", json!("3".repeat(400)), WRONG, WRONG),
        ],
    );
    check(
        "model_tokens",
        &[
            ("the truth", json!(4500), RIGHT, RIGHT),
            ("near", json!(4540), RIGHT, RIGHT),
            ("too far", json!(4600), WRONG, WRONG),
            ("with a comma", json!("4,500 tokens"), RIGHT, RIGHT),
            ("in thousands", json!("4.5k"), RIGHT, RIGHT),
        ],
    );
}

#[test]
fn a_name() {
    let all = json!(["Bash", "Edit", "Grep", "Read", "Task", "Write"]);
    check(
        "top_tool",
        &[
            ("the truth", json!("Bash"), RIGHT, RIGHT),
            ("case", json!("bash"), RIGHT, RIGHT),
            ("backticks", json!("`Bash`"), RIGHT, RIGHT),
            ("a fence", json!("```\nBash\n```"), RIGHT, RIGHT),
            ("a list of one", json!(["Bash"]), RIGHT, RIGHT),
            ("a list of one as text", json!("[\"Bash\"]"), RIGHT, RIGHT),
            ("a full stop", json!("Bash."), RIGHT, RIGHT),
            ("a sentence", json!("The most used tool is Bash (5 calls)."), WRONG, RIGHT),
            ("every tool", json!("Bash, Edit, Grep, Read, Task, Write"), WRONG, WRONG),
            ("every tool, one a line", json!("Bash\nEdit\nGrep"), WRONG, WRONG),
            ("a list of every tool", all.clone(), WRONG, WRONG),
            ("that list as text", json!(all.to_string()), WRONG, WRONG),
            ("tools that the run does not know", json!("Bash or Frobnicate"), WRONG, WRONG),
            ("another tool", json!("Read"), WRONG, WRONG),
            ("a denial", json!("not Bash"), WRONG, WRONG),
            ("an argument", json!("Bash is the shell, Read is rarer"), WRONG, WRONG),
            ("look-alikes", json!("B\u{430}sh"), WRONG, WRONG),
            ("a part", json!("Bas"), WRONG, WRONG),
            ("a longer name", json!("BashOutput"), WRONG, WRONG),
            ("empty", json!(""), WRONG, WRONG),
            ("null", json!(null), WRONG, WRONG),
            ("a number", json!(5), WRONG, WRONG),
            ("a refusal", json!("I can't say."), WRONG, WRONG),
        ],
    );
}

#[test]
fn a_path() {
    check(
        "most_edited_file",
        &[
            ("the truth", json!("/repo/src/parser.rs"), RIGHT, RIGHT),
            ("other separators", json!("\\repo\\src\\parser.rs"), RIGHT, RIGHT),
            ("case", json!("/Repo/src/Parser.rs"), RIGHT, RIGHT),
            ("relative", json!("src/parser.rs"), RIGHT, RIGHT),
            ("relative with a dot", json!("./src/parser.rs"), RIGHT, RIGHT),
            ("the name alone", json!("parser.rs"), RIGHT, WRONG),
            ("a sentence", json!("It is `/repo/src/parser.rs`."), WRONG, RIGHT),
            ("another file", json!("/repo/src/printer.rs"), WRONG, WRONG),
            ("another folder", json!("/repo/lib/parser.rs"), WRONG, WRONG),
            ("several", json!("/repo/src/parser.rs, /repo/src/printer.rs"), WRONG, WRONG),
            (
                "a list of several",
                json!(["/repo/src/parser.rs", "/repo/src/printer.rs"]),
                WRONG,
                WRONG,
            ),
            ("a longer name", json!("/repo/src/parser.rs.bak"), WRONG, WRONG),
            ("empty", json!(""), WRONG, WRONG),
        ],
    );
}

#[test]
fn a_set() {
    let right = ["/repo/src/parser.rs", "/repo/tests/printer.rs"];
    let every = [
        "/repo/README.md",
        "/repo/src",
        "/repo/src/lexer.rs",
        "/repo/src/parser.rs",
        "/repo/src/printer.rs",
        "/repo/tests/printer.rs",
    ];
    check(
        "files",
        &[
            ("the truth", json!(right), RIGHT, RIGHT),
            ("in another order", json!([right[1], right[0]]), RIGHT, RIGHT),
            ("twice", json!([right[0], right[1], right[0]]), RIGHT, RIGHT),
            ("a JSON text", json!(json!(right).to_string()), RIGHT, RIGHT),
            ("a fence", json!(format!("```json\n{}\n```", json!(right))), RIGHT, RIGHT),
            ("lines", json!(format!("- {}\n- `{}`", right[0], right[1])), RIGHT, RIGHT),
            ("numbered lines", json!(format!("1. {}\n2. {}", right[0], right[1])), RIGHT, RIGHT),
            ("commas", json!(right.join(", ")), RIGHT, RIGHT),
            (
                "a sentence",
                json!(format!("The agent changed {} and {}.", right[0], right[1])),
                (0, 1),
                RIGHT,
            ),
            ("an object", json!({"files": right}), RIGHT, RIGHT),
            ("objects", json!([{"path": right[0]}, {"path": right[1]}]), RIGHT, RIGHT),
            (
                "relative, other separators, case",
                json!(["src\\Parser.rs", "tests/printer.rs"]),
                RIGHT,
                RIGHT,
            ),
            ("names alone", json!(["parser.rs", "printer.rs"]), (1, 2), WRONG),
            ("one of two", json!([right[0]]), (2, 3), (2, 3)),
            ("one too many", json!([right[0], right[1], "/repo/README.md"]), (4, 5), (4, 5)),
            ("one right, one wrong", json!([right[0], "/repo/README.md"]), (1, 2), (1, 2)),
            ("every path of the run", json!(every), (1, 2), WRONG),
            ("one right, two invented", json!([right[0], "x/y.rs", "x/z.rs"]), (2, 5), WRONG),
            ("none", json!("none"), WRONG, WRONG),
            ("an empty list", json!([]), WRONG, WRONG),
            ("empty", json!(""), WRONG, WRONG),
            ("null", json!(null), WRONG, WRONG),
            ("a refusal", json!("I can't help with that"), WRONG, WRONG),
        ],
    );
    check(
        "dangling",
        &[
            ("the truth", json!(["c12", "c13"]), RIGHT, RIGHT),
            ("with the tools", json!(["Bash [c12]", "Read (c13)"]), RIGHT, RIGHT),
            ("with keys", json!([{"id": "c12", "tool": "Bash"}, {"id": "c13"}]), RIGHT, RIGHT),
            ("the tools alone", json!(["Bash", "Read"]), WRONG, WRONG),
            (
                "all calls",
                json!((1..15).map(|n| format!("c{n:02}")).collect::<Vec<_>>()),
                (1, 4),
                WRONG,
            ),
            (
                "all calls in one text",
                json!("c01 c02 c03 c04 c05 c06 c07 c08 c09 c10 c11 c12 c13 c14"),
                WRONG,
                WRONG,
            ),
            ("none", json!("none"), WRONG, WRONG),
        ],
    );
}

#[test]
fn a_set_that_is_empty() {
    let mut script = crate::questions_support::Script::default();
    script.ask("Go.").call("c1", "Bash", &json!({"command": "ls"})).ok("c1", "");
    let sets = both(&script.run(&[]), 7);
    let score = |rule_set, answer: Value| {
        grade(rule_set, of_type(&sets, "dangling"), &Answer::Json(answer)).score == Score::ONE
    };
    for answer in [
        json!("none"),
        json!("None."),
        json!([]),
        json!("[]"),
        json!("There are none."),
        json!(["none"]),
    ] {
        assert!(score(RuleSet::Paper1, answer.clone()), "{answer}");
        assert!(score(RuleSet::Strict1, answer.clone()), "{answer}");
    }
    for answer in [json!(null), json!("")] {
        assert!(score(RuleSet::Paper1, answer.clone()), "{answer}");
        assert!(!score(RuleSet::Strict1, answer.clone()), "no answer is not \"none\": {answer}");
    }
    for answer in [json!("c1"), json!(["none", "c1"]), json!("I can't say"), json!(0)] {
        assert!(!score(RuleSet::Paper1, answer.clone()), "{answer}");
        assert!(!score(RuleSet::Strict1, answer.clone()), "{answer}");
    }
}

#[test]
fn a_call() {
    check(
        "refused_call",
        &[
            ("tool and argument", json!("Bash: rm -rf target"), RIGHT, RIGHT),
            ("as a call", json!("Bash(rm -rf target)"), RIGHT, RIGHT),
            ("the argument", json!("rm -rf target"), RIGHT, RIGHT),
            ("the id", json!("c10"), RIGHT, RIGHT),
            ("the input", json!("Bash {\"command\":\"rm -rf target\"}"), RIGHT, RIGHT),
            ("a sentence", json!("The person refused `rm -rf target` (Bash)."), RIGHT, RIGHT),
            ("the tool", json!("Bash"), RIGHT, WRONG),
            ("a part of the input", json!("Bash {\"command\":\"rm -rf"), RIGHT, WRONG),
            ("another command", json!("rm -rf build"), WRONG, WRONG),
            ("another tool", json!("Edit rm -rf target"), RIGHT, WRONG),
            ("another call", json!("c11"), WRONG, WRONG),
        ],
    );
    check(
        "top_command",
        &[
            ("the truth", json!("cargo test"), RIGHT, RIGHT),
            ("a fence", json!("```sh\ncargo test\n```"), RIGHT, RIGHT),
            ("a longer one", json!("cargo test --doc"), RIGHT, WRONG),
            ("all", json!("cargo test\ncargo test --doc\nrm -rf target"), RIGHT, WRONG),
        ],
    );
}

#[test]
fn a_duration() {
    check(
        "since_last_user",
        &[
            ("the truth", json!(25), RIGHT, RIGHT),
            ("near", json!(30), RIGHT, RIGHT),
            ("too far", json!(31), WRONG, WRONG),
            ("with a unit", json!("25 seconds"), RIGHT, RIGHT),
            ("in minutes", json!("0.4 minutes"), RIGHT, RIGHT),
            ("a clock", json!("0:00:25"), RIGHT, RIGHT),
            ("the wrong unit", json!("25 minutes"), WRONG, WRONG),
            ("a list of numbers", json!(numbers()), WRONG, WRONG),
            ("empty", json!(""), WRONG, WRONG),
        ],
    );
}

#[test]
fn several_parts() {
    check(
        "failed_in_last_turn",
        &[
            ("the truth", json!([3, 1, "Read"]), RIGHT, RIGHT),
            ("text", json!("3, 1, Read"), RIGHT, RIGHT),
            ("a JSON text", json!("[3, 1, \"Read\"]"), RIGHT, RIGHT),
            ("lines", json!("3 calls\n1 of them failed\n`read`"), RIGHT, RIGHT),
            ("named", json!({"calls": 3, "failed": 1, "tool": "Read"}), RIGHT, RIGHT),
            ("by number", json!({"1": 3, "2": 1, "3": "Read"}), RIGHT, RIGHT),
            ("one wrong", json!([3, 0, "Read"]), (2, 3), WRONG),
            ("too few", json!([3, 1]), WRONG, WRONG),
            ("too many", json!([3, 1, "Read", 0]), WRONG, WRONG),
            ("all numbers", json!(numbers()), WRONG, WRONG),
            ("empty", json!([]), WRONG, WRONG),
        ],
    );
    let sets = both(&printer_run(), 7);
    let truth = of_type(&sets, "was_read").truth.answer();
    let said: Vec<bool> = truth.as_array().unwrap().iter().map(|part| part == "yes").collect();
    let yes = said.iter().filter(|yes| **yes).count() as u64;
    let flipped: Vec<bool> = said.iter().map(|yes| !yes).collect();
    let mut one_off = said.clone();
    one_off[0] = !one_off[0];
    check(
        "was_read",
        &[
            ("the truth", truth, RIGHT, RIGHT),
            ("booleans", json!(said), RIGHT, RIGHT),
            ("flipped", json!(flipped), WRONG, WRONG),
            ("one off", json!(one_off), (5, 6), WRONG),
            ("all yes", json!(vec!["yes"; 6]), (yes, 6), WRONG),
            ("all no", json!(vec!["no"; 6]), (6 - yes, 6), WRONG),
            ("both each time", json!(vec!["yes and no"; 6]), WRONG, WRONG),
            ("one word", json!("yes"), WRONG, WRONG),
        ],
    );
}

#[test]
fn the_trace_does_not_say() {
    let sets = both(&printer_run(), 7);
    let truth = of_type(&sets, "not_stated").truth.answer();
    let with = |silence: Value| -> Value {
        let part = |part: &Value| if part == "not stated" { silence.clone() } else { part.clone() };
        truth.as_array().unwrap().iter().map(part).collect()
    };
    check(
        "not_stated",
        &[
            ("the truth", truth.clone(), RIGHT, RIGHT),
            ("a sentence", with(json!("The trace doesn't say who that is.")), RIGHT, RIGHT),
            ("unknown", with(json!("Unknown")), RIGHT, RIGHT),
            ("an invention", with(json!("Alice")), (1, 2), WRONG),
            ("a guess", with(json!("Not stated, but probably Alice")), RIGHT, WRONG),
            ("null", with(json!(null)), RIGHT, WRONG),
            ("empty", with(json!("")), (1, 2), WRONG),
            ("a refusal", with(json!("I can't help with that.")), (1, 2), WRONG),
            ("silence on both", json!(["not stated", "not stated"]), (1, 2), WRONG),
            ("one answer", json!("not stated"), WRONG, WRONG),
        ],
    );
}
