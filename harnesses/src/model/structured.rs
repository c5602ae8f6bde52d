//! One JSON object out of a model's answer, as models write it: in a code fence, with prose around it, with
//! line breaks inside strings, with an extra comma. Only its syntax is repaired, never its content: what could
//! be read in two ways is a failure.

use std::fmt;

use serde_json::{Map, Value};

/// Why an answer is not taken as an object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseFailure {
    /// There is no text.
    #[error("the answer is empty")]
    Empty,
    /// There is text, but no object.
    #[error("the answer has no JSON object")]
    NoObject,
    /// There are several that differ, and nothing says which is meant.
    #[error("the answer has {0} different JSON objects")]
    Several(usize),
    /// An object, or the thinking ahead of it, does not end.
    #[error("the answer ends before its JSON object does")]
    Unfinished,
    /// An object cannot be read even with its syntax repaired.
    #[error("the answer's JSON object cannot be read: {0}")]
    Malformed(String),
}

/// The one object of an answer. Where there are several, they must be equal; empty ones do not count beside
/// others; an object alone in an array is that object. Everything up to the end of a `<think>` block, which
/// local servers leave in the text, is ignored.
///
/// # Errors
/// If there is none, or more than one.
pub fn parse(text: &str) -> Result<Map<String, Value>, ParseFailure> {
    let answer = without_thinking(text)?;
    if answer.trim().is_empty() {
        return Err(ParseFailure::Empty);
    }
    let mut found: Vec<Map<String, Value>> = Vec::new();
    let mut malformed = None;
    let mut rest = answer;
    while let Some(at) = begin(rest) {
        let Some(length) = length(&rest[at..]) else { return Err(ParseFailure::Unfinished) };
        let (span, after) = rest[at..].split_at(length);
        match serde_json::from_str(&mended(span)) {
            Ok(object) if !found.contains(&object) => found.push(object),
            Ok(_) => {}
            Err(error) => malformed = Some(ParseFailure::Malformed(error.to_string())),
        }
        rest = after;
    }
    if found.len() > 1 {
        found.retain(|object| !object.is_empty());
    }
    match (found.len(), malformed) {
        (0, Some(failure)) => Err(failure),
        (0, None) => Err(ParseFailure::NoObject),
        // A second object that cannot be read may be the one that is meant.
        (1, None) => Ok(found.swap_remove(0)),
        (n, malformed) => Err(ParseFailure::Several(n + usize::from(malformed.is_some()))),
    }
}

/// The text after the thinking, if there is some.
fn without_thinking(text: &str) -> Result<&str, ParseFailure> {
    match text.rsplit_once("</think>") {
        Some((_, answer)) => Ok(answer),
        None if text.trim_start().starts_with("<think>") => Err(ParseFailure::Unfinished),
        None => Ok(text),
    }
}

/// Where the next object begins: a brace, and then a key or the closing brace. Other braces are prose.
pub(super) fn begin(text: &str) -> Option<usize> {
    text.match_indices('{').map(|(at, _)| at).find(|at| {
        let inside = text[at + 1..].trim_start();
        inside.starts_with('"') || inside.starts_with('}')
    })
}

/// The bytes of the object that a text begins with, up to the brace that closes it. The braces of
/// strings do not count.
pub(super) fn length(text: &str) -> Option<usize> {
    let mut reading = Reading::default();
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        if reading.step(c) != Position::Outside {
            continue;
        }
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return Some(at + c.len_utf8());
        }
    }
    None
}

/// The same object in strict syntax: control characters in strings are escaped, an escape that JSON does
/// not have stands for its characters, commas before a closing bracket go.
pub(super) fn mended(span: &str) -> String {
    let mut out = String::with_capacity(span.len());
    let mut reading = Reading::default();
    // Where a comma stands after which nothing but white space came.
    let mut comma = None;
    for c in span.chars() {
        let place = reading.step(c);
        match (place, c) {
            (Position::Inside, c) if c.is_control() => push_escaped(&mut out, c),
            (Position::Escaped, c) if !is_escape(c) => {
                out.push('\\');
                if c.is_control() { push_escaped(&mut out, c) } else { out.push(c) }
            }
            (Position::Outside, ',') => {
                comma = Some(out.len());
                out.push(c);
                continue;
            }
            (Position::Outside, '}' | ']') => {
                if let Some(at) = comma {
                    out.remove(at);
                }
                out.push(c);
            }
            _ => out.push(c),
        }
        if !(place == Position::Outside && c.is_whitespace()) {
            comma = None;
        }
    }
    out
}

