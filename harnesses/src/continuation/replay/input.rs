//! A call's input, with its strings in the order in which they are written.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Fields that name a file.
pub(super) const PATH_FIELDS: [&str; 4] = ["file_path", "notebook_path", "filePath", "path"];
/// Fields that hold a command, in order of preference.
const COMMAND_FIELDS: [&str; 2] = ["command", "cmd"];

/// A JSON value of which only strings matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Text(String),
    List(Vec<Node>),
    Fields(Vec<(String, Node)>),
    Other,
}

/// What a string of an input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The command text.
    Command,
    /// A field that names a file.
    Path,
    /// Anything else.
    Other,
}

impl Node {
    /// The value of this JSON; one without strings if it cannot be read.
    pub(super) fn parse(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or(Self::Other)
    }

    /// Every string at any depth, joined by line feeds.
    pub(super) fn text(&self) -> String {
        let mut strings = Vec::new();
        self.collect(&mut strings);
        strings.join("\n")
    }

    fn collect<'a>(&'a self, into: &mut Vec<&'a str>) {
        match self {
            Self::Text(text) => into.push(text),
            Self::List(nodes) => nodes.iter().for_each(|node| node.collect(into)),
            Self::Fields(fields) => fields.iter().for_each(|(_, node)| node.collect(into)),
            Self::Other => {}
        }
    }

    /// The field of this name; the last, if it is written twice.
    fn field(&self, name: &str) -> Option<&Self> {
        let Self::Fields(fields) = self else { return None };
        fields.iter().rev().find(|(key, _)| key == name).map(|(_, node)| node)
    }

    /// The file that a field names, if one does.
    pub(super) fn path(&self) -> Option<String> {
        PATH_FIELDS.into_iter().find_map(|name| match self.field(name)? {
            Self::Text(path) if !path.is_empty() => Some(path.clone()),
            _ => None,
        })
    }

    /// The command text and the field that it is from.
    fn command_field(&self) -> Option<(&'static str, String)> {
        COMMAND_FIELDS.into_iter().find_map(|name| Some((name, command_text(self.field(name)?)?)))
    }

    /// The command text.
    pub(super) fn command(&self) -> Option<String> {
        self.command_field().map(|(_, text)| text)
    }

    /// Its strings with what each is. The command text stands in the place of the field that it is from.
    pub(super) fn strings(&self) -> Vec<(Place, String)> {
        let Self::Fields(fields) = self else {
            let mut strings = Vec::new();
            self.collect(&mut strings);
            return strings.into_iter().map(|text| (Place::Other, text.to_owned())).collect();
        };
        let command = self.command_field();
        let mut all = Vec::new();
        for (name, node) in fields {
            match (&command, node) {
                (Some((field, text)), _) if field == name => {
                    all.push((Place::Command, text.clone()));
                }
                (_, Self::Text(text)) if PATH_FIELDS.contains(&name.as_str()) => {
                    all.push((Place::Path, text.clone()));
                }
                _ => {
                    let mut strings = Vec::new();
                    node.collect(&mut strings);
                    all.extend(strings.into_iter().map(|text| (Place::Other, text.to_owned())));
                }
            }
        }
        all
    }
}

/// The command that a field states: a string, or the words or the script of an array of strings.
fn command_text(node: &Node) -> Option<String> {
    let parts = match node {
        Node::Text(text) => return Some(text.clone()),
        Node::List(parts) => parts,
        Node::Fields(_) | Node::Other => return None,
    };
    let word = |part: &Node| if let Node::Text(text) = part { Some(text.clone()) } else { None };
    let words: Vec<String> = parts.iter().map(word).collect::<Option<_>>()?;
    if let [shell, flag, script, ..] = words.as_slice()
        && matches!(shell.rsplit('/').next(), Some("bash" | "sh" | "zsh"))
        && flag.starts_with('-')
        && flag.contains('c')
    {
        return Some(script.clone());
    }
    Some(words.join(" "))
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(nodes) => serializer.collect_seq(nodes),
            Self::Fields(fields) => serializer.collect_map(fields.iter().map(|(k, v)| (k, v))),
            Self::Other => serializer.serialize_unit(),
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Node, E> {
        Ok(Node::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Node, E> {
        Ok(Node::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = seq.next_element()? {
            nodes.push(node);
        }
        Ok(Node::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Node::Fields(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_in_the_order_written_without_keys_and_numbers() {
        let input = Node::parse(r#"{"b":"one","a":{"y":["two",3,null],"x":"three"},"c":true}"#);
        assert_eq!(input.text(), "one\ntwo\nthree");
        assert_eq!(Node::parse("\"patch\"").text(), "patch");
        assert_eq!(Node::parse("{").text(), "");
    }

    #[test]
    fn a_command_is_a_string_a_script_or_words() {
        let command = |json| Node::parse(json).command();
        assert_eq!(command(r#"{"command":"ls -l"}"#).as_deref(), Some("ls -l"));
        assert_eq!(command(r#"{"cmd":"ls","x":1}"#).as_deref(), Some("ls"));
        assert_eq!(command(r#"{"cmd":"b","command":"a"}"#).as_deref(), Some("a"));
        assert_eq!(
            command(r#"{"command":["/bin/bash","-lc","a && b"]}"#).as_deref(),
            Some("a && b")
        );
        assert_eq!(command(r#"{"command":["bash","x","y"]}"#).as_deref(), Some("bash x y"));
        assert_eq!(command(r#"{"command":["git","log"]}"#).as_deref(), Some("git log"));
        assert_eq!(command(r#"{"command":[1]}"#), None);
        assert_eq!(command(r#"{"in":{"command":"ls"}}"#), None);
    }
}
