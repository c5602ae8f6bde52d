//! Quotations: texts whose words are wanted.
//!
//! Under `strict/1` an answer quotes a text if, case and white space aside,
//!
//! - it is the text; or
//! - its token F1 with the text is at least what the truth says (0.8 for what somebody said or a tool
//!   reported; 0.95 for a command or a call, where one word makes another thing of it), and no other text of
//!   the run is nearer; or
//! - it is a verbatim run of the text of at least [`RUN_CHARACTERS`] characters or [`RUN_TOKENS`] words that
//!   stands in no other request (error, command ...) of the run. The run may be cut short by an ellipsis, and
//!   left out in the middle twice, where each piece has at least [`PIECE_CHARACTERS`] characters.
//!
//! The answer is looked at as a whole, and where it has exactly one quoted part, and says nothing negative
//! around it, as that part alone.

use super::grade::{Grade, Reason};
use super::reply::Reply;
use super::rules::{Quoting, Rules};
use super::text::{MARKS, is_negated, token_f1, tokens};
use crate::answers::{Truth, fold};

/// A verbatim run of this many characters, white space folded, is long enough to identify a text.
pub const RUN_CHARACTERS: usize = 40;

/// So is one of this many words.
pub const RUN_TOKENS: usize = 8;

/// Minimum length of each piece of a run with omissions.
const PIECE_CHARACTERS: usize = 20;

/// Maximum pieces of a run with omissions.
const MOST_PIECES: usize = 3;

pub(super) fn grade(rules: &Rules, truth: &Truth, reply: &Reply) -> Grade {
    let Truth::Quotation { accepted, forms, others, least_f1 } = truth else {
        return Grade::none(Reason::Unreadable);
    };
    if reply.is_empty() {
        return Grade::none(Reason::Empty);
    }
    let texts = Texts { accepted, forms, others, least_f1: *least_f1 };
    match rules.quoting {
        Quoting::Contained => Grade::right_if(texts.contained(reply)),
        Quoting::Identified => texts.identified(reply),
    }
}

/// What an answer is compared with.
struct Texts<'a> {
    accepted: &'a [String],
    forms: &'a [String],
    others: &'a [String],
    least_f1: u64,
}

impl Texts<'_> {
    fn right(&self) -> impl Iterator<Item = &String> {
        self.accepted.iter().chain(self.forms)
    }

    fn contained(&self, reply: &Reply) -> bool {
        let mut readings = reply.readings();
        readings.push(reply.texts().join("\n"));
        let folded: Vec<String> = readings.iter().map(|text| fold(text)).collect();
        self.right().any(|truth| {
            let truth = fold(truth);
            let fits = |text: &String| truth.contains(text) || text.contains(&truth);
            !truth.is_empty() && folded.iter().filter(|text| !text.is_empty()).any(fits)
        })
    }

    fn identified(&self, reply: &Reply) -> Grade {
        let mut readings = reply.readings();
        if readings.is_empty() {
            return Grade::none(Reason::Several);
        }
        readings.extend(reply.scalar().and_then(quoted_part).map(str::to_owned));
        let reasons: Vec<Reason> = readings.iter().map(|text| self.judge(text)).collect();
        if reasons.contains(&Reason::Right) {
            Grade::right()
        } else if reasons.contains(&Reason::Ambiguous) {
            Grade::none(Reason::Ambiguous)
        } else {
            Grade::none(Reason::Wrong)
        }
    }

    fn judge(&self, text: &str) -> Reason {
        let folded = fold(text);
        if folded.is_empty() {
            return Reason::Wrong;
        }
        if self.right().any(|truth| fold(truth) == folded) {
            return Reason::Right;
        }
        match (self.by_words(text), self.by_run(&folded)) {
            (Reason::Right, _) | (_, Reason::Right) => Reason::Right,
            (Reason::Ambiguous, _) | (_, Reason::Ambiguous) => Reason::Ambiguous,
            _ => Reason::Wrong,
        }
    }

    fn by_words(&self, text: &str) -> Reason {
        let words = tokens(text);
        let f1 = |other: &String| token_f1(&words, &tokens(other));
        let is_enough = |(part, whole): &(u64, u64)| {
            *whole > 0 && u128::from(*part) * 100 >= u128::from(*whole) * u128::from(self.least_f1)
        };
        let nearest = self.right().map(f1).filter(is_enough).reduce(nearer);
        match nearest {
            None => Reason::Wrong,
            Some(best) if self.others.iter().map(f1).any(|other| nearer(best, other) != best) => {
                Reason::Ambiguous
            }
            Some(_) => Reason::Right,
        }
    }

    fn by_run(&self, folded: &str) -> Reason {
        let runs = [vec![folded], pieces(folded)];
        let long = runs.iter().filter(|run| is_long(run));
        let mut reason = Reason::Wrong;
        for run in long {
            if !self.accepted.iter().any(|truth| stands_in(run, &fold(truth))) {
                continue;
            }
            if !self.others.iter().any(|other| stands_in(run, &fold(other))) {
                return Reason::Right;
            }
            reason = Reason::Ambiguous;
        }
        reason
    }
}

/// The larger of two fractions; the first if they are equal.
fn nearer(first: (u64, u64), second: (u64, u64)) -> (u64, u64) {
    let larger =
        u128::from(second.0) * u128::from(first.1) > u128::from(first.0) * u128::from(second.1);
    if larger { second } else { first }
}

