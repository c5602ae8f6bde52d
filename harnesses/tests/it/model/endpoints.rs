//! Whose an answer is: what an endpoint serves under the status of a success, and is no answer of the
//! model's, is tried again or missing. It is never graded.

use harnesses::model::{
    AttemptOutcome, Charge, ErrorKind, Ledger, Provider, Runner, Settings, StopReason, ledger,
};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use trace_model::pricing::Dollars;
use wiremock::ResponseTemplate;

use super::support::{answer, builder, json_response, received, request, runner, server, settings};
use crate::support::shared_cases;

/// Changes the usual answer at these places.
fn changed(provider: Provider, text: &str, changes: &[(&str, Value)]) -> Value {
    let mut body = answer(provider, text);
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        body.pointer_mut(parent).unwrap()[name] = value.clone();
    }
    body
}

const PROVIDERS: [Provider; 4] =
    [Provider::OpenAi, Provider::Anthropic, Provider::Vertex, Provider::Gemini];

/// Where a provider says why an answer ended.
fn reason_at(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAi => "/choices/0/finish_reason",
        Provider::Anthropic | Provider::Vertex => "/stop_reason",
        Provider::Gemini => "/candidates/0/finishReason",
    }
}

/// Serves a body and then a good answer: the body is tried again, as a failure of this kind.
async fn is_tried_again(provider: Provider, body: &Value, kind: ErrorKind, charge: &str) {
    let good = json_response(&answer(provider, "3"));
    let server = server(vec![json_response(body), good]).await;
    let runner = runner(provider, &server.uri());
    let called = runner.call(&request("q"), 0).await.unwrap();
    assert_eq!(called.completion.text, "3", "{body}");
    assert_eq!(called.retries(), 1, "{body}");
    assert_eq!(called.attempts[0].outcome, AttemptOutcome::Failed(kind), "{body}");
    assert_eq!(called.attempts[0].charge.dollars().to_string(), charge, "{body}");
    let spend = runner.status().spend;
    assert_eq!((spend.attempts, spend.answered), (2, 1));
    assert_eq!(spend.dollars(), called.spent, "{body}");
}

/// The body is an answer of the model's, at the first attempt.
async fn is_an_answer(provider: Provider, body: &Value, text: &str, stop: StopReason) {
    let server = server(vec![json_response(body)]).await;
    let called = runner(provider, &server.uri()).call(&request("q"), 0).await.unwrap();
    assert_eq!((called.completion.text.as_str(), called.retries()), (text, 0), "{body}");
    assert_eq!(called.completion.stop, stop, "{body}");
}

#[test_needs::shared]
#[tokio::test]
async fn the_shared_cases_are_treated_as_they_say() {
    // The cases about whole runs, whose bodies are told in words, are tests of COMPREHEND.
    let cases = shared_cases("endpoint.json");
    for case in cases.iter().filter(|case| case["served"].is_array()) {
        let reply = &case["served"][0];
        let status: u16 = reply["status"].as_u64().unwrap().try_into().unwrap();
        let bad = ResponseTemplate::new(status).set_body_json(&reply["body"]);
        let good = json_response(&answer(Provider::OpenAi, "{\"n_turns\": 3}"));
        let server = server(vec![bad, good]).await;
        let runner = runner(Provider::OpenAi, &server.uri());
        let called = runner.call(&request("q"), 0).await;
        if case["right"].as_str().unwrap().starts_with("stop") {
            let error = called.unwrap_err();
            assert!(error.kind.ends_run() && error.attempts.len() == 1, "{case}");
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
            continue;
        }
        let called = called.unwrap();
        assert_eq!((called.retries(), called.completion.text.as_str()), (1, "{\"n_turns\": 3}"));
        assert_eq!(received(&server).await, 2, "{case}");
        let spend = runner.status().spend;
        assert_eq!((spend.attempts, spend.answered), (2, 1), "{case}");
        if let Some(output) = reply["body"]["usage"]["completion_tokens"].as_u64() {
            assert_eq!((spend.tokens.input, spend.tokens.output), (200, 10 + output), "{case}");
            assert_eq!(spend.assumed, Dollars::ZERO, "what is stated is not assumed");
        }
    }
}

