//! What is understood of what providers answer.

use harnesses::model::{Provider, StopReason};
use harnesses::usage::TokenUsage;
use serde_json::{Value, json};

use super::support::{answer, json_response, request, runner, server};

const USAGE: TokenUsage = TokenUsage {
    input: 100,
    output: 10,
    reasoning: 0,
    cache_read: 0,
    cache_write_5m: 0,
    cache_write_1h: 0,
};

fn refusal(reason: &str) -> StopReason {
    StopReason::Refusal(reason.to_owned())
}

/// Changes the usual answer at these places, and checks what is understood of it.
async fn check(
    provider: Provider,
    changes: &[(&str, Value)],
    text: &str,
    stop: StopReason,
    usage: Option<TokenUsage>,
) {
    let mut body = answer(provider, "3");
    for (pointer, value) in changes {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        body.pointer_mut(parent).unwrap()[name] = value.clone();
    }
    let server = server(vec![json_response(&body)]).await;
    let called = runner(provider, &server.uri()).call(&request("q"), 0).await.unwrap();
    let completion = called.completion;
    assert_eq!((completion.text.as_str(), &completion.stop), (text, &stop), "{body}");
    assert_eq!(completion.usage, usage, "{body}");
    assert_eq!(called.attempts.len(), 1, "a refusal or an empty answer is not tried again");
    assert_eq!(called.priced.is_some(), usage.is_some());
}

#[tokio::test]
async fn anthropics_answers_are_understood() {
    let check = async |changes: &[(&str, Value)], text: &str, stop, usage| {
        check(Provider::Anthropic, changes, text, stop, Some(usage)).await;
    };
    let thought = json!([{"type": "thinking", "thinking": "2+1"}, {"type": "text", "text": "3"}]);
    check(&[("/content", thought)], "3", StopReason::End, USAGE).await;
    check(&[("/stop_reason", json!("max_tokens"))], "3", StopReason::Length, USAGE).await;
    let refused = [
        ("/stop_reason", json!("refusal")),
        ("/content", json!([])),
        ("/stop_details", json!({"type": "refusal", "category": "cyber"})),
    ];
    check(&refused, "", refusal("cyber"), USAGE).await;
    // An empty answer is an answer.
    check(&[("/content", json!([]))], "", StopReason::End, USAGE).await;
    let cached = json!({"input_tokens": 5, "output_tokens": 9, "cache_read_input_tokens": 50,
        "cache_creation_input_tokens": 70,
        "cache_creation": {"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 40}});
    let counted = TokenUsage {
        input: 5,
        output: 9,
        cache_read: 50,
        cache_write_5m: 30,
        cache_write_1h: 40,
        reasoning: 0,
    };
    check(&[("/usage", cached)], "3", StopReason::End, counted).await;
}

#[tokio::test]
async fn openai_answers_are_understood() {
    let check = async |changes: &[(&str, Value)], text: &str, stop, usage| {
        check(Provider::OpenAi, changes, text, stop, usage).await;
    };
    let refused = [
        ("/choices/0/message/content", Value::Null),
        ("/choices/0/message/refusal", json!("I can't.")),
    ];
    check(&refused, "", refusal("I can't."), Some(USAGE)).await;
    let filtered = [("/choices/0/finish_reason", json!("content_filter"))];
    check(&filtered, "3", refusal("content_filter"), Some(USAGE)).await;
    let counts = json!({"prompt_tokens": 90, "completion_tokens": 20,
        "prompt_tokens_details": {"cached_tokens": 64},
        "completion_tokens_details": {"reasoning_tokens": 12}});
    let counted = TokenUsage {
        input: 26,
        output: 20,
        reasoning: 12,
        cache_read: 64,
        ..TokenUsage::default()
    };
    check(&[("/usage", counts)], "3", StopReason::End, Some(counted)).await;
    // A server that counts nothing: nothing is made up.
    check(&[("/usage", Value::Null)], "3", StopReason::End, None).await;
}

#[tokio::test]
async fn geminis_answers_are_understood() {
    let check = async |changes: &[(&str, Value)], text: &str, stop, usage| {
        check(Provider::Gemini, changes, text, stop, Some(usage)).await;
    };
    let blocked = [
        ("/candidates", json!([])),
        ("/promptFeedback", json!({"blockReason": "PROHIBITED_CONTENT"})),
    ];
    check(&blocked, "", refusal("PROHIBITED_CONTENT"), USAGE).await;
    let unsafe_ = [("/candidates", json!([{"finishReason": "SAFETY", "index": 0}]))];
    check(&unsafe_, "", refusal("SAFETY"), USAGE).await;
    let parts = json!([{"text": "hm", "thought": true}, {"text": "3"}]);
    let counts = json!({"promptTokenCount": 100, "cachedContentTokenCount": 30,
        "candidatesTokenCount": 10, "thoughtsTokenCount": 5});
    let cut = [
        ("/candidates/0/content/parts", parts),
        ("/candidates/0/finishReason", json!("MAX_TOKENS")),
        ("/usageMetadata", counts),
    ];
    let counted =
        TokenUsage { input: 70, output: 15, reasoning: 5, cache_read: 30, ..TokenUsage::default() };
    check(&cut, "3", StopReason::Length, counted).await;
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
