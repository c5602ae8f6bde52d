//! Whether a text says a value: the whole of it, as it is, and not as a part of something else
//! (requirement 10).

/// The places where a value occurs in a text as a whole token.
pub(super) fn occurrences<'t>(text: &'t str, value: &'t str) -> impl Iterator<Item = usize> + 't {
    let found = text.match_indices(value).map(|(at, _)| at);
    found.filter(move |at| !value.is_empty() && is_whole(text, *at, value))
}

/// The line, counted from 0, of a place.
pub(super) fn line_of(text: &str, at: usize) -> u64 {
    memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() as u64
}

fn is_whole(text: &str, at: usize, value: &str) -> bool {
    let mut before = text[..at].chars().rev();
    let mut after = text[at + value.len()..].chars();
    let (previous, one_before) = (before.next(), before.next());
    let (next, one_after) = (after.next(), after.next());
    let first = value.chars().next();
    let last = value.chars().next_back();
    // A sign makes a number of what follows a word: in `3-5` there is no -5.
    let starts_in_word = (is_word(first) || is_sign(first)) && is_word(previous);
    let ends_in_word = is_word(last) && is_word(next);
    // 5 is neither in 2.5, 5.2 and 1,005 nor in -5; it is in +5, and in pp. 3-5.
    let starts_in_number = is_digit(first)
        && (is_point(previous) && is_digit(one_before)
            || is_minus(previous) && !is_word(one_before));
    let ends_in_number = is_digit(last) && is_point(next) && is_digit(one_after);
    !(starts_in_word || ends_in_word || starts_in_number || ends_in_number)
}

fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

fn is_digit(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_ascii_digit())
}

fn is_point(c: Option<char>) -> bool {
    matches!(c, Some('.' | ','))
}

fn is_minus(c: Option<char>) -> bool {
    matches!(c, Some('-' | '\u{2212}'))
}

fn is_sign(c: Option<char>) -> bool {
    is_minus(c) || c == Some('+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_tokens_are_said() {
        let says = |text: &str, value: &str| occurrences(text, value).count();
        for (text, value, times) in [
            ("it adds 5.", "5", 1),
            ("5, then 5; (5) and +5", "5", 4),
            ("15 51 x5 5x _5", "5", 0),
            ("2.5 and 5.2 and 1,005 and 5,100", "5", 0),
            ("-5 and \u{2212}5", "5", 0),
            ("-5 and 3-5", "-5", 1),
            ("pages 3-5", "5", 1),
            ("$5 and 5% and #5", "5", 3),
            ("2.50", "2.5", 0),
            ("1,200 tons", "1200", 0),
            ("twelve", "12", 0),
            ("the amber lamp; amberlamp", "amber lamp", 1),
            ("v\u{e9}5", "5", 0),
            ("", "5", 0),
            ("5", "", 0),
        ] {
            assert_eq!(says(text, value), times, "{value:?} in {text:?}");
        }
    }

    #[test]
    fn lines_are_counted() {
        assert_eq!(line_of("a\nb\nc", 0), 0);
        assert_eq!(line_of("a\nb\nc", 4), 2);
    }
}
