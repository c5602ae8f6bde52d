//! How a field of a raw record is read when its JSON type is not the expected one.
//!
//! `docs/DEFINITIONS.md`, "Lines and records": the list of exceptions at its end. Used by every other
//! part of the oracle, so that the rules are applied in one way.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

/// The largest token count that is believed: 10^15.
const LARGEST_COUNT: u64 = 1_000_000_000_000_000;

/// One step from a JSON value to a value inside it.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// A place in a record: its value, and the way there from the record's text, for the few questions
/// that only the text as written can answer.
#[derive(Debug, Clone)]
pub(super) struct Node<'a> {
    text: &'a str,
    path: Vec<Step>,
    value: &'a Value,
}

impl<'a> Node<'a> {
    /// The whole of a record.
    pub(super) fn root(text: &'a str, value: &'a Value) -> Self {
        Self { text, path: Vec::new(), value }
    }

    pub(super) fn value(&self) -> &'a Value {
        self.value
    }

    /// The value of a key; `null` is absent everywhere.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.as_object()?.get(key)?;
        if value.is_null() {
            return None;
        }
        let mut path = self.path.clone();
        path.push(Step::Key(key.to_owned()));
        Some(Self { text: self.text, path, value })
    }

    /// The items of an array.
    pub(super) fn items(&self) -> Option<Vec<Self>> {
        let items = self.value.as_array()?;
        let item = |(index, value)| {
            let mut path = self.path.clone();
            path.push(Step::Index(index));
            Self { text: self.text, path, value }
        };
        Some(items.iter().enumerate().map(item).collect())
    }

    pub(super) fn is_object(&self) -> bool {
        self.value.is_object()
    }

    /// "A string field takes a number or boolean by its JSON text."
    pub(super) fn string(&self, key: &str) -> Option<String> {
        let field = self.get(key)?;
        match field.value {
            Value::String(text) => Some(text.clone()),
            Value::Bool(flag) => Some(flag.to_string()),
            Value::Number(_) => Some(field.raw()),
            _ => None,
        }
    }

    /// A string field that is an id: "an id that is the empty string is absent".
    pub(super) fn id(&self, key: &str) -> Option<String> {
        self.string(key).filter(|id| !id.is_empty())
    }

    /// "A boolean field is true only for JSON `true`."
    pub(super) fn flag(&self, key: &str) -> bool {
        self.get(key).is_some_and(|field| field.value == &Value::Bool(true))
    }

    /// "A token count takes a non-negative finite number (cut to an integer) or a string of digits, up
    /// to 10^15." Anything else is absent, and an absent count adds nothing: zero.
    pub(super) fn count(&self, key: &str) -> u64 {
        let digits = match self.get(key).map(|field| field.value) {
            Some(Value::Number(number)) => match (number.as_u64(), number.as_f64()) {
                (Some(whole), _) => whole.to_string(),
                (None, Some(float)) if float >= 0.0 => format!("{:.0}", float.trunc().abs()),
                _ => return 0,
            },
            Some(Value::String(text)) if is_digits(text) => text.clone(),
            _ => return 0,
        };
        digits.parse().ok().filter(|count| *count <= LARGEST_COUNT).unwrap_or(0)
    }

    /// The value's text as it stands in the transcript.
    pub(super) fn raw(&self) -> String {
        let mut text = self.text;
        for step in &self.path {
            match inside(text, step) {
                Some(inner) => text = inner,
                None => return self.value.to_string(),
            }
        }
        text.to_owned()
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The text of the value one step inside the value that `text` is. Of a repeated key the last counts.
fn inside<'a>(text: &'a str, step: &Step) -> Option<&'a str> {
    match step {
        Step::Key(key) => {
            let mut fields: BTreeMap<String, &'a RawValue> = serde_json::from_str(text).ok()?;
            fields.remove(key).map(RawValue::get)
        }
        Step::Index(index) => {
            let items: Vec<&'a RawValue> = serde_json::from_str(text).ok()?;
            items.get(*index).map(|item| item.get())
        }
    }
}

