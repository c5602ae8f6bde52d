//! Whatever a text is, what is read of it is what `serde_json` reads.

use proptest::prelude::*;
use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Scratch, Values};

/// The values of a text and where each ends, or where reading stopped.
fn read<'a, T: Deserialize<'a>>(text: &'a str) -> Vec<Result<(T, usize), ()>> {
    let mut scratch = Scratch::default();
    let mut values = Values::new(text, &mut scratch);
    let mut found = Vec::new();
    while let Some(value) = values.next::<T>() {
        let failed = value.is_err();
        found.push(value.map(|value| (value, values.offset())).map_err(|_| ()));
        if failed {
            break;
        }
    }
    found
}

fn read_by_serde_json<'a, T: Deserialize<'a>>(text: &'a str) -> Vec<Result<(T, usize), ()>> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<T>();
    let mut found = Vec::new();
    while let Some(value) = values.next() {
        let failed = value.is_err();
        found.push(value.map(|value| (value, values.byte_offset())).map_err(|_| ()));
        if failed {
            break;
        }
    }
    found
}

/// An object some of whose values are passed over, some kept as they were written.
#[derive(Debug, Default)]
struct Parts<'a> {
    raw: Vec<&'a str>,
    read: Vec<Value>,
}

impl<'de> Deserialize<'de> for Parts<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PartsVisitor;
        impl<'de> Visitor<'de> for PartsVisitor {
            type Value = Parts<'de>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts<'de>, A::Error> {
                let mut parts = Parts::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.len() % 3 {
                        0 => drop(map.next_value::<IgnoredAny>()?),
                        1 => parts.raw.push(map.next_value::<&RawValue>()?.get()),
                        _ => parts.read.push(map.next_value()?),
                    }
                }
                Ok(parts)
            }
        }
        deserializer.deserialize_map(PartsVisitor)
    }
}

fn assert_same(text: &str) {
    assert_eq!(read::<Value>(text), read_by_serde_json::<Value>(text), "{text}");
    let ends = |found: Vec<Result<(IgnoredAny, usize), ()>>| {
        found.into_iter().map(|one| one.map(|(_, end)| end)).collect::<Vec<_>>()
    };
    assert_eq!(ends(read(text)), ends(read_by_serde_json(text)), "{text}");
    let parts = |found: Vec<Result<(Parts<'_>, usize), ()>>| format!("{found:?}");
    assert_eq!(parts(read(text)), parts(read_by_serde_json(text)), "{text}");
    let mut scratch = Scratch::default();
    let only = Values::only::<Value>(text, &mut scratch).ok();
    assert_eq!(only, serde_json::from_str(text).ok(), "{text}");
}

#[test]
fn odd_texts_are_read_as_serde_json_reads_them() {
    let texts = [
        "",
        " ",
        "{}",
        " { } ",
        "[]",
        "[ ]",
        "[1,]",
        "[,1]",
        "{,}",
        "{\"a\":1,}",
        "{\"a\" : 1 , \"bb\" : [ 2 ] }",
        "{\"a\"}",
        "{1:2}",
        "[1 2]",
        "{\"a\":1 \"b\":2}",
        "nul",
        "null",
        "nullx",
        "true,",
        "truefalse",
        "1 2",
        "1\"a\"",
        "\"a\"\"b\"",
        "[1][2]",
        "{}{}",
        "-",
        "-0",
        "-1",
        "0",
        "00",
        "01",
        "1.",
        "1.5",
        ".5",
        "1e",
        "1e5",
        "1E+5",
        "1e-",
        "1e400",
        "-1e400",
        "18446744073709551615",
        "18446744073709551616",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "9999999999999999999",
        "1234567890123456789",
        "0.1",
        "1.7976931348623157e308",
        "\"\\u00e9\\n\\t\\\\\\\"\\/\\b\\f\\r\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\"\\ude00\"",
        "\"\\ud83dx\"",
        "\"\\ud83d\\u0041\"",
        "\"\\ud83d\\ud83d\"",
        "\"a\nb\"",
        "\"a\tb\"",
        "\"\u{7f}é😀\"",
        "\"abc",
        "\"abc\\",
        "\"abc\\\"",
        "{\"a\":\"\\ud83d\"}",
        "{\"\\ud83d\":1}",
        "{\"aaa\":\"\\ud83d\"}",
        "{\"aaa\":\"\\u12\"}",
        "{\"aaa\":\"x\ny\"}",
        "{\"aaa\":01}",
        "{\"aaa\":1e400}",
        "{\"aaa\":{\"b\":[1,{}],\"c\":[]}}",
        "{\"aaa\":[}",
        "{\"aaa\":[1}}",
        "\u{feff}{}",
        "{\"a\":1}\r",
        "\t{\"a\":\t1}\n",
        "{\"key\\u0041\": 1}",
        "{\"a\":1,\"a\":2}",
    ];
    for text in texts {
        assert_same(text);
    }
}

#[test]
fn nesting_is_bounded_where_it_is_read_and_not_where_it_is_passed_over() {
    for depth in [1, 63, 64, 65, 126, 127, 128, 129, 200] {
        for (open, close) in [("[", "]"), ("{\"aaa\":", "}"), ("[{\"aaa\":[", "]}]")] {
            assert_same(&format!("{}1{}", open.repeat(depth), close.repeat(depth)));
            assert_same(&format!("{}1{}", open.repeat(depth), close.repeat(depth - 1)));
        }
    }
    let deep = 1_000_000;
    let text = format!("{{\"aaa\":{}1{}}}", "[".repeat(deep), "]".repeat(deep));
    assert_eq!(read::<IgnoredAny>(&text).len(), 1);
}

/// JSON as a writer gives it, with texts that have all kinds of characters.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "(?s).{0,40}".prop_map(Value::from),
        "[a-z\"\\\\\n\t\u{1}é😀]{0,60}".prop_map(Value::from),
    ];
    let value = leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z\\\\é]{0,9}", inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    });
    (value, any::<bool>()).prop_map(
        |(value, pretty)| {
            if pretty { format!("{value:#}") } else { value.to_string() }
        },
    )
}

proptest! {
    #[test]
    fn what_a_writer_gives_is_read_as_serde_json_reads_it(texts in prop::collection::vec(json(), 1..4)) {
        assert_same(&texts.concat());
        assert_same(&texts.join(" "));
    }

    #[test]
    fn damaged_text_is_read_as_serde_json_reads_it(
        text in json(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), "(?s)[\"\\\\{}\\[\\],:0-9eu.\n\u{1}a-z-]{0,3}", 0..4_usize), 1..4),
    ) {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, put, cut) in damage {
            let at = at.index(chars.len() + 1);
            let end = (at + cut).min(chars.len());
            chars.splice(at..end, put.chars());
        }
        assert_same(&chars.into_iter().collect::<String>());
    }
}
