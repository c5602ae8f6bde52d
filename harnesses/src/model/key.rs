//! API keys: taken from the environment, sent in a header, shown nowhere. What a provider answers is
//! scrubbed of them before anything else sees it.

use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret as _, SecretString};

use super::error_kind::ErrorKind;

/// Placeholder for a removed key.
const SCRUBBED: &str = "[key]";

/// Shorter values are what local servers are given as a dummy (`none`, `EMPTY`): not secret, and
/// removing them would spoil the text around them.
const SHORTEST_SECRET: usize = 8;

/// An API key. `Debug` does not show it, and it has no `Display` and no serialized form.
#[derive(Debug, Clone)]
pub struct ApiKey(SecretString);

impl ApiKey {
    /// A key, trimmed: one read from a file ends in a line feed.
    pub fn new(key: &str) -> Self {
        Self(SecretString::from(key.trim()))
    }

    /// The first of the environment's variables that is set and not empty.
    ///
    /// # Errors
    /// [`ErrorKind::MissingKey`] with the first of the names.
    pub fn from_environment(variables: &[&str]) -> Result<Self, ErrorKind> {
        variables
            .iter()
            .filter_map(|name| std::env::var(name).ok())
            .find(|value| !value.trim().is_empty())
            .map(|value| Self::new(&value))
            .ok_or_else(|| ErrorKind::MissingKey { variable: variables.join(" or ") })
    }

    /// A header's value that begins with `prefix`; marked so that no log shows it.
    pub(super) fn header(&self, prefix: &str) -> Option<HeaderValue> {
        let text = SecretString::from(format!("{prefix}{}", self.0.expose_secret()));
        let mut value = HeaderValue::from_str(text.expose_secret()).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// The text without the key.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        let key = self.0.expose_secret();
        if key.len() < SHORTEST_SECRET { text.to_owned() } else { text.replace(key, SCRUBBED) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_shown_nowhere() {
        let key = ApiKey::new(" sk-secret-123\n");
        assert!(!format!("{key:?}").contains("secret-123"));
        assert!(!format!("{:?}", key.header("Bearer ").unwrap()).contains("secret-123"));
        assert_eq!(key.header("Bearer ").unwrap().to_str().unwrap(), "Bearer sk-secret-123");
        assert_eq!(key.scrub("bad key sk-secret-123!"), "bad key [key]!");
        assert_eq!(ApiKey::new("none").scrub("none of it"), "none of it");
        assert!(ApiKey::new("line\nbreak").header("").is_none());
    }
}
