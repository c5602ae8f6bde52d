//! What is understood of what providers answer.

use harnesses::model::{Provider, StopReason, Usage};
use serde_json::{Value, json};

use super::support::{answer, json_response, request, runner, server};

/// A change to the usual answer, and what is then understood.
struct Case {
    provider: Provider,
    body: Value,
    text: &'static str,
    stop: StopReason,
    usage: Option<Usage>,
}

fn cases() -> Vec<Case> {
    let refusal = |reason: &str| StopReason::Refusal(reason.to_owned());
    let usage = Usage { input: 100, output: 10, ..Usage::default() };
    let case = |provider, body, text, stop, usage| Case { provider, body, text, stop, usage };
    let with = |provider, changes: &[(&str, Value)]| {
        let mut body = answer(provider, "3");
        for (pointer, value) in changes {
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            body.pointer_mut(parent).unwrap()[name] = value.clone();
        }
        body
    };
    let (anthropic, openai, gemini) = (Provider::Anthropic, Provider::OpenAi, Provider::Gemini);
    let cached = json!({"input_tokens": 5, "output_tokens": 9, "cache_read_input_tokens": 50,
        "cache_creation_input_tokens": 70,
        "cache_creation": {"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 40}});
    let counted = Usage {
        input: 5,
        output: 9,
        cache_read: 50,
        cache_write_5m: 30,
        cache_write_1h: 40,
        ..Usage::default()
    };
    let thought = json!([{"type": "thinking", "thinking": "2+1"}, {"type": "text", "text": "3"}]);
    vec![
        case(
            anthropic,
            with(anthropic, &[("/usage", cached)]),
            "3",
            StopReason::End,
            Some(counted),
        ),
        case(
            anthropic,
            with(anthropic, &[("/content", thought)]),
            "3",
            StopReason::End,
            Some(usage),
        ),
        case(
            anthropic,
            with(anthropic, &[("/stop_reason", json!("max_tokens"))]),
            "3",
            StopReason::Length,
            Some(usage),
        ),
        case(
            anthropic,
            with(
                anthropic,
                &[
                    ("/stop_reason", json!("refusal")),
                    ("/content", json!([])),
                    ("/stop_details", json!({"type": "refusal", "category": "cyber"})),
                ],
            ),
            "",
            refusal("cyber"),
            Some(usage),
        ),
        // An empty answer is an answer.
        case(
            anthropic,
            with(anthropic, &[("/content", json!([]))]),
            "",
            StopReason::End,
            Some(usage),
        ),
        case(
            openai,
            with(
                openai,
                &[
                    ("/choices/0/message/content", Value::Null),
                    ("/choices/0/message/refusal", json!("I can't.")),
                ],
            ),
            "",
            refusal("I can't."),
            Some(usage),
        ),
        case(
            openai,
            with(openai, &[("/choices/0/finish_reason", json!("content_filter"))]),
            "3",
            refusal("content_filter"),
            Some(usage),
        ),
        case(
            openai,
            with(
                openai,
                &[(
                    "/usage",
                    json!({"prompt_tokens": 90, "completion_tokens": 20,
                "prompt_tokens_details": {"cached_tokens": 64},
                "completion_tokens_details": {"reasoning_tokens": 12}}),
                )],
            ),
            "3",
            StopReason::End,
            Some(Usage {
                input: 26,
                output: 20,
                reasoning: 12,
                cache_read: 64,
                ..Usage::default()
            }),
        ),
        // A server that counts nothing: nothing is made up.
        case(openai, with(openai, &[("/usage", Value::Null)]), "3", StopReason::End, None),
        case(
            gemini,
            json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
                "usageMetadata": {"promptTokenCount": 100, "totalTokenCount": 100},
                "modelVersion": "priced"}),
            "",
            refusal("PROHIBITED_CONTENT"),
            Some(Usage { input: 100, ..Usage::default() }),
        ),
        case(
            gemini,
            with(gemini, &[("/candidates", json!([{"finishReason": "SAFETY", "index": 0}]))]),
            "",
            refusal("SAFETY"),
            Some(usage),
        ),
        case(
            gemini,
            with(
                gemini,
                &[
                    (
                        "/candidates/0/content/parts",
                        json!([{"text": "hm", "thought": true}, {"text": "3"}]),
                    ),
                    ("/candidates/0/finishReason", json!("MAX_TOKENS")),
                    (
                        "/usageMetadata",
                        json!({"promptTokenCount": 100, "cachedContentTokenCount": 30,
                    "candidatesTokenCount": 10, "thoughtsTokenCount": 5}),
                    ),
                ],
            ),
            "3",
            StopReason::Length,
            Some(Usage { input: 70, output: 15, reasoning: 5, cache_read: 30, ..Usage::default() }),
        ),
    ]
}

#[tokio::test]
async fn answers_refusals_and_counts_are_understood() {
    for Case { provider, body, text, stop, usage } in cases() {
        let server = server(vec![json_response(&body)]).await;
        let called = runner(provider, &server.uri()).call(&request("q"), 0).await.unwrap();
        let completion = called.completion;
        assert_eq!((completion.text.as_str(), &completion.stop), (text, &stop), "{body}");
        assert_eq!(completion.usage, usage, "{body}");
        assert_eq!(called.attempts.len(), 1, "a refusal or an empty answer is not tried again");
        assert_eq!(called.priced.is_some(), usage.is_some());
    }
}

#[tokio::test]
async fn the_model_that_answered_is_on_record_and_priced_where_it_has_a_price() {
    for (returned, priced_as) in [("priced-20260101", "priced-20260101"), ("other", "priced")] {
        let mut body = answer(Provider::Anthropic, "3");
        body["model"] = json!(returned);
        let server = server(vec![json_response(&body)]).await;
        let runner = runner(Provider::Anthropic, &server.uri());
        let called = runner.call(&request("q"), 0).await.unwrap();
        assert_eq!(called.completion.model_returned.as_deref(), Some(returned));
        assert_eq!(called.priced_as, priced_as);
        // 100 x 2 + 10 x 10 millionths.
        assert_eq!(called.spent.to_string(), "$0.0003");
        assert_eq!(runner.status().spend.known, called.spent);
    }
}
