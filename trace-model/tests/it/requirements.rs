//! What the worker view must do, each requirement under its number, with the failure it prevents.
//! Every test says which mechanism it pins and what becomes of the view without it.

use serde_json::json;
use trace_model::detect::DetectorConfig;
use trace_model::extract::{
    Candidates, ExtractionConfig, ExtractionReport, Extractions, Extractors, FixedPatterns,
    extract_facts,
};
use trace_model::fold::{FactConfig, FoldConfig, RunState, Statistic};
use trace_model::run::Folder;
use trace_model::view::worker::{WorkerViewConfig, compile};

use crate::common::{Folded, Pairs, Script, ScriptedModel};

/// The lines of the view that start with `head`, and the indented or listed ones after it.
fn section<'v>(view: &'v str, head: &str) -> Vec<&'v str> {
    let mut lines = view.lines().skip_while(|line| !line.starts_with(head));
    let first = lines.next().unwrap_or_else(|| panic!("no section {head:?} in\n{view}"));
    let rest = lines.take_while(|line| line.starts_with(['-', ' ']));
    std::iter::once(first).chain(rest).collect()
}

/// The aggregate line of a key.
fn aggregate<'v>(view: &'v str, key: &str) -> &'v str {
    let start = format!("- {key} ");
    let found = section(view, "AGGREGATES").into_iter().find(|line| line.starts_with(&start));
    found.unwrap_or_else(|| panic!("no aggregate of {key} in\n{view}"))
}

/// How often the view lists a fact.
fn listed(view: &str, fact: &str) -> usize {
    let end = format!(": {fact}");
    section(view, "FACTS")
        .iter()
        .filter(|line| line.starts_with("  ") && line.ends_with(&end))
        .count()
}

/// A chain of files, each with one delta, read one after the other: 1, 2, 3, …
fn chain(script: Script, files: std::ops::RangeInclusive<u32>) -> Script {
    files.fold(script, |script, n| script.read(&format!("{n:02}.txt"), &format!("delta = {n}")))
}

fn showing(in_view: usize) -> FoldConfig {
    FoldConfig { facts: FactConfig { in_view, ..FactConfig::default() }, ..FoldConfig::default() }
}

/// Pins that values are kept and printed (`Shown`, the FACTS section). Without it the view names
/// `a.txt` under FILES, and the worker has to read it again to learn what it said.
#[test]
fn r01_carry_facts_not_references() {
    let folded = Script::new()
        .prompt("What does a.txt say?")
        .read("a.txt", "# header\ndelta = 5\nnext = b.txt\nlabel = two words")
        .fold();
    let view = folded.view();
    assert_eq!(
        section(&view, "FACTS"),
        [
            "FACTS (key = value lines of results; all 3, last read last):",
            "- a.txt (event 2):",
            "  2: delta = 5",
            "  3: next = b.txt",
            "  4: label = two words",
        ]
    );
}

/// Pins that a fact is (source, key, occurrence): a reading's values of a key are matched with the
/// known ones one to one. Keyed by (source, key) with the newest value winning, thirty `delta`
/// lines of one file become one line, and so does their sum.
#[test]
fn r02_occurrence_identity() {
    let lines: Vec<String> = (1..=30).map(|n| format!("delta = {n}")).collect();
    let one_file = Script::new().prompt("go").read("all.txt", &lines.join("\n")).fold();
    let many_files = chain(Script::new().prompt("go"), 1..=30).fold();
    for folded in [one_file, many_files] {
        assert_eq!(folded.state.fact_count(), 30);
        let view = folded.view();
        for n in 1..=30 {
            assert_eq!(listed(&view, &format!("delta = {n}")), 1, "delta = {n} in\n{view}");
        }
        // 1 + 2 + … + 30.
        assert!(aggregate(&view, "delta").starts_with("- delta sum 465, over 30 values"), "{view}");
    }
    // An equal value is an occurrence too.
    let equal = Script::new().prompt("go").read("a.txt", "delta = 4\ndelta = 4").fold();
    assert!(aggregate(&equal.view(), "delta").starts_with("- delta sum 8, over 2 values"));
}

/// No space at its ends, which prompts lose.
const LONG: &str = "word-";

