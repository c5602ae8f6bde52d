//! A call's input as it is shown: JSON that may be cut off.

use serde_json::{Map, Value};

use super::marks::without_cut_mark;
use super::tools::{reads, writes};

/// Fields that can be a call's main argument besides its command and path; the first one present counts.
const ARGUMENTS: [&str; 9] =
    ["pattern", "query", "url", "description", "prompt", "question", "skill", "subject", "code"];

/// The fields that can be a call's path.
const PATHS: [&str; 4] = ["file_path", "notebook_path", "filePath", "path"];

/// A call's input.
#[derive(Debug, Clone, Default)]
pub(super) struct Input {
    fields: Map<String, Value>,
}

impl Input {
    pub(super) fn of(text: &str) -> Self {
        let text = without_cut_mark(text);
        let object = |text: &str| match serde_json::from_str(text) {
            Ok(Value::Object(fields)) => Some(fields),
            _ => None,
        };
        let fields = object(text).or_else(|| closed(text).iter().find_map(|text| object(text)));
        Self { fields: fields.unwrap_or_default() }
    }

    /// A field that is a text and not blank.
    pub(super) fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field)?.as_str().filter(|text| !text.trim().is_empty())
    }

    /// The path that it names.
    pub(super) fn path(&self) -> Option<&str> {
        PATHS.iter().find_map(|field| self.text(field))
    }

    /// What a person would name a call of this tool by.
    pub(super) fn main_argument(&self, tool: &str) -> Option<&str> {
        let path = || self.path().filter(|_| reads(tool) || writes(tool));
        let other = || ARGUMENTS.iter().find_map(|field| self.text(field));
        self.text("command").or_else(path).or_else(other).or_else(|| self.path())
    }
}

/// The tool with its main argument.
pub(super) fn naming(tool: &str, input: &Input) -> String {
    match input.main_argument(tool) {
        Some(argument) => format!("{tool} {argument}"),
        None => tool.to_owned(),
    }
}

/// Ways to complete a truncated JSON object: close what is open, or drop its last field.
fn closed(text: &str) -> Vec<String> {
    let mut open = Vec::new();
    let (mut in_string, mut escaped) = (false, false);
    let mut before_last_field = None;
    for (at, char) in text.char_indices() {
        match char {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => drop(open.pop()),
            ',' if open.len() == 1 => before_last_field = Some(at),
            _ => {}
        }
    }
    let ends: String = open.iter().rev().collect();
    let kept = if escaped { text.strip_suffix('\\').unwrap_or(text) } else { text };
    let quote = if in_string { "\"" } else { "" };
    let mut ways = vec![format!("{kept}{quote}{ends}")];
    ways.extend(before_last_field.map(|at| format!("{}}}", &text[..at])));
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_input_gives_the_fields_that_are_there() {
        let cut = Input::of(
            r#"{"file_path":"src/a.rs","old_string":"let x = \"… [40 of 300 characters]"#,
        );
        assert_eq!(cut.path(), Some("src/a.rs"));
        assert_eq!(cut.text("old_string"), Some("let x = \""));
        for text in [
            r#"{"command":"ls","descr… [17 of 60 characters]"#,
            r#"{"command":"ls","edits":[{"a":1},{"b… [17 of 60 characters]"#,
            r#"{"command":"ls","description":"li\… [17 of 60 characters]"#,
            r#"{"command":"ls","timeout":1… [17 of 60 characters]"#,
        ] {
            assert_eq!(Input::of(text).text("command"), Some("ls"), "{text}");
        }
        for text in ["", "[1]", "… [0 of 60 characters]", "{\"comm", "not JSON"] {
            assert!(Input::of(text).fields.is_empty(), "{text}");
        }
    }

    #[test]
    fn a_call_is_named_by_its_main_argument() {
        let name = |tool, text| naming(tool, &Input::of(text));
        assert_eq!(name("Bash", r#"{"description":"d","command":"ls"}"#), "Bash ls");
        assert_eq!(name("Grep", r#"{"path":"src","pattern":"x"}"#), "Grep x");
        assert_eq!(name("Edit", r#"{"file_path":"a","query":"x"}"#), "Edit a");
        assert_eq!(name("LS", r#"{"path":"src"}"#), "LS src");
        assert_eq!(name("Wait", "{}"), "Wait");
    }
}
