//! How texts are compared: without case and white space.

/// The text in lower case with every run of white space as one space, and none around it.
pub(crate) fn fold(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}
