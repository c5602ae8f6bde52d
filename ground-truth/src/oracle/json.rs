//! How a field of a raw record is read when its JSON type is not the expected one.
//!
//! `docs/DEFINITIONS.md`, "Lines and records": the list of exceptions at its end. Used by every other
//! part of the oracle, so that the rules are applied in one way.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::parse::{Json, Kind};

/// The largest token count that is believed: 10^15.
const LARGEST_COUNT: u64 = 1_000_000_000_000_000;

/// A place in a record: its value, and the record's text, for the few questions that only the text as
/// written can answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    text: &'a str,
    value: &'a Json,
}

impl<'a> Node<'a> {
    /// A value that was read from a text.
    pub(super) fn new(text: &'a str, value: &'a Json) -> Self {
        Self { text, value }
    }

    pub(super) fn value(&self) -> &'a Json {
        self.value
    }

    /// The value of a key; `null` is absent everywhere.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.field(key)?;
        Some(Self { text: self.text, value })
    }

    /// The items of an array.
    pub(super) fn items(&self) -> Option<Vec<Self>> {
        match &self.value.kind {
            Kind::List(items) => {
                Some(items.iter().map(|value| Self { text: self.text, value }).collect())
            }
            _ => None,
        }
    }

    /// The fields of an object that are not absent, by key.
    pub(super) fn fields(&self) -> Option<BTreeMap<&'a str, Self>> {
        let Kind::Object(fields) = &self.value.kind else {
            return None;
        };
        Some(fields.keys().filter_map(|key| Some((key.as_str(), self.get(key)?))).collect())
    }

    pub(super) fn is_object(&self) -> bool {
        matches!(self.value.kind, Kind::Object(_))
    }

    /// "A string field takes a number or boolean by its JSON text."
    pub(super) fn string(&self, key: &str) -> Option<String> {
        let field = self.get(key)?;
        match &field.value.kind {
            Kind::Text(text) => Some(text.clone()),
            Kind::Bool(flag) => Some(flag.to_string()),
            Kind::Number(written) => Some(written.clone()),
            _ => None,
        }
    }

    /// A string field that is an id: "an id that is the empty string is absent".
    pub(super) fn id(&self, key: &str) -> Option<String> {
        self.string(key).filter(|id| !id.is_empty())
    }

    /// "A boolean field is true only for JSON `true`."
    pub(super) fn flag(&self, key: &str) -> bool {
        self.get(key).is_some_and(|field| field.value.kind == Kind::Bool(true))
    }

    /// A token count; an absent one adds nothing: zero.
    pub(super) fn count(&self, key: &str) -> u64 {
        self.stated_count(key).unwrap_or(0)
    }

    /// "A token count takes a non-negative finite number (cut to an integer) or a string of digits, up
    /// to 10^15." Anything else is absent.
    pub(super) fn stated_count(&self, key: &str) -> Option<u64> {
        let digits = match &self.get(key)?.value.kind {
            Kind::Number(written) if is_digits(written) => written.clone(),
            Kind::Number(written) => {
                let number = written.parse::<f64>().ok().filter(|number| *number >= 0.0)?;
                format!("{:.0}", number.trunc().abs())
            }
            Kind::Text(text) if is_digits(text) => text.clone(),
            _ => return None,
        };
        digits.parse().ok().filter(|count| *count <= LARGEST_COUNT)
    }

    /// The value's text as it stands in the transcript.
    pub(super) fn raw(&self) -> &'a str {
        &self.text[self.value.place.clone()]
    }
}

impl Json {
    /// The value of an object's key; `null` is absent.
    pub(super) fn field(&self, key: &str) -> Option<&Self> {
        match &self.kind {
            Kind::Object(fields) => fields.get(key).filter(|field| field.kind != Kind::Null),
            _ => None,
        }
    }

    /// The text of a JSON string; of nothing else.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// "The first of its `...` that is a non-empty string."
    pub(super) fn first_text(&self, keys: &[&str]) -> Option<&str> {
        let mut texts = keys.iter().filter_map(|key| self.field(key)?.text());
        texts.find(|text| !text.is_empty())
    }

