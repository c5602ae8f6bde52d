//! Text of others in messages: cut, with what was cut said.

/// The first `max` characters, and how many there were if some are left out.
pub(super) fn shorten(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((at, _)) => {
            let total = text.chars().count();
            format!("{} [{max} of {total} characters]", &text[..at])
        }
    }
}

/// The same on one line, as a message has to be.
pub(super) fn one_line(text: &str, max: usize) -> String {
    shorten(&text.split_whitespace().collect::<Vec<_>>().join(" "), max)
}
