//! The normal form of a text, and W.

/// Whether a character is one of W: `[A-Za-z0-9_]`.
pub(super) fn in_w(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Brings a text to normal form.
#[must_use]
pub fn normal_form(text: &str) -> String {
    single_spaced(&unescaped(text))
}

/// "Reading from the left, `\n`, `\r` and `\t` written as two characters become a space; a backslash before `"`,
/// `\` or `/` is dropped and the character after it kept."
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied().filter(|_| character == '\\');
        match next {
            Some('n' | 'r' | 't') => plain.push(' '),
            Some(kept @ ('"' | '\\' | '/')) => plain.push(kept),
            _ => {
                plain.push(character);
                continue;
            }
        }
        characters.next();
    }
    plain
}

/// "Then every run of ASCII white space becomes one space."
fn single_spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    for character in text.chars() {
        if !character.is_ascii_whitespace() {
            spaced.push(character);
        } else if !spaced.ends_with(' ') {
            spaced.push(' ');
        }
    }
    spaced
}

#[cfg(test)]
mod tests {
    use super::normal_form;

    #[test]
    fn json_as_written_and_what_it_stands_for_are_equal() {
        for (written, meant) in [
            (r#"say \"a\" \\ b\/c\r\n\td"#, "say \"a\" \\ b/c\r\n\td"),
            (r"caf\\u00e9", r"caf\u00e9"),
        ] {
            assert_eq!(normal_form(written), normal_form(meant), "{written}");
        }
    }

    #[test]
    fn a_text_is_read_once_from_the_left() {
        assert_eq!(normal_form(r"a\\n"), r"a\n", "what was kept is not read again");
        assert_eq!(normal_form(r"a\\\nb"), r"a\ b");
        assert_eq!(normal_form(r"C:\new\Users\x\"), r"C: ew\Users\x\");
        assert_eq!(normal_form("é\\"), "é\\");
    }

    #[test]
    fn only_ascii_white_space_is_joined() {
        assert_eq!(normal_form(" \t\u{c}a\n\\n b "), " a b ");
        assert_eq!(normal_form("a\u{a0}\u{2003}\u{b}b"), "a\u{a0}\u{2003}\u{b}b");
    }
}