#[tokio::test]
async fn an_answer_that_ends_for_no_known_reason_and_is_empty_or_torn_is_the_providers_failure() {
    for provider in PROVIDERS {
        for reason in [json!("error"), json!("of_its_own"), Value::Null, json!("")] {
            for text in ["", " \n", "{\"n_turns\": 3", "```json\n{\"a\": 1}", "<think>hm"] {
                let body = changed(provider, text, &[(reason_at(provider), reason.clone())]);
                // 100 x 2 + 10 x 10 millionths: what it says it used.
                is_tried_again(provider, &body, ErrorKind::Server, "$0.0003").await;
            }
        }
        // What says itself that it failed is one whatever was written before.
        let failed = changed(provider, "{\"a\": 1}", &[(reason_at(provider), json!("error"))]);
        is_tried_again(provider, &failed, ErrorKind::Server, "$0.0003").await;
        // Where only the reason is not known, a whole text is an answer.
        let whole = changed(provider, "{\"a\": 1}", &[(reason_at(provider), json!("of_its_own"))]);
        let other = StopReason::Other("of_its_own".to_owned());
        is_an_answer(provider, &whole, "{\"a\": 1}", other).await;
    }
}

#[tokio::test]
async fn what_no_format_can_read_back_is_the_providers_failure() {
    for reason in ["OTHER", "MALFORMED_FUNCTION_CALL", "FINISH_REASON_UNSPECIFIED"] {
        let body = changed(Provider::Gemini, "", &[(reason_at(Provider::Gemini), json!(reason))]);
        is_tried_again(Provider::Gemini, &body, ErrorKind::Server, "$0.0003").await;
    }
    let none = changed(Provider::Gemini, "", &[("/candidates", json!([{"index": 0}]))]);
    is_tried_again(Provider::Gemini, &none, ErrorKind::Server, "$0.0003").await;
    let paused =
        changed(Provider::Anthropic, "", &[(reason_at(Provider::Anthropic), json!("pause_turn"))]);
    is_tried_again(Provider::Anthropic, &paused, ErrorKind::Server, "$0.0003").await;
}

#[tokio::test]
async fn what_the_model_or_a_filter_did_stays_an_answer() {
    let refusal = |reason: &str| StopReason::Refusal(reason.to_owned());
    let other = |reason: &str| StopReason::Other(reason.to_owned());
    for (provider, reason, stop) in [
        (Provider::OpenAi, "stop", StopReason::End),
        (Provider::OpenAi, "length", StopReason::Length),
        (Provider::OpenAi, "content_filter", refusal("content_filter")),
        (Provider::OpenAi, "tool_calls", other("tool_calls")),
        (Provider::Anthropic, "end_turn", StopReason::End),
        (Provider::Anthropic, "max_tokens", StopReason::Length),
        (Provider::Anthropic, "refusal", refusal("refusal")),
        (Provider::Vertex, "tool_use", other("tool_use")),
        (Provider::Gemini, "STOP", StopReason::End),
        (Provider::Gemini, "SAFETY", refusal("SAFETY")),
        (Provider::Gemini, "RECITATION", refusal("RECITATION")),
        (Provider::Gemini, "UNEXPECTED_TOOL_CALL", other("UNEXPECTED_TOOL_CALL")),
    ] {
        for text in ["", "{\"n_turns\": 3"] {
            let body = changed(provider, text, &[(reason_at(provider), json!(reason))]);
            is_an_answer(provider, &body, text, stop.clone()).await;
        }
    }
}

#[tokio::test]
async fn an_answer_without_any_choice_is_tried_again_and_its_tokens_are_spent() {
    for (provider, list) in [(Provider::OpenAi, "/choices"), (Provider::Gemini, "/candidates")] {
        let body = changed(provider, "3", &[(list, json!([]))]);
        is_tried_again(provider, &body, ErrorKind::BadResponse, "$0.0003").await;
    }
    let body = changed(Provider::Anthropic, "3", &[("/content", Value::Null)]);
    is_tried_again(Provider::Anthropic, &body, ErrorKind::BadResponse, "$0.0003").await;
}

#[tokio::test]
async fn a_failed_answers_tokens_are_in_the_ledger_and_count_against_the_budget() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("spend.jsonl");
    let body = changed(Provider::OpenAi, "", &[("/choices", json!([]))]);
    let server = server(vec![json_response(&body)]).await;
    // A call can cost some 0.0013 and does cost 0.0003: three fit below 0.002.
    let cap = Dollars::new(Decimal::new(2, 3));
    let settings = Settings { budget: Some(cap), max_retries: 9, ..settings() };
    let builder = builder(Provider::OpenAi, &server.uri()).settings(settings);
    let runner = builder.ledger(Ledger::open(&path).unwrap()).build().unwrap();
    let error = runner.call(&request("q"), 0).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::BudgetExhausted);
    assert_eq!(received(&server).await, 3);
    assert_eq!((error.retries(), error.spent.to_string()), (2, "$0.0009".to_owned()));
    drop(runner);
    let spend = ledger::read(&path).unwrap();
    assert_eq!((spend.known, spend.answered, spend.tokens.output), (error.spent, 0, 30));
}

