//! What is looked at in a value to tell its format: which of a few names it has, on the top level and in a
//! few of its objects, and the text of fewer still. All else is passed over unread. A value that is cut
//! short gives the facts before the cut.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::adapter::torn;

/// The names that distinguish formats.
const NAMES: &[&str] = &[
    "$set",
    "action",
    "agent",
    "agents",
    "apiKeySource",
    "args",
    "attachment",
    "call_id",
    "content",
    "context",
    "created_at",
    "current_model_id",
    "customType",
    "data",
    "directory",
    "duration_ms",
    "environment",
    "eval",
    "eval_id",
    "event",
    "finalText",
    "git",
    "history",
    "id",
    "info",
    "instructions",
    "isMeta",
    "isSidechain",
    "is_error",
    "item",
    "key",
    "kind",
    "leafUuid",
    "mcp_servers",
    "message",
    "messageID",
    "messageId",
    "messages",
    "message_type",
    "metrics",
    "mini_version",
    "modelInfo",
    "modelUsage",
    "model_fingerprint",
    "model_id",
    "model_stats",
    "num_trials",
    "num_turns",
    "observation",
    "parent_id",
    "parent_tool_use_id",
    "parentId",
    "parentID",
    "parentUuid",
    "part",
    "parts",
    "payload",
    "permissionMode",
    "permission_mode",
    "platform",
    "projectHash",
    "projectID",
    "prompt_index",
    "protocol_version",
    "qwen_code_version",
    "reasoning_effort",
    "record_type",
    "requestId",
    "request_id",
    "resourceLogs",
    "resourceMetrics",
    "resourceSpans",
    "role",
    "run_id",
    "schema_version",
    "sessionID",
    "sessionId",
    "session_id",
    "session_start",
    "session_summary",
    "slash_commands",
    "snapshot",
    "source",
    "spans",
    "stats",
    "status",
    "step_index",
    "subtype",
    "synthetic_reason",
    "systemPayload",
    "task",
    "task_id",
    "termination_reason",
    "text",
    "thread_id",
    "ticks",
    "time",
    "timestamp",
    "toolCallId",
    "toolCallResult",
    "toolId",
    "toolName",
    "toolUseResult",
    "tool_calls",
    "tool_id",
    "tool_name",
    "tools",
    "total_cost_usd",
    "trace_id",
    "traces",
    "trajectory",
    "trajectory_format",
    "ts",
    "type",
    "usage",
    "usageMetadata",
    "userType",
    "uuid",
    "version",
    "workDir",
];

/// The names whose text is kept.
const TEXTS: &[&str] = &[
    "kind",
    "role",
    "schema_version",
    "session_id",
    "source",
    "subtype",
    "trajectory_format",
    "type",
];

/// The names whose object, or list's first object, is looked into.
const OPENED: &[&str] =
    &["eval", "history", "info", "message", "messages", "spans", "traces", "trajectory"];

/// Characters kept of a text.
const TEXT_CHARS: usize = 64;

/// What was found in a value. Places are (the name above or nothing, the name).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    names: Vec<(&'static str, &'static str)>,
    texts: Vec<(&'static str, &'static str, String)>,
    /// Whether the value is a list: what is found is found in its first element.
    pub is_list: bool,
}

impl Facts {
    /// Whether it has a name.
    pub fn has(&self, name: &str) -> bool {
        self.has_in("", name)
    }

    /// Whether it has one of these names.
    pub fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.has(name))
    }

    /// Whether it has all of these names.
    pub fn has_all(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.has(name))
    }

    /// Whether what a name holds has a name.
    pub fn has_in(&self, above: &str, name: &str) -> bool {
        self.names.iter().any(|(a, n)| *a == above && *n == name)
    }

    /// Whether what a name holds was looked into.
    pub fn opens(&self, above: &str) -> bool {
        self.names.iter().any(|(a, _)| *a == above)
    }

    /// The text of a name, the last one if it is repeated; empty if there is none.
    pub fn text(&self, name: &str) -> &str {
        self.text_in("", name)
    }

    /// The text of a name in what another holds.
    pub fn text_in(&self, above: &str, name: &str) -> &str {
        let found = self.texts.iter().rev().find(|(a, n, _)| *a == above && *n == name);
        found.map_or("", |(_, _, text)| text.as_str())
    }
}

/// What was found on a line, or in a text that is one document.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The values that are whole.
    pub(super) whole: Vec<Facts>,
    /// What there is of a value that the end of the text cuts short.
    pub(super) cut: Option<Facts>,
}

/// Looks at a line, or the start of one, as the reader reads it: several values one after the other, halves of
/// surrogate pairs repaired, a complete record glued to a truncated one.
pub(super) fn look(bytes: &[u8]) -> Found {
    let text = String::from_utf8_lossy(bytes);
    let (mut found, whole) = values(&text);
    if !whole && let Some(mended) = torn::mend(&text) {
        let (again, mended_whole) = values(&mended);
        if mended_whole || again.whole.len() > found.whole.len() || again.cut.is_some() {
            return again;
        }
    }
    if !whole && let Some(glued) = glued(&text) {
        found.whole.extend(values(glued).0.whole);
    }
    found
}

/// The complete object that ends a truncated text.
fn glued(text: &str) -> Option<&str> {
    let text = text.trim_end();
    torn::last_object(text).filter(|start| *start > 0).map(|start| &text[start..])
}

/// The values of a text, and whether it held nothing else than those and one that is cut short.
fn values(text: &str) -> (Found, bool) {
    let mut found = Found::default();
    let mut json = serde_json::Deserializer::from_str(text);
    while json.end().is_err() {
        let mut facts = Facts::default();
        match (Look { facts: &mut facts, above: "" }).deserialize(&mut json) {
            Ok(()) => found.whole.push(facts),
            Err(error) if error.is_eof() => {
                found.cut = Some(facts);
                return (found, true);
            }
            Err(_) => return (found, false),
        }
    }
    (found, true)
}

struct Look<'f> {
    facts: &'f mut Facts,
    above: &'static str,
}

impl<'de> DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { facts, above } = self;
        while let Some(name) = map.next_key_seed(Name)? {
            let Some(name) = name else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            facts.names.push((above, name));
            if TEXTS.contains(&name) {
                if let Some(text) = map.next_value_seed(Text)? {
                    facts.texts.push((above, name, text));
                }
            } else if above.is_empty() && OPENED.contains(&name) {
                map.next_value_seed(Look { facts, above: name })?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Self { facts, above } = self;
        facts.is_list |= above.is_empty();
        if list.next_element_seed(Look { facts, above })?.is_some() {
            while list.next_element::<IgnoredAny>()?.is_some() {}
        }
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

/// A name among [`NAMES`].
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Self::Value, D::Error> {
        name.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(NAMES.iter().find(|known| **known == name).copied())
    }
}

/// A short text; other values are skipped.
struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<Self::Value, D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Text {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(text.chars().take(TEXT_CHARS).collect()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
}
