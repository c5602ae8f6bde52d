//! What stands where a secret would, and is none: `changeme`, `<your-password>`, `${TOKEN}`, `****`.

/// Compared without case.
const WORDS: [&str; 18] = [
    "redacted",
    "[redacted]",
    "<redacted>",
    "changeme",
    "example",
    "placeholder",
    "your_password",
    "your_db_password",
    "your_secret",
    "secret_here",
    "password",
    "db_password",
    "secret",
    "secret_key",
    "api_key",
    "api_secret",
    "api_token",
    "api_secret_key",
];
/// A run of one of these is a mask.
const MASKS: &[u8] = b"*x.-";
/// A shorter run may be a secret.
const SHORTEST_MASK: usize = 3;
/// `<a>` may be a secret.
const SHORTEST_IN_BRACKETS: usize = 5;

pub(super) fn is_placeholder(value: &str) -> bool {
    let value = value.trim().trim_matches(['"', '\'']);
    if value.is_empty() || is_bracketed(value) || is_mark(value) {
        return true;
    }
    let lower = value.to_lowercase();
    (lower.starts_with("${") && lower.ends_with('}'))
        || WORDS.contains(&lower.as_str())
        || is_mask(lower.as_bytes())
}

/// Lower-case words in brackets; with a digit or a capital it may be a secret.
fn is_bracketed(value: &str) -> bool {
    let inside = value.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    value.len() >= SHORTEST_IN_BRACKETS
        && inside.is_some_and(|inside| {
            inside.starts_with(|first: char| first.is_ascii_lowercase())
                && inside.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_' | b'-'))
        })
}

/// What other programs write for a secret that they masked: `[REDACTED-12]`.
fn is_mark(value: &str) -> bool {
    let number = value.strip_prefix("[REDACTED-").and_then(|rest| rest.strip_suffix(']'));
    number.is_some_and(|number| {
        number.bytes().all(|byte| byte.is_ascii_digit())
            && number.bytes().next().is_some_and(|first| first != b'0')
    })
}

fn is_mask(value: &[u8]) -> bool {
    value.len() >= SHORTEST_MASK
        && MASKS.contains(&value[0])
        && value.iter().all(|byte| *byte == value[0])
}
