//! What holds for every task on the workbench, and for any call.

use corpus_gen::tasks::{
    ANSWER_FILE, COLLECTION_FILE, Check, Family, Repair, Task, TaskSpec, Tool, generate,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn task(family: Family, horizon: u32, seed: u64) -> Task {
    generate(TaskSpec { family, horizon, seed }).unwrap()
}

fn config(rate: &str, padding_chars: usize) -> BenchConfig {
    BenchConfig { padding_chars, error_rate: rate.parse().unwrap(), tally: true }
}

fn bench(task: &Task) -> Workbench {
    Workbench::new(task, config("0", 0))
}

fn take(bench: &mut Workbench, call: &Value) -> Observation {
    bench.take(Action::from_json(call).as_ref())
}

fn write(bench: &mut Workbench, path: &str, content: &str) -> Observation {
    bench.call(&Action::WriteFile { path: path.to_owned(), content: content.to_owned() })
}

fn read(bench: &mut Workbench, path: &str) -> Observation {
    bench.call(&Action::ReadFile { path: path.to_owned() })
}

fn totals(task: &Task) -> &[i64] {
    match &task.check {
        Check::Total { prefixes, .. } => prefixes,
        other => panic!("{other:?}"),
    }
}

/// The verdict on an answer to a chain.
fn answered(task: &Task, answer: &str) -> Verdict {
    let mut bench = bench(task);
    write(&mut bench, ANSWER_FILE, answer);
    bench.verdict()
}

#[test]
fn an_untouched_start_state_earns_nothing() {
    for family in Family::ALL {
        for horizon in [1, 2, 9] {
            let mut bench = bench(&task(family, horizon, 3));
            bench.call(&Action::Done);
            let verdict = bench.verdict();
            assert!(!verdict.success && verdict.partial.num == 0, "{family}: {verdict:?}");
            assert_eq!(verdict.partial.den, u64::from(horizon));
        }
    }
}

#[test]
fn the_right_total_succeeds_and_a_prefix_is_credited_apart() {
    for family in [Family::Chain, Family::AltChain, Family::ProseChain] {
        let task = task(family, 8, 1);
        let totals = totals(&task);
        let right = answered(&task, &format!("total = {}\n", totals[7]));
        assert!(right.success && right.partial == Partial { num: 8, den: 8 }, "{right:?}");
        let prefix = answered(&task, &format!(" total={} \n\n", totals[4]));
        assert!(!prefix.success && prefix.partial == Partial { num: 5, den: 8 }, "{prefix:?}");
        let wrong = answered(&task, "total = 100000");
        assert!(!wrong.success && wrong.partial.num == 0, "{wrong:?}");
    }
}

#[test]
fn contradictory_and_roundabout_answers_fail() {
    let task = task(Family::Chain, 8, 1);
    let right = totals(&task)[7];
    for answer in [
        format!("total = {right}\ntotal = {}", right + 1),
        format!("total = {right}\ntotal = {right}"),
        format!("total = {right} or {}", right + 1),
        format!("total = {right}.0"),
        format!("sum = {right}"),
        format!("{right}"),
        format!("The answer is below.\ntotal = {right}"),
        "total = 99999999999999999999999".to_owned(),
        String::new(),
    ] {
        let verdict = answered(&task, &answer);
        assert!(!verdict.success && verdict.partial.num == 0, "{answer:?}: {verdict:?}");
    }
}

#[test]
fn a_chain_can_be_followed_from_its_goal() {
    let task = task(Family::Chain, 12, 5);
    let mut bench = Workbench::new(&task, config("0.2", 300));
    let mut path = task.links[0].path.clone();
    let mut total = 0;
    loop {
        let seen = read(&mut bench, &path);
        if seen.outcome == CallOutcome::InjectedError {
            continue;
        }
        let (text, padding) = seen.text.rsplit_once(PADDING_MARK).unwrap();
        assert_eq!(padding.trim_start().chars().count(), 300);
        let value = |key: &str| text.lines().find_map(|l| l.strip_prefix(key)).unwrap().to_owned();
        total += value("delta = ").parse::<i64>().unwrap();
        path = value("next = ");
        if path == "end" {
            break;
        }
    }
    while write(&mut bench, ANSWER_FILE, &format!("total = {total}")).outcome != CallOutcome::Ok {}
    assert!(bench.verdict().success);
    assert!(!bench.is_done());
    assert!(bench.call(&Action::Done).done);
}

#[test]
fn scattered_values_are_collected_exactly() {
    let task = task(Family::Scatter, 6, 2);
    let Check::Lines { lines, .. } = &task.check else { panic!() };
    let all: Vec<String> = lines.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    let verdict = |text: &str| {
        let mut bench = bench(&task);
        write(&mut bench, COLLECTION_FILE, text);
        bench.verdict()
    };
    let reversed: Vec<String> = all.iter().rev().cloned().collect();
    assert!(verdict(&reversed.join("\n")).success);
    for (text, right) in [
        (all[..4].join("\n"), 4),
        (format!("{}\n{}", all.join("\n"), all[0]), 6),
        (format!("{}\nother_key = 3", all.join("\n")), 6),
        (format!("{}1", all.join("\n")), 5),
        (format!("{}\n{}1", all.join("\n"), all[0]), 5),
    ] {
        let verdict = verdict(&text);
        assert!(!verdict.success, "{text}");
        assert_eq!(verdict.partial, Partial { num: right, den: 6 }, "{text}: {verdict:?}");
    }
}

#[test]
fn good_files_that_are_changed_or_emptied_fail_fix() {
    let task = task(Family::Fix, 5, 4);
    let Check::State { files, repairs } = &task.check else { panic!() };
    let repaired = || {
        let mut bench = bench(&task);
        for (path, text) in files.iter().filter(|(path, text)| task.files[*path] != **text) {
            write(&mut bench, path, text);
        }
        bench
    };
    assert!(repaired().verdict().success);
    let good = files.keys().find(|path| repairs.iter().all(|r| r.path != **path)).unwrap();
    for content in ["", "max_retries = 1\n"] {
        let mut bench = repaired();
        write(&mut bench, good, content);
        let verdict = bench.verdict();
        assert!(!verdict.success && verdict.partial == Partial { num: 5, den: 5 }, "{verdict:?}");
    }
    let mut bench = repaired();
    write(&mut bench, "config/new.conf", "mode = strict");
    assert!(!bench.verdict().success);
    // A repaired line with its old one kept is no repair, and neither is a file that lost the others.
    let Repair { path, key, value } = &repairs[0];
    for content in [format!("{}{key} = {value}\n", task.files[path]), format!("{key} = {value}")] {
        let mut bench = repaired();
        write(&mut bench, path, &content);
        assert!(!bench.verdict().success, "{content}");
    }
}

#[test]
fn errors_depend_on_the_count_of_real_calls_alone() {
    let task = task(Family::Fix, 5, 9);
    let path = task.files.keys().next().unwrap();
    let run = |between: &[Value]| -> Vec<CallOutcome> {
        let mut bench = Workbench::new(&task, config("0.3", 0));
        let mut outcomes = Vec::new();
        for _ in 0..200 {
            for call in between {
                assert_eq!(take(&mut bench, call).outcome, CallOutcome::ValidationError);
            }
            outcomes.push(read(&mut bench, path).outcome);
        }
        outcomes
    };
    let plain = run(&[]);
    assert_eq!(plain, run(&[json!(3), json!({"tool": "read_file", "args": {"path": "../x"}})]));
    let failed = plain.iter().filter(|o| **o == CallOutcome::InjectedError).count();
    assert!((40..80).contains(&failed), "{failed}");
    // Another worker that does other things meets the errors at the same calls.
    let mut bench = Workbench::new(&task, config("0.3", 0));
    let other: Vec<bool> = (0..200)
        .map(|_| write(&mut bench, "x", "y").outcome == CallOutcome::InjectedError)
        .collect();
    let met: Vec<bool> = plain.iter().map(|o| *o == CallOutcome::InjectedError).collect();
    assert_eq!(met, other);
}

#[test]
fn an_injected_error_does_nothing_and_done_never_meets_one() {
    let task = task(Family::Chain, 3, 1);
    let rate = "0.999999999";
    let mut bench = Workbench::new(&task, config(rate, 0));
    assert_eq!(write(&mut bench, ANSWER_FILE, "total = 1").outcome, CallOutcome::InjectedError);
    assert!(!bench.files().contains_key(ANSWER_FILE));
    let done = bench.call(&Action::Done);
    assert_eq!((done.outcome, done.done, done.call_index), (CallOutcome::Ok, true, None));
    let after = read(&mut bench, ANSWER_FILE);
    assert_eq!((after.outcome, after.call_index), (CallOutcome::ValidationError, None));
}

#[test]
fn validation_comes_before_injection() {
    let mut bench = Workbench::new(&task(Family::Chain, 3, 1), config("0.999999999", 0));
    for call in [json!({"tool": "search", "args": {"pattern": "delta"}}), json!({"tool": "fly"})] {
        let seen = take(&mut bench, &call);
        assert_eq!((seen.outcome, seen.call_index), (CallOutcome::ValidationError, None));
    }
    assert_eq!(read(&mut bench, "nothing").call_index, Some(0));
}

#[test]
fn disabled_tools_are_refused_and_not_listed() {
    let task = task(Family::Chain, 3, 1);
    let mut bench = Workbench::new(&task, BenchConfig::default());
    assert_eq!(bench.tools(), [Tool::ReadFile, Tool::WriteFile, Tool::Done]);
    for tool in ["list_files", "search", "tally"] {
        let call = json!({"tool": tool, "args": {"pattern": "x", "name": "x", "add": 1}});
        assert_eq!(take(&mut bench, &call).outcome, CallOutcome::ValidationError, "{tool}");
    }
    let text = bench.call(&Action::ListFiles).text;
    assert!(text.contains("`list_files` is disabled"), "{text}");
}

#[test]
fn invalid_calls_are_told_what_to_write() {
    for (call, expected) in [
        (json!([]), "a call is a JSON object"),
        (json!({"tool": 3}), "a call is a JSON object"),
        (json!({"tool": "read_file", "args": []}), "a call is a JSON object"),
        (json!({"tool": "cat"}), "there is no tool `cat`"),
        (json!({"tool": "read_file"}), "needs the argument `path`: a string"),
        (json!({"tool": "read_file", "args": {"path": 3}}), "needs the argument `path`"),
        (json!({"tool": "read_file", "args": {"path": "a", "offset": 3}}), "no argument `offset`"),
        (json!({"tool": "read_file", "args": {"path": "a/../../b"}}), "no path of a file here"),
        (json!({"tool": "tally", "args": {"name": "x", "add": 1.5}}), "an integer"),
        (json!({"tool": "tally", "args": {"name": "\n", "add": 1}}), "a name"),
        (json!({"tool": "search", "args": {"pattern": ""}}), "the text to find"),
        (json!({"tool": "search", "args": {"pattern": "x".repeat(201)}}), "at most 200 characters"),
        (json!({"tool": "write_file", "args": {"path": "a"}}), "needs the argument `content`"),
    ] {
        let error = Action::from_json(&call).unwrap_err().to_string();
        assert!(error.contains(expected), "{call}: {error}");
    }
    let done = json!({"tool": "done", "args": {"summary": "x"}, "note": "kept elsewhere"});
    assert_eq!(Action::from_json(&done), Ok(Action::Done));
}

#[test]
fn one_file_under_two_spellings_is_one_file() {
    let mut bench = bench(&task(Family::Fix, 1, 1));
    write(&mut bench, "./config//x.conf", "a");
    assert_eq!(&*read(&mut bench, "/config/x.conf").text, "a");
    let call = json!({"tool": "read_file", "args": {"path": "./a//b"}});
    assert_eq!(Action::from_json(&call).unwrap().args(), json!({"path": "a/b"}));
}

#[test]
fn a_search_says_how_much_of_how_much_it_shows() {
    let mut bench = bench(&task(Family::Fix, 60, 1));
    let text = bench.call(&Action::Search { pattern: "= ".to_owned() }).text;
    let head = text.lines().next().unwrap();
    assert!(head.starts_with("100 of ") && head.ends_with(" lines found:"), "{head}");
    assert_eq!(text.lines().count(), 101);
    let none = bench.call(&Action::Search { pattern: "*".to_owned() }).text;
    assert_eq!(none.trim(), "no line contains that");
}

#[test]
fn running_totals_are_kept_by_name_and_never_wrap() {
    let mut bench = bench(&task(Family::Chain, 2, 1));
    let mut tally =
        |name: &str, add: i64| bench.call(&Action::Tally { name: name.to_owned(), add });
    tally("sum", 40);
    tally("other", 7);
    assert_eq!(&*tally("sum", -2).text, "running total `sum` is 38 after 2 additions");
    assert_eq!(tally("sum", i64::MAX).outcome, CallOutcome::ToolError);
    assert_eq!(&*tally("sum", 0).text, "running total `sum` is 38 after 3 additions");
}

#[test]
fn a_step_of_a_chain_is_as_many_tokens_as_the_published_ones() {
    let task = task(Family::Chain, 60, 1);
    let mut bench = Workbench::new(&task, BenchConfig::default());
    let tokenizer = tiktoken_rs::o200k_base_singleton();
    let tokens: usize = (task.links.iter())
        .map(|link| {
            let action = Action::ReadFile { path: link.path.clone() };
            let text = format!("{}\n{}", action.to_json(), bench.call(&action).text);
            tokenizer.encode_ordinary(&text).len()
        })
        .sum();
    let mean = tokens / 60;
    assert!((220..=242).contains(&mean), "{mean} tokens a step; the published ones are 231");
}

/// Any JSON, with a leaning towards calls that are nearly right.
fn any_call() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        any::<String>(),
        "[a-z./]{0,12}",
        Just("answer.txt".to_owned()),
        Just("x".repeat(MAX_CONTENT + 1)),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    let json = leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,8}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    let tools: Vec<&str> = Tool::ALL.map(Tool::name).to_vec();
    let names = vec!["path", "content", "pattern", "name", "add", "x"];
    let args = prop::collection::btree_map(prop::sample::select(names), json.clone(), 0..4)
        .prop_map(|map| map.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<Value>());
    let near = (prop::sample::select(tools), args)
        .prop_map(|(tool, args)| json!({"tool": tool, "args": args}));
    prop_oneof![1 => json, 4 => near]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_call_crashes_the_bench(
        calls in prop::collection::vec(any_call(), 1..12),
        family in prop::sample::select(Family::ALL.to_vec()),
        seed: u64,
    ) {
        let mut bench = Workbench::new(&task(family, 3, seed), config("0.1", 50));
        for call in &calls {
            let before = bench.files().clone();
            let seen = take(&mut bench, call);
            prop_assert!(seen.text.len() < MAX_CONTENT + 10_000);
            if seen.outcome.is_error() {
                prop_assert_eq!(&before, bench.files());
            }
        }
        let verdict = bench.verdict();
        prop_assert!(verdict.partial.num <= verdict.partial.den);
    }

    #[test]
    fn a_call_survives_its_json(path in "[a-z]{1,9}(/[a-z]{1,9}){0,2}", content: String, add: i64) {
        for action in [
            Action::ReadFile { path: path.clone() },
            Action::WriteFile { path: path.clone(), content: content.clone() },
            Action::Tally { name: path.clone(), add },
            Action::Search { pattern: path },
            Action::ListFiles,
            Action::Done,
        ] {
            prop_assert_eq!(Action::from_json(&action.to_json()), Ok(action));
        }
    }
}
