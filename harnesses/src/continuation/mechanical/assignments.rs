//! `key = value` lines, as files, views and summaries hold them.

/// `key = value` lines, in their order.
pub(super) type Lines = Vec<(String, String)>;

/// A `key = value` line.
pub(super) fn assignment(line: &str) -> Option<(String, String)> {
    let (key, value) = line.split_once(" = ")?;
    let key = key.trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    (!key.is_empty() && key.chars().all(plain)).then(|| (key.to_owned(), value.trim().to_owned()))
}
