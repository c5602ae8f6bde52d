//! A prompt as the sentences that a person wrote in it. What stands in a fenced block or a table, or behind `>`,
//! was quoted: it is not what they ask for.

/// Characters of a text that are read.
const READ_CHARS: usize = 50_000;
/// What a full stop follows without ending a sentence.
const SHORT_FORMS: [&str; 6] = ["e.g", "i.e", "etc", "vs", "cf", "resp"];

/// The sentences of a text, without list marks, in their order. A sentence ends with its line.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in crate::text::head(text, READ_CHARS).lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced && !line.starts_with(['>', '|']) {
            split(without_mark(line), &mut found);
        }
    }
    found
}

/// A line without the mark of a list or a heading.
fn without_mark(line: &str) -> &str {
    let bare = line.trim_start_matches(['-', '*', '•', '#', ' ']);
    let number = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    if number.len() < bare.len()
        && let Some(rest) = number.strip_prefix(['.', ')'])
        && rest.starts_with(' ')
    {
        return rest.trim_start();
    }
    bare
}

fn split<'t>(line: &'t str, found: &mut Vec<&'t str>) {
    let mut rest = line;
    let mut from = 0;
    while let Some(end) = rest[from..].find(['.', '!', '?']).map(|at| from + at + 1) {
        let (said, after) = rest.split_at(end);
        if after.starts_with(char::is_whitespace) && !ends_short(said) {
            push(said, found);
            rest = after.trim_start();
            from = 0;
        } else {
            from = end;
        }
    }
    push(rest, found);
}

fn ends_short(said: &str) -> bool {
    let said = said.strip_suffix('.').unwrap_or_default();
    let word = said.rsplit([' ', '(', '\t']).next().unwrap_or_default();
    SHORT_FORMS.iter().any(|short| word.eq_ignore_ascii_case(short))
}

fn push<'t>(said: &'t str, found: &mut Vec<&'t str>) {
    let said = said.trim();
    if !said.is_empty() {
        found.push(said);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_with_marks_and_lines() {
        let text = "Fix it. Use tabs, e.g. in a.rs! why?\n\n - never push\n2. keep v1.2\n# Rules";
        let expected =
            ["Fix it.", "Use tabs, e.g. in a.rs!", "why?", "never push", "keep v1.2", "Rules"];
        assert_eq!(sentences(text), expected);
    }

    #[test]
    fn what_is_quoted_is_left_out() {
        let text = "one\n```sh\nnever\n```\n> always\n| must | x |\ntwo\n~~~\nmust";
        assert_eq!(sentences(text), ["one", "two"]);
    }

    #[test]
    fn a_text_is_read_to_its_bound() {
        let text = format!("{}\nnever push", "é".repeat(READ_CHARS));
        assert_eq!(sentences(&text).len(), 1);
        let text = format!("{}\nnever push", "é".repeat(READ_CHARS - 12));
        assert_eq!(sentences(&text).last(), Some(&"never push"));
    }
}
