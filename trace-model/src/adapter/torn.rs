//! Lines with more or less than one complete record: what every adapter of JSON lines needs to read them.

/// The start of the object whose closing brace ends `text`; found backwards, in one pass, since a truncated
/// text's quotes can be paired only from its intact end.
pub(super) fn last_object(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if bytes.last() != Some(&b'}') {
        return None;
    }
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut at = bytes.len();
    while at > 0 {
        at -= 1;
        match bytes[at] {
            b'"' => {
                let slashes = bytes[..at].iter().rev().take_while(|b| **b == b'\\').count();
                if slashes % 2 == 0 {
                    in_string = !in_string;
                }
                at -= slashes;
            }
            b'}' | b']' if !in_string => depth += 1,
            b'{' | b'[' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    return (bytes[at] == b'{').then_some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Repairs the two faults that spoil an otherwise complete record: halves of surrogate pairs, and numbers
/// beyond a double's range. All other positions stay the same. `None` if there is neither.
pub(super) fn mend(text: &str) -> Option<String> {
    let paired = replace_lone_surrogates(text);
    let in_range = replace_huge_numbers(paired.as_deref().unwrap_or(text));
    in_range.or(paired)
}

/// Replaces each number beyond a double's range with null; such a number is longer than that.
fn replace_huge_numbers(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut fixed = String::new();
    let mut copied = 0;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = string_end(bytes, at),
            b'-' | b'0'..=b'9' => {
                let end = at + number_length(&bytes[at..]);
                if text[at..end].parse::<f64>().is_ok_and(f64::is_infinite) {
                    fixed.push_str(&text[copied..at]);
                    fixed.push_str("null");
                    fixed.extend(std::iter::repeat_n(' ', end - at - "null".len()));
                    copied = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    (copied > 0).then(|| {
        fixed.push_str(&text[copied..]);
        fixed
    })
}

/// The place after the string that starts at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at.min(bytes.len())..]) {
        at += found;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

fn number_length(bytes: &[u8]) -> usize {
    let is_part = |b: &&u8| matches!(**b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    bytes.iter().take_while(is_part).count()
}

/// Replaces each escaped surrogate that has no partner with the escape of U+FFFD; `None` if there
/// is none. Writers that cut a text between two UTF-16 units leave such halves behind.
fn replace_lone_surrogates(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut fixed = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &bytes[at..]) {
        let escape = at + found;
        match surrogate(bytes, escape) {
            Some(Half::High) if matches!(surrogate(bytes, escape + 6), Some(Half::Low)) => {
                at = escape + 12;
            }
            Some(_) => {
                fixed.push_str(&text[copied..escape]);
                fixed.push_str("\\ufffd");
                at = escape + 6;
                copied = at;
            }
            None => at = (escape + 2).min(bytes.len()),
        }
    }
    (copied > 0).then(|| {
        fixed.push_str(&text[copied..]);
        fixed
    })
}

enum Half {
    High,
    Low,
}

/// Which half of a surrogate pair the escape at `at` is.
fn surrogate(bytes: &[u8], at: usize) -> Option<Half> {
    let escape = bytes.get(at..at + 6)?;
    if escape[..2] != *b"\\u" || !escape[2].eq_ignore_ascii_case(&b'd') {
        return None;
    }
    if !escape[3..].iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    match escape[3].to_ascii_lowercase() {
        b'8' | b'9' | b'a' | b'b' => Some(Half::High),
        b'c'..=b'f' => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_object_that_ends_a_text_is_found_past_braces_in_strings() {
        let text = r#"{"a":"x{"type":"user","m":{"t":"}]\"{\\"}}"#;
        assert_eq!(last_object(text).map(|at| &text[at..]), Some(&text[7..]));
        assert_eq!(last_object("{\"a\":1"), None);
        assert_eq!(last_object("}"), None);
        assert_eq!(last_object("[}"), None);
        assert_eq!(last_object(""), None);
    }

    #[test]
    fn numbers_beyond_range_become_null() {
        assert_eq!(
            mend(r#"{"a":1e999,"b":"1e999\"","c":-1E+400}"#).as_deref(),
            Some(r#"{"a":null ,"b":"1e999\"","c":null   }"#)
        );
        assert_eq!(mend(r#"{"a":1e300,"b":"1e999"#), None);
    }

    #[test]
    fn half_pairs_are_replaced_and_whole_ones_kept() {
        assert_eq!(replace_lone_surrogates(r"a\ud83d\ude00b"), None);
        assert_eq!(replace_lone_surrogates(r"a\ud83dxb").as_deref(), Some(r"a\ufffdxb"));
        assert_eq!(replace_lone_surrogates(r"\uDE00").as_deref(), Some(r"\ufffd"));
        assert_eq!(replace_lone_surrogates(r"\\ud83d"), None);
        assert_eq!(
            replace_lone_surrogates(r"\ud83d\ud83d\ude00").as_deref(),
            Some(r"\ufffd\ud83d\ude00")
        );
        assert_eq!(replace_lone_surrogates(r"\"), None);
    }
}
