//! Small readings and writings of providers' JSON.

use serde_json::{Map, Value};

use super::super::completion::Usage;

/// An answer that is not of the provider's format, and what it says it used all the same.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unreadable {
    pub(super) detail: String,
    pub(super) usage: Option<Usage>,
}

impl Unreadable {
    pub(super) fn new(detail: &str, usage: Option<Usage>) -> Self {
        Self { detail: detail.to_owned(), usage }
    }
}

/// A number of tokens at a path; 0 where there is none.
pub(super) fn tokens(value: &Value, pointer: &str) -> u64 {
    value.pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
}

/// A text at a path.
pub(super) fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The message of an error, in any of the shapes that servers give it: `{"error": {"message"}}`,
/// `[{"error": {..}}]`, `{"error": ".."}`, `{"message": ".."}` and `{"detail": ".."}`.
pub(super) fn message(body: &Value) -> Option<&str> {
    ["/error/message", "/0/error/message", "/error", "/message", "/detail"]
        .into_iter()
        .find_map(|pointer| text(body, pointer))
}

/// The status that an error names in its body.
pub(super) fn code(body: &Value) -> Option<u16> {
    let code = body.pointer("/error/code")?;
    let number = code.as_u64().or_else(|| code.as_str()?.parse().ok())?;
    u16::try_from(number).ok().filter(|code| (400..600).contains(code))
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
        assert_eq!(code(&json!({"error": {"code": "insufficient_quota"}})), None);
    }
}