/// A run with more of everything than the small view shows.
fn crowded() -> Folded {
    let long = LONG.repeat(2000);
    let mut script = Script::new().prompt(&format!("goal {long}"));
    for n in 0..6 {
        let path = format!("file{n}.txt");
        script = script
            .done(&format!("Tool{n}"), json!({"n": n, "long": long}), "ok")
            .read(&path, &format!("key{n} = {n}\nshared = {n}"))
            .call(&format!("bad{n}"), "Bash", json!({"command": format!("false {n} {long}")}))
            .fails(&format!("bad{n}"), &format!("failure {n} {long}"))
            .says(&format!("conclusion {n} {long}"))
            .prompt(&format!("request {n} {long}"));
    }
    script = unasked(script);
    for _ in 0..4 {
        // Stalls that are over: the call answers after more than ten minutes.
        script = script.call("slow", "Bash", json!({"command": "sleep"}));
        script.clock += 700;
        let answer = format!("slow{}", script.clock);
        script = script
            .with(json!({"message": {"content": [
                {"type": "tool_use", "id": answer, "name": "Bash", "input": {"command": "sleep"}},
            ]}}))
            .result(&answer, "done");
    }
    for n in 0..5 {
        script =
            script.call(&format!("open{n}"), "Bash", json!({"command": format!("{n} {long}")}));
    }
    script.fold_with(showing(5))
}

/// Pins `share()` and `one_line()`: whatever is cut states how much of how much it shows. Without
/// it the worker takes two of twelve files for all of them, and the head of an error for the whole.
#[test]
fn r03_never_truncate_silently() {
    let folded = crowded();
    let config = WorkerViewConfig {
        goal_chars: 50,
        request_chars: 60,
        event_chars: 40,
        tools: 2,
        files: 2,
        calls: 2,
        failures: 2,
        cleared_anomalies: 2,
        episodes: 2,
        aggregates: 2,
    };
    let view = compile(&folded.state, &config);
    // Tools: Bash, Read and six others. Files: six. Failures: six. Episodes: seven turns. Stalls:
    // four. Keys: key0 to key5 and shared. Facts: twelve.
    for (head, shares) in [
        ("TOOLS", "by calls of the main thread (2 of 8):"),
        ("CALLS WITHOUT A RESULT", "(2 of 5):"),
        ("RECENT FAILURES", "(2 of 6, newest first):"),
        ("FILES", "(2 of 6, last used first"),
        ("EPISODES", "(2 of 7, newest first):"),
        ("AGGREGATES", "of facts (2 of 7 keys, exact):"),
        ("FACTS", "(key = value lines of results; 5 of 12, last read last):"),
        ("ALERTS that are over", "(2 of 4, newest first):"),
    ] {
        let line = section(&view, head)[0];
        assert!(line.starts_with(&format!("{head} {shares}")), "{line}");
    }
    // What a list shows is what its head says.
    assert_eq!(section(&view, "TOOLS")[0].matches(',').count(), 1);
    for head in ["CALLS WITHOUT A RESULT", "RECENT FAILURES", "FILES", "EPISODES", "AGGREGATES"] {
        assert_eq!(section(&view, head).len(), 3, "{head} in\n{view}");
    }
    let facts = section(&view, "FACTS");
    assert_eq!(facts.iter().filter(|line| line.contains(" = ")).count(), 1 + 5);
    // An aggregate says how many of its facts are below.
    assert!(aggregate(&view, "shared").contains("; 3 of 6 are listed below"), "{view}");
}

