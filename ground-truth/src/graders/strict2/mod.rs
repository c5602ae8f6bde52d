//! `strict/2`: what a careful person accepts, by closed grammars.
//!
//! `strict/1` looked for what makes an answer wrong (a hedge, a second number) and so took every wording
//! that it did not know for right. These rules turn that round: an answer is right if all of it is
//! understood, and what it says is the truth. A word, sign or unit that no rule knows makes it unreadable.
//!
//! - `number` reads texts as numbers, words and marks; `integer` and `duration` take what has one value.
//! - `quotation` compares word by word, in order; nothing is weighed.
//! - `name`, `path` and `set` take a name alone or in a frame that says nothing else.
//! - `not_stated` is a closed list of phrases, one of which must be the whole answer.
//! - `each` splits several answers, `yes_no` reads one word and what agrees with it.

mod context;
mod duration;
mod each;
mod integer;
mod name;
mod not_stated;
mod number;
mod path;
mod quotation;
mod readings;
pub(super) mod set;
mod text;
mod words;
mod yes_no;

use context::QuestionContext;

use super::grade::{Grade, Reason};
use super::reply::Reply;
use crate::answers::Truth;
use crate::questions::Question;

/// Grades a reply to a question.
pub(super) fn grade(question: &Question, reply: &Reply) -> Grade {
    of_truth(QuestionContext::of(question), &question.truth, reply)
}

fn of_truth(asked: QuestionContext<'_>, truth: &Truth, reply: &Reply) -> Grade {
    match truth {
        Truth::Set { items, known, item } => {
            set::grade(items, &set::World::of(items, known, *item), reply)
        }
        Truth::Each { parts } => each::grade(asked, parts, reply, of_truth),
        Truth::YesNo { yes } => yes_no::grade(*yes, reply),
        _ if reply.is_empty() => Grade::none(Reason::Empty),
        Truth::Integer { value, tolerance } => integer::grade(asked, *value, *tolerance, reply),
        Truth::Duration { seconds, unit, tolerance } => {
            duration::grade(*seconds, *unit, *tolerance, reply)
        }
        Truth::Name { accepted, known } => name::grade(accepted, known, reply),
        Truth::Path { accepted, known } => path::grade(accepted, known, reply),
        Truth::Quotation { accepted, forms, others, least_f1 } => {
            let names = *least_f1 >= quotation::NAMES;
            let texts = quotation::Texts { accepted, forms, others };
            if names { texts.named(reply) } else { texts.quoted(reply) }
        }
        Truth::NotStated => not_stated::grade(asked, reply),
    }
}
