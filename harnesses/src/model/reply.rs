//! A model's reply as one JSON object, by the rules of `strict/2`. `structured` holds the earlier rules, under
//! which `strict/1` and `paper/1` grade stored replies.
//!
//! 1. **Thinking is not the answer.** It is the text between a vendor's marks, or before an end mark that has
//!    no begin; of a reply in channels only the final one is the answer. A mark inside a JSON string is text.
//!    What has not ended leaves no answer.
//! 2. **One object.** Equal objects count as one, empty ones are ignored beside others, an object alone in an
//!    array is that object. Two that differ are ambiguous and a failure.
//! 3. **One value a key.** A key that occurs twice with different values, at any depth, is ambiguous too.
//! 4. **Syntax is repaired, content never**: code fences and prose around the object, commas before a closing
//!    bracket, line breaks in strings.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::structured::{ParseFailure, begin, length, mended};

/// Names of tags in which vendors put thinking, as `<think>` or `[THINK]`.
const TAGS: [&str; 13] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reason",
    "reflection",
    "scratchpad",
    "analysis",
    "antthinking",
    "inner_monologue",
    "seed:think",
    "thinking_process",
];

/// Other marks of thinking: begin and end.
const MARKS: [(&str, &str); 7] = [
    ("\u{25c1}think\u{25b7}", "\u{25c1}/think\u{25b7}"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|start_thinking|>", "<|end_thinking|>"),
    ("<|think|>", "<|/think|>"),
    ("<unused94>", "<unused95>"),
    ("<|channel>thought", "<channel|>"),
    ("<|thinking|>", "<|/thinking|>"),
];

/// What begins a channel's name, and its text.
const CHANNEL: &str = "<|channel|>";
const MESSAGE: &str = "<|message|>";

/// The one object of a reply.
///
/// # Errors
/// If there is none, or it is ambiguous.
pub fn parse(text: &str) -> Result<Map<String, Value>, ParseFailure> {
    let mut reader = Reader { rest: text, found: Vec::new(), fault: None, talk: false };
    while reader.step()? {}
    let Reader { mut found, fault, talk, .. } = reader;
    if found.len() > 1 {
        found.retain(|object| !object.is_empty());
    }
    match (found.len(), fault) {
        (0, Some(failure)) => Err(failure),
        (0, None) if talk => Err(ParseFailure::NoObject),
        (0, None) => Err(ParseFailure::Empty),
        // A second object that cannot be read may be the one that is meant.
        (1, None) => Ok(found.swap_remove(0)),
        (n, fault) => Err(ParseFailure::Several(n + usize::from(fault.is_some()))),
    }
}

/// A text without the thinking at its start, for protocols that look for their object themselves: all that
/// comes after the last end of a block. None if the thinking has not ended.
pub fn without_thinking(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        let object = begin(rest).unwrap_or(rest.len());
        match mark(rest).filter(|mark| mark.at() < object) {
            None => return Some(rest),
            Some(Mark::Begin { at, length, end }) => {
                let inside = &rest[at + length..];
                let (close, length) = end.find(inside)?;
                rest = &inside[close + length..];
            }
            Some(Mark::End { at, length }) => rest = &rest[at + length..],
            Some(Mark::Channel { at }) => rest = &rest[final_channel(&rest[at..])? + at..],
        }
    }
}

/// Where the text of the final channel begins.
fn final_channel(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find(CHANNEL) {
        let name = from + at + CHANNEL.len();
        let message = text[name..].find(MESSAGE)?;
        from = name + message + MESSAGE.len();
        if text[name..name + message].trim_start().starts_with("final") {
            return Some(from);
        }
    }
    None
}

/// Reads from left to right; what has been found so far is thinking if an end mark without a begin comes.
struct Reader<'a> {
    rest: &'a str,
    found: Vec<Map<String, Value>>,
    fault: Option<ParseFailure>,
    /// Whether there is text besides.
    talk: bool,
}

