//! That the trace does not say.

use super::grade::{Grade, Reason};
use super::reply::Reply;
use super::rules::{Rules, Silence};
use super::text::tokens;
use crate::answers::fold;

/// Ways to say it.
const SILENCE: [&str; 24] = [
    "not stated",
    "does not say",
    "doesn't say",
    "does not state",
    "doesn't state",
    "not mentioned",
    "not specified",
    "not given",
    "not available",
    "not known",
    "not said",
    "not in the trace",
    "no information",
    "unknown",
    "unstated",
    "unspecified",
    "cannot be determined",
    "can't be determined",
    "cannot tell",
    "can't tell",
    "does not mention",
    "doesn't mention",
    "does not specify",
    "doesn't specify",
];

/// Words after which comes a guess.
const GUESSES: [&str; 13] = [
    "but",
    "however",
    "although",
    "though",
    "probably",
    "likely",
    "perhaps",
    "maybe",
    "possibly",
    "presumably",
    "guess",
    "assume",
    "suggests",
];

/// A longer answer says something else beside.
const MOST_WORDS: usize = 25;

pub(super) fn grade(rules: &Rules, reply: &Reply) -> Grade {
    if *reply == Reply::Nothing {
        return if rules.nothing_counts { Grade::right() } else { Grade::none(Reason::Empty) };
    }
    if reply.is_empty() {
        return Grade::none(Reason::Empty);
    }
    let readings = reply.readings();
    let Some(text) = readings.last() else {
        return Grade::none(Reason::Unreadable);
    };
    let folded = fold(text).replace('\u{2019}', "'");
    let words = tokens(&folded);
    if !SILENCE.iter().any(|phrase| folded.contains(phrase)) {
        return Grade::none(Reason::Wrong);
    }
    let guesses = words.iter().any(|word| GUESSES.contains(&word.as_str()));
    let says_more = guesses || words.len() > MOST_WORDS;
    if says_more && rules.silence == Silence::Alone {
        return Grade::none(Reason::Several);
    }
    Grade::right()
}