fn is_escape(c: char) -> bool {
    matches!(c, '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' | 'u')
}

fn push_escaped(out: &mut String, c: char) {
    use fmt::Write as _;
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{:04x}", u32::from(c));
}

/// Where a character is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Position {
    /// In no string; the quotes that end and begin one are.
    Outside,
    /// In a string, or its quotes.
    Inside,
    /// After a backslash in a string.
    Escaped,
}

/// Scans JSON character by character, to know what is inside a string.
#[derive(Debug, Default)]
struct Reading {
    in_string: bool,
    after_backslash: bool,
}

impl Reading {
    fn step(&mut self, c: char) -> Position {
        if !self.in_string {
            self.in_string = c == '"';
            return if self.in_string { Position::Inside } else { Position::Outside };
        }
        if std::mem::take(&mut self.after_backslash) {
            return Position::Escaped;
        }
        match c {
            '"' => self.in_string = false,
            '\\' => self.after_backslash = true,
            _ => {}
        }
        Position::Inside
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_models_write_is_read() {
        for (text, expected) in [
            (r#"{"a": 1}"#, json!({"a": 1})),
            ("```json\n{\"a\": [\"x\", \"y\"]}\n```", json!({"a": ["x", "y"]})),
            ("Here it is: {\"a\": \"b\"}. Hope that helps {you}!", json!({"a": "b"})),
            ("{\"a\": \"two\nlines\tand a tab\"}", json!({"a": "two\nlines\tand a tab"})),
            (r#"{"a": [1, 2, ], "b": {"c": 3,},}"#, json!({"a": [1, 2], "b": {"c": 3}})),
            ("{\"a\": 1,\n}\n", json!({"a": 1})),
            (r#"[{"a": 1}]"#, json!({"a": 1})),
            (
                r#"{"a": "brace } and , ] in \" a string"}"#,
                json!({"a": "brace } and , ] in \" a string"}),
            ),
            (r#"{"a": "C:\Windows \d+ é \u00e9"}"#, json!({"a": r"C:\Windows \d+ é é"})),
            ("{\"a\": \"split \\\nline\"}", json!({"a": "split \\\nline"})),
            ("<think>{\"a\": 0}? No.</think>\n{\"a\": 1}", json!({"a": 1})),
            ("so {\"a\": 0}? No.</think>{\"a\": 1}", json!({"a": 1})),
            (r#"{"a": 1} and again {"a":1}"#, json!({"a": 1})),
            ("fn f() {} gives {\"a\": 1}", json!({"a": 1})),
            ("{}", json!({})),
            (r#"{"a": null, "b": true, "c": -1.5e3}"#, json!({"a": null, "b": true, "c": -1.5e3})),
        ] {
            assert_eq!(parse(text).map(Value::Object), Ok(expected), "{text}");
        }
    }

    #[test]
    fn nothing_is_guessed() {
        for (text, expected) in [
            ("", ParseFailure::Empty),
            (" \n", ParseFailure::Empty),
            ("<think>hm</think> ", ParseFailure::Empty),
            ("The answer is 12.", ParseFailure::NoObject),
            (r#"["a", "b"]"#, ParseFailure::NoObject),
            ("{a: 1}", ParseFailure::NoObject),
            (r#"{"a": 1} or {"a": 2}"#, ParseFailure::Several(2)),
            (r#"[{"a": 1}, {"b": 2}]"#, ParseFailure::Several(2)),
            (r#"{"a": 1} or {"a": }"#, ParseFailure::Several(2)),
            (r#"{"a": {"b": 1}, "c": "cut o"#, ParseFailure::Unfinished),
            ("<think>{\"a\": 1}", ParseFailure::Unfinished),
        ] {
            assert_eq!(parse(text), Err(expected), "{text}");
        }
        // The inner object is not taken for the whole.
        for text in [r#"{"a": {"b": 1} "c": 2}"#, r#"{"a": 1,, "b": 2}"#, r#"{"a": NaN}"#] {
            assert!(matches!(parse(text), Err(ParseFailure::Malformed(_))), "{text}");
        }
    }

    #[test]
    fn deep_nesting_fails_and_does_not_crash() {
        let deep = "{\"a\":".repeat(100_000) + "1" + &"}".repeat(100_000);
        assert!(matches!(parse(&deep), Err(ParseFailure::Malformed(_))));
        assert_eq!(parse(&"{\"a\":".repeat(100_000)), Err(ParseFailure::Unfinished));
    }
}
