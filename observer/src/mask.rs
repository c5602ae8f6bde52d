//! Whether secrets in a transcript's text are masked, and masking them.

use std::borrow::Cow;

use trace_model::redact::{Redactor, load_ahead};

/// A text after masking.
#[derive(Debug)]
pub struct Masked<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// How many secrets were masked in it.
    pub masked: u64,
}

/// What to do with secrets.
#[derive(Debug)]
pub struct Mask(Option<Redactor>);

impl Default for Mask {
    /// Secrets are masked.
    fn default() -> Self {
        Self::on()
    }
}

impl Mask {
    /// Secrets are shown.
    pub fn off() -> Self {
        Self(None)
    }

    /// Secrets are masked. The rules are loaded meanwhile: make it before the fold.
    pub fn on() -> Self {
        load_ahead();
        Self(Some(Redactor::new()))
    }

    /// What to do where a person may have asked to see secrets.
    pub fn unless(shown: bool) -> Self {
        if shown { Self::off() } else { Self::on() }
    }

    /// Whether secrets are masked.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Masks a text. Drops the last word of one that was `cut`: it may be the start of a secret, too
    /// short to be recognized.
    pub fn apply<'a>(&self, text: &'a str, cut: bool) -> Masked<'a> {
        let Some(redactor) = &self.0 else {
            return Masked { text: Cow::Borrowed(text), masked: 0 };
        };
        let redacted = redactor.redact(if cut { whole_words(text) } else { text });
        Masked { masked: redacted.total(), text: redacted.text }
    }
}

/// A text without the word at its end.
fn whole_words(text: &str) -> &str {
    let of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '/' | '.' | '=');
    let words = text.trim_end_matches(of_word);
    if words.is_empty() { text } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_gives_way_and_is_counted() {
        let token = format!("ghp_{}", "x7Kd92LmQpR4tVw8ZbN3cYf6HsJ1gUaE5oTi");
        let text = format!("export GITHUB_TOKEN={token} && git push");
        let masked = Mask::on().apply(&text, false);
        assert!(masked.masked == 1 && !masked.text.contains(&token[4..12]), "{}", masked.text);
        assert!(Mask::off().apply(&text, false).text.contains(&token));
    }

    #[test]
    fn the_start_of_a_secret_at_a_cut_is_left_out() {
        let masked = Mask::on().apply("export GITHUB_TOKEN=ghp_x7Kd92LmQp", true);
        assert_eq!(masked.text, "export ");
    }
}
