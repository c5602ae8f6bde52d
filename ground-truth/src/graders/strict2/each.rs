//! Several answers in one.

use super::context::QuestionContext;
use super::text::{DASHES, bare, fold, without_bullet};
use crate::answers::{Part, Truth};
use crate::graders::grade::{Grade, Reason};
use crate::graders::reply::Reply;
use crate::graders::score::Score;

/// Grades each part by `of_truth`, as a separate answer.
pub(super) fn grade(
    asked: QuestionContext<'_>,
    parts: &[Part],
    reply: &Reply,
    of_truth: fn(QuestionContext<'_>, &Truth, &Reply) -> Grade,
) -> Grade {
    if reply.is_empty() {
        return Grade::none(Reason::Empty);
    }
    let Some(replies) = split(parts, &reply.structured()) else {
        return Grade::none(Reason::Unreadable);
    };
    let right = parts.iter().zip(&replies).all(|(part, reply)| {
        let asked = QuestionContext { label: &part.label, ..asked };
        of_truth(asked, &part.truth, reply).score == Score::ONE
    });
    Grade::right_if(right)
}

/// An answer for each part: the items of a list, the fields of an object that are named as the parts are or
/// by their numbers, or the lines of a text or what commas or semicolons separate in it.
fn split(parts: &[Part], reply: &Reply) -> Option<Vec<Reply>> {
    let replies = match reply {
        Reply::List(items) => parts
            .iter()
            .zip(items)
            .map(|(part, item)| unlabelled(part, item))
            .collect::<Vec<_>>()
            .into_iter()
            .chain(items.iter().skip(parts.len()).cloned())
            .collect(),
        Reply::Fields(fields) => match fields.as_slice() {
            // A list under any one name.
            [(_, list @ Reply::List(_))] if parts.len() > 1 => return split(parts, list),
            fields => by_name(parts, fields)?,
        },
        Reply::Text(text) => {
            let text = bare(text);
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let ways: [Vec<&str>; 3] =
                [lines.collect(), text.split(';').collect(), text.split(',').collect()];
            let fitting = ways.into_iter().find(|way| way.len() == parts.len())?;
            let text = |(part, text): (&Part, &str)| {
                unlabelled(part, &Reply::Text(without_bullet(text).to_owned()))
            };
            parts.iter().zip(fitting).map(text).collect()
        }
        _ => return None,
    };
    (replies.len() == parts.len()).then_some(replies)
}

fn by_name(parts: &[Part], fields: &[(String, Reply)]) -> Option<Vec<Reply>> {
    let field = |(at, part): (usize, &Part)| {
        let names = [fold(&part.label), (at + 1).to_string()];
        let mut found = fields.iter().filter(|(name, _)| names.contains(&fold(name)));
        match (found.next(), found.next()) {
            (Some((_, reply)), None) => Some(reply.clone()),
            _ => None,
        }
    };
    (fields.len() == parts.len()).then_some(())?;
    parts.iter().enumerate().map(field).collect()
}

/// Without the part's own name before it: `turn: 3`, `/r/a.rs — yes`.
fn unlabelled(part: &Part, reply: &Reply) -> Reply {
    let Reply::Text(text) = reply else { return reply.clone() };
    let text = text.trim();
    let rest = text.get(..part.label.len()).filter(|start| fold(start) == fold(&part.label));
    let after = rest.map(|_| text[part.label.len()..].trim_start()).and_then(|after| {
        let dashed = |after: &str| after.starts_with(|char: char| DASHES.contains(char));
        let sign = after.chars().next().filter(|char| ":=".contains(*char) || dashed(after))?;
        let rest = &after[sign.len_utf8()..];
        // "calls -3" is a negative number.
        (sign != '-' || rest.starts_with(' ')).then(|| rest.trim())
    });
    Reply::Text(after.filter(|rest| !rest.is_empty()).unwrap_or(text).to_owned())
}
