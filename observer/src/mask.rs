//! Whether secrets in a transcript's text are masked, and masking them.

use std::borrow::Cow;

/// A text after masking.
#[derive(Debug)]
pub struct Masked<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// How many secrets were masked in it.
    pub masked: u64,
}

/// What is done with secrets.
#[derive(Debug, Default)]
pub struct Mask(Option<()>);

impl Mask {
    /// Secrets are shown.
    pub fn off() -> Self {
        Self(None)
    }

    /// Secrets are masked.
    pub fn on() -> Self {
        Self(Some(()))
    }

    /// Whether secrets are masked.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Masks a text. Of one that was `cut`, the word at the end is left out: it may be the start of a
    /// secret, too short to be told.
    pub fn apply<'a>(&self, text: &'a str, cut: bool) -> Masked<'a> {
        let text = if self.is_on() && cut { whole_words(text) } else { text };
        Masked { text: Cow::Borrowed(text), masked: 0 }
    }
}

/// A text without the word at its end.
fn whole_words(text: &str) -> &str {
    let of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '/' | '.' | '=');
    let words = text.trim_end_matches(of_word);
    if words.is_empty() { text } else { words }
}
