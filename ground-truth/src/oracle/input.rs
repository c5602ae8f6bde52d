//! A call's input as texts.
//!
//! `docs/METHODOLOGY.md`, "Items" and "Entities". Used by `replay`.

use super::event::{Event, Role};
use super::parse::{Json, Kind};

/// The fields that hold a path.
const PATH_FIELDS: [&str; 4] = ["file_path", "notebook_path", "filePath", "path"];

/// The fields that hold a command text, the first that does.
const COMMAND_FIELDS: [&str; 2] = ["command", "cmd"];

/// The programs whose argument behind `-c` is the command.
const SHELLS: [&str; 3] = ["bash", "sh", "zsh"];

/// A call's input as texts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input {
    /// Whether the call's tool writes files.
    pub(crate) writes: bool,
    /// Every string at any depth, in the order written.
    pub(crate) all: Vec<String>,
    /// The top-level path fields that are strings.
    pub(crate) paths: Vec<String>,
    /// The command text.
    pub(crate) command: Option<String>,
    /// The strings that are neither in a path field nor in the field of the command text.
    pub(crate) others: Vec<String>,
    /// The files that a patch names.
    pub(crate) patched: Vec<String>,
}

impl Input {
    pub(super) fn of(call: &Event) -> Self {
        let writes = call.role == Role::Writes;
        let Some(input) = &call.input else {
            return Self { writes, ..Self::default() };
        };
        let names_files = call.tool.as_deref().is_some_and(is_patch_tool);
        let patched = if writes && names_files { call.paths.clone() } else { Vec::new() };
        let command = command(input);
        let is_path =
            |(key, value): &(&str, &Json)| PATH_FIELDS.contains(key) && value.text().is_some();
        let is_command = |key: &str| command.as_ref().is_some_and(|(field, _)| *field == key);
        let fields = fields(input);
        let others = match &input.kind {
            Kind::Object(_) => (fields.iter())
                .filter(|field| !is_path(field) && !is_command(field.0))
                .flat_map(|(_, value)| strings(value))
                .collect(),
            _ => strings(input),
        };
        let paths = fields.iter().filter(|field| is_path(field));
        Self {
            writes,
            all: strings(input),
            paths: paths.flat_map(|(_, value)| strings(value)).collect(),
            others,
            patched,
            command: command.map(|(_, text)| text),
        }
    }
}

/// Whether a tool, its namespace aside, is the one that applies patches.
fn is_patch_tool(tool: &str) -> bool {
    tool.rsplit('.').next() == Some("apply_patch")
}

/// The fields of an object in the order written.
fn fields(value: &Json) -> Vec<(&str, &Json)> {
    let Kind::Object(fields) = &value.kind else { return Vec::new() };
    let mut fields: Vec<(&str, &Json)> =
        fields.iter().map(|(key, value)| (key.as_str(), value)).collect();
    fields.sort_by_key(|(_, value)| value.place.start);
    fields
}

/// "Every string [...] at any depth, in the order written."
fn strings(value: &Json) -> Vec<String> {
    match &value.kind {
        Kind::Text(text) => vec![text.clone()],
        Kind::List(items) => items.iter().flat_map(strings).collect(),
        Kind::Object(_) => fields(value).into_iter().flat_map(|(_, it)| strings(it)).collect(),
        Kind::Null | Kind::Bool(_) | Kind::Number(_) => Vec::new(),
    }
}

/// The command text and the field that it is from.
fn command(input: &Json) -> Option<(&'static str, String)> {
    COMMAND_FIELDS.iter().find_map(|key| Some((*key, command_text(input.field(key)?)?)))
}

/// "A string as it is; an array of strings as its third, if [...], else joined by spaces."
fn command_text(field: &Json) -> Option<String> {
    let Kind::List(items) = &field.kind else { return field.text().map(str::to_owned) };
    let words: Vec<&str> = items.iter().map(Json::text).collect::<Option<_>>()?;
    match words.as_slice() {
        [] => None,
        [shell, flag, script, ..]
            if is_shell(shell) && flag.starts_with('-') && flag.contains('c') =>
        {
            Some((*script).to_owned())
        }
        words => Some(words.join(" ")),
    }
}

fn is_shell(program: &str) -> bool {
    program.rsplit('/').next().is_some_and(|name| SHELLS.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::parse::first_value;

    fn input(role: Role, text: &str) -> Input {
        let input = first_value(text).map(|(value, _)| value);
        Input::of(&Event { kind: "tool_call", input, role, ..Event::default() })
    }

    #[test]
    fn strings_come_in_the_order_written_without_keys_and_numbers() {
        let input = input(Role::Other, r#"{"z":"1","a":[2,"b",{"y":"c","x":"d"}],"e":true}"#);
        assert_eq!(input.all, ["1", "b", "c", "d"]);
        assert_eq!(input.others, input.all);
    }

    #[test]
    fn the_command_is_a_text_or_what_a_shell_is_given() {
        let command = |text| input(Role::Other, text).command;
        for (text, expected) in [
            (r#"{"command":"a b","cmd":"c"}"#, Some("a b")),
            (r#"{"command":7,"cmd":"c"}"#, Some("c")),
            (r#"{"command":["/bin/bash","-lc","a | b"]}"#, Some("a | b")),
            (r#"{"command":["zsh","-c","a","b"]}"#, Some("a")),
            (r#"{"command":["bash","-l","a"]}"#, Some("bash -l a")),
            (r#"{"command":["fish","-c","a"]}"#, Some("fish -c a")),
            (r#"{"command":["sh","-c"]}"#, Some("sh -c")),
            (r#"{"command":["ls",1]}"#, None),
            (r#"{"command":[]}"#, None),
            (r#"{"in":{"command":"a"}}"#, None),
            (r#""command""#, None),
        ] {
            assert_eq!(command(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn the_path_fields_and_the_commands_field_are_no_other_strings() {
        let text = r#"{"path":"p","file_path":["q"],"command":["sh","-c","x"],"cmd":"y"}"#;
        let input = input(Role::Other, text);
        assert_eq!(input.paths, ["p"]);
        assert_eq!(input.others, ["q", "y"]);
        assert_eq!(input.all, ["p", "q", "sh", "-c", "x", "y"]);
    }
}
