//! JSON text made into values, each with its place in the text.
//!
//! The fold reads JSON with `serde_json`. The oracle does not: a fault of the parser would be a fault of
//! both, and no comparison would show it. It reads with the lexers of `hifijson`, which has no dependencies,
//! is kept by the author of `jaq` for that program's sake, and leaves to its user what the definitions have
//! a rule for: a number comes as it is written, each key of an object comes by itself (so that the last of a
//! repeated one can be seen to count), an escape can be looked at before it is refused (half a surrogate pair
//! is no fault here), the rest of the text is at hand after a value (several of them may follow one another on
//! a line, and a value's own text is needed as written), and how deep values go is decided here.
//!
//! Of the others, `json-event-parser`, `struson` and `nojson` give numbers as written and every key, but refuse
//! half a surrogate pair, and the first two do not hand out a value's own text; `jiter`, `simd-json` and
//! `sonic-rs` are made for speed, come with many crates or with `serde_json` itself, and make a number of what
//! stands there.

use std::collections::BTreeMap;
use std::ops::Range;

use hifijson::escape::{self, Lex as _};
use hifijson::num::LexWrite as _;
use hifijson::str::LexWrite as _;
use hifijson::token::{Expect, Lex as _};
use hifijson::{Error, Read as _, SliceLexer, str as text};

/// How many lists and objects can be inside one another. More than this is no complete value: nobody writes
/// it, and without a limit it would use up the stack.
const DEEPEST: usize = 127;

/// A JSON value, and the place in the text where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Json {
    pub(super) kind: Kind,
    pub(super) place: Range<usize>,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// `null`, and "a number beyond the range of a double".
    Null,
    Bool(bool),
    /// A number as written.
    Number(String),
    Text(String),
    List(Vec<Json>),
    /// "Of a repeated key in one object the last value counts."
    Object(BTreeMap<String, Json>),
}

/// The complete JSON value that the text starts with, and its length. A number or a word that goes on with
/// another character than one that can follow a value is not complete.
pub(super) fn first_value(text: &str) -> Option<(Json, usize)> {
    let mut reader = Reader { lexer: SliceLexer::new(text.as_bytes()), length: text.len() };
    let next = reader.lexer.peek_next()?;
    let value = reader.value(next, 0).ok()?;
    let length = reader.position();
    let ends_by_itself = matches!(value.kind, Kind::Text(_) | Kind::List(_) | Kind::Object(_));
    let may_follow = |byte: u8| b" \t\r\n\"[]{},:".contains(&byte);
    let is_whole = ends_by_itself || reader.lexer.peek_next().is_none_or(may_follow);
    is_whole.then_some((value, length))
}

/// A lexer over a text that knows where it is.
struct Reader<'a> {
    lexer: SliceLexer<'a>,
    length: usize,
}

impl Reader<'_> {
    fn position(&self) -> usize {
        self.length - self.lexer.as_slice().len()
    }

    /// The value whose first character is `next`, inside as many lists and objects as `depth` says.
    fn value(&mut self, next: u8, depth: usize) -> Result<Json, Error> {
        let start = self.position();
        let kind = match next {
            b'{' | b'[' if depth == DEEPEST => return Err(Error::Depth),
            b'{' => Kind::Object(self.fields(depth + 1)?),
            b'[' => Kind::List(self.items(depth + 1)?),
            b'"' => {
                self.lexer.take_next();
                Kind::Text(string(&mut self.lexer)?)
            }
            b'-' | b'0'..=b'9' => number(self.lexer.num_string().validated()?.0),
            b'a'..=b'z' => match self.lexer.null_or_bool() {
                Some(Some(flag)) => Kind::Bool(flag),
                Some(None) => Kind::Null,
                None => return Err(Expect::Value.into()),
            },
            _ => return Err(Expect::Value.into()),
        };
        Ok(Json { kind, place: start..self.position() })
    }

    fn items(&mut self, depth: usize) -> Result<Vec<Json>, Error> {
        let mut items = Vec::new();
        self.sequence(b']', |reader, next| {
            items.push(reader.value(next, depth)?);
            Ok(())
        })?;
        Ok(items)
    }

    fn fields(&mut self, depth: usize) -> Result<BTreeMap<String, Json>, Error> {
        let mut fields = BTreeMap::new();
        self.sequence(b'}', |reader, next| {
            if next != b'"' {
                return Err(Expect::String.into());
            }
            reader.lexer.take_next();
            let key = string(&mut reader.lexer)?;
            reader.lexer.expect(SliceLexer::ws_peek, b':').ok_or(Expect::Colon)?;
            let next = reader.lexer.ws_peek().ok_or(Expect::Value)?;
            fields.insert(key, reader.value(next, depth)?);
            Ok(())
        })?;
        Ok(fields)
    }

    /// What stands between brackets, with commas between.
    fn sequence(
        &mut self,
        end: u8,
        mut item: impl FnMut(&mut Self, u8) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.lexer.take_next();
        let mut next = self.lexer.ws_peek().ok_or(Expect::ValueOrEnd)?;
        if next == end {
            self.lexer.take_next();
            return Ok(());
        }
        loop {
            item(self, next)?;
            let after = self.lexer.ws_peek().ok_or(Expect::CommaOrEnd)?;
            self.lexer.take_next();
            if after == end {
                return Ok(());
            }
            if after != b',' {
                return Err(Expect::CommaOrEnd.into());
            }
            next = self.lexer.ws_peek().ok_or(Expect::Value)?;
        }
    }
}

