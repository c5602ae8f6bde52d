//! The budget holds, whatever races.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use harnesses::model::{ErrorKind, Ledger, Provider, Runner, Settings, ledger};
use rust_decimal::Decimal;
use serde_json::json;
use trace_model::pricing::Dollars;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::support::{answer, builder, json_response, received, request, server, settings};

/// An answer that used as many tokens as the request can have: all its bytes, and all its output. So a
/// call costs all that was set aside for it, or nearly.
fn dearest(input: u64) -> ResponseTemplate {
    let mut body = answer(Provider::Anthropic, "3");
    body["usage"] = json!({"input_tokens": input, "output_tokens": 100});
    json_response(&body).set_delay(Duration::from_millis(30))
}

/// What a call of [`request`] is set aside for, and its input tokens.
fn most(runner: &Runner) -> (Dollars, u64) {
    let most = runner.most(&request("q 00")).unwrap();
    // 2 dollars a million in, 10 a million for 100 out.
    let input = (most.amount() * Decimal::from(1_000_000) - Decimal::from(1000)) / Decimal::TWO;
    (most, input.try_into().unwrap())
}

async fn race(runner: &Runner) -> Vec<Result<Dollars, ErrorKind>> {
    let calls = (0..32).map(|n| {
        let runner = runner.clone();
        tokio::spawn(async move {
            let called = runner.call(&request(&format!("q {n:02}")), 0).await;
            called.map(|called| called.spent).map_err(|error| error.kind)
        })
    });
    let mut results = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        results.push(call.await.unwrap());
    }
    results
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_cap_is_never_passed_by_32_calls_at_once() {
    let (most, input) = most(&builder(Provider::Anthropic, "http://127.0.0.1:1").build().unwrap());
    let server = server(vec![dearest(input)]).await;
    // Ten calls and a half.
    let cap = Dollars::new(most.amount() * Decimal::new(105, 1));
    let settings = Settings { concurrency: 32, budget: Some(cap), ..settings() };
    let runner = builder(Provider::Anthropic, &server.uri()).settings(settings).build().unwrap();
    let results = race(&runner).await;
    let spent = runner.status().spend.dollars();
    assert!(spent <= cap, "{spent} of {cap}");
    assert_eq!(received(&server).await, 10, "the cap allows ten calls, neither more nor fewer");
    let refused = results.iter().filter(|it| **it == Err(ErrorKind::BudgetExhausted)).count();
    assert_eq!(refused, 22);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn retries_count_against_the_cap() {
    let (most, input) = most(&builder(Provider::Anthropic, "http://127.0.0.1:1").build().unwrap());
    let count = AtomicUsize::new(0);
    let server = MockServer::start().await;
    // Every other attempt fails in a way that may have cost.
    let respond = move |_: &wiremock::Request| match count.fetch_add(1, Ordering::SeqCst) % 2 {
        0 => ResponseTemplate::new(500),
        _ => dearest(input),
    };
    Mock::given(method("POST")).respond_with(respond).mount(&server).await;
    let cap = Dollars::new(most.amount() * Decimal::new(105, 1));
    let settings = Settings { concurrency: 32, budget: Some(cap), ..settings() };
    let runner = builder(Provider::Anthropic, &server.uri()).settings(settings).build().unwrap();
    let results = race(&runner).await;
    let spend = runner.status().spend;
    assert!(spend.dollars() <= cap && spend.assumed > Dollars::ZERO, "{spend:?}");
    assert_eq!(received(&server).await, 10);
    assert!(results.iter().filter(|it| it.is_ok()).count() <= 5);
}

#[tokio::test]
async fn what_a_run_spent_before_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("spend.jsonl");
    let server = server(vec![json_response(&answer(Provider::Anthropic, "3"))]).await;
    let cap = Dollars::new(Decimal::new(2, 3));
    let mut answered = 0;
    for part in 0..3 {
        let settings = Settings { budget: Some(cap), ..settings() };
        let ledger = Ledger::open(&path).unwrap();
        let builder = builder(Provider::Anthropic, &server.uri()).settings(settings);
        let runner = builder.ledger(ledger).build().unwrap();
        for n in 0..10 {
            let called = runner.call(&request(&format!("{part} {n}")), 0).await;
            answered += usize::from(called.is_ok());
        }
    }
    // A call costs 0.0003 and can cost some 0.0013: three of the first run, then none.
    assert_eq!(answered, 3);
    let settled: Dollars = ledger::entries(&path)
        .unwrap()
        .into_iter()
        .map(|entry| match entry {
            ledger::Entry::Settled { charge, .. } => charge.dollars(),
            ledger::Entry::Begun { .. } => Dollars::ZERO,
        })
        .sum();
    assert_eq!(settled, Ledger::open(&path).unwrap().spend().dollars());
    assert_eq!(settled.to_string(), "$0.0009");
}

#[tokio::test]
async fn a_budget_without_a_price_sends_nothing() {
    let server = server(vec![json_response(&answer(Provider::Anthropic, "3"))]).await;
    let settings = Settings { budget: Some(Dollars::new(Decimal::TEN)), ..settings() };
    let runner = builder(Provider::Anthropic, &server.uri()).settings(settings).build().unwrap();
    let mut request = request("q");
    request.model = "unheard-of".to_owned();
    let error = runner.call(&request, 0).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unpriced);
    let text = error.to_string();
    assert!(text.contains("unheard-of") && text.contains("--prices"), "{text}");
    assert_eq!(received(&server).await, 0);
}

#[tokio::test]
async fn without_a_budget_what_has_no_price_is_counted_apart() {
    let mut body = answer(Provider::Anthropic, "3");
    body["model"] = json!("unheard-of");
    let server = server(vec![json_response(&body)]).await;
    let runner = builder(Provider::Anthropic, &server.uri()).build().unwrap();
    let mut request = request("q");
    request.model = "unheard-of".to_owned();
    runner.call(&request, 0).await.unwrap();
    let spend = runner.status().spend;
    assert_eq!(
        (spend.dollars(), spend.unpriced, spend.unpriced_tokens.total()),
        (Dollars::ZERO, 1, 110)
    );
}
