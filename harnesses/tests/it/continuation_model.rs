//! CONTINUE with models, by a scripted stand-in: what is sent, what is paid, what a failure leaves.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};

use corpus_gen::tasks::{Family, TaskSpec};
use harnesses::common::Reporter;
use harnesses::continuation::arms::ArmSpec;
use harnesses::continuation::grid::{Cell, GridConfig, GridRuns, run_cells};
use harnesses::continuation::mechanical;
use harnesses::continuation::model::ModelWorkers;
use harnesses::continuation::protocol::Protocol;
use harnesses::continuation::worker::PricedAs;
use harnesses::model::{ErrorKind, Failure, Paid, Reply, Request, Runner, Scripted};
use harnesses::usage::TokenUsage;
use regex::Regex;
use scoreboards::Decimal;
use serde_json::json;
use trace_model::pricing::PriceTable;

const MODEL: &str = "claude-sonnet-4-5";

fn cells(arms: &[&str]) -> Vec<Cell> {
    cells_of(Family::Chain, arms)
}

fn cells_of(family: Family, arms: &[&str]) -> Vec<Cell> {
    let task = TaskSpec { family, horizon: 12, seed: 1 };
    arms.iter().map(|arm| Cell { arm: ArmSpec::named(arm).expect("it is listed"), task }).collect()
}

/// Runs cells with a model that answers by a function.
fn run(
    cells: &[Cell],
    answer: impl Fn(&Request) -> Result<Reply, Failure> + Send + Sync + 'static,
) -> GridRuns {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let runner = Runner::builder(Scripted::new(answer)).build().expect("a runner");
    let request = Request::new(MODEL, NonZeroU32::new(500).expect("not zero"));
    let workers = ModelWorkers::new(runner, request, runtime.handle().clone());
    let prices = PriceTable::builtin();
    let date = prices.date().to_owned();
    let asked = GridConfig {
        protocol: Protocol::default(),
        provider: "scripted".to_owned(),
        model: MODEL.to_owned(),
        asking: BTreeMap::new(),
        priced: PricedAs { model: MODEL.to_owned(), prices, date },
        cache: None,
        record: None,
        jobs: 2,
    };
    run_cells(cells, &asked, &workers, &Reporter::silent(), &|_, _| Ok(())).expect("the cells run")
}

fn text(request: &Request) -> String {
    request.blocks().map(|block| block.text.as_str()).collect()
}

#[expect(clippy::unnecessary_wraps, reason = "what a scripted model gives")]
fn reply(text: impl Into<String>) -> Result<Reply, Failure> {
    let usage = TokenUsage { input: 1000, output: 10, ..TokenUsage::default() };
    Ok(Reply::scripted("claude-sonnet-4-5-20250929", text, usage))
}

#[test]
fn a_model_is_sent_what_the_worker_without_one_is_shown_and_is_paid_for() {
    let ran = run(&cells(&["full", "curated", "minimal-tally"]), |request| {
        assert!(request.system[0].text.starts_with("[instructions]\n"));
        reply(format!("I go on.\n```json\n{}\n```", mechanical::next(&text(request))))
    });
    assert_eq!(ran.failed, [""; 0]);
    for (cell, row) in &ran.rows {
        assert!(row.success, "{}: {}", cell.id(), row.why);
        assert_eq!(row.counts.steps, 14);
        assert_eq!((row.counts.input, row.counts.output), (14_000, 140));
        // 14 calls of 1,000 tokens at $3 and 10 at $15 a million.
        assert_eq!(row.dollars.unwrap().to_string(), "$0.0441");
        assert_eq!(row.models["claude-sonnet-4-5-20250929"], 14);
    }
}

#[test]
fn a_summarizer_is_asked_every_k_steps_and_paid_apart() {
    let ran = run(&cells(&["summary-capped"]), |request| {
        if text(request).starts_with("You keep the summary") {
            return reply("x".repeat(3000));
        }
        assert!(!text(request).contains(&"x".repeat(2001)));
        reply(mechanical::next(&text(request)))
    });
    let row = ran.rows.values().next().unwrap();
    assert_eq!((row.counts.refreshes, row.counts.helper_calls), (2, 2));
    assert_eq!((row.counts.helper_input, row.counts.helper_output), (2000, 20));
    assert_eq!(row.helper_dollars.unwrap().to_string(), "$0.0063");
    assert!(!row.success, "the summary says nothing");
}

