//! Several answers in one.

use super::grade::{Grade, Reason};
use super::reply::Reply;
use super::rules::{Parts, Rules};
use super::score::Score;
use super::text::unwrapped;
use crate::answers::{Part, Truth, fold};

/// Grades each part by `of_truth`, as a separate answer.
pub(super) fn grade(
    rules: &Rules,
    parts: &[Part],
    reply: &Reply,
    of_truth: fn(&Rules, &Truth, &Reply) -> Grade,
) -> Grade {
    if reply.is_empty() {
        return Grade::none(Reason::Empty);
    }
    let Some(replies) = split(parts, &reply.structured()) else {
        return Grade::none(Reason::Unreadable);
    };
    let grades =
        parts.iter().zip(&replies).map(|(part, reply)| of_truth(rules, &part.truth, reply));
    let scores: Vec<Score> = grades.map(|grade| grade.score).collect();
    match rules.parts {
        Parts::Mean => Grade::partial(Score::mean(&scores)),
        Parts::All => Grade::right_if(scores.iter().all(|score| *score == Score::ONE)),
    }
}

/// An answer for each part: the items of a list, the fields of an object that are named as the parts are or
/// by their numbers, or the lines of a text or what commas or semicolons separate in it.
fn split(parts: &[Part], reply: &Reply) -> Option<Vec<Reply>> {
    let replies = match reply {
        Reply::List(items) => items.clone(),
        Reply::Fields(fields) => {
            let field = |(at, part): (usize, &Part)| {
                let names = [fold(&part.label), (at + 1).to_string()];
                let found = fields.iter().find(|(name, _)| names.contains(&fold(name)));
                found.map(|(_, reply)| reply.clone())
            };
            parts.iter().enumerate().map(field).collect::<Option<Vec<_>>>()?
        }
        Reply::Text(text) => {
            let text = unwrapped(text);
            let ways = [text.lines().collect::<Vec<_>>(), text.split(';').collect(), {
                text.split(',').collect()
            }];
            let fitting = ways.into_iter().find(|way| way.len() == parts.len())?;
            fitting.into_iter().map(|part| Reply::Text(part.trim().to_owned())).collect()
        }
        _ => return None,
    };
    (replies.len() == parts.len()).then_some(replies)
}