#[tokio::test]
async fn a_failure_in_the_body_of_a_success_is_treated_by_its_code() {
    let limited = ErrorKind::RateLimited { retry_after: None };
    let overloaded = ErrorKind::Overloaded { retry_after: None };
    for (error, kind) in [
        (json!({"code": 502, "message": "m"}), ErrorKind::Server),
        (json!({"code": "502", "message": "m"}), ErrorKind::Server),
        (json!({"code": 429, "message": "m"}), limited.clone()),
        (json!({"status": "RESOURCE_EXHAUSTED", "message": "m"}), limited.clone()),
        (json!({"type": "rate_limit_error", "message": "m"}), limited),
        (json!({"type": "overloaded_error", "message": "m"}), overloaded.clone()),
        (json!({"code": 503}), overloaded),
        (json!("it broke"), ErrorKind::Server),
        (json!({"code": "of_their_own", "message": "m"}), ErrorKind::Server),
    ] {
        for provider in PROVIDERS {
            let good = json_response(&answer(provider, "3"));
            // Alone, and beside what had been written by then.
            let beside = changed(provider, "{\"n_turns\"", &[("/error", error.clone())]);
            for body in [json!({"error": error}), beside] {
                let server = server(vec![json_response(&body), good.clone()]).await;
                let called = runner(provider, &server.uri()).call(&request("q"), 0).await.unwrap();
                assert_eq!(called.completion.text, "3", "{body}");
                let first = &called.attempts[0];
                assert_eq!(first.outcome, AttemptOutcome::Failed(kind.clone()), "{body}");
                assert_eq!(first.status, Some(200));
                if body.get("usage").or(body.get("usageMetadata")).is_some() {
                    assert!(matches!(first.charge, Charge::Known(_)), "{body}: {first:?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_failure_in_the_body_of_a_success_that_would_last_stops_with_one_line() {
    for (error, kind) in [
        (json!({"code": 402, "message": "Insufficient\nbalance:\n\n0.00"}), ErrorKind::Billing),
        (json!({"code": "insufficient_quota", "message": "m"}), ErrorKind::Billing),
        (json!({"code": 401, "message": "m"}), ErrorKind::Unauthorized),
        (json!({"type": "authentication_error", "message": "m"}), ErrorKind::Unauthorized),
        (json!({"code": 404, "message": "m"}), ErrorKind::NotFound),
    ] {
        for provider in PROVIDERS {
            let server = server(vec![json_response(&json!({"error": error}))]).await;
            let failed = runner(provider, &server.uri()).call(&request("q"), 0).await.unwrap_err();
            assert_eq!(failed.kind, kind, "{error}");
            assert!(failed.kind.ends_run());
            assert_eq!(received(&server).await, 1, "{error}");
            assert_eq!(failed.to_string().lines().count(), 1, "{failed}");
            assert_eq!(failed.spent, Dollars::ZERO);
        }
    }
}

#[tokio::test]
async fn a_wait_that_a_wrapped_failure_asks_for_is_kept() {
    let body = json!({"error": {"code": 429, "message": "slow down"}});
    let limited = json_response(&body).insert_header("retry-after", "3600");
    let server = server(vec![limited]).await;
    let error = runner(Provider::OpenAi, &server.uri()).call(&request("q"), 0).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::AskedToWait { .. }), "{error}");
}

#[tokio::test]
async fn what_fails_to_the_last_retry_is_no_answer_and_is_never_recorded_as_one() {
    let body = changed(Provider::OpenAi, "", &[("/choices/0/finish_reason", json!("error"))]);
    let server = server(vec![json_response(&body)]).await;
    let runner: Runner = runner(Provider::OpenAi, &server.uri());
    let error = runner.call(&request("q"), 0).await.unwrap_err();
    assert_eq!((&error.kind, error.attempts.len(), error.retries()), (&ErrorKind::Server, 4, 3));
    assert!(!error.kind.ends_run(), "other calls may be answered");
    assert!(error.to_string().contains("it ended by `error`"), "{error}");
    assert_eq!(runner.status().retries, 3);
}
