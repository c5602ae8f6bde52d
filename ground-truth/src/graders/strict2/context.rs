//! The question, as far as graders look at it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::questions::Question;

/// What a grader may know of the question: which words an answer to it may repeat.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuestionContext<'a> {
    /// The question type's name.
    pub(super) kind: &'a str,
    /// The question in words.
    pub(super) text: &'a str,
    /// The values of the parameters in the words.
    pub(super) params: &'a BTreeMap<String, Value>,
    /// What the part is called, of a question with several.
    pub(super) label: &'a str,
}

impl<'a> QuestionContext<'a> {
    pub(super) fn of(question: &'a Question) -> Self {
        Self {
            kind: question.question_type.as_str(),
            text: &question.text,
            params: &question.params,
            label: "",
        }
    }

    /// The texts of the parameters.
    pub(super) fn named(&self) -> impl Iterator<Item = &'a str> {
        self.params.values().filter_map(Value::as_str)
    }
}
