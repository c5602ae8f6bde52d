//! The protocol between worker and bench: a reply is one JSON object that calls a tool.

use serde_json::{Deserializer, Value};

use super::mechanical::MISSING;
use crate::model::reply::without_thinking;
use crate::workbench::{Action, ActionError};

/// A reply, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed {
    /// The call, as the worker wrote it.
    pub call: Value,
    /// The action, or why it is none.
    pub action: Result<Action, ActionError>,
    /// What the worker says it is not shown.
    pub missing: Option<String>,
}

/// Why a reply is not even a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("protocol error: {0}; reply with one JSON object: {{\"tool\": NAME, \"args\": {{...}}}}")]
pub struct Unreadable(String);

/// Reads a reply: its JSON object, which may stand in a fenced block or after some words, but not in thinking
/// that a server left in the text.
///
/// # Errors
/// If there is none, or it names no tool.
pub fn parse(reply: &str) -> Result<Parsed, Unreadable> {
    let call = without_thinking(reply)
        .and_then(object)
        .ok_or_else(|| Unreadable("the reply holds no JSON object".to_owned()))?;
    if !call.get("tool").is_some_and(Value::is_string) {
        return Err(Unreadable("the reply's JSON object names no `tool`".to_owned()));
    }
    let missing = call.get(MISSING).and_then(Value::as_str).map(str::to_owned);
    Ok(Parsed { action: Action::from_json(&call), call, missing })
}

/// The first JSON object of a text that is whole.
pub(super) fn object(text: &str) -> Option<Value> {
    /// Braces tried before it is given up: a reply is no place for hundreds of them.
    const TRIES: usize = 50;
    text.match_indices('{').take(TRIES).find_map(|(at, _)| {
        let first = Deserializer::from_str(&text[at..]).into_iter::<Value>().next();
        first?.ok().filter(Value::is_object)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_call_is_found_in_what_models_write_around_it() {
        let plain = r#"{"tool": "read_file", "args": {"path": "a"}, "note": "x {y}"}"#;
        let fenced = format!("I read it {{now}}:\n```json\n{plain}\n```\nDone.");
        for reply in [plain, &fenced] {
            let parsed = parse(reply).unwrap();
            assert_eq!(parsed.action, Ok(Action::ReadFile { path: "a".to_owned() }), "{reply}");
        }
    }

    #[test]
    fn a_call_in_thinking_is_not_made() {
        let call = r#"{"tool": "read_file", "args": {"path": "a"}}"#;
        let draft = call.replace("\"a\"", "\"b\"");
        let parsed = parse(&format!("<think>or {draft}?</think>{call}")).unwrap();
        assert_eq!(parsed.action, Ok(Action::ReadFile { path: "a".to_owned() }));
        assert!(parse(&format!("<think>{call}")).is_err(), "it has not ended");
    }

    #[test]
    fn what_is_no_call_says_so_in_one_line() {
        for reply in ["", "done", "{", "[1]", "{\"tool\": 3}", "{\"args\": {}}"] {
            let error = parse(reply).unwrap_err().to_string();
            assert!(error.starts_with("protocol error: ") && !error.contains('\n'), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_reply_is_read_or_refused(reply in ".{0,200}") {
            let _ = parse(&reply);
        }
    }
}
