//! What a model replied, read: the answer to each question, or why there is none. A reply that cannot be
//! read, a refusal and an empty reply are different things and are counted apart; each scores zero.

use ground_truth::graders::Answer;
use ground_truth::questions::Question;
use serde_json::{Map, Value};

use crate::model::{Completion, structured};

/// What a reply is.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::comprehend) enum Reply {
    /// A JSON object.
    Answers(Map<String, Value>),
    /// Text that no JSON object could be read out of, and why.
    Unreadable(String),
    /// A refusal, by the model or a filter.
    Refusal,
    /// No text at all.
    Empty,
}

impl Reply {
    pub(in crate::comprehend) fn of(completion: &Completion) -> Self {
        if completion.is_refusal() {
            return Self::Refusal;
        }
        if completion.is_empty() {
            return Self::Empty;
        }
        match structured::parse(&completion.text) {
            Ok(answers) => Self::Answers(answers),
            Err(failure) => Self::Unreadable(failure.to_string()),
        }
    }

    /// The answer to a question: `null` where there is none, which scores zero.
    pub(in crate::comprehend) fn answer(&self, question: &Question) -> Answer {
        let Self::Answers(answers) = self else { return Answer::Json(Value::Null) };
        let key = question.question_type.as_str();
        let found = answers.get(key).or_else(|| {
            // Some models change a key's case or its separators, which leaves no doubt which it is.
            let mut like = answers.iter().filter(|(name, _)| folded(name) == folded(key));
            like.next().filter(|_| like.next().is_none()).map(|(_, value)| value)
        });
        Answer::Json(found.cloned().unwrap_or(Value::Null))
    }
}

fn folded(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use ground_truth::oracle::RunFiles;
    use ground_truth::questions::{Pack, questions};
    use serde_json::json;

    use super::*;
    use crate::model::StopReason;

    fn completion(text: &str, stop: StopReason) -> Completion {
        Completion { text: text.to_owned(), stop, model_returned: None, usage: None }
    }

    fn ended(text: &str) -> Reply {
        Reply::of(&completion(text, StopReason::End))
    }

    #[test]
    fn what_has_no_answers_is_told_apart() {
        assert!(matches!(ended("{\"n_turns\": 3}"), Reply::Answers(_)));
        assert!(matches!(ended("I cannot tell."), Reply::Unreadable(_)));
        assert_eq!(ended(" \n"), Reply::Empty);
        let refusal = StopReason::Refusal("refusal".to_owned());
        assert_eq!(Reply::of(&completion("{}", refusal)), Reply::Refusal);
    }

    #[test]
    fn a_key_is_found_in_another_spelling_but_never_guessed() {
        let pack = Pack::named("monitoring/1").expect("it exists");
        let run = "{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"role\":\"user\",\"content\":\"go\"}}\n";
        let files = RunFiles::from_bytes(vec![("s.jsonl".to_owned(), run.as_bytes().to_vec())]);
        let set = questions(&files, &pack, 1);
        let n_turns = set.questions.iter().find(|it| it.question_type == "n_turns");
        let answer = |text: &str| ended(text).answer(n_turns.expect("it is always asked"));
        assert_eq!(answer("{\"n_turns\": 3}"), Answer::Json(json!(3)));
        assert_eq!(answer("{\"N-Turns\": 3}"), Answer::Json(json!(3)));
        assert_eq!(answer("{\"N-Turns\": 3, \"nTurns\": 4}"), Answer::Json(Value::Null));
        assert_eq!(answer("{\"turns\": 3}"), Answer::Json(Value::Null));
    }
}