/// The pieces of a run between ellipses. A note in brackets after an ellipsis, such as how much is left
/// out, is no part of it.
fn pieces(folded: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let unified = [" [\u{2026}] ", "[...]", "\u{2026}", "..."];
    let mut rest = folded;
    loop {
        let cuts = unified.iter().filter_map(|mark| Some((rest.find(mark)?, mark.len())));
        let Some((at, length)) = cuts.min() else {
            pieces.push(rest.trim());
            break;
        };
        pieces.push(rest[..at].trim());
        rest = rest[at + length..].trim_start();
        if let Some((_, after)) = rest.strip_prefix('[').and_then(|note| note.split_once(']')) {
            rest = after;
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Whether a run is long enough, and not made of scraps.
fn is_long(pieces: &[&str]) -> bool {
    let characters = |piece: &&str| piece.chars().count();
    let total: usize = pieces.iter().map(characters).sum();
    let words: usize = pieces.iter().map(|piece| tokens(piece).len()).sum();
    let whole =
        pieces.len() <= 1 || pieces.iter().all(|piece| characters(piece) >= PIECE_CHARACTERS);
    pieces.len() <= MOST_PIECES && whole && (total >= RUN_CHARACTERS || words >= RUN_TOKENS)
}

/// Whether the pieces occur in a text, in order.
fn stands_in(pieces: &[&str], text: &str) -> bool {
    let mut rest = text;
    pieces.iter().all(|piece| match rest.find(piece) {
        Some(at) => {
            rest = &rest[at + piece.len()..];
            true
        }
        None => false,
    })
}

/// The only quoted part of a text, if the rest of it is not negative.
fn quoted_part(text: &str) -> Option<&str> {
    let mut found = None;
    // A single apostrophe is not a quotation mark.
    for (open, close) in MARKS.iter().filter(|(open, _)| !["'", "\u{2018}"].contains(open)) {
        let Some((before, rest)) = text.split_once(open) else { continue };
        let (inner, after) = rest.split_once(close)?;
        let again = after.contains(open) || after.contains(close);
        if found.is_some() || again || is_negated(before) || is_negated(after) {
            return None;
        }
        found = Some(inner);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answers::Answer;
    use crate::graders::rules::STRICT;

    const TRUTH: &str =
        "Please make the parser accept empty lines and then run the whole test suite";
    const OTHER: &str =
        "Please make the parser accept empty lines, but only at the end of the file";

    fn strict(answer: &str) -> Reason {
        let reply = Reply::of(&Answer::Text(answer.to_owned()));
        let truth = Truth::quotation(TRUTH.to_owned(), [OTHER.to_owned()]);
        grade(&STRICT, &truth, &reply).reason
    }

    #[test]
    fn a_run_is_enough_if_it_is_long_and_stands_nowhere_else() {
        assert_eq!(strict("and then RUN the\nwhole test suite"), Reason::Wrong, "34 and 7");
        assert_eq!(strict("lines and then run the whole test suite"), Reason::Right, "8 words");
        assert_eq!(
            strict("pt empty lines and then run the whole te"),
            Reason::Right,
            "40 characters"
        );
        assert_eq!(strict("t empty lines and then run the whole tes"), Reason::Right);
        assert_eq!(strict(" empty lines and then run the whole t"), Reason::Right, "8 words");
        assert_eq!(strict("make the parser accept empty lines"), Reason::Wrong);
        let common = "Please make the parser accept empty lines";
        assert!(common.len() > RUN_CHARACTERS);
        assert_eq!(strict(common), Reason::Ambiguous, "it stands in both");
    }

    #[test]
    fn a_run_may_be_cut_and_have_something_left_out() {
        assert_eq!(
            strict("Please make the parser accept empty lines and then r… [50 of 76 characters]"),
            Reason::Right
        );
        assert_eq!(strict("make the parser accept ... run the whole test suite"), Reason::Right);
        assert_eq!(strict("make the parser accept […] empty lines"), Reason::Wrong);
        assert_eq!(strict(&"e…".repeat(60)), Reason::Wrong, "scraps");
        assert_eq!(strict("run the whole test suite ... make the parser accept"), Reason::Wrong);
    }

    #[test]
    fn the_nearest_text_is_the_one_that_is_quoted() {
        assert_eq!(strict(OTHER), Reason::Wrong);
        let mixed = "Please make the parser accept empty lines and then run the test suite";
        assert_eq!(strict(mixed), Reason::Right);
        let close = Texts {
            accepted: &["fix the bug in a rs now".to_owned()],
            forms: &[],
            others: &["fix the bug in b rs now".to_owned()],
            least_f1: 80,
        };
        assert_eq!(close.judge("fix the bug in b.rs now!"), Reason::Ambiguous);
        assert_eq!(close.judge("fix the bug in a.rs now!"), Reason::Right);
    }

    #[test]
    fn one_quoted_part_is_the_answer() {
        assert_eq!(strict(&format!("They asked: \"{TRUTH}\".")), Reason::Right);
        let reply = |text: &str| quoted_part(text).map(str::to_owned);
        assert_eq!(reply("It was “go on”, I think"), Some("go on".to_owned()));
        assert_eq!(reply("It was not \"go on\""), None);
        assert_eq!(reply("\"go on\" or \"stop\""), None);
        assert_eq!(reply("`go on` or \"stop\""), None);
        assert_eq!(reply("the user's \"go on\""), Some("go on".to_owned()));
        assert_eq!(reply("an open \"quote"), None);
    }
}
