//! A question as a reader gets it: without its truth.

use std::collections::BTreeMap;

use ground_truth::questions::{Question, QuestionType};
use serde_json::Value;

/// A question without its truth: all that a reader may know besides the condition's text.
#[derive(Debug, Clone, Copy)]
pub struct ReaderQuestion<'q> {
    /// The question type.
    pub question_type: QuestionType,
    /// The question in words.
    pub text: &'q str,
    /// The values of the parameters in the words.
    pub params: &'q BTreeMap<String, Value>,
}

impl<'q> ReaderQuestion<'q> {
    /// The question without its truth.
    #[must_use]
    pub fn of(question: &'q Question) -> Self {
        let Question { question_type, text, params, .. } = question;
        Self { question_type: *question_type, text, params }
    }

    /// A parameter that is a text.
    #[must_use]
    pub fn text_param(&self, name: &str) -> Option<&'q str> {
        self.params.get(name)?.as_str()
    }

    /// A parameter that is a number.
    #[must_use]
    pub fn number_param(&self, name: &str) -> Option<usize> {
        usize::try_from(self.params.get(name)?.as_u64()?).ok()
    }

    /// The texts of a parameter that is a list.
    #[must_use]
    pub fn list_param(&self, name: &str) -> Vec<&'q str> {
        let items = self.params.get(name).and_then(Value::as_array);
        items.into_iter().flatten().filter_map(Value::as_str).collect()
    }
}
