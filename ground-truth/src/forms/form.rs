//! Forms of answers, and what collects them.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::answers::Answer;

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

/// What a form may repeat of the question.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuestionContext<'a> {
    pub(super) text: &'a str,
    /// What the part is called, of a question with several.
    pub(super) label: &'a str,
}

/// Collects forms; its generator decides where there is a choice.
pub(super) struct FormCollector {
    pub(super) collected: Vec<Form>,
    draw: ChaCha8Rng,
}

impl FormCollector {
    pub(super) fn new(seed: u64) -> Self {
        Self { collected: Vec::new(), draw: ChaCha8Rng::seed_from_u64(seed) }
    }

    pub(super) fn add(&mut self, kind: &'static str, right: bool, value: Value) {
        self.collected.push(Form { kind, right, answer: Answer::Json(value) });
    }

    /// Adds a form that means the same.
    pub(super) fn same(&mut self, kind: &'static str, text: impl Into<String>) {
        self.add(kind, true, Value::String(text.into()));
    }

    /// Adds a near miss.
    pub(super) fn other(&mut self, kind: &'static str, text: impl Into<String>) {
        self.add(kind, false, Value::String(text.into()));
    }

    /// One of some things; none of none.
    pub(super) fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let number = self.draw.next_u64();
        let at = number.checked_rem(of.len() as u64)?;
        of.get(usize::try_from(at).ok()?)
    }

    /// What may be put around any answer that is one text.
    pub(super) fn around(&mut self, text: &str) {
        self.same("the answer itself", text);
        self.same("white space around it", format!(" \n{text}\n "));
        self.same("a code fence", format!("```\n{text}\n```"));
        self.add("a list of one", true, json!([text]));
        self.add("an object of one field", true, json!({ "answer": text }));
    }

    /// What answers no question at all.
    pub(super) fn no_answer(&mut self) {
        self.other("nothing", "");
        self.add("null", false, Value::Null);
        self.add("an empty list", false, json!([]));
        self.other("a refusal", "I'm sorry, but I can't help with that.");
        self.other("a promise", "I will look at the trace and answer then.");
    }
}
