//! Forms of answers, to test graders by: from a question's truth, answers that say the same in other words or
//! signs, and near misses that say something else.
//!
//! Each kind of form is written down here with whether it is right, from what the truth is and from nothing
//! that a grader does: this module uses no code of `graders`, and would be worth nothing if it did. What it
//! makes follows from the question and the seed.

mod numbers;
mod parts;
mod paths;
mod quotations;
mod sets;
mod silence;
mod spans;
mod specimens;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::graders::Answer;
use crate::questions::{Question, Truth};

pub use specimens::specimens;

/// A form of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// What was done to the right answer.
    pub kind: &'static str,
    /// Whether it is still right.
    pub right: bool,
    /// The answer.
    pub answer: Answer,
}

/// The forms of a question's right answer: those that mean the same, and near misses.
#[must_use]
pub fn forms(question: &Question, seed: u64) -> Vec<Form> {
    let mut made = Made { forms: Vec::new(), draw: ChaCha8Rng::seed_from_u64(seed) };
    let about = About { text: &question.text, label: "" };
    of_truth(&question.truth, about, &mut made);
    made.forms
}

/// What a form may repeat of the question.
#[derive(Debug, Clone, Copy)]
struct About<'a> {
    text: &'a str,
    /// What the part is called, of a question with several.
    label: &'a str,
}

/// The forms made so far, and what chooses where there is a choice.
struct Made {
    forms: Vec<Form>,
    draw: ChaCha8Rng,
}

impl Made {
    fn add(&mut self, kind: &'static str, right: bool, value: Value) {
        self.forms.push(Form { kind, right, answer: Answer::Json(value) });
    }

    /// Adds a form that means the same.
    fn same(&mut self, kind: &'static str, text: impl Into<String>) {
        self.add(kind, true, Value::String(text.into()));
    }

    /// Adds a near miss.
    fn other(&mut self, kind: &'static str, text: impl Into<String>) {
        self.add(kind, false, Value::String(text.into()));
    }

    /// One of some things; none of none.
    fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let number = self.draw.next_u64();
        let at = number.checked_rem(of.len() as u64)?;
        of.get(usize::try_from(at).ok()?)
    }

    /// What may be put around any answer that is one text.
    fn around(&mut self, text: &str) {
        self.same("the answer itself", text);
        self.same("white space around it", format!(" \n{text}\n "));
        self.same("a code fence", format!("```\n{text}\n```"));
        self.add("a list of one", true, json!([text]));
        self.add("an object of one field", true, json!({ "answer": text }));
    }

    /// What is no answer to anything.
    fn no_answer(&mut self) {
        self.other("nothing", "");
        self.add("null", false, Value::Null);
        self.add("an empty list", false, json!([]));
        self.other("a refusal", "I'm sorry, but I can't help with that.");
        self.other("a promise", "I will look at the trace and answer then.");
    }
}

fn of_truth(truth: &Truth, about: About<'_>, made: &mut Made) {
    match truth {
        Truth::Integer { value, tolerance } => numbers::make(*value, *tolerance, about, made),
        Truth::Duration { seconds, unit, tolerance } => {
            spans::make(*seconds, *unit, *tolerance, made);
        }
        Truth::Name { accepted, known } => sets::name(accepted, known, made),
        Truth::Path { accepted, known } => paths::make(accepted, known, made),
        Truth::Quotation { accepted, others, least_f1, .. } => {
            if *least_f1 >= 95 {
                quotations::call(accepted, others, made);
            } else {
                quotations::text(accepted, others, made);
            }
        }
        Truth::Set { items, known, item } => sets::make(items, known, *item, made),
        Truth::YesNo { yes } => parts::yes_no(*yes, made),
        Truth::NotStated => silence::make(made),
        Truth::Each { parts } => parts::make(parts, about, made),
    }
}
