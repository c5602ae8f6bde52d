//! What the fold needs of a call's input.

use std::fmt::Write as _;

use serde_json::Value;
use serde_json::value::RawValue;

use super::facts::Extent;

/// The fields of an input that name its file, in order of preference.
const PATH_FIELDS: [&str; 4] = ["file_path", "notebook_path", "filePath", "path"];

/// A call's input.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CallInput {
    /// The file it names.
    pub(super) path: Option<String>,
    /// Which lines of the file it asks for.
    pub(super) extent: Extent,
    /// The input as compact JSON with keys sorted at every depth.
    pub(super) canonical: String,
}

impl CallInput {
    pub(super) fn new(raw: Option<&RawValue>) -> Self {
        let text = raw.map_or("", RawValue::get);
        match serde_json::from_str::<Value>(text) {
            Ok(value) => {
                let mut canonical = String::with_capacity(text.len());
                write_canonical(&value, &mut canonical);
                Self { path: path(&value), extent: extent(&value), canonical }
            }
            // Absent, or nested deeper than the parser goes: told apart by its text alone.
            Err(_) => Self { path: None, extent: Extent::Whole, canonical: text.to_owned() },
        }
    }
}

fn path(value: &Value) -> Option<String> {
    let fields = PATH_FIELDS.iter().filter_map(|field| value.get(field)?.as_str());
    fields.into_iter().find(|path| !path.is_empty()).map(str::to_owned)
}

fn extent(value: &Value) -> Extent {
    let offset = value.get("offset").and_then(Value::as_i64);
    let limit = value.get("limit").and_then(Value::as_u64);
    if offset.is_none() && limit.is_none() {
        return Extent::Whole;
    }
    let first = offset.and_then(|offset| u64::try_from(offset).ok()).unwrap_or(1).max(1);
    Extent::Part { first, limit }
}

fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            // Sorted here rather than by the map, whose order is a build feature of the parser.
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_unstable_by_key(|entry| entry.0);
            out.push('{');
            for (at, (key, value)) in entries.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_scalar(&Value::String(key.clone()), out);
                out.push(':');
                write_canonical(value, out);
            }
            out.push('}');
        }
        Value::Array(list) => {
            out.push('[');
            for (at, value) in list.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write_canonical(value, out);
            }
            out.push(']');
        }
        scalar => write_scalar(scalar, out),
    }
}

fn write_scalar(value: &Value, out: &mut String) {
    // Writing to a string does not fail.
    let _ = write!(out, "{value}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(json: &str) -> CallInput {
        CallInput::new(Some(&RawValue::from_string(json.to_owned()).unwrap()))
    }

    #[test]
    fn key_order_and_spacing_make_no_difference() {
        let first = input(r#"{"b": [1, {"y": 1, "x": "é\n"}], "a": null}"#);
        let second = input(r#"{"a":null,"b":[1,{"x":"\u00e9\n","y":1}]}"#);
        assert_eq!(first, second);
        assert_eq!(first.canonical, "{\"a\":null,\"b\":[1,{\"x\":\"é\\n\",\"y\":1}]}");
    }

    #[test]
    fn paths_and_extents_are_found() {
        assert_eq!(input(r#"{"file_path":"","path":"b"}"#).path.as_deref(), Some("b"));
        assert_eq!(input(r#"{"file_path":3}"#).path, None);
        assert_eq!(input(r#"{"path":"b"}"#).extent, Extent::Whole);
        assert_eq!(
            input(r#"{"offset":5,"limit":2}"#).extent,
            Extent::Part { first: 5, limit: Some(2) }
        );
        assert_eq!(input(r#"{"offset":-5}"#).extent, Extent::Part { first: 1, limit: None });
        assert_eq!(input(r#"{"offset":"5"}"#).extent, Extent::Whole);
        assert_eq!(input("[1]").path, None);
    }
}