impl<'a> Reader<'a> {
    /// Takes the next object or block of thinking; no more if there is none.
    fn step(&mut self) -> Result<bool, ParseFailure> {
        let object = begin(self.rest);
        let mark = mark(self.rest);
        match (object, mark) {
            (Some(at), mark) if mark.as_ref().is_none_or(|mark| at < mark.at()) => {
                self.object(at)?;
            }
            (_, Some(mark)) => self.thinking(&mark)?,
            (Some(_) | None, None) => {
                self.talk |= !self.rest.trim().is_empty();
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn pass(&mut self, before: usize, after: &'a str) {
        self.talk |= !self.rest[..before].trim().is_empty();
        self.rest = after;
    }

    fn forget(&mut self) {
        self.found.clear();
        self.fault = None;
        self.talk = false;
    }

    fn thinking(&mut self, mark: &Mark) -> Result<(), ParseFailure> {
        match *mark {
            Mark::Begin { at, length, end } => {
                let inside = &self.rest[at + length..];
                let (close, length) = end.find(inside).ok_or(ParseFailure::Unfinished)?;
                self.pass(at, &inside[close + length..]);
            }
            Mark::End { at, length } => {
                self.rest = &self.rest[at + length..];
                self.forget();
            }
            Mark::Channel { at } => {
                let text = &self.rest[at..];
                let from = final_channel(text).ok_or(ParseFailure::Unfinished)?;
                self.rest = &text[from..];
                self.forget();
            }
        }
        Ok(())
    }

    fn object(&mut self, at: usize) -> Result<(), ParseFailure> {
        let text = &self.rest[at..];
        let read = length(text).map(|length| {
            let (span, after) = text.split_at(length);
            (serde_json::from_str::<Unique>(&mended(span)), after)
        });
        match read {
            Some((Ok(Unique(Value::Object(object))), after)) => {
                self.pass(at, after);
                if !self.found.contains(&object) {
                    self.found.push(object);
                }
            }
            // Braces of thinking that nothing began need not match.
            other => match (stray_end(text), other) {
                (Some(after), _) => {
                    self.rest = &text[after..];
                    self.forget();
                }
                (None, Some((read, after))) => {
                    self.pass(at, after);
                    let why = read.err().map_or_else(String::new, |error| error.to_string());
                    self.fault = Some(ParseFailure::Malformed(why));
                }
                (None, None) => return Err(ParseFailure::Unfinished),
            },
        }
        Ok(())
    }
}

/// Where the text continues after an unmatched end mark.
fn stray_end(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(mark) = mark(&text[from..]) {
        match mark {
            Mark::End { at, length } => return Some(from + at + length),
            Mark::Begin { at, length, .. } => from += at + length,
            Mark::Channel { at } => from += at + CHANNEL.len(),
        }
    }
    None
}

/// A mark of thinking.
#[derive(Debug, Clone, Copy)]
enum Mark {
    Begin { at: usize, length: usize, end: End },
    End { at: usize, length: usize },
    Channel { at: usize },
}

impl Mark {
    fn at(&self) -> usize {
        match self {
            Self::Begin { at, .. } | Self::End { at, .. } | Self::Channel { at } => *at,
        }
    }
}

/// What ends a block.
#[derive(Debug, Clone, Copy)]
enum End {
    Tag(char, &'static str, char),
    Text(&'static str),
}

impl End {
    /// Its position and length.
    fn find(self, text: &str) -> Option<(usize, usize)> {
        match self {
            Self::Text(end) => Some((find(text, end)?, end.len())),
            Self::Tag(open, name, close) => {
                let end = format!("{open}/{name}{close}");
                Some((find(text, &end)?, end.len()))
            }
        }
    }
}

/// The first mark of a text.
fn mark(text: &str) -> Option<Mark> {
    text.char_indices().filter(|(_, char)| "<[\u{25c1}".contains(*char)).find_map(|(at, char)| {
        let rest = &text[at..];
        if starts(rest, CHANNEL) {
            return Some(Mark::Channel { at });
        }
        for (begin, end) in MARKS {
            if starts(rest, begin) {
                return Some(Mark::Begin { at, length: begin.len(), end: End::Text(end) });
            }
            if starts(rest, end) {
                return Some(Mark::End { at, length: end.len() });
            }
        }
        let close = if char == '[' { ']' } else { '>' };
        let inner = &rest[char.len_utf8()..];
        let (ends, name) = match inner.strip_prefix('/') {
            Some(name) => (true, name),
            None => (false, inner),
        };
        let (name, _) = name.split_once(close).filter(|(name, _)| name.len() <= 80)?;
        let word = name.split_whitespace().next().unwrap_or_default();
        let tag = TAGS.into_iter().find(|tag| word.eq_ignore_ascii_case(tag))?;
        // `[Analysis]` and `[reason]` are prose: only Mistral's own tag is in square brackets.
        if char == '[' && tag != "think" {
            return None;
        }
        let length = char.len_utf8() + usize::from(ends) + name.len() + close.len_utf8();
        Some(if ends {
            Mark::End { at, length }
        } else {
            Mark::Begin { at, length, end: End::Tag(char, tag, close) }
        })
    })
}

/// Position of an ASCII mark in a text, ignoring case.
fn find(text: &str, mark: &str) -> Option<usize> {
    text.char_indices().map(|(at, _)| at).find(|at| starts(&text[*at..], mark))
}

fn starts(text: &str, mark: &str) -> bool {
    text.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark))
}

/// A value in which no key is there twice with different values.
struct Unique(Value);

impl<'de> Deserialize<'de> for Unique {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UniqueVisitor).map(Self)
    }
}

struct UniqueVisitor;

impl<'de> Visitor<'de> for UniqueVisitor {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unique(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((key, Unique(value))) = fields.next_entry::<String, Unique>()? {
            if object.get(&key).is_some_and(|known| *known != value) {
                return Err(A::Error::custom(format_args!("`{key}` has two different values")));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const ANSWER: &str = "{\"a\": 1}";

    #[test]
    fn thinking_is_no_answer() {
        for (begin, end) in [
            ("<think>", "</think>"),
            ("<thinking>", "</thinking>"),
            ("<Thinking budget=\"5\">", "</thinking>"),
            ("<reasoning>", "</reasoning>"),
            ("[THINK]", "[/THINK]"),
            ("\u{25c1}think\u{25b7}", "\u{25c1}/think\u{25b7}"),
            ("<seed:think>", "</seed:think>"),
            ("<|START_THINKING|>", "<|END_THINKING|>"),
            ("<|begin_of_thought|>", "<|end_of_thought|>"),
            ("<|channel>thought\n", "<channel|>"),
        ] {
            let expected = Ok(json!({"a": 1}));
            for draft in ["maybe {\"a\": 9}", "{\"a\": ", "an \" and } and {", ""] {
                let text = format!("{begin}{draft}{end}\n{ANSWER}");
                assert_eq!(parse(&text).map(Value::Object), expected, "{text}");
                assert_eq!(without_thinking(&text).map(str::trim), Some(ANSWER), "{text}");
                // A template that begins the thinking itself leaves its end alone.
                let text = format!("{draft}{end}{ANSWER}");
                assert_eq!(parse(&text).map(Value::Object), expected, "{text}");
            }
            let open = format!("{begin}{ANSWER}");
            assert_eq!(parse(&open), Err(ParseFailure::Unfinished), "{open}");
            assert_eq!(without_thinking(&open), None);
            let text = format!("{{\"a\": \"{begin} and {end}\"}}")
                .replace('\n', " ")
                .replace("\"5\"", "5");
            let begin = begin.replace('\n', " ").replace("\"5\"", "5");
            let inside = json!({"a": format!("{begin} and {end}")});
            assert_eq!(parse(&text).map(Value::Object), Ok(inside), "a mark in a string is text");
        }
    }

    #[test]
    fn of_channels_the_final_one_is_the_answer() {
        let analysis = "<|channel|>analysis<|message|>draft {\"a\": 9}<|end|>";
        let text =
            format!("{analysis}<|start|>assistant<|channel|>final<|message|>{ANSWER}<|return|>");
        assert_eq!(parse(&text).map(Value::Object), Ok(json!({"a": 1})));
        let constrained =
            format!("{analysis}<|channel|>final <|constrain|>json<|message|>{ANSWER}");
        assert_eq!(parse(&constrained).map(Value::Object), Ok(json!({"a": 1})));
        assert_eq!(parse(analysis), Err(ParseFailure::Unfinished));
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_not_read() {
        for text in [
            "{\"a\": 9, \"a\": 1}",
            "{\"b\": {\"a\": 9, \"a\": 1}}",
            "{\"b\": [{\"a\": 9, \"a\": 1}]}",
        ] {
            assert!(matches!(parse(text), Err(ParseFailure::Malformed(_))), "{text}");
        }
        assert_eq!(parse("{\"a\": 1, \"a\": 1}").map(Value::Object), Ok(json!({"a": 1})));
        assert_eq!(parse("{\"a\": 1} or {\"a\": 2}"), Err(ParseFailure::Several(2)));
        assert_eq!(parse("{\"a\": 1}\n{\"a\": 1}").map(Value::Object), Ok(json!({"a": 1})));
    }

    #[test]
    fn whatever_else_is_read_as_before() {
        for text in [
            "```json\n{\"a\": 1,}\n```",
            "Here: {\"a\": \"b\"}. Hope that helps {you}!",
            "[{\"a\": 1}]",
            "{\"a\": [1, 2, ], \"b\": {\"c\": 3.5,},}",
            "{\"a\": \"C:\\Windows \\d+\"}",
            "{}",
            "",
            " ",
            "The answer is 12.",
            "{a: 1}",
            "{\"a\": {\"b\": 1}, \"c\": \"cut o",
            "[{\"a\": 1}, {\"b\": 2}]",
            "{\"a\": null, \"b\": true, \"c\": -1.5e3}",
        ] {
            assert_eq!(parse(text), super::super::structured::parse(text), "{text}");
        }
        let deep = "{\"a\":".repeat(100_000) + "1" + &"}".repeat(100_000);
        assert!(matches!(parse(&deep), Err(ParseFailure::Malformed(_))));
    }
}