#[test]
fn a_vendors_summary_is_written_by_the_model_once_the_context_is_too_long() {
    let task = TaskSpec { family: Family::Chain, horizon: 30, seed: 1 };
    let arm = ArmSpec::named("vendor-summary").expect("it is listed");
    let ran = run(&[Cell { arm, task }], |request| {
        if text(request).starts_with("The context of a worker is full") {
            return reply("- gone: by a model".to_owned());
        }
        reply(mechanical::next(&text(request)))
    });
    let row = ran.rows.values().next().unwrap();
    assert!(row.counts.refreshes > 0);
    assert_eq!(row.counts.refreshes, row.counts.helper_calls);
    assert!(!row.success, "the summary says nothing");
}

/// An extractor as one must expect it: it reads what the texts state, but calls the same thing by another
/// name at times, adds what no text says, and refuses what is too much for it.
fn extracted(texts: &str) -> String {
    let number = Regex::new(r"(?:^|[\s(])(-?\d+)").expect("a pattern");
    let path = Regex::new(r"`([^`\s]+/[^`\s]+)`").expect("a pattern");
    let texts: Vec<&str> = texts.split("=== text ").skip(1).collect();
    if texts.len() > 2 {
        return "I would rather not.".to_owned();
    }
    let mut facts = Vec::new();
    for (at, text) in (1..).zip(&texts) {
        let (_, text) = text.split_once(" ===\n").expect("a heading");
        for found in number.captures_iter(text) {
            let key = if text.len() % 2 == 0 { "delta" } else { "change_of_total" };
            facts.push(json!({"text": at, "key": key, "value": found[1]}));
            facts.push(json!({"text": at, "key": key, "value": "987654321"}));
        }
        for found in path.captures_iter(text) {
            facts.push(json!({"text": at, "key": "next", "value": found[1]}));
        }
    }
    let synonyms = json!([{"name": "change_of_total", "key": "delta"}]);
    format!("```json\n{}\n```", json!({"facts": facts, "synonyms": synonyms}))
}

#[test]
fn facts_in_prose_are_found_by_a_model_that_refuses_invents_and_splits_synonyms() {
    let ran = run(&cells_of(Family::ProseChain, &["parser-fixed", "parser-model"]), |request| {
        let shown = text(request);
        if request.system[0].text.starts_with("You are shown numbered texts") {
            return reply(extracted(&shown));
        }
        reply(mechanical::next(&shown))
    });
    assert_eq!(ran.failed, [""; 0]);
    let rows: Vec<_> = ran.rows.values().collect();
    let [fixed, model] = rows[..] else { panic!("two runs") };
    assert!(!fixed.success, "no line of the prose is a key and its value");
    assert!(model.success, "{}", model.why);
    let counts = &model.counts;
    assert!(counts.refusals > 0 && counts.not_verbatim > 0, "{counts:?}");
    assert!(counts.helper_calls > counts.refusals, "{counts:?}");
    // 1,000 tokens in and 10 out a call, at $3 and $15 a million.
    let dollars = Decimal::from(counts.helper_calls) * Decimal::new(315, 5);
    assert_eq!(model.helper_dollars.unwrap().to_string(), format!("${}", dollars.normalize()));
}

#[test]
fn a_model_that_cannot_be_asked_leaves_no_row_and_ends_the_grid_if_nothing_helps() {
    let calls = AtomicU32::new(0);
    let ran = run(&cells(&["full", "mask", "curated", "retrieval"]), move |request| {
        if calls.fetch_add(1, Ordering::Relaxed) > 3 {
            let (kind, detail) = (ErrorKind::Unauthorized, "no such key".to_owned());
            return Err(Failure { kind, detail, status: Some(401), paid: Paid::Nothing });
        }
        reply(mechanical::next(&text(request)))
    });
    assert!(ran.rows.is_empty());
    assert!(!ran.failed.is_empty() && ran.failed.len() + ran.stopped == 4);
    assert!(ran.failed[0].contains("no such key"), "{}", ran.failed[0]);
}
