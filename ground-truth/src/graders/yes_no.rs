//! Yes or no.

use super::grade::{Grade, Reason};
use super::reply::Reply;
use super::text::{tokens, unwrapped};

/// Right if the answer starts with the right word and does not hold the other one.
pub(super) fn grade(truth: bool, reply: &Reply) -> Grade {
    if let Reply::Flag(flag) = reply {
        return Grade::right_if(*flag == truth);
    }
    if reply.is_empty() {
        return Grade::none(Reason::Empty);
    }
    let readings = reply.readings();
    let words = readings.last().map(|text| tokens(unwrapped(text))).unwrap_or_default();
    let said: Vec<Option<bool>> = words.iter().map(|word| meaning(word)).collect();
    match said.first() {
        Some(Some(first)) if said.contains(&Some(!first)) => Grade::none(Reason::Several),
        Some(Some(first)) => Grade::right_if(*first == truth),
        _ => Grade::none(Reason::Unreadable),
    }
}

fn meaning(word: &str) -> Option<bool> {
    match word {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}
