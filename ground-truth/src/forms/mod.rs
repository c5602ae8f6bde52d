//! Test answers for graders: from a question's truth, answers that say the same in other words or signs, and
//! near misses that say something else.
//!
//! Each kind of form is written down here with whether it is right, from what the truth is and from nothing
//! that a grader does: this module uses no code of `graders`, and would be worth nothing if it did. What it
//! makes follows from the question and the seed.

mod form;
mod numbers;
mod parts;
mod paths;
mod quotations;
mod sets;
mod silence;
mod spans;
mod specimens;

use crate::answers::Truth;
use crate::questions::Question;
use form::{FormCollector, QuestionContext};

pub use form::Form;
pub use specimens::specimens;

/// The forms of a question's right answer: answers that mean the same, and near misses.
#[must_use]
pub fn forms(question: &Question, seed: u64) -> Vec<Form> {
    let mut collector = FormCollector::new(seed);
    let about = QuestionContext { text: &question.text, label: "" };
    of_truth(&question.truth, about, &mut collector);
    collector.collected
}

fn of_truth(truth: &Truth, about: QuestionContext<'_>, forms: &mut FormCollector) {
    match truth {
        Truth::Integer { value, tolerance } => numbers::make(*value, *tolerance, about, forms),
        Truth::Duration { seconds, unit, tolerance } => {
            spans::make(*seconds, *unit, *tolerance, forms);
        }
        Truth::Name { accepted, known } => sets::name(accepted, known, forms),
        Truth::Path { accepted, known } => paths::make(accepted, known, forms),
        Truth::Quotation { accepted, others, least_f1, .. } => {
            if *least_f1 >= 95 {
                quotations::call(accepted, others, forms);
            } else {
                quotations::text(accepted, others, forms);
            }
        }
        Truth::Set { items, known, item } => sets::make(items, known, *item, forms),
        Truth::YesNo { yes } => parts::yes_no(*yes, forms),
        Truth::NotStated => silence::make(forms),
        Truth::Each { parts } => parts::make(parts, about, forms, of_truth),
    }
}
