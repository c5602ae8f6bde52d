//! What tools do, by their names, and what a patch writes.

use std::borrow::Cow;

use super::shape::{Payload, read_text};
use crate::adapter::lenient::{TextOnly, lenient_object};
use crate::event::ToolRole;

/// What the namespace of an MCP server's tools starts with.
const MCP: &str = "mcp__";
/// The tool that writes files.
const PATCH: &str = "apply_patch";
/// What the lines of a patch start with that name a file.
const FILE_LINES: [&str; 4] =
    ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];

/// A tool, as a call names it.
#[derive(Clone, Debug)]
pub(super) struct Tool<'a> {
    /// Its name with its namespace.
    pub(super) name: Cow<'a, str>,
    /// The client's own name of it; none of an MCP server's tool.
    own: Option<Cow<'a, str>>,
}

impl<'a> Tool<'a> {
    /// The tool of this name.
    pub(super) fn named(name: &'a str) -> Self {
        Self { name: Cow::Borrowed(name), own: Some(Cow::Borrowed(name)) }
    }

    /// The tool that a call names.
    pub(super) fn of(payload: &Payload<'a>) -> Self {
        let own = payload.name.0.clone().filter(|name| !name.is_empty());
        let own = own.unwrap_or(Cow::Borrowed("unknown"));
        match payload.namespace.0.as_deref().filter(|namespace| !namespace.is_empty()) {
            None => Self { name: own.clone(), own: Some(own) },
            Some(namespace) => Self {
                name: Cow::Owned(format!("{namespace}.{own}")),
                own: (!namespace.starts_with(MCP)).then_some(own),
            },
        }
    }

    /// Whether it is the client's tool of this name.
    pub(super) fn is(&self, name: &str) -> bool {
        self.own.as_deref() == Some(name)
    }

    /// What it does.
    pub(super) fn role(&self) -> ToolRole {
        match self.own.as_deref().unwrap_or_default() {
            "read_file" | "view_image" => ToolRole::Reader,
            PATCH => ToolRole::Writer,
            "grep_files" | "list_dir" | "tool_search" => ToolRole::Finder,
            "request_user_input" | "ask_user_question" => ToolRole::Asker,
            "wait_agent" | "wait" | "spawn_agents_on_csv" => ToolRole::Launcher,
            _ => ToolRole::Other,
        }
    }

    /// The files that a call of it with this input names otherwise than by a field: those of a patch.
    pub(super) fn paths(&self, input: Option<&str>) -> Vec<Cow<'a, str>> {
        match input {
            Some(input) if self.is(PATCH) => patched(input),
            _ => Vec::new(),
        }
    }
}

lenient_object! {
    /// A patch in an object.
    PatchInput { "input" => patch: TextOnly<'de> }
}

/// The files that a patch names, each once; `input` is JSON: the patch, or an object with it.
fn patched(input: &str) -> Vec<Cow<'static, str>> {
    let patch = serde_json::from_str::<Cow<'_, str>>(input)
        .ok()
        .or_else(|| read_text::<PatchInput<'_>>(input)?.patch.0);
    let mut paths: Vec<Cow<'static, str>> = Vec::new();
    for line in patch.as_deref().unwrap_or_default().lines() {
        let named = FILE_LINES.iter().find_map(|start| line.strip_prefix(start)).map(str::trim);
        if let Some(file) = named.filter(|file| !file.is_empty())
            && !paths.iter().any(|known| known == file)
        {
            paths.push(Cow::Owned(file.to_owned()));
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_patch_names_each_file_once() {
        let patch = "*** Begin Patch\n*** Update File: a b.rs\n*** Move to: c.rs\n@@\n-x\n+*** Add File: no\n*** Delete File: d \n*** Update File: c.rs\n*** End Patch\n";
        let expected = ["a b.rs", "c.rs", "d"];
        assert_eq!(patched(&json!(patch).to_string()), expected);
        assert_eq!(patched(&json!({"input": patch}).to_string()), expected);
        assert!(patched("{\"input\":3}").is_empty());
        assert!(patched("no json").is_empty());
    }

    #[test]
    fn a_servers_tool_is_not_the_clients() {
        let read = |json: &'static str| Tool::of(&read_text(json).unwrap());
        let own = read(r#"{"name":"read_file"}"#);
        assert_eq!((own.name.as_ref(), own.role()), ("read_file", ToolRole::Reader));
        let server = read(r#"{"name":"read_file","namespace":"mcp__x"}"#);
        assert_eq!((server.name.as_ref(), server.role()), ("mcp__x.read_file", ToolRole::Other));
        let grouped = read(r#"{"name":"apply_patch","namespace":"functions"}"#);
        assert_eq!(grouped.role(), ToolRole::Writer);
        assert_eq!(read("{}").name, "unknown");
    }
}
