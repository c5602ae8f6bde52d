//! Newtypes for positions and identities, so that a line number is never taken for a byte offset or
//! a count of tokens for either. Everything in this crate may use them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::{Hash, Hasher};

use siphasher::sip::SipHasher13;

macro_rules! position {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

position!(
    /// An event's place in the ledger of its run, counted from 0.
    Seq
);
position!(
    /// A distance in bytes from the start of a file.
    ByteOffset
);
position!(
    /// A line of a file, counted from 1.
    LineNumber
);

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Millis(pub i64);

impl Millis {
    /// Reads an RFC 3339 instant; `None` if the text is not one.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<jiff::Timestamp>().ok().map(|t| Self(t.as_millisecond()))
    }

    /// The day in UTC, `YYYY-MM-DD`; empty for an instant that no calendar reaches.
    pub fn date(self) -> String {
        jiff::Timestamp::from_millisecond(self.0)
            .map_or_else(|_| String::new(), |t| t.strftime("%Y-%m-%d").to_string())
    }
}

impl fmt::Display for Millis {
    /// RFC 3339 in UTC, to the second: views state instants, not durations below a second.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(t) => write!(f, "{}", t.strftime("%Y-%m-%dT%H:%M:%SZ")),
            Err(_) => write!(f, "{} ms", self.0),
        }
    }
}

/// A 64-bit digest of an identifier or a text: what sets of millions of identifiers are kept as.
///
/// SipHash-1-3 with fixed keys, so that it is the same on every platform and in every run. Among a
/// million identifiers the chance that any two share a digest is below 3 in 100 million.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Digest64(pub u64);

impl nohash_hasher::IsEnabled for Digest64 {}

impl Digest64 {
    /// The digest of a text.
    pub fn of(text: &str) -> Self {
        let mut hasher = Self::hasher();
        hasher.write(text.as_bytes());
        Self(hasher.finish())
    }

    /// The digest of several parts, each kept apart from the next.
    pub fn of_parts(parts: &[&str]) -> Self {
        let mut hasher = Self::hasher();
        for part in parts {
            part.hash(&mut hasher);
        }
        Self(hasher.finish())
    }

    /// This digest combined with a further number.
    #[must_use]
    pub fn with(self, number: u64) -> Self {
        let mut hasher = Self::hasher();
        hasher.write_u64(self.0);
        hasher.write_u64(number);
        Self(hasher.finish())
    }

    fn hasher() -> SipHasher13 {
        SipHasher13::new_with_keys(0x7472_6163_6566_6f6c, 0x6469_6765_7374_3634)
    }
}

/// The SHA-256 of a payload's whole text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256([u8; 32]);

impl Sha256 {
    /// Hashes a text.
    pub fn of(text: &str) -> Self {
        use sha2::Digest;
        Self(sha2::Sha256::digest(text.as_bytes()).into())
    }

    /// Hashes the concatenation of parts.
    pub fn of_parts(parts: &[&[u8]]) -> Self {
        use sha2::Digest;
        let mut hasher = sha2::Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// The first 16 hexadecimal digits.
    pub fn short(&self) -> String {
        format!("{:016x}", self.head())
    }

    /// The first eight bytes as a number.
    pub fn head(&self) -> u64 {
        self.0.iter().take(8).fold(0, |head, byte| head << 8 | u64::from(*byte))
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sha256({self})")
    }
}

impl Serialize for Sha256 {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sha256 {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        let mut bytes = [0_u8; 32];
        if text.len() != 64 || !text.is_ascii() {
            return Err(serde::de::Error::custom("a SHA-256 is 64 hexadecimal digits"));
        }
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(serde::de::Error::custom)?;
        }
        Ok(Self(bytes))
    }
}

/// A bounded piece of a text, with what is needed to tell that it is a piece and of what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excerpt {
    /// The first characters of the text.
    pub text: String,
    /// How many characters the whole text has.
    pub chars: u64,
    /// Whether `text` is less than the whole.
    pub truncated: bool,
    /// The SHA-256 of the whole text.
    pub sha256: Sha256,
}

impl Excerpt {
    /// The first `limit` characters of `text`.
    pub fn new(text: &str, limit: usize) -> Self {
        Self::with_sha256(text, limit, Sha256::of(text))
    }

    /// As [`Excerpt::new`], for a text whose SHA-256 is known.
    pub fn with_sha256(text: &str, limit: usize, sha256: Sha256) -> Self {
        let head = crate::text::head(text, limit);
        Self {
            text: head.to_owned(),
            chars: count_chars(text) as u64,
            truncated: head.len() < text.len(),
            sha256,
        }
    }
}

/// The start of a text, and how long the whole is: what is shown of it can say what is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The first characters of the text.
    pub text: String,
    /// How many characters the whole text has.
    pub chars: u64,
}

impl Head {
    /// The first `limit` characters of `text`.
    pub fn new(text: &str, limit: usize) -> Self {
        let mut head = Self::default();
        head.set(text, limit);
        head
    }

    /// The first `limit` characters of the same text.
    #[must_use]
    pub fn shortened(&self, limit: usize) -> Self {
        Self { text: crate::text::head(&self.text, limit).to_owned(), chars: self.chars }
    }

    /// Holds the first `limit` characters of another text from now on.
    pub fn set(&mut self, text: &str, limit: usize) {
        self.text.clear();
        self.text.push_str(crate::text::head(text, limit));
        self.chars = count_chars(text) as u64;
    }
}

impl std::ops::Deref for Head {
    type Target = str;

    /// The characters that are kept.
    fn deref(&self) -> &str {
        &self.text
    }
}

/// Counts characters.
pub(crate) fn count_chars(text: &str) -> usize {
    count_chars_of(text.as_bytes())
}

/// Counts the characters that start in a piece of a text.
pub(crate) fn count_chars_of(piece: &[u8]) -> usize {
    bytecount::num_chars(piece)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_says_how_much_it_leaves_out() {
        let cut = Excerpt::new("añb→c", 3);
        assert_eq!((cut.text.as_str(), cut.chars, cut.truncated), ("añb", 5, true));
        let whole = Excerpt::new("añb→c", 5);
        assert_eq!((whole.text.as_str(), whole.chars, whole.truncated), ("añb→c", 5, false));
    }

    #[test]
    fn sha256_round_trips_through_json() {
        let sha = Sha256::of("abc");
        let json = serde_json::to_string(&sha).unwrap();
        assert_eq!(json, "\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"");
        assert_eq!(serde_json::from_str::<Sha256>(&json).unwrap(), sha);
        assert!(serde_json::from_str::<Sha256>("\"ba78\"").is_err());
    }

    #[test]
    fn parts_are_kept_apart() {
        assert_ne!(Digest64::of_parts(&["ab", "c"]), Digest64::of_parts(&["a", "bc"]));
    }
}
