//! Yes or no.

use super::readings::readings;
use super::text::{fold, is_limit};
use crate::graders::grade::{Grade, Reason};
use crate::graders::reply::Reply;

/// Right if the answer begins with the right word, and what follows neither takes it back nor doubts it.
pub(super) fn grade(truth: bool, reply: &Reply) -> Grade {
    if let Reply::Flag(flag) = reply {
        return Grade::right_if(*flag == truth);
    }
    if reply.is_empty() {
        return Grade::none(Reason::Empty);
    }
    let texts = readings(reply);
    let text = texts.last().map(|text| fold(text)).unwrap_or_default();
    let words: Vec<&str> = text
        .split(|char: char| !char.is_alphanumeric() && char != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let Some((first, rest)) = words.split_first() else {
        return Grade::none(Reason::Unreadable);
    };
    let said = match *first {
        "yes" | "true" => true,
        "no" | "false" => false,
        "y" if rest.is_empty() => true,
        "n" if rest.is_empty() => false,
        _ => return Grade::none(Reason::Unreadable),
    };
    if text.contains('?') || rest.iter().any(|word| DOUBTS.contains(word)) {
        return Grade::none(Reason::Unreadable);
    }
    let opposite = if said { ["no", "false"] } else { ["yes", "true"] };
    let negated = rest.iter().any(|word| is_limit(word));
    let asserted =
        !said && !negated && rest.windows(2).any(|pair| ASSERTED.iter().any(|it| it == pair));
    if rest.iter().any(|word| opposite.contains(word)) || (said && negated) || asserted {
        return Grade::none(Reason::Several);
    }
    Grade::right_if(said == truth)
}

/// Words of somebody who does not know.
const DOUBTS: &[&str] = &[
    "maybe",
    "perhaps",
    "probably",
    "possibly",
    "likely",
    "unsure",
    "guess",
    "partly",
    "partially",
    "unclear",
    "unknown",
    "but",
    "however",
    "or",
];

/// What says that it was.
const ASSERTED: [[&str; 2]; 6] = [
    ["was", "read"],
    ["were", "read"],
    ["did", "read"],
    ["has", "read"],
    ["been", "read"],
    ["it", "did"],
];
