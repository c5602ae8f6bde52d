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
//! - `each` takes several answers apart, `yes_no` reads one word and what agrees with it.

mod duration;
mod each;
mod integer;
mod name;
mod not_stated;
mod number;
mod path;
mod quotation;
pub(super) mod set;
mod text;
mod words;
mod yes_no;

use std::collections::BTreeMap;

use serde_json::Value;

use super::reply::Reply;
use super::{Grade, Reason};
use crate::questions::{Question, Truth};

/// What a grader may know of the question: which words an answer to it may repeat.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    /// The question type's name.
    kind: &'a str,
    /// The question in words.
    text: &'a str,
    /// The values of the parameters in the words.
    params: &'a BTreeMap<String, Value>,
    /// What the part is called, of a question with several.
    label: &'a str,
}

impl<'a> Asked<'a> {
    fn of(question: &'a Question) -> Self {
        Self {
            kind: &question.question_type,
            text: &question.text,
            params: &question.params,
            label: "",
        }
    }

    /// The texts of the parameters.
    fn named(&self) -> impl Iterator<Item = &'a str> {
        self.params.values().filter_map(Value::as_str)
    }
}

/// Grades a reply to a question.
pub(super) fn grade(question: &Question, reply: &Reply) -> Grade {
    of_truth(Asked::of(question), &question.truth, reply)
}

fn of_truth(asked: Asked<'_>, truth: &Truth, reply: &Reply) -> Grade {
    match truth {
        Truth::Set { items, known, item } => {
            set::grade(items, &set::World::of(items, known, *item), reply)
        }
        Truth::Each { parts } => each::grade(asked, parts, reply),
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

/// The texts as which one value may be read: as it came, without what is around it, and out of a list or an
/// object of one. None where it is several values.
fn readings(reply: &Reply) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut rest = Some(reply.clone());
    while let Some(reply) = rest.take() {
        if let Some(whole) = reply.scalar() {
            for text in [whole, text::bare(whole)] {
                if !found.iter().any(|known| known == text) {
                    found.push(text.to_owned());
                }
            }
        }
        rest = match reply.structured() {
            Reply::List(items) if items.len() == 1 => items.into_iter().next(),
            Reply::Fields(fields) if fields.len() == 1 => {
                fields.into_iter().next().map(|(_, field)| field)
            }
            inner @ Reply::Number(_) if inner != reply => Some(inner),
            _ => None,
        };
    }
    found
}
