//! Marks that renderers leave in their texts.

use trace_model::event::Outcome;

/// A text without the remark with which renderers end one that they cut.
pub(super) fn without_cut_mark(text: &str) -> &str {
    let cut = text.strip_suffix(" characters]").and_then(|rest| rest.rsplit_once("… ["));
    match cut {
        Some((start, note)) if note.bytes().all(|byte| b"0123456789 of".contains(&byte)) => start,
        _ => text,
    }
}

/// How a call ended, by the word that renderers use.
pub(super) fn outcome_named(word: &str) -> Option<Outcome> {
    match word {
        "ok" => Some(Outcome::Succeeded),
        "FAILED" => Some(Outcome::Failed),
        "DENIED" => Some(Outcome::Denied),
        "INTERRUPTED" => Some(Outcome::Interrupted),
        "CANCELLED" => Some(Outcome::Cancelled),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_mark_is_no_part_of_the_text() {
        assert_eq!(without_cut_mark("abc… [3 of 10 characters]"), "abc");
        assert_eq!(without_cut_mark("abc [3 of 10 characters]"), "abc [3 of 10 characters]");
        assert_eq!(without_cut_mark("a… [sic] characters]"), "a… [sic] characters]");
    }
}
