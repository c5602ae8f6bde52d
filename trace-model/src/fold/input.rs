//! What the fold needs of a call's input.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::value::RawValue;

use super::facts::Extent;
use crate::ids::Digest64;
use crate::json::{Scratch, Tree, Values};

/// The fields of an input that name its file, in order of preference.
const PATH_FIELDS: [&str; 4] = ["file_path", "notebook_path", "filePath", "path"];
/// The fields of a stopping tool's input that name the task to stop, in order of preference.
const TASK_FIELDS: [&str; 3] = ["task_id", "shell_id", "bash_id"];

/// The fields of an input that hold its command, in order of preference.
const COMMAND_FIELDS: [&str; 2] = ["command", "cmd"];
/// Programs that run the script behind `-c`.
const SHELLS: [&str; 3] = ["bash", "sh", "zsh"];

/// A call's input, parsed once.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CallInput<'a> {
    /// The file it names.
    pub(super) path: Option<String>,
    /// Which lines of the file it asks for.
    pub(super) extent: Extent,
    /// A digest of the value, which the order of keys does not change.
    pub(super) digest: Digest64,
    /// The background task that it names.
    pub(super) task: Option<String>,
    /// Its value; none where that is absent or nested deeper than the parser goes.
    value: Option<Tree<'a>>,
    /// It as compact JSON with keys sorted at every depth, or as it was written where it has no value.
    canonical: Cow<'a, str>,
}

impl<'a> CallInput<'a> {
    /// `named` are the files that the adapter found in it; fields are looked at only where it found none.
    pub(super) fn new(raw: Option<&'a RawValue>, named: &[Cow<'_, str>]) -> Self {
        let text = raw.map_or("", RawValue::get);
        let named = named.first().map(ToString::to_string);
        match Values::only::<Tree<'_>>(text, &mut Scratch::default()) {
            Ok(value) => Self {
                path: named.or_else(|| first_string(&value, &PATH_FIELDS)),
                extent: extent(&value),
                digest: digest(&value),
                task: first_string(&value, &TASK_FIELDS),
                canonical: Cow::Owned(canonical(&value, text.len())),
                value: Some(value),
            },
            Err(_) => Self {
                path: named,
                extent: Extent::Whole,
                digest: Digest64::of(text),
                task: None,
                canonical: Cow::Borrowed(text),
                value: None,
            },
        }
    }

    /// The files that the call names: the one that the input does, and more that the adapter found in it.
    pub(super) fn files<'s>(&'s self, named: &'s [Cow<'_, str>]) -> impl Iterator<Item = &'s str> {
        self.path.as_deref().into_iter().chain(named.iter().skip(1).map(|path| &**path))
    }

    /// Its value, where it could be parsed.
    pub(super) fn value(&self) -> Option<&Tree<'a>> {
        self.value.as_ref()
    }

    /// A field that is a text.
    pub(super) fn text(&self, field: &str) -> Option<&str> {
        self.value.as_ref()?.get(field)?.as_str()
    }

    /// The command that it holds: a text, or a list of words.
    pub(super) fn command(&self) -> Option<Cow<'_, str>> {
        let value = self.value.as_ref()?;
        COMMAND_FIELDS.iter().find_map(|field| match value.get(field)? {
            Tree::Text(command) => Some(Cow::Borrowed(command.as_ref())),
            Tree::List(words) => {
                let words: Option<Vec<&str>> = words.iter().map(Tree::as_str).collect();
                Some(Cow::Owned(command_of(&words?)))
            }
            _ => None,
        })
    }

    /// It as compact JSON with keys sorted at every depth.
    pub(super) fn canonical(&self) -> &str {
        &self.canonical
    }
}

/// The command of a list of words: what a shell is given to run, or the words.
fn command_of(words: &[&str]) -> String {
    match words {
        [shell, flag, script, ..]
            if SHELLS.iter().any(|name| shell.rsplit('/').next() == Some(name))
                && flag.starts_with('-')
                && flag.contains('c') =>
        {
            (*script).to_owned()
        }
        _ => words.join(" "),
    }
}

fn digest(value: &Tree<'_>) -> Digest64 {
    match value {
        Tree::Object(fields) => fields
            .iter()
            .fold(Digest64::of("object").with(fields.len() as u64), |all, (key, value)| {
                all.with(Digest64::of(key).0).with(digest(value).0)
            }),
        Tree::List(list) => list
            .iter()
            .fold(Digest64::of("array").with(list.len() as u64), |all, v| all.with(digest(v).0)),
        Tree::Text(text) => Digest64::of_parts(&["string", text]),
        Tree::Scalar(scalar) => Digest64::of_parts(&["scalar", &scalar.to_string()]),
    }
}

