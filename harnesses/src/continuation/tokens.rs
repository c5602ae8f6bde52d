//! Tokens of a text by a public tokenizer. An estimate: no model that works on tasks here says how it
//! splits text, so whatever is computed from these numbers is labelled as simulated.

use std::cell::RefCell;
use std::collections::HashMap;

use tiktoken_rs::o200k_base_singleton;

/// The tokenizer's name, for the protocol.
pub const TOKENIZER: &str = "o200k_base";

/// Lines remembered per thread. Beyond that they are forgotten all at once.
const REMEMBERED: usize = 200_000;

thread_local! {
    static KNOWN: RefCell<HashMap<Box<str>, u32>> = RefCell::default();
}

/// Number of tokens of a text.
///
/// Counted line by line, so that the lines which one view has in common with the next are split
/// once. The tokenizer never joins a line feed with what follows on the next line unless that is
/// blank, so blank lines stay with the line before them and the sum is that of the whole text.
#[must_use]
pub fn count(text: &str) -> u64 {
    KNOWN.with_borrow_mut(|known| lines(text).map(|line| u64::from(of_line(known, line))).sum())
}

fn of_line(known: &mut HashMap<Box<str>, u32>, line: &str) -> u32 {
    if let Some(tokens) = known.get(line) {
        return *tokens;
    }
    let tokens = o200k_base_singleton().count_ordinary(line);
    let tokens = u32::try_from(tokens).unwrap_or(u32::MAX);
    if known.len() >= REMEMBERED {
        known.clear();
    }
    known.insert(line.into(), tokens);
    tokens
}

/// Lines with their line feeds, each with the blank lines and the leading blanks' lines after it.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = 0;
        loop {
            match rest[end..].find('\n') {
                None => end = rest.len(),
                Some(at) => end += at + 1,
            }
            // White space after a line feed may be one token with it if only more follows.
            let next = rest[end..].split('\n').next().unwrap_or("");
            if end == rest.len() || !next.trim().is_empty() {
                break;
            }
        }
        let (line, after) = rest.split_at(end);
        rest = after;
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> u64 {
        o200k_base_singleton().count_ordinary(text) as u64
    }

    #[test]
    fn counting_by_lines_is_counting_the_whole() {
        let texts = [
            "",
            "\n",
            "one line",
            "a = 1\nb = 2\n",
            "a = 1\n\n\n  b = 2 \n \n\t\n- c\n",
            "[view]\n# worker 1: covers events 0-57\n\nGOAL: sum `delta`.\n  1: delta = 5\n",
            "{\"tool\":\"read_file\",\"path\":\"links/a7.txt\"}\r\n\r\n    indented\n...\n)\n/x\n",
        ];
        for text in texts {
            assert_eq!(count(text), whole(text), "{text:?}");
        }
    }
}