    /// An integer: a number that is written without a point and an exponent.
    pub(super) fn integer(&self) -> Option<i128> {
        match &self.kind {
            Kind::Number(written) => {
                let integer: i128 = written.parse().ok()?;
                (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&integer).then_some(integer)
            }
            _ => None,
        }
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A value as compact JSON with keys sorted at every depth. Numbers stay as they are written.
pub(super) fn canonical(value: &Json) -> String {
    match &value.kind {
        Kind::Null => "null".to_owned(),
        Kind::Bool(flag) => flag.to_string(),
        Kind::Number(written) => written.clone(),
        Kind::Text(text) => quoted(text),
        Kind::List(items) => {
            format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        Kind::Object(fields) => {
            let fields =
                fields.iter().map(|(key, value)| format!("{}:{}", quoted(key), canonical(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        }
    }
}

/// A text as JSON, with no more escapes than it needs.
fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '\0'..'\u{20}' => {
                // Writing to a string does not fail.
                let _ = write!(json, "\\u{:04x}", u32::from(character));
            }
            other => json.push(other),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::parse::first_value;

    fn value(text: &str) -> Json {
        first_value(text).unwrap().0
    }

    fn count_of(number: &str) -> Option<u64> {
        let text = format!("{{\"n\":{number}}}");
        Node::new(&text, &value(&text)).stated_count("n")
    }

    #[test]
    fn a_count_takes_numbers_and_digits_and_nothing_else() {
        for (number, count) in [
            ("7", 7),
            ("7.9", 7),
            ("1e3", 1000),
            ("-0.0", 0),
            ("-0", 0),
            ("\"0042\"", 42),
            ("1000000000000000", LARGEST_COUNT),
        ] {
            assert_eq!(count_of(number), Some(count), "{number}");
        }
        for bad in [
            "1000000000000001",
            "99999999999999999999",
            "1e16",
            "-1",
            "-0.5",
            "\"\"",
            "\"+1\"",
            "\"1.5\"",
            "true",
            "null",
            "1e999",
        ] {
            assert_eq!(count_of(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_string_field_takes_a_number_as_written() {
        let text = r#"{"a":1.50,"b":true,"c":null,"d":[1],"a":2.50,"e":1e999}"#;
        let value = value(text);
        let node = Node::new(text, &value);
        assert_eq!(node.string("a").as_deref(), Some("2.50"));
        assert_eq!(node.string("b").as_deref(), Some("true"));
        assert_eq!(node.string("c"), None);
        assert_eq!(node.string("d"), None);
        assert_eq!(node.string("e"), None);
        assert!(node.flag("b") && !node.flag("a"));
        assert_eq!(node.fields().unwrap().into_keys().collect::<Vec<_>>(), ["a", "b", "d"]);
    }

    #[test]
    fn integers_have_no_point_and_no_exponent() {
        let integer = |text| value(text).integer();
        assert_eq!(integer("18446744073709551615"), Some(i128::from(u64::MAX)));
        assert_eq!(integer("-3"), Some(-3));
        for other in ["1.0", "1e3", "\"1\"", "18446744073709551616"] {
            assert_eq!(integer(other), None, "{other}");
        }
    }

    #[test]
    fn canonical_sorts_every_depth_and_escapes_no_more_than_it_must() {
        let sorted = |text| canonical(&value(text));
        assert_eq!(
            sorted(r#"{ "b" : [{"z":1.50, "a":"\u00e9\n"}], "a":null, "b2":true}"#),
            r#"{"a":null,"b":[{"a":"é\n","z":1.50}],"b2":true}"#
        );
        let escapes = "\"\\u0000\\u001f\\u0014\\b\\f\\r\\t\\/\\\"\\\\\\u007f\\u2028\"";
        let expected = "\"\\u0000\\u001f\\u0014\\b\\f\\r\\t/\\\"\\\\\u{7f}\u{2028}\"";
        assert_eq!(sorted(escapes), expected);
    }

    #[test]
    fn a_value_has_its_text_as_written() {
        let text = r#"{"a": {"b" :[1.0,  "\ud800"]}}"#;
        let value = value(text);
        let node = Node::new(text, &value);
        assert_eq!(node.get("a").unwrap().raw(), r#"{"b" :[1.0,  "\ud800"]}"#);
        let items = node.get("a").unwrap().get("b").unwrap().items().unwrap();
        assert_eq!(items.iter().map(Node::raw).collect::<Vec<_>>(), ["1.0", r#""\ud800""#]);
    }
}
