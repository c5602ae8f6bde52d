//! What a worker is shown: a list of shared segments of text. An arm composes it again for each step; segments
//! are never copied, and a segment's tokens and digest are computed once.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use super::tokens;

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Constant over the run: how to act, and the task.
    System,
    /// What the worker is shown.
    User,
    /// What the worker replied.
    Assistant,
}

/// A segment of text that several contexts may share. It holds whole sections: it begins with a
/// section's header and ends with a line feed.
#[derive(Debug, Clone)]
pub struct Segment(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    text: Arc<str>,
    tokens: u64,
    digest: u64,
}

impl Segment {
    /// A segment of this text, with a line feed at its end.
    #[must_use]
    pub fn new(mut text: String) -> Self {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let tokens = tokens::count(&text);
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Self(Arc::new(Inner { tokens, digest: hasher.finish(), text: text.into() }))
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Its text, to be shared.
    #[must_use]
    pub fn shared(&self) -> &Arc<str> {
        &self.0.text
    }

    /// Its tokens, estimated.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.0.tokens
    }

    /// A digest of its text, for what is remembered within a process.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.0.digest
    }
}

/// One message of a request.
#[derive(Debug, Clone)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What it is made of, in order.
    pub segments: Vec<Segment>,
    /// Whether the endpoint is asked to cache everything up to the end of this message.
    pub breakpoint: bool,
}

impl Message {
    /// A message without a breakpoint.
    #[must_use]
    pub fn new(role: Role, segments: Vec<Segment>) -> Self {
        Self { role, segments, breakpoint: false }
    }

    /// The same with a breakpoint at its end.
    #[must_use]
    pub fn cached(mut self) -> Self {
        self.breakpoint = true;
        self
    }

    /// Its text.
    #[must_use]
    pub fn text(&self) -> String {
        self.segments.iter().map(Segment::text).collect()
    }

    /// Its tokens, estimated.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.segments.iter().map(Segment::tokens).sum()
    }
}

/// What a worker is shown at one step.
#[derive(Debug, Clone, Default)]
pub struct Prompt {
    /// The messages, in order.
    pub messages: Vec<Message>,
}

impl Prompt {
    /// All segments, in order.
    pub fn segments(&self) -> impl Iterator<Item = &Segment> {
        self.messages.iter().flat_map(|message| &message.segments)
    }

    /// The context as one text: all that a worker without a model sees.
    #[must_use]
    pub fn text(&self) -> String {
        self.segments().map(Segment::text).collect()
    }

    /// Its tokens, estimated.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.messages.iter().map(Message::tokens).sum()
    }
}

/// The headers with which sections begin. A section ends where the next line with a header begins.
const HEADERS: [&str; 9] = [
    "[instructions]",
    "[task]",
    "[view]",
    "[summary]",
    "[list]",
    "[tally]",
    "[note]",
    "[step ",
    "[observation ",
];

/// Whether a line begins a section.
#[must_use]
pub fn is_header(line: &str) -> bool {
    line.starts_with('[') && HEADERS.iter().any(|header| line.starts_with(header))
}

/// A text from outside, so that no line of it reads as a section's header: such a line is indented.
#[must_use]
pub fn quoted(text: &str) -> String {
    if !text.lines().any(is_header) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for line in text.lines() {
        let indent = if is_header(line) { " " } else { "" };
        let _ = writeln!(out, "{indent}{line}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_begins_a_section() {
        assert_eq!(quoted("a\n[view]\n[step 3] x\n[other]"), "a\n [view]\n [step 3] x\n[other]\n");
        assert_eq!(quoted("a [view]\nb"), "a [view]\nb");
        assert!(!quoted("[observation 1]\rx").lines().any(is_header));
    }

    #[test]
    fn pieces_end_in_a_line_feed_and_equal_texts_have_equal_digests() {
        let (one, other) =
            (Segment::new("[task]\nx".to_owned()), Segment::new("[task]\nx\n".to_owned()));
        assert_eq!(one.text(), "[task]\nx\n");
        assert_eq!(one.digest(), other.digest());
        assert!(one.tokens() > 0);
    }
}
