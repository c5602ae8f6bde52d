//! Names: one of the names that a run knows, such as a tool.

use super::grade::{Grade, Reason};
use super::reply::Reply;
use super::rules::Rules;
use super::text::unframed;
use crate::answers::fold;

pub(super) fn grade(rules: &Rules, accepted: &[String], reply: &Reply) -> Grade {
    if reply.is_empty() {
        return Grade::none(Reason::Empty);
    }
    let readings = reply.readings();
    if readings.iter().any(|text| is_one_of(text, accepted)) {
        return Grade::right();
    }
    if let Reply::List(items) = reply.structured() {
        // Naming all that tie is as good as naming one.
        let is_right = |item: &Reply| item.readings().iter().any(|text| is_one_of(text, accepted));
        let right = rules.sentences && items.iter().all(is_right);
        return if right { Grade::right() } else { Grade::none(Reason::Several) };
    }
    if !rules.sentences {
        return Grade::none(Reason::Wrong);
    }
    let text = readings.last().map(String::as_str).unwrap_or_default();
    let is_count = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
    let named: Vec<&str> = unframed(text).into_iter().filter(|word| !is_count(word)).collect();
    let right = named.iter().filter(|word| is_one_of(word, accepted)).count();
    match (named.len(), right) {
        (all, right) if right > 0 && right == all => Grade::right(),
        (_, right) if right > 0 => Grade::none(Reason::Several),
        _ => Grade::none(Reason::Wrong),
    }
}

fn is_one_of(text: &str, accepted: &[String]) -> bool {
    let folded = fold(text);
    let ended = folded.trim_end_matches('.');
    accepted.iter().any(|name| {
        let name_folded = fold(name);
        name == text || (!folded.is_empty() && (name_folded == folded || name_folded == ended))
    })
}
