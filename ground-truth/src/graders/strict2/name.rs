//! Names: one of the names that a run knows, such as a tool.

use super::readings::readings;
use super::text::{all_pieces, fold, is_count, is_frame};
use crate::graders::grade::{Grade, Reason};
use crate::graders::reply::Reply;

pub(super) fn grade(accepted: &[String], known: &[String], reply: &Reply) -> Grade {
    let texts = readings(reply);
    if texts.iter().any(|text| is_one_of(text, accepted)) {
        return Grade::right();
    }
    match reply.structured() {
        // Naming all that tie is as good as naming one.
        Reply::List(items) if items.len() > 1 => {
            let is_right =
                |item: &Reply| readings(item).iter().any(|text| is_one_of(text, accepted));
            let right = items.iter().all(is_right);
            return if right { Grade::right() } else { Grade::none(Reason::Several) };
        }
        // A name and how often it was.
        Reply::Fields(fields) if fields.len() > 1 => {
            let is_number = |reply: &Reply| matches!(reply, Reply::Number(_));
            let mut others =
                fields.iter().map(|(_, field)| field).filter(|field| !is_number(field));
            return match (others.next(), others.next()) {
                (Some(name), None) => grade(accepted, known, name),
                _ => Grade::none(Reason::Several),
            };
        }
        _ => {}
    }
    let text = texts.last().map(String::as_str).unwrap_or_default();
    let text = &text.replace(['\u{2013}', '\u{2014}'], " \u{2014} ");
    if text.contains('?') {
        return Grade::none(Reason::Unreadable);
    }
    // A tool may be called as a word of the frame is: "Edit", "Agent".
    let says_nothing = |word: &str| is_count(word) || is_frame(word);
    let is_name = |word: &str| known.iter().chain(accepted).any(|name| name == word);
    let named: Vec<&str> =
        all_pieces(text).into_iter().filter(|word| is_name(word) || !says_nothing(word)).collect();
    let right = named.iter().filter(|word| is_one_of(word, accepted)).count();
    match (named.len(), right) {
        (all, right) if right > 0 && right == all => Grade::right(),
        (_, right) if right > 0 => Grade::none(Reason::Several),
        _ => Grade::none(Reason::Wrong),
    }
}

fn is_one_of(text: &str, accepted: &[String]) -> bool {
    let folded = fold(text);
    let ended = folded.trim_end_matches(['.', '!']);
    accepted.iter().any(|name| {
        let name_folded = fold(name);
        name == text || (!folded.is_empty() && (name_folded == folded || name_folded == ended))
    })
}
