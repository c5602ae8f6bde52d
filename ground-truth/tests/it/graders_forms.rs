//! The graders' own errors: forms of right answers that mean the same are right, and near misses are not.

use std::collections::{BTreeMap, BTreeSet};

use crate::questions_support::{Script, both};
use ground_truth::forms::{Form, forms, specimens};
use ground_truth::graders::{Answer, RuleSet, Score, grade};
use ground_truth::questions::{
    AnswerKind, GraderKind, ItemKind, PACK_NAMES, Pack, Question, QuestionType, Scope, Tolerance,
    Truth, Unit, question_sets,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Every question about the specimens, with some choices of what it is about.
fn asked() -> Vec<Question> {
    let packs = PACK_NAMES.map(|name| Pack::named(name).expect("a pack of that name"));
    let mut asked = Vec::new();
    for (_, run) in specimens() {
        for seed in 1..=4 {
            let sets = question_sets(&run, &packs, seed);
            asked.extend(sets.into_iter().flat_map(|set| set.questions));
        }
    }
    asked
}

/// The forms that a rule set gets wrong.
fn errors(rule_set: RuleSet, question: &Question, seed: u64) -> Vec<String> {
    let wrong =
        |form: &Form| (grade(rule_set, question, &form.answer).score == Score::ONE) != form.right;
    let said = |form: Form| {
        let what = if form.right { "must pass" } else { "must fail" };
        let truth = question.truth.answer();
        format!("{}: {} {what}: {:?}, truth {truth}", question.id, form.kind, form.answer)
    };
    forms(question, seed).into_iter().filter(wrong).map(said).collect()
}

#[test]
fn strict_2_makes_no_error_on_the_forms_of_the_specimens() {
    let mut wrong = BTreeSet::new();
    for (question, seed) in asked().iter().zip(1..) {
        wrong.extend(errors(RuleSet::Strict2, question, seed));
    }
    let wrong: Vec<String> = wrong.into_iter().collect();
    assert!(wrong.is_empty(), "{} errors\n{}", wrong.len(), wrong.join("\n"));
}

/// A check that cannot fail shows nothing: the rule sets before make errors of both sorts on these forms.
#[test]
fn the_forms_find_errors_where_there_are_some() {
    for rule_set in [RuleSet::Paper1, RuleSet::Strict1] {
        let (mut accepted, mut rejected) = (0, 0);
        for question in asked() {
            for form in forms(&question, 1) {
                let right = grade(rule_set, &question, &form.answer).score == Score::ONE;
                accepted += usize::from(right && !form.right);
                rejected += usize::from(!right && form.right);
            }
        }
        assert!(accepted > 50 && rejected > 50, "{rule_set}: {accepted}, {rejected}");
    }
}

#[test]
fn every_type_of_every_pack_is_formed_in_many_kinds() {
    let mut kinds: BTreeMap<String, BTreeSet<(&str, bool)>> = BTreeMap::new();
    for question in asked() {
        let of_type = kinds.entry(question.id.clone()).or_default();
        of_type.extend(forms(&question, 1).iter().map(|form| (form.kind, form.right)));
    }
    for name in PACK_NAMES {
        for kind in Pack::named(name).expect("a pack of that name").types() {
            let formed = &kinds[&format!("{name}/{kind}")];
            let of = |right: bool| formed.iter().filter(|(_, is)| *is == right).count();
            assert!(of(true) >= 10 && of(false) >= 10, "{name}/{kind}: {formed:?}");
        }
    }
    let all: BTreeSet<_> = kinds.values().flatten().collect();
    assert!(all.len() >= 40, "{}", all.len());
}

#[test]
fn the_forms_follow_from_the_question_and_the_seed() {
    for question in asked() {
        assert_eq!(forms(&question, 3), forms(&question, 3));
    }
}

/// A question with a truth, as the cases describe it.
fn question(text: &str, truth: Truth) -> Question {
    Question {
        pack: "cases/1".to_owned(),
        question_type: QuestionType::LatestAsk,
        id: "cases/1/case".to_owned(),
        text: text.to_owned(),
        answer_kind: AnswerKind::Text,
        grader: GraderKind::Quotation,
        scope: Scope::Main,
        params: BTreeMap::new(),
        truth,
    }
}

fn truth_of(described: &str, truth: &Value) -> Truth {
    let number = || truth.as_u64().expect("a number");
    let texts = || -> Vec<String> { serde_json::from_value(truth.clone()).expect("texts") };
    let set = |item| Truth::Set { items: texts(), known: texts(), item };
    let kind = described.split([',', '(']).next().unwrap_or_default().trim();
    match kind {
        "integer" => Truth::Integer { value: number(), tolerance: Tolerance::default() },
        "integer within 1%" => {
            Truth::Integer { value: number(), tolerance: Tolerance { absolute: 0, percent: 1 } }
        }
        "duration" => Truth::Duration {
            seconds: number(),
            unit: if described.contains("minutes") { Unit::Minutes } else { Unit::Seconds },
            tolerance: Tolerance { absolute: 5, percent: 1 },
        },
        "quotation" => Truth::quotation(truth.as_str().expect("a text").to_owned(), []),
        "not stated" => Truth::NotStated,
        "set of call ids without a result" => set(ItemKind::Id),
        "set of paths" => set(ItemKind::Path),
        "name" => Truth::Name { accepted: texts(), known: texts() },
        "path" => Truth::Path { accepted: texts(), known: texts() },
        other => panic!("no kind of question is described as {other:?}"),
    }
}

#[test_needs::shared]
#[test]
fn the_shared_cases_are_graded_as_they_say() {
    let path = test_needs::shared_dir!().join("cases/graders.json");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(cases.len() >= 20);
    for case in cases {
        let described = case["question"].as_str().unwrap();
        let kind =
            if described.starts_with("integer within") { "integer within 1%" } else { described };
        let question = question(described, truth_of(kind, &case["truth"]));
        let grade = grade(RuleSet::Strict2, &question, &Answer::Json(case["answer"].clone()));
        assert_eq!(Value::from(grade.score == Score::ONE), case["right"], "{case}: {grade:?}");
    }
}

/// Answers as people and models write them, which no generator made.
#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn answers_as_people_write_them() {
    let own = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let turns = Truth::Integer { value: 3, tolerance: Tolerance::default() };
    let tokens = Truth::Integer { value: 220, tolerance: Tolerance { absolute: 0, percent: 1 } };
    let near = Tolerance { absolute: 5, percent: 1 };
    let span = Truth::Duration { seconds: 1486, unit: Unit::Seconds, tolerance: near };
    let tool =
        Truth::Name { accepted: own(&["Bash"]), known: own(&["Bash", "Edit", "Agent", "Read"]) };
    let path = Truth::Path {
        accepted: own(&["/w/pear/src/weigh.rs"]),
        known: own(&["/w/pear/src/weigh.rs", "/w/pear/src/label.rs"]),
    };
    let said = Truth::quotation(
        "Now print the label for the crate, but don't touch the 3 files in src/a.rs.".to_owned(),
        ["Weigh the crate first.".to_owned()],
    );
    let ids = Truth::Set {
        items: own(&["toolu_8", "toolu_9"]),
        known: own(&["toolu_7", "toolu_8", "toolu_9"]),
        item: ItemKind::Id,
    };
    let none = Truth::Set { items: Vec::new(), known: own(&["toolu_7"]), item: ItemKind::Id };
    let cases: [(&str, Truth, &[&str], &[&str]); 9] = [
        (
            "How many user turns are there?",
            turns,
            &[
                "3",
                "three",
                "Three user turns",
                "three turns in total",
                "There have been 3 turns so far.",
                "3 (three)",
                "The user sent 3 messages.",
                "n_turns: 3",
                "n_turns = 3",
                "Total: 3",
                "I count three.",
                "**3** turns",
                "exactly three",
                "3 user turns in the session",
                "The number of user turns is 3.",
            ],
            &[
                "\u{2a7e}3",
                "3+",
                "3 or more",
                "no fewer than 3",
                "not fewer than three",
                "3 at least",
                "under 4",
                "3ish",
                "3-ish",
                "c. 3",
                "some 3",
                "a good 3",
                "nearly three",
                "3 to 4",
                "2-3",
                "3 of 4",
                "3 of 3",
                "3/3",
                "3 %",
                "3 percent",
                "3 per cent",
                "\u{a3}3",
                "3 EUR",
                "3 bucks",
                "3 seconds",
                "3 GB",
                "3 tokens",
                "3 tool calls",
                "\u{ff0d}3",
                "\u{207b}3",
                "negative 3",
                "minus three",
                "third",
                "3rd",
                "3.5",
                "3 or three hundred",
                "none of 3",
                "three hundred",
                "thirty",
                "around 3",
                "~3",
                "3 max",
                "max. 3",
                "3 and counting",
                "version 3",
                "3k",
            ],
        ),
        (
            "How many output tokens did the model produce?",
            tokens,
            &[
                "220",
                "about 220",
                "~220 tokens",
                "221",
                "0.22k",
                "220 output tokens",
                "two hundred and twenty tokens",
            ],
            &[
                "220 input tokens",
                "at least 220",
                "almost 220",
                "220%",
                "$220",
                "220 words",
                "2200",
                "\u{2212}220",
                "225",
            ],
        ),
        (
            "How much time passed? Answer in seconds.",
            span,
            &[
                "1486",
                "1,486 s",
                "1\u{202f}486 s",
                "24 min 46 s",
                "24m46s",
                "24 min. 46 sec.",
                "0:24:46",
                "24.8 minutes",
                "1486 seconds (24 min 46 s)",
                "24 minutes and 46 seconds (1,486 s)",
                "about 25 minutes",
                "1486 s, i.e. 24 min 46 s",
                "1486 seconds (about 25 minutes)",
                "PT24M46S",
                "one thousand four hundred and eighty-six seconds",
                "twenty-five minutes",
                "It took 1486 s. That is 24 min 46 s.",
            ],
            &[
                "\u{2212}1486",
                "-1486 s",
                "1486 min",
                "\u{2265}1486 s",
                "over 1486 s",
                "at most 25 minutes",
                "1486 ms",
                "1486%",
                "1486 seconds (26 minutes)",
                "24 min 46 s (1500 s)",
                "1486 tokens",
                "24:46",
                "1486 s or 2000 s",
                "$1486",
                "between 24 and 25 minutes",
                "1486 s ago",
                "half of 1486 s",
                "20 minutes",
            ],
        ),
        (
            "Which tool did the main agent call most often?",
            tool,
            &[
                "Bash",
                "Bash \u{2014} 5 times",
                "Bash\u{2014}5 times",
                "Bash: 5",
                "Bash (5 calls)",
                "bash",
                "`Bash` (5\u{d7})",
                "The Bash tool was called most often.",
                "Bash, used five times",
                "Tool: Bash",
                "Bash is the most used tool",
            ],
            &[
                "Bash, Edit",
                "Bash Agent",
                "Edit",
                "not Bash",
                "Bash?",
                "Bash or Read",
                "BashOutput",
                "anything but Bash",
                "Bash was not used most",
                "the second most used tool is Bash",
                "Bash and others",
            ],
        ),
        (
            "Which file did the main agent change most often?",
            path,
            &[
                "/w/pear/src/weigh.rs:12",
                "/w/pear/src/weigh.rs:12:5",
                "/w/pear/src/weigh.rs#L12",
                "src/weigh.rs",
                "file:///w/pear/src/weigh.rs",
                "file:///w/pear/src/weigh.rs#L4",
                "[weigh.rs](/w/pear/src/weigh.rs)",
                "`/w/pear/src/weigh.rs`",
                "/w/pear/src/weigh.rs (edited 4 times)",
                "file:///w/pear/src/%77eigh.rs",
            ],
            &[
                "weigh.rs",
                "/w/pear/src/label.rs:12",
                "/w/pear/src/weigh.rs.orig",
                "file:///w/pear/src/label.rs",
                "[weigh.rs](/w/pear/src/label.rs)",
                "not /w/pear/src/weigh.rs",
                "https://w/pear/src/weigh.rs",
                "/w/pear/src/weigh.rs or /w/pear/src/label.rs",
                "/w/pear/src/weigh_rs",
            ],
        ),
        (
            "What did the person ask for last?",
            said,
            &[
                "now print the label for the crate but do not touch the 3 files in src/a.rs",
                "\u{201c}Now print the label for the crate, but don\u{2019}t touch the 3 files in src/a.rs.\u{201d}",
                "The user asked: Now print the label for the crate, but don't touch the 3 files in `src/a.rs`.",
                "> Now print the label for the crate, but don't touch the 3 files in src/a.rs.",
                "Now print the label for the crate, but don't touch\u{2026}",
            ],
            &[
                "Now print the label for the crate, but touch the 3 files in src/a.rs.",
                "Now print the label for the box, but don't touch the 3 files in src/a.rs.",
                "Now print the label for the crate, but don't touch the 4 files in src/a.rs.",
                "Now print the label for the crate, but don't touch the 3 files in src/b.rs.",
                "Now don't print the label for the crate, but touch the 3 files in src/a.rs.",
                "touch the 3 files in src/a.rs",
                "Now print the label for the crate",
                "Weigh the crate first.",
                "Now print the label for the crate, and don't touch the 3 files in src/a.rs.",
            ],
        ),
        (
            "Which tool calls never got a result?",
            ids,
            &[
                "toolu_8, toolu_9",
                "Bash [toolu_8]\nRead [toolu_9]",
                "- toolu_8\n- toolu_9",
                "toolu_8 and toolu_9",
                "toolu_8 (Bash), toolu_9 (Read)",
                "toolu_8 and toolu_9 never got a result.",
                "[\"toolu_9\", \"toolu_8\"]",
            ],
            &[
                "toolu_8 has a result, toolu_9 has a result",
                "toolu_8 and toolu_9 got results",
                "all but toolu_8, toolu_9",
                "not toolu_8, not toolu_9",
                "toolu_8, toolu_9, toolu_7",
                "none",
                "toolu_8 (answered), toolu_9 (answered)",
            ],
        ),
        (
            "Which tool calls never got a result?",
            none,
            &[
                "none",
                "None.",
                "There are none.",
                "No calls",
                "none of them",
                "All tool calls have results.",
                "[]",
            ],
            &["toolu_7", "not stated", "I can't tell", "no idea", "0 or 1", "", "no result"],
        ),
        (
            "What did the person have for lunch?",
            Truth::NotStated,
            &[
                "not stated",
                "N/A",
                "The trace does not contain this.",
                "not mentioned in the transcript",
                "Unknown",
                "It doesn't say.",
                "The log has no information about that.",
                "Not specified.",
                "I can't tell from the trace.",
            ],
            &[
                "unknown host error",
                "not available before Tuesday",
                "soup",
                "Probably soup; not stated",
                "no",
                "none",
                "The kitchen does not say",
                "it is not known whether it was soup",
                "not found: /etc/lunch",
            ],
        ),
    ];
    let mut wrong = Vec::new();
    for (text, truth, right, others) in cases {
        let question = question(text, truth);
        let answers = right.iter().map(|it| (it, true)).chain(others.iter().map(|it| (it, false)));
        for (answer, is_right) in answers {
            let grade = grade(RuleSet::Strict2, &question, &Answer::Text((*answer).to_owned()));
            if (grade.score == Score::ONE) != is_right {
                wrong.push(format!(
                    "{text} {answer:?}: {:?}, and right is {is_right}",
                    grade.reason
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn about(truth: Truth) -> Question {
    question("How many user turns are there?", truth)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn numbers_of_any_size_have_no_errors(value in 0_u64..3_000_000, percent in 0_u64..2, seed: u64) {
        let tolerance = Tolerance { absolute: 0, percent };
        let question = about(Truth::Integer { value, tolerance });
        prop_assert_eq!(errors(RuleSet::Strict2, &question, seed), Vec::<String>::new());
    }

    #[test]
    fn spans_of_any_length_have_no_errors(seconds in 0_u64..400_000, minutes: bool, seed: u64) {
        let truth = if minutes {
            let tolerance = Tolerance { absolute: 60, percent: 0 };
            Truth::Duration { seconds, unit: Unit::Minutes, tolerance }
        } else {
            let tolerance = Tolerance { absolute: 5, percent: 1 };
            Truth::Duration { seconds, unit: Unit::Seconds, tolerance }
        };
        prop_assert_eq!(errors(RuleSet::Strict2, &about(truth), seed), Vec::<String>::new());
    }

    #[test]
    fn texts_of_plain_words_have_no_errors(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "print", "label", "crate", "not", "the", "then", "run", "12", "again", "offline,",
                "src/a.rs", "without", "tests", "don't", "left", "==", "tray.", "Only", "if", "(two)",
            ]),
            2..40,
        ),
        seed: u64,
    ) {
        let text = words.join(" ");
        let other = "Another request that shares the words print label crate".to_owned();
        let question = about(Truth::quotation(text, [other]));
        prop_assert_eq!(errors(RuleSet::Strict2, &question, seed), Vec::<String>::new());
    }

    #[test]
    fn sets_of_paths_have_no_errors(
        names in prop::collection::btree_set("[b-m\u{e9}]{2,8}", 2..9),
        cut in 1_usize..8,
        seed: u64,
    ) {
        let paths: Vec<String> = names.iter().map(|name| format!("/w/{name}/src/{name}.rs")).collect();
        let (items, _) = paths.split_at(cut.min(paths.len() - 1));
        let (items, known) = (items.to_vec(), paths.clone());
        let question = about(Truth::Set { items, known, item: ItemKind::Path });
        prop_assert_eq!(errors(RuleSet::Strict2, &question, seed), Vec::<String>::new());
    }

    #[test]
    fn commands_have_no_errors(
        words in prop::collection::vec(
            prop::sample::select(vec!["cargo", "test", "-p", "weigh", "--", "--quiet", "a.rs", "-v", "true", "ls"]),
            1..20,
        ),
        seed: u64,
    ) {
        let command = words.join(" ");
        let mut script = Script::default();
        script.ask("Go.").call("c01", "Bash", &json!({"command": command})).deny("c01");
        let sets = both(&script.run(&[]), 1);
        let of_call = sets.iter().flat_map(|set| &set.questions);
        for question in of_call.filter(|question| question.question_type == QuestionType::RefusedCall) {
            prop_assert_eq!(errors(RuleSet::Strict2, question, seed), Vec::<String>::new());
        }
    }
}