/// The first of the fields that is a string with something in it.
fn first_string(value: &Tree<'_>, fields: &[&str]) -> Option<String> {
    let mut strings = fields.iter().filter_map(|field| value.get(field)?.as_str());
    strings.find(|text| !text.is_empty()).map(str::to_owned)
}

fn extent(value: &Tree<'_>) -> Extent {
    let offset = value.get("offset").and_then(|offset| offset.as_scalar()?.as_i64());
    let limit = value.get("limit").and_then(Tree::as_scalar).and_then(|limit| {
        limit.as_u64().or_else(|| limit.as_i64().map(|negative| negative.max(0).unsigned_abs()))
    });
    if offset.is_none() && limit.is_none() {
        return Extent::Whole;
    }
    let first = offset.and_then(|offset| u64::try_from(offset).ok()).unwrap_or(1).max(1);
    Extent::Part { first, limit }
}

/// A value as compact JSON with keys sorted at every depth. `length` is about how long that is.
fn canonical(value: &Tree<'_>, length: usize) -> String {
    let mut out = Vec::with_capacity(length);
    write_canonical(value, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

fn write_canonical(value: &Tree<'_>, out: &mut Vec<u8>) {
    match value {
        Tree::Object(fields) => {
            out.push(b'{');
            for (at, (key, value)) in fields.iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                write_json(key, out);
                out.push(b':');
                write_canonical(value, out);
            }
            out.push(b'}');
        }
        Tree::List(list) => {
            out.push(b'[');
            for (at, value) in list.iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                write_canonical(value, out);
            }
            out.push(b']');
        }
        Tree::Text(text) => write_json(text, out),
        Tree::Scalar(scalar) => write_json(scalar, out),
    }
}

fn write_json(value: &impl Serialize, out: &mut Vec<u8>) {
    // Texts and numbers can be written, and memory takes them.
    let _ = serde_json::to_writer(out, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    fn with_input<T>(json: &str, look: impl FnOnce(&CallInput<'_>) -> T) -> T {
        look(&CallInput::new(Some(&raw(json)), &[]))
    }

    #[test]
    fn key_order_and_spacing_make_no_difference() {
        let first = raw(r#"{"b": [1, {"y": 1, "x": "é\n"}], "a": null}"#);
        let second = raw(r#"{"a":null,"b":[1,{"x":"\u00e9\n","y":1}]}"#);
        let expected = "{\"a\":null,\"b\":[1,{\"x\":\"é\\n\",\"y\":1}]}";
        let (first, second) =
            (CallInput::new(Some(&first), &[]), CallInput::new(Some(&second), &[]));
        assert_eq!((first.canonical(), second.canonical()), (expected, expected));
        assert_eq!(first, second);
    }

    #[test]
    fn different_inputs_have_different_digests() {
        let texts = [
            "{}",
            "[]",
            "null",
            "\"\"",
            "[[]]",
            "{\"a\":1}",
            "{\"a\":\"1\"}",
            "[1,2]",
            "[12]",
            "1",
        ];
        let digests: std::collections::BTreeSet<Digest64> =
            texts.iter().map(|text| with_input(text, |input| input.digest)).collect();
        assert_eq!(digests.len(), texts.len());
    }

    #[test]
    fn commands_are_found_in_texts_and_lists() {
        let command = |json| with_input(json, |input| input.command().map(Cow::into_owned));
        assert_eq!(command(r#"{"command":"make x"}"#).as_deref(), Some("make x"));
        let shell = r#"{"command":["/bin/bash","-lc","make x"]}"#;
        assert_eq!(command(shell).as_deref(), Some("make x"));
        assert_eq!(command(r#"{"cmd":["make","x"]}"#).as_deref(), Some("make x"));
        assert_eq!(command(r#"{"cmd":["make",1]}"#), None);
        assert_eq!(command(r#"{"command":3}"#), None);
    }

    #[test]
    fn paths_and_extents_are_found() {
        let path = |json| with_input(json, |input| input.path.clone());
        let extent = |json| with_input(json, |input| input.extent);
        assert_eq!(path(r#"{"file_path":"","path":"b"}"#).as_deref(), Some("b"));
        assert_eq!(path(r#"{"file_path":3}"#), None);
        assert_eq!(extent(r#"{"path":"b"}"#), Extent::Whole);
        assert_eq!(extent(r#"{"offset":5,"limit":2}"#), Extent::Part { first: 5, limit: Some(2) });
        assert_eq!(extent(r#"{"offset":-5}"#), Extent::Part { first: 1, limit: None });
        assert_eq!(extent(r#"{"offset":"5"}"#), Extent::Whole);
        assert_eq!(path("[1]"), None);
    }
}
