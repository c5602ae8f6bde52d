//! Standard output: data only. Text that comes from transcripts is escaped before it gets here, so
//! that nothing in a file can move the cursor, recolour or reorder a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufWriter, StdoutLock, Write as _};

use cli_support::{escape, is_obeyed};
use serde::Serialize;

pub(crate) use trace_model::text::{count, duration, grouped};

/// Standard output, buffered. A reader that goes away shows as a broken pipe, which ends the command
/// quietly.
pub(crate) struct Out(BufWriter<StdoutLock<'static>>);

impl Out {
    /// Standard output.
    pub(crate) fn new() -> Self {
        Self(BufWriter::new(io::stdout().lock()))
    }

    /// Prints a text that ends in a line feed.
    pub(crate) fn text(&mut self, text: &str) -> anyhow::Result<()> {
        self.0.write_all(text.as_bytes())?;
        Ok(self.0.flush()?)
    }

    /// Prints a value as JSON on one line.
    pub(crate) fn json_line(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        self.text(&json_line(value)?)
    }

    /// Prints a value as JSON for people to read too.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(value)?;
        self.text(&format!("{}\n", visible_json(&text)))
    }
}

/// A value as JSON on one line, with its line feed.
pub(crate) fn json_line(value: &impl Serialize) -> anyhow::Result<String> {
    let line = serde_json::to_string(value)?;
    Ok(format!("{}\n", visible_json(&line)))
}

/// The same JSON value with characters that a terminal would obey written as `\uXXXX`: JSON itself
/// asks for that only below U+0020. Such characters can stand only inside strings.
fn visible_json(json: &str) -> Cow<'_, str> {
    let harmless = |c: char| c.is_ascii() && c != '\u{7f}' || !is_obeyed(c);
    if (json.is_ascii() && !json.contains('\u{7f}')) || json.chars().all(harmless) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if harmless(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}"); // a String takes everything
        }
    }
    Cow::Owned(out)
}

/// Prose of a transcript as one line of at most `max` characters; what is left out is counted.
/// `chars` is the length of the whole text where `text` is only its start.
pub(crate) fn prose(text: &str, chars: Option<u64>, max: usize) -> String {
    let mut line = String::new();
    let (mut shown, mut read, mut blank) = (0, 0, false);
    let mut rest = text.chars();
    while shown < max {
        let Some(c) = rest.next() else { break };
        read += 1;
        if c.is_whitespace() {
            blank = !line.is_empty();
            continue;
        }
        if std::mem::take(&mut blank) {
            line.push(' ');
            shown += 1;
        }
        line.push(c);
        shown += 1;
    }
    let stored = text.chars().count() as u64;
    let total = chars.unwrap_or(stored);
    let line = escape(&line);
    if total > stored || rest.any(|c| !c.is_whitespace()) {
        format!("{line} [{} of {} characters]", grouped(read), grouped(total))
    } else {
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stays_the_same_value_and_obeys_nothing() {
        let text = "a\u{1b}[31m\u{9b}\u{202e}\u{7f}\u{e0041}é\\ \u{1f600}";
        let json = serde_json::to_string(text).unwrap();
        let shown = visible_json(&json);
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
        assert!(!shown.chars().any(|c| c.is_control() || c == '\u{202e}' || c == '\u{e0041}'));
        assert!(shown.contains("é\\\\ \u{1f600}"), "{shown}");
    }

    #[test]
    fn prose_is_one_line_and_says_what_it_leaves_out() {
        assert_eq!(prose("  do\n\nthis\tnow \u{1b}[0m", None, 100), "do this now \\u{1b}[0m");
        assert_eq!(prose("abcdef", None, 4), "abcd [4 of 6 characters]");
        assert_eq!(prose("abcd", Some(1200), 10), "abcd [4 of 1,200 characters]");
        assert_eq!(prose("abcd", None, 4), "abcd");
        assert_eq!(prose("abcd\n", None, 10), "abcd");
    }
}