/// Pins that a text which was shortened before it reached the view still states its whole length.
/// The state keeps the heads of inputs, failures, conclusions and moments only.
#[test]
fn r03_never_truncate_silently_long_texts() {
    let words = LONG.len() * 2000;
    let folded = crowded();
    for config in [
        WorkerViewConfig::default(),
        // More room than the state keeps: what is missing must be said all the same.
        WorkerViewConfig {
            goal_chars: 1_000_000,
            request_chars: 1_000_000,
            event_chars: 1_000_000,
            ..WorkerViewConfig::default()
        },
    ] {
        let view = compile(&folded.state, &config);
        let whole = |line: &str, before: usize| {
            let total = format!(" of {} characters]", words + before);
            assert!(line.contains(&total), "`{total}` is not in: {line}");
        };
        whole(section(&view, "GOAL")[0], "goal ".len());
        whole(section(&view, "LATEST REQUEST")[0], "request 5 ".len());
        whole(section(&view, "LAST ERROR")[0], "failure 5 ".len());
        for line in &section(&view, "CALLS WITHOUT A RESULT")[1..] {
            whole(line, r#"{"command":"0 "}"#.len());
        }
        for (n, line) in section(&view, "RECENT FAILURES")[1..].iter().enumerate() {
            whole(line, format!("failure {} ", 5 - n).len());
            whole(line, format!(r#"{{"command":"false {} "}}"#, 5 - n).len());
        }
        let episodes = section(&view, "EPISODES");
        assert!(episodes.len() > 2, "{view}");
        for line in &episodes[2..] {
            whole(line, "conclusion 0 ".len());
        }
        let moments = section(&view, "LAST EVENTS");
        assert_eq!(moments.len(), 9, "{view}");
        for line in moments.iter().filter(|line| line.contains("calls Bash")) {
            if !line.contains("sleep") {
                whole(line, r#"{"command":"0 "}"#.len());
            }
        }
    }
}

/// The same for the last events themselves: eight of how many is said.
#[test]
fn r03_never_truncate_silently_last_events() {
    let script = (0..20).fold(Script::new(), |script, n| script.says(&format!("word {n}")));
    let view = script.fold().view();
    let moments = section(&view, "LAST EVENTS");
    assert_eq!(moments.len(), 9, "{view}");
    assert!(moments[0].contains("8 of 20"), "{}", moments[0]);
}

/// Pins that a fact's identity holds its source (`SourceRef`). Keyed by key and value alone, the
/// two files' equal values are one, their sum is 5, and reading `a.txt` again touches both.
#[test]
fn r04_source_scoped_identity() {
    let script = Script::new().prompt("go").read("a.txt", "delta = 5").read("b.txt", "delta = 5");
    let view = script.fold().view();
    assert!(aggregate(&view, "delta").starts_with("- delta sum 10, over 2 values"), "{view}");
    assert_eq!(
        section(&view, "FACTS")[1..],
        ["- a.txt (event 2):", "  1: delta = 5", "- b.txt (event 4):", "  1: delta = 5"]
    );
    // A new value of one is no new value of the other.
    let view = script.read("a.txt", "delta = 7").fold().view();
    assert!(aggregate(&view, "delta").starts_with("- delta sum 12, over 2 values"), "{view}");
    // The source of a call without a path is its whole input: other commands are other sources.
    let commands = Script::new().prompt("go").bash("one", "n = 1").bash("two", "n = 1").fold();
    assert!(aggregate(&commands.view(), "n").starts_with("- n sum 2, over 2 values"));
}

/// Pins `Aggregate`: the view states what the values add up to, exactly, after every reading.
/// Without it a worker has to add thirty decimals itself.
#[test]
fn r05_deterministic_running_aggregates() {
    let mut script = Script::new().prompt("go");
    // In thousandths: 0.1 + 0.2 + … with a sign that alternates, as no float would add them.
    let mut thousandths = 0_i64;
    for n in 1..=30_i64 {
        let value = if n % 2 == 0 { -n * 101 } else { n * 101 };
        thousandths += value;
        let (whole, part) = (value.abs() / 1000, value.abs() % 1000);
        let sign = if value < 0 { "-" } else { "" };
        script = script.read(&format!("{n}.txt"), &format!("delta = {sign}{whole}.{part:03}"));
        let folded = script.fold();
        let aggregates = folded.state.aggregates();
        let sum = &aggregates[0].statistics[0];
        let exact = rust_decimal::Decimal::new(thousandths, 3).normalize().to_string();
        assert_eq!((sum.0, sum.1.to_string()), (Statistic::Sum, exact.clone()));
        assert!(
            aggregate(&folded.view(), "delta").starts_with(&format!("- delta sum {exact}, over"))
        );
    }
    // Sum of n x 0.101 with alternating sign over 1..=30 is -15 x 0.101.
    assert_eq!(thousandths, -1515);
}

/// Pins that the sum is kept apart from the facts that are shown. Summing what is in view, thirty
/// values with room for ten come to 21 + … + 30 = 255.
#[test]
fn r06_aggregate_preserving_eviction() {
    let folded = chain(Script::new().prompt("go"), 1..=30).fold_with(showing(10));
    let view = folded.view();
    assert!(section(&view, "FACTS")[0].contains("; 10 of 30,"), "{view}");
    let line = aggregate(&view, "delta");
    assert!(line.starts_with("- delta sum 465, over 30 values"), "{line}");
    assert!(line.ends_with("; 10 of 30 are listed below"), "{line}");
    // A key all of whose values are gone from view keeps its line.
    let folded =
        chain(Script::new().prompt("go").read("z.txt", "early = 7"), 1..=30).fold_with(showing(10));
    let view = folded.view();
    assert!(!section(&view, "FACTS").iter().any(|line| line.contains("early")), "{view}");
    let line = aggregate(&view, "early");
    assert!(line.starts_with("- early sum 7, over 1 values"), "{line}");
    assert!(line.ends_with("; 0 of 1 are listed below"), "{line}");
}

/// Pins that facts stay tracked when they are no longer shown. If eviction forgot them, reading the
/// first file again after it was evicted would count its value a second time: 466 over 31.
#[test]
fn r07_reread_idempotence_across_eviction() {
    let script = chain(Script::new().prompt("go"), 1..=30);
    let again = chain(script.clone(), 1..=1).fold_with(showing(10));
    let view = again.view();
    assert_eq!(again.state.fact_count(), 30);
    assert!(aggregate(&view, "delta").starts_with("- delta sum 465, over 30 values"), "{view}");
    // It is in view again, and still once.
    assert_eq!(listed(&view, "delta = 1"), 1, "{view}");
    // Read whole again and again, the sum stays.
    let thrice = chain(chain(script, 1..=30), 1..=30).fold_with(showing(10));
    assert!(aggregate(&thrice.view(), "delta").starts_with("- delta sum 465, over 30 values"));
}

/// Pins the end of an aggregate's line: how many values it covers and up to which reading. Without
/// it the worker cannot tell whether the value it has just read is in the sum, and adds it again.
#[test]
fn r11_aggregates_state_their_own_coverage() {
    let covered = |script: &Script| aggregate(&script.fold().view(), "delta").to_owned();
    let script = chain(Script::new().prompt("go"), 1..=3);
    assert_eq!(
        covered(&script),
        "- delta sum 6, over 3 values, up to and including 03.txt (event 6); all are listed below"
    );
    // Another key's reading is not this key's coverage.
    let script = script.read("other.txt", "gamma = 1");
    assert!(covered(&script).contains("up to and including 03.txt (event 6);"));
    // One more value is in it as soon as its result is.
    let script = chain(script, 4..=4);
    assert!(
        covered(&script).contains("sum 10, over 4 values, up to and including 04.txt (event 10)")
    );
    // A file read again is covered as of now.
    let script = chain(script, 2..=2);
    assert!(
        covered(&script).contains("sum 10, over 4 values, up to and including 02.txt (event 12)")
    );
    // What is not a number is not in the sum, and the line says so.
    let script = script.read("05.txt", "delta = unknown");
    assert!(covered(&script).contains("sum 10, over the 4 numbers among 5 values, up to"));
    // A call in flight has not answered: nothing of it is covered.
    let script = script.call("x", "Read", json!({"file_path": "06.txt"}));
    assert!(covered(&script).contains("up to and including 05.txt"));
}

/// Each text in a request of its own: a model sees no other text when it names what it finds.
fn one_by_one() -> ExtractionConfig {
    ExtractionConfig { batch_texts: 1, ..ExtractionConfig::default() }
}

/// Files read one after the other, each in the given words.
fn prose(texts: &[&str]) -> Script {
    (1..).zip(texts).fold(Script::new().prompt("go"), |script, (n, text)| {
        script.read(&format!("{n:02}.txt"), text)
    })
}

/// Extracts from a run and folds it.
fn extracted(
    script: &Script,
    model: &mut ScriptedModel,
    fallback: Option<&mut ScriptedModel>,
    config: &ExtractionConfig,
    known: &mut Extractions,
) -> (Folded, ExtractionReport) {
    let texts = Candidates::new().push(&script.bytes());
    let fallback = fallback.map(|model| -> &mut dyn trace_model::extract::Extractor { model });
    let extractors = Extractors { first: model, fallback };
    let report = extract_facts(&texts, extractors, config, known).unwrap();
    (with(script, known), report)
}

/// A run folded with what is known of it.
fn with(script: &Script, known: &Extractions) -> Folded {
    let mut folder = Folder::new(FoldConfig::default());
    folder.push_with(&script.bytes(), known);
    Folded { state: folder.state().clone(), reading: folder.reading().clone() }
}

fn owned(pairs: &[(&str, &str)]) -> Pairs {
    pairs.iter().map(|(first, second)| ((*first).to_owned(), (*second).to_owned())).collect()
}

const STEPS: [&str; 3] =
    ["The increment here comes to 5.", "This file adds 7 to it.", "A step size of 9 applies."];

/// Pins `KeyRegistry`: one role keeps one key from batch to batch, by the keys that the model is
/// handed, by the synonyms that it declares, and by how names are written. Without it the three
/// values of one role come to three keys, and no sum is 21.
#[test]
fn r08_canonical_keys_across_extraction_batches() {
    // Names a role after the text, and says what it takes the name to mean once it is handed keys.
    let mut declaring = ScriptedModel::new("declaring", |text, keys| {
        let (name, value) = match text {
            text if text.contains("increment") => ("Increment", "5"),
            text if text.contains("adds") => ("addend", "7"),
            _ => ("Step size", "9"),
        };
        let means: Vec<(&str, &str)> = keys.iter().map(|key| (name, key.as_str())).collect();
        (owned(&[(name, value)]), owned(&means))
    });
    // Uses a key that it is handed.
    let mut following = ScriptedModel::new("following", |text, keys| {
        let value = text.split([' ', '.']).find(|word| word.parse::<i32>().is_ok()).unwrap();
        let name = keys.first().map_or("INCREMENT", String::as_str);
        (owned(&[(name, value)]), Vec::new())
    });
    for model in [&mut declaring, &mut following] {
        let mut known = Extractions::default();
        let (folded, report) = extracted(&prose(&STEPS), model, None, &one_by_one(), &mut known);
        assert_eq!(model.asked, [1, 1, 1]);
        assert_eq!(report.facts, 3);
        assert_eq!(known.keys().canonical(), ["increment"]);
        let view = folded.view();
        assert!(
            aggregate(&view, "increment").starts_with("- increment sum 21, over 3 values"),
            "{view}"
        );
        assert_eq!(section(&view, "AGGREGATES").len(), 2, "{view}");
    }
}

/// The same when two keys turn out to be one only later: what was extracted under the first is
/// found under the second, and the report says that it has to be folded again.
#[test]
fn r08_canonical_keys_across_extraction_batches_merged_late() {
    let mut model = ScriptedModel::new("late", |text, _| match text {
        text if text.contains("increment") => (owned(&[("increment", "5")]), Vec::new()),
        text if text.contains("adds") => (owned(&[("addend", "7")]), Vec::new()),
        _ => (owned(&[("addend", "9")]), owned(&[("addend", "increment")])),
    });
    let mut known = Extractions::default();
    let (folded, report) = extracted(&prose(&STEPS), &mut model, None, &one_by_one(), &mut known);
    assert_eq!(report.merged, owned(&[("addend", "increment")]));
    let view = folded.view();
    assert!(
        aggregate(&view, "increment").starts_with("- increment sum 21, over 3 values"),
        "{view}"
    );
    // A key of `key = value` lines is one that prose can mean.
    let mut known = Extractions::default();
    known.know_keys(["Delta"]);
    let mut model = ScriptedModel::new("delta", |_, keys| {
        (owned(&[("the step", "7")]), owned(&[("the step", &keys[0])]))
    });
    let script = prose(&["This file adds 7 to it."]).read("b.txt", "Delta = 4");
    let (folded, _) = extracted(&script, &mut model, None, &one_by_one(), &mut known);
    assert!(aggregate(&folded.view(), "Delta").starts_with("- Delta sum 11, over 2 values"));
}

/// The number in `part n: …`.
fn numbered_parts(text: &str, _: &[String]) -> (Pairs, Pairs) {
    let value = text.split([' ', ':']).nth(1).unwrap();
    (owned(&[("part", value)]), Vec::new())
}

/// Pins `Driver::batch`: of a batch that is refused only the text that caused it is lost, and not
/// even that if another extractor takes it. Without bisection one refused text takes the other
/// fifteen of its batch with it.
#[test]
fn r09_refusal_tolerant_batching() {
    let texts: Vec<String> = (1..=16)
        .map(|n| match n {
            5 => format!("part {n}: poison"),
            11 => format!("part {n}: poison and curse"),
            _ => format!("part {n}: water"),
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let run = |config: &ExtractionConfig| {
        let mut model = ScriptedModel::new("first", numbered_parts).refusing(&["poison"]);
        let mut second = ScriptedModel::new("second", numbered_parts).refusing(&["curse"]);
        let known = &mut Extractions::default();
        let (folded, report) =
            extracted(&prose(&texts), &mut model, Some(&mut second), config, known);
        let sum: Vec<String> =
            folded.state.aggregates().iter().map(|a| a.statistics[0].1.to_string()).collect();
        (sum, report, second.asked)
    };
    // 1 + 2 + … + 16 = 136, of which 11 nobody extracts.
    let config = ExtractionConfig::default();
    let (sum, report, second) = run(&config);
    assert_eq!(sum, ["125"]);
    assert_eq!((report.facts, report.given_up, report.fallbacks), (15, 1, 2));
    // Each of the two is found in four halvings, of which they share the first: 1 + 2 x 3 splits.
    assert_eq!((report.bisections, second), (7, vec![1, 1]));
    assert_eq!(report.refusals, 7 + 2 + 1);
    // The switches: without the other extractor both texts are lost; without halves all are.
    let (sum, report, _) = run(&ExtractionConfig { fall_back: false, ..config.clone() });
    assert_eq!((sum, report.given_up), (vec!["120".to_owned()], 2));
    let (sum, report, second) = run(&ExtractionConfig { bisect: false, ..config });
    assert_eq!((sum.len(), report.given_up, second), (0, 16, vec![16]));
}

/// Pins `verbatim`: a value that is not in the text as a whole token does not become a fact. Without
/// it what a model made up, normalized or took out of another number enters the sum.
#[test]
fn r10_verbatim_validation_of_extracted_facts() {
    let text = "The gauge moved by 12 units, from 15 to 2.7, then -8; order 1,200 came twelfth.";
    let mut model = ScriptedModel::new("inventive", |_, _| {
        let values = ["12", "99", "5", "7", "8", "1200", "200", "twelve", "gauge", "12", "-8"];
        (values.map(|value| ("moved".to_owned(), value.to_owned())).to_vec(), Vec::new())
    });
    let mut known = Extractions::default();
    let config = ExtractionConfig::default();
    let (folded, report) = extracted(&prose(&[text]), &mut model, None, &config, &mut known);
    let view = folded.view();
    let values: Vec<&str> = section(&view, "FACTS")[2..].to_vec();
    assert_eq!(values, ["  1: moved = 12", "  1: moved = gauge", "  1: moved = -8"]);
    assert!(
        aggregate(&view, "moved").starts_with("- moved sum 4, over the 2 numbers among 3 values")
    );
    // 12 is in the text once, so it is believed once.
    assert_eq!((report.facts, report.not_verbatim), (3, 8));
    // The switch: everything is believed.
    let config = ExtractionConfig { validate: false, ..config };
    let (folded, report) =
        extracted(&prose(&[text]), &mut model, None, &config, &mut Extractions::default());
    assert_eq!((report.facts, folded.state.fact_count()), (11, 11));
}

/// What was extracted is asked for once: a run folded again, from what was saved, is the same and
/// costs no request, and a file read again counts once.
#[test]
fn extraction_is_remembered_and_repeats_exactly() {
    let script = prose(&["part 3: water", "part 4: water"]);
    let mut model = ScriptedModel::new("first", numbered_parts);
    let mut known = Extractions::default();
    let config = ExtractionConfig::default();
    let (first, _) = extracted(&script, &mut model, None, &config, &mut known);
    assert_eq!(model.asked, [2]);
    let saved = serde_json::to_string(&known).unwrap();
    let mut loaded: Extractions = serde_json::from_str(&saved).unwrap();
    assert_eq!(loaded, known);
    let (again, report) = extracted(&script, &mut model, None, &config, &mut loaded);
    assert_eq!((report.requests, report.remembered, report.texts), (0, 2, 2));
    assert_eq!((&again.state, &loaded), (&first.state, &known));
    // Read again: the same text, known, in force once.
    let reread = script.read("01.txt", "part 3: water");
    let (folded, report) = extracted(&reread, &mut model, None, &config, &mut loaded);
    assert_eq!((report.requests, model.asked.len()), (0, 1));
    let view = folded.view();
    assert!(
        aggregate(&view, "part")
            .starts_with("- part sum 7, over 2 values, up to and including 01.txt"),
        "{view}"
    );
    // Nothing was extracted: prose states no facts.
    assert_eq!(with(&reread, Extractions::none()).state.fact_count(), 0);
}

/// Lines that assign are facts without help, and what an extractor says of them is not counted again.
#[test]
fn an_extracted_fact_of_a_line_that_assigns_counts_once() {
    let script = prose(&["delta = 5\ndelta: 6\nIt grew by 7."]);
    let texts = Candidates::new().push(&script.bytes());
    let mut known = Extractions::default();
    let extractors = Extractors { first: &mut FixedPatterns, fallback: None };
    let report =
        extract_facts(&texts, extractors, &ExtractionConfig::default(), &mut known).unwrap();
    assert_eq!(report.facts, 2);
    let folded = with(&script, &known);
    assert_eq!(section(&folded.view(), "FACTS")[2..], ["  1: delta = 5", "  2: delta = 6"]);
}

/// A client that lets tools run unasked, so that a silent call hangs.
fn unasked(script: Script) -> Script {
    let mode = "bypassPermissions";
    script.record(json!({"type": "permission-mode", "permissionMode": mode}))
}

/// A call that has been silent for too long is flagged though nothing more is written, and the next
/// event clears it.
#[test]
fn a_hang_shows_as_a_stall_until_the_next_event() {
    let script = unasked(Script::new()).prompt("go").call("t", "Bash", json!({"command": "make"}));
    let mut folded = script.fold();
    let last = folded.state.observed().time.unwrap();
    let after = |seconds: i64| trace_model::ids::Millis(last.0 + seconds * 1000);
    folded.state.advance(after(600));
    assert!(folded.state.active_anomalies().is_empty(), "ten minutes are no stall");
    folded.state.advance(after(601));
    assert_eq!(folded.state.active_anomalies().len(), 1);
    let alert = "ALERT stall since event 2: nothing happened for 601 s while Bash had not answered";
    assert!(folded.view().contains(alert), "{}", folded.view());
    // The next event, from the state as it stands.
    let mut script = script;
    script.clock += 620;
    let (before, all) = (script.bytes().len(), script.result("t", "done").bytes());
    let mut reader =
        trace_model::reader::TranscriptReader::new(trace_model::adapter::FileRole::default());
    reader.feed(&all[before..], |record| folded.state.apply(record));
    assert!(folded.state.active_anomalies().is_empty());
    assert!(folded.view().contains("ALERTS that are over (all 1, newest first): stall at event 2"));
    assert_eq!(folded.state.raised(trace_model::detect::AnomalyKind::Stall), 1);
}

/// Thresholds are arguments of the fold.
#[test]
fn detector_thresholds_are_configured() {
    let script = Script::new().prompt("go").bash("a", "x").bash("a", "x");
    let config = FoldConfig {
        detectors: DetectorConfig { loop_raise: 2, ..DetectorConfig::default() },
        ..FoldConfig::default()
    };
    let loops = |state: &RunState| state.raised(trace_model::detect::AnomalyKind::Loop);
    assert_eq!(loops(&script.fold().state), 0);
    assert_eq!(loops(&script.fold_with(config).state), 1);
}
