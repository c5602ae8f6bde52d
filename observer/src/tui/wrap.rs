//! Breaks a line between its words.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use super::text::{Line, Span, Style};

/// The rows that a line takes where so many columns fit on one. It is broken after the last blank that fits, or
/// in a word that is longer than a row.
pub(super) fn rows(line: &Line, columns: u16) -> Vec<Line> {
    let symbols = line.0.iter().flat_map(|span| {
        let symbols = span.text.graphemes(true).filter(|symbol| symbol.width() > 0);
        symbols.map(|symbol| (symbol, span.style))
    });
    let mut rest: Vec<(&str, Style)> = symbols.collect();
    let mut rows = Vec::new();
    while !rest.is_empty() {
        let mut after = rest.split_off(fitting(&rest, usize::from(columns)));
        if !after.is_empty()
            && let Some(blank) = rest.iter().rposition(|(symbol, _)| *symbol == " ")
            && rest[..blank].iter().any(|(symbol, _)| *symbol != " ")
            && after[0].0 != " "
        {
            let mut word = rest.split_off(blank + 1);
            word.append(&mut after);
            after = word;
        } else if after.first().is_some_and(|(symbol, _)| *symbol == " ") {
            after.remove(0);
        }
        rows.push(joined(&rest));
        rest = after;
    }
    if rows.is_empty() {
        rows.push(Line::default());
    }
    rows
}

/// How many symbols fit; at least one, so that there is an end.
fn fitting(symbols: &[(&str, Style)], columns: usize) -> usize {
    let mut used = 0;
    let fit = symbols.iter().take_while(|(symbol, _)| {
        used += symbol.width();
        used <= columns
    });
    fit.count().max(1)
}

fn joined(symbols: &[(&str, Style)]) -> Line {
    let groups = symbols.chunk_by(|a, b| a.1 == b.1);
    let spans = groups.map(|group| {
        let text: String = group.iter().map(|(symbol, _)| *symbol).collect();
        Span::styled(text, group[0].1)
    });
    Line(spans.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &'static str, columns: u16) -> Vec<String> {
        let text_of = |row: Line| row.0.iter().map(|span| &*span.text).collect();
        rows(&Line::from(text), columns).into_iter().map(text_of).collect()
    }

    #[test]
    fn a_line_is_broken_between_words_and_in_long_ones() {
        assert_eq!(wrapped("one two three", 8), ["one two ", "three"]);
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("  indented text", 10), ["  indented", "text"]);
        assert_eq!(wrapped("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrapped("", 3), [""]);
        assert_eq!(wrapped("\u{4e2d}\u{6587}", 1), ["\u{4e2d}", "\u{6587}"]);
    }
}
