//! The questions about small runs, and their truths.

use std::fmt::Write;

use crate::questions_support::{Script, both, of_type, printer_run};
use ground_truth::oracle::{RunFiles, recount};
use ground_truth::questions::{GraderKind, Truth};
use serde_json::{Value, json};

const SEED: u64 = 7;

fn truth_of(run: &RunFiles, name: &str) -> Value {
    of_type(&both(run, SEED), name).truth.answer()
}

/// Why a type was left out.
fn left_out(run: &RunFiles, name: &str) -> Option<String> {
    let sets = both(run, SEED);
    let mut all = sets.into_iter().flat_map(|set| set.left_out);
    all.find(|left| left.question_type.as_str() == name).map(|left| left.why)
}

#[test]
fn every_type_is_asked_of_a_run_that_has_its_truth() {
    let mut shown = String::new();
    for set in both(&printer_run(), SEED) {
        assert_eq!(set.left_out, []);
        writeln!(shown, "{}\n{}\n", set.pack, set.preamble).unwrap();
        for question in &set.questions {
            writeln!(shown, "{}: {}", question.question_type, question.text).unwrap();
            writeln!(shown, "  = {}", question.truth.answer()).unwrap();
        }
        shown.push('\n');
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn the_declared_grader_is_that_of_the_truth() {
    for question in both(&printer_run(), SEED).iter().flat_map(|set| &set.questions) {
        let fits = match question.grader {
            GraderKind::ExactInteger => matches!(question.truth, Truth::Integer { .. }),
            GraderKind::ExactString => {
                matches!(question.truth, Truth::Name { .. } | Truth::Path { .. })
            }
            GraderKind::Quotation => matches!(question.truth, Truth::Quotation { .. }),
            GraderKind::SetF1 | GraderKind::SetF1OrNone => {
                matches!(question.truth, Truth::Set { .. })
            }
            GraderKind::Duration => matches!(question.truth, Truth::Duration { .. }),
            GraderKind::YesNo => matches!(question.truth, Truth::YesNo { .. }),
            GraderKind::NotStated => matches!(question.truth, Truth::NotStated),
            GraderKind::Each => matches!(question.truth, Truth::Each { .. }),
        };
        assert!(fits, "{}", question.id);
        assert!(!question.text.contains(['{', '}']), "{}", question.text);
    }
}

#[test]
fn truths_agree_with_the_recount() {
    let run = printer_run();
    let counted = recount(&run);
    assert_eq!(truth_of(&run, "latest_ask"), json!(counted.latest_request));
    assert_eq!(truth_of(&run, "n_turns"), json!(counted.prompts));
    assert_eq!(truth_of(&run, "last_error"), json!(counted.last_error));
    assert_eq!(truth_of(&run, "dangling"), json!(counted.dangling));
    assert_eq!(truth_of(&run, "files"), json!(counted.files_written));
    assert_eq!(truth_of(&run, "model_tokens"), json!(counted.tokens.output));
}

#[test]
fn choices_follow_from_the_run_and_the_seed() {
    let run = printer_run();
    assert_eq!(both(&run, 1), both(&run, 1));
    let texts: std::collections::BTreeSet<String> =
        (0..20).map(|seed| of_type(&both(&run, seed), "was_read").text.clone()).collect();
    assert!(texts.len() > 10);
    for seed in 0..20 {
        let sets = both(&run, seed);
        let files = &of_type(&sets, "was_read").truth.answer();
        let files: Vec<&Value> = files.as_array().unwrap().iter().collect();
        assert!(files.contains(&&json!("yes")) && files.contains(&&json!("no")));
        let silent = of_type(&sets, "not_stated").truth.answer();
        assert_eq!(silent.as_array().unwrap().iter().filter(|it| **it == "not stated").count(), 1);
    }
}

#[test]
fn a_type_without_a_truth_is_left_out_and_said_to_be() {
    let mut script = Script::default();
    script.ask("Do nothing.");
    let run = script.run(&[]);
    for (name, why) in [
        ("last_error", "no call of the main agent failed"),
        ("first_error", "no call of the main agent failed"),
        ("top_tool", "the main agent called no tool"),
        ("files", "no file was changed"),
        ("subagents", "the main agent launched no subagent with a description"),
        ("turn_request", "there are fewer than three user turns"),
        ("not_stated", "the main agent called no tool"),
    ] {
        assert_eq!(left_out(&run, name).as_deref(), Some(why), "{name}");
    }
    assert_eq!(left_out(&run, "latest_ask"), None);
    let empty = RunFiles::from_bytes(vec![("s.jsonl".into(), Vec::new())]);
    for set in both(&empty, SEED) {
        assert!(set.questions.is_empty(), "{:?}", set.questions);
    }
}

#[test]
fn tools_that_tie_are_all_right() {
    let mut script = Script::default();
    script.ask("Go.");
    for (id, tool) in [("1", "Read"), ("2", "Bash"), ("3", "Bash"), ("4", "Read"), ("5", "Glob")] {
        script.call(id, tool, &json!({})).ok(id, "");
    }
    let sets = both(&script.run(&[]), SEED);
    let Truth::Name { accepted, known } = &of_type(&sets, "top_tool").truth else { unreachable!() };
    assert_eq!(accepted, &["Bash", "Read"]);
    assert_eq!(known, &["Bash", "Glob", "Read"]);
}

#[test]
fn what_a_subagent_does_is_not_the_main_threads() {
    let mut main = Script::default();
    let mut agent = Script::default();
    main.ask("Go.").call("m", "Read", &json!({"path": "a"})).ok("m", "x");
    for id in ["1", "2", "3"] {
        agent.call(id, "Bash", &json!({"command": "ls"})).fail(id, "no such folder");
    }
    agent.say("I am the subagent.").call("4", "Write", &json!({"path": "b"})).ok("4", "");
    let run = main.run(&[("a1", &agent)]);
    assert_eq!(truth_of(&run, "top_tool"), "Read");
    assert_eq!(truth_of(&run, "dangling"), "none");
    for name in ["last_error", "files", "top_command", "last_words", "refused_call"] {
        assert!(left_out(&run, name).is_some(), "{name}");
    }
}

#[test]
fn a_subject_that_the_run_mentions_is_not_said_to_be_absent() {
    let mut script = Script::default();
    let words = "review phone customer budget uptime in the city my manager battery legal lunch";
    script.ask(&format!("{words} airline Meeting")).call("1", "Bash", &json!({})).ok("1", "");
    let why = left_out(&script.run(&[]), "not_stated").unwrap();
    assert_eq!(why, "the trace may say everything that could be asked for");
    script.ask("capacity is no city").call("2", "Bash", &json!({}));
    let mut script = Script::default();
    script.ask(&format!("{words} airline meetings velocity")).call("1", "Bash", &json!({}));
    let sets = both(&script.run(&[]), SEED);
    let text = &of_type(&sets, "not_stated").text;
    assert!(text.contains("next team meeting"), "only a whole word is a mention: {text}");
}

#[test]
fn a_call_is_named_by_tool_and_argument_or_id() {
    let mut script = Script::default();
    script.ask("Go.");
    script.call("t1", "Read", &json!({"path": "a.rs"})).ok("t1", "");
    script.call("t2", "Edit", &json!({"path": "a.rs"})).ok("t2", "");
    script.call("t3", "Bash", &json!({"command": "make", "description": "build"})).ok("t3", "");
    script.call("t4", "Edit", &json!({"path": "a.rs"})).deny("t4");
    let sets = both(&script.run(&[]), SEED);
    let accepted = |name| match &of_type(&sets, name).truth {
        Truth::Quotation { accepted, .. } => accepted.clone(),
        other => panic!("{other:?}"),
    };
    let bash = accepted("after_last_edit");
    assert!(["Bash make", "make", "t3"].iter().all(|form| bash.iter().any(|it| it == form)));
    let edit = accepted("refused_call");
    assert!(edit.iter().any(|form| form == "Edit a.rs"));
    assert!(!edit.iter().any(|form| form == "a.rs"), "it was read too");
}
