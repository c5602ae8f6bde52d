//! The format of a reply: one JSON object that calls a tool.

use serde_json::{Deserializer, Value, json};

use crate::model::reply::without_thinking;
use crate::workbench::{Action, ActionError};

/// The reply field that says which requested data the context does not show.
pub const MISSING: &str = "missing";

/// A reply, parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct ParsedReply {
    /// The tool, as the worker named it.
    pub tool: String,
    /// Its arguments, as the worker wrote them.
    pub args: Value,
    /// The action, or why it is invalid.
    pub action: Result<Action, ActionError>,
    /// What else the worker says.
    pub note: String,
    /// What the worker says it is not shown.
    pub missing: Option<String>,
}

/// Why a reply is not a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("protocol error: {0}; reply with one JSON object: {{\"tool\": NAME, \"args\": {{...}}}}")]
pub struct ProtocolError(String);

/// Parses a reply: its JSON object, which may be in a fenced block or follow some words. Thinking that a server
/// left in the text is skipped.
///
/// # Errors
/// If there is none, or it names no tool.
pub fn parse(reply: &str) -> Result<ParsedReply, ProtocolError> {
    let mut call = without_thinking(reply)
        .and_then(object)
        .ok_or_else(|| ProtocolError("the reply holds no JSON object".to_owned()))?;
    let text = |name: &str| call.get(name).and_then(Value::as_str).map(str::to_owned);
    let Some(tool) = text("tool") else {
        return Err(ProtocolError("the reply's JSON object names no `tool`".to_owned()));
    };
    let (note, missing) = (text("note").unwrap_or_default(), text(MISSING));
    let action = Action::from_json(&call);
    let args = call.get_mut("args").map_or_else(|| json!({}), Value::take);
    Ok(ParsedReply { tool, args, action, note, missing })
}

/// The first JSON object of a text that is whole.
pub(super) fn object(text: &str) -> Option<Value> {
    /// Braces tried before giving up: a reply does not need hundreds of them.
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