/// "A number beyond the range of a double [reads] as `null`."
fn number(written: &str) -> Kind {
    match written.parse::<f64>() {
        Ok(double) if double.is_finite() => Kind::Number(written.to_owned()),
        _ => Kind::Null,
    }
}

/// The text of a string whose opening quote was taken.
fn string(lexer: &mut SliceLexer) -> Result<String, Error> {
    let plain = |bytes: &mut &[u8], text: &mut String| {
        text.push_str(std::str::from_utf8(bytes).map_err(text::Error::Utf8)?);
        Ok::<(), text::Error>(())
    };
    let found = lexer.str_fold(String::new(), plain, |lexer, text| {
        text.push(escaped(lexer)?);
        Ok(())
    });
    found.map_err(Error::Str)
}

/// The character of an escape whose backslash was taken. "An escaped lone surrogate reads as U+FFFD."
fn escaped(lexer: &mut SliceLexer) -> Result<char, escape::Error> {
    let kind = lexer.take_next().ok_or(escape::Error::Eof)?;
    if kind != b'u' {
        return lexer.escape(kind);
    }
    let unit: u16 = lexer.hex()?;
    if (0xD800..=0xDBFF).contains(&unit) {
        let mut ahead = SliceLexer::new(lexer.as_slice());
        if let Ok(code) = ahead.low_surrogate(unit) {
            *lexer = ahead;
            return char::from_u32(code).ok_or(escape::Error::InvalidChar(code));
        }
    }
    Ok(char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value's text as written, with what it is; nothing where none is complete.
    fn first(text: &str) -> Option<(Kind, &str)> {
        first_value(text).map(|(value, length)| {
            assert_eq!(value.place, 0..length);
            (value.kind, &text[..length])
        })
    }

    fn string_of(written: &str) -> Option<String> {
        match first(&format!("\"{written}\""))?.0 {
            Kind::Text(text) => Some(text),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_value_ends_where_the_next_may_start() {
        assert_eq!(first("{}{}").unwrap().1, "{}");
        assert_eq!(first("[1 , 2 ]x").unwrap().1, "[1 , 2 ]");
        assert_eq!(first("\"a\"x").unwrap().1, "\"a\"");
        assert_eq!(first("17{").unwrap().1, "17");
        assert_eq!(first("true\t").unwrap(), (Kind::Bool(true), "true"));
        for torn in ["17x", "007", "truex", "1.", "-", "1e", "+1", ".5", "nul", "None", "'a'", ""] {
            assert_eq!(first(torn), None, "{torn}");
        }
    }

    #[test]
    fn what_is_torn_or_no_json_is_refused() {
        for text in [
            "{",
            "[",
            "[1",
            "[1,",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1,}",
            "{a:1}",
            "{1:1}",
            "{\"a\" 1}",
            "{\"a\":1]",
            "[1}",
            "\"a",
            "\"\t\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u12g4\"",
            "[007]",
            "[1.e5]",
            "[NaN]",
        ] {
            assert_eq!(first(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_as_written_and_null_beyond_a_double() {
        let number = |text: &str| first(text).unwrap().0;
        for text in ["0", "-0", "1.50", "1E+5", "123456789012345678901234567890", "1e-999"] {
            assert_eq!(number(text), Kind::Number(text.to_owned()));
        }
        assert_eq!(number("1e999"), Kind::Null);
        assert_eq!(number("-1.5E+4000"), Kind::Null);
    }

    #[test]
    fn only_lone_surrogates_are_replaced() {
        let text = |written| string_of(written).unwrap();
        assert_eq!(text(r"\ud83d\ude00"), "\u{1f600}");
        assert_eq!(text(r"\ud83d x"), "\u{fffd} x");
        assert_eq!(text(r"\ude00\ud83d"), "\u{fffd}\u{fffd}");
        assert_eq!(text(r"\ud83d\ud83d\ude00"), "\u{fffd}\u{1f600}");
        assert_eq!(text(r"\ud83d\u0041\ud83d\n"), "\u{fffd}A\u{fffd}\n");
        assert_eq!(text(r"\\ud83d\/\b\f\r\t"), "\\ud83d/\u{8}\u{c}\r\t");
        assert_eq!(string_of(r"\ud83d\u12"), None);
        assert_eq!(string_of(r"\ud83d\"), None);
    }

    #[test]
    fn of_a_repeated_key_the_last_value_counts() {
        let Kind::Object(fields) = first(r#"{"a":1,"\u0061":{"b":2},"c":3}"#).unwrap().0 else {
            panic!("no object");
        };
        assert_eq!(fields.keys().collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!(fields["a"].place, 16..23);
    }

    #[test]
    fn values_that_go_too_deep_are_refused() {
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(first(&deep(DEEPEST)).is_some());
        assert!(first(&deep(DEEPEST + 1)).is_none());
        assert!(first(&"[{\"a\":".repeat(1_000_000)).is_none());
    }
}