/// A value as compact JSON with keys sorted at every depth.
///
/// The sorting is done here because whether a map of `serde_json` is sorted depends on its features.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let sorted: BTreeMap<&String, &Value> = fields.iter().collect();
            let fields = sorted.iter().map(|(key, value)| {
                format!("{}:{}", Value::String((*key).clone()), canonical(value))
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        scalar => scalar.to_string(),
    }
}

/// Replaces each `\u` escape that is half of a surrogate pair by `\ufffd`.
///
/// Such an escape is valid JSON and JavaScript writes it, but `serde_json` refuses it; the record must
/// not be lost for it.
pub(super) fn mend_surrogates(text: &str) -> Cow<'_, str> {
    if !text.contains("\\u") {
        return Cow::Borrowed(text);
    }
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        mended.push_str(&rest[..at]);
        rest = &rest[at..];
        let pair = code_unit(rest).zip(rest.get(6..).and_then(code_unit));
        let length = match (code_unit(rest), pair) {
            (_, Some((0xD800..=0xDBFF, 0xDC00..=0xDFFF))) => 12,
            (Some(0xD800..=0xDFFF), _) => 0,
            (Some(_), _) => 6,
            // An escape of two characters; the second may take more than a byte on a torn line.
            (None, _) => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
        };
        if length == 0 {
            mended.push_str("\\ufffd");
            rest = &rest[6..];
        } else {
            mended.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    mended.push_str(rest);
    Cow::Owned(mended)
}

/// The UTF-16 code unit of the escape `\uXXXX` that the text starts with.
fn code_unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn count_of(number: &str) -> u64 {
        let text = format!("{{\"n\":{number}}}");
        let value: Value = serde_json::from_str(&text).unwrap();
        Node::root(&text, &value).count("n")
    }

    #[test]
    fn a_count_takes_numbers_and_digits_and_nothing_else() {
        assert_eq!(count_of("7"), 7);
        assert_eq!(count_of("7.9"), 7);
        assert_eq!(count_of("1e3"), 1000);
        assert_eq!(count_of("-0.0"), 0);
        assert_eq!(count_of("\"0042\""), 42);
        assert_eq!(count_of("1000000000000000"), LARGEST_COUNT);
        for bad in ["1000000000000001", "1e16", "-1", "-0.5", "\"\"", "\"+1\"", "\"1.5\"", "true"] {
            assert_eq!(count_of(bad), 0, "{bad}");
        }
    }

    #[test]
    fn a_string_field_takes_a_number_as_written() {
        let text = r#"{"a":1.50,"b":true,"c":null,"d":[1],"a":2.50}"#;
        let value: Value = serde_json::from_str(text).unwrap();
        let node = Node::root(text, &value);
        assert_eq!(node.string("a").as_deref(), Some("2.50"));
        assert_eq!(node.string("b").as_deref(), Some("true"));
        assert_eq!(node.string("c"), None);
        assert_eq!(node.string("d"), None);
        assert!(node.flag("b") && !node.flag("a"));
    }

    #[test]
    fn canonical_sorts_every_depth() {
        let value = json!({"b": [{"z": 1, "a": "é\n"}], "a": null});
        assert_eq!(canonical(&value), r#"{"a":null,"b":[{"a":"é\n","z":1}]}"#);
    }

    #[test]
    fn only_lone_surrogates_are_mended() {
        let mend = |text| mend_surrogates(text).into_owned();
        assert_eq!(mend(r#""\ud83d\ude00""#), r#""\ud83d\ude00""#);
        assert_eq!(mend(r#""\ud83d x""#), r#""\ufffd x""#);
        assert_eq!(mend(r#""\ude00\ud83d""#), r#""\ufffd\ufffd""#);
        assert_eq!(mend(r#""\\ud83d""#), r#""\\ud83d""#);
        assert_eq!(mend("\\é\\u12"), "\\é\\u12");
        assert_eq!(mend("\\"), "\\");
    }
}
