//! Small readings and writings of providers' JSON.

use serde_json::{Map, Value};

/// A token count at a path; 0 if absent.
pub(super) fn tokens(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
}

/// A text at a path.
pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// Where bodies hold an error: at the top level, in a list's first element, or in the first choice.
const ERRORS: [&str; 3] = ["/error", "/0/error", "/choices/0/error"];

/// Whether a body holds a non-empty error.
pub(super) fn has_error(body: &Value) -> bool {
    let says = |error: &Value| match error {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Object(fields) => fields.values().any(|field| !field.is_null()),
        Value::Array(list) => !list.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    };
    ERRORS.iter().filter_map(|pointer| body.pointer(pointer)).any(says)
}

/// The message of an error, in any of the shapes that servers give it: `{"error": {"message"}}`,
/// `[{"error": {..}}]`, `{"error": ".."}`, `{"message": ".."}` and `{"detail": ".."}`.
pub(super) fn message(body: &Value) -> Option<&str> {
    [
        "/error/message",
        "/0/error/message",
        "/choices/0/error/message",
        "/error",
        "/message",
        "/detail",
    ]
    .into_iter()
    .find_map(|pointer| text(body, pointer))
}

/// The status that an error names in its body, by number or by a provider's word for it.
pub(super) fn code(body: &Value) -> Option<u16> {
    let of = |error: &Value| {
        let named = ["code", "status", "status_code", "type"];
        let mut found = named.iter().filter_map(|name| error.get(name));
        let mut words = found.clone();
        found.find_map(number).or_else(|| words.find_map(|word| status_of(word.as_str()?)))
    };
    let errors = ERRORS.iter().filter_map(|pointer| body.pointer(pointer));
    // Some put the code into the error's place, or beside the message at the top.
    errors.clone().find_map(of).or_else(|| errors.clone().find_map(number)).or_else(|| of(body))
}

/// A number, or one in a string, that can be the status of a failure.
fn number(value: &Value) -> Option<u16> {
    let number = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())?;
    u16::try_from(number).ok().filter(|code| (400..600).contains(code))
}

/// The status that comes with a word: Anthropic's types, OpenAI's codes and types, and Google's statuses,
/// by their documentation of errors.
fn status_of(word: &str) -> Option<u16> {
    Some(match word.to_ascii_lowercase().as_str() {
        "invalid_request_error"
        | "invalid_argument"
        | "failed_precondition"
        | "out_of_range"
        | "context_length_exceeded" => 400,
        "authentication_error" | "unauthenticated" | "invalid_api_key" => 401,
        "billing_error" | "insufficient_quota" | "insufficient_balance" => 402,
        "permission_error" | "permission_denied" => 403,
        "not_found_error" | "not_found" | "model_not_found" => 404,
        "request_too_large" => 413,
        "rate_limit_error" | "rate_limit_exceeded" | "resource_exhausted" => 429,
        "api_error" | "server_error" | "internal" | "internal_server_error" => 500,
        "unavailable" | "service_unavailable" => 503,
        "timeout_error" | "deadline_exceeded" => 504,
        "overloaded_error" => 529,
        _ => return None,
    })
}

/// Applies a JSON merge patch (RFC 7396): objects are merged, null removes, all else replaces.
pub(super) fn merge(body: &mut Value, patch: &Map<String, Value>) {
    if !body.is_object() {
        *body = Value::Object(Map::new());
    }
    let Value::Object(object) = body else { return };
    for (key, value) in patch {
        match value {
            Value::Null => {
                object.remove(key);
            }
            Value::Object(inner) => merge(object.entry(key).or_insert(Value::Null), inner),
            other => {
                object.insert(key.clone(), other.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn patches_merge_replace_and_remove() {
        let mut body = json!({"a": {"x": 1, "y": 2}, "b": 3, "c": 4});
        let patch = json!({"a": {"y": null, "z": {"q": 5}}, "b": [1], "c": null, "d": null});
        merge(&mut body, patch.as_object().unwrap());
        assert_eq!(body, json!({"a": {"x": 1, "z": {"q": 5}}, "b": [1]}));
    }

    #[test]
    fn messages_are_found_in_every_shape() {
        for body in [
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "m"}}),
            json!([{"error": {"code": 400, "message": "m", "status": "INVALID_ARGUMENT"}}]),
            json!({"error": "m"}),
            json!({"object": "error", "message": "m", "code": 400}),
            json!({"detail": "m"}),
        ] {
            assert_eq!(message(&body), Some("m"), "{body}");
        }
        assert_eq!(message(&json!({"choices": []})), None);
        assert_eq!(code(&json!({"error": {"code": "429"}})), Some(429));
        assert_eq!(code(&json!({"error": {"code": "of_their_own"}})), None);
    }

    #[test]
    fn codes_are_found_as_numbers_and_as_words() {
        for (body, expected) in [
            (json!({"error": {"code": 402, "message": "m"}}), 402),
            (json!({"error": {"code": "insufficient_quota"}}), 402),
            (json!({"error": {"type": "overloaded_error", "message": "m"}}), 529),
            (json!({"error": {"type": "invalid_request_error", "code": 429}}), 429),
            (json!([{"error": {"status": "RESOURCE_EXHAUSTED"}}]), 429),
            (json!({"choices": [{"error": {"code": 502}}]}), 502),
            (json!({"object": "error", "message": "m", "code": 400}), 400),
            (json!({"error": 503}), 503),
        ] {
            assert_eq!(code(&body), Some(expected), "{body}");
        }
        // A number that is not the status of a failure says nothing.
        assert_eq!(code(&json!({"error": {"code": 200}})), None);
    }

    #[test]
    fn an_error_without_content_is_none() {
        for body in [
            json!({"choices": []}),
            json!({"error": null}),
            json!({"error": ""}),
            json!({"error": {}}),
            json!({"error": {"message": null, "code": null}}),
        ] {
            assert!(!has_error(&body), "{body}");
        }
        for body in [
            json!({"error": "m"}),
            json!({"error": {"code": 502}}),
            json!([{"error": {"message": "m"}}]),
            json!({"choices": [{"error": {"code": 502}, "message": {}}]}),
        ] {
            assert!(has_error(&body), "{body}");
        }
    }
}
