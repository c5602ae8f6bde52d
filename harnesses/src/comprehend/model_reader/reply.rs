//! A parsed model reply: the answer to each question, or why there is none. An unreadable reply, a refusal and
//! an empty reply are counted separately; each scores zero. How a reply is read goes with the rule set, so that
//! stored replies give the rows again that they gave.

use ground_truth::graders::{Answer, RuleSet};
use ground_truth::questions::Question;
use serde_json::{Map, Value};

use crate::model::{Completion, reply, structured};

/// Whether an object around the answers is looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::comprehend) enum Wrapping {
    /// It is not: `strict/1` and `paper/1`.
    None,
    /// It is, where it does not hold the key itself.
    Unwrapped,
}

/// What a reply is.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::comprehend) enum Reply {
    /// A JSON object, and whether another may be wrapped in it.
    Answers(Map<String, Value>, Wrapping),
    /// Text that no JSON object could be read out of, and why.
    Unreadable(String),
    /// A refusal, by the model or a filter.
    Refusal,
    /// No text at all.
    Empty,
}

impl Reply {
    pub(in crate::comprehend) fn of(completion: &Completion, rule_set: RuleSet) -> Self {
        if completion.is_refusal() {
            return Self::Refusal;
        }
        if completion.is_empty() {
            return Self::Empty;
        }
        let (read, wrapping) = match rule_set {
            RuleSet::Paper1 | RuleSet::Strict1 => {
                (structured::parse(&completion.text), Wrapping::None)
            }
            RuleSet::Strict2 => (reply::parse(&completion.text), Wrapping::Unwrapped),
        };
        match read {
            Ok(answers) => Self::Answers(answers, wrapping),
            Err(failure) => Self::Unreadable(failure.to_string()),
        }
    }

    /// The answer to a question: `null` where there is none, which scores zero.
    pub(in crate::comprehend) fn answer(&self, question: &Question) -> Answer {
        let Self::Answers(answers, wrapping) = self else { return Answer::Json(Value::Null) };
        let key = question.question_type.as_str();
        let mut within = Some(answers);
        while let Some(answers) = within {
            if let Some(found) = named(answers, key) {
                return Answer::Json(found.clone());
            }
            within = wrapped(answers).filter(|_| *wrapping == Wrapping::Unwrapped);
        }
        Answer::Json(Value::Null)
    }
}

/// The field of a key.
fn named<'a>(answers: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    answers.get(key).or_else(|| {
        // Some models change a key's case or its separators, which leaves no doubt which it is.
        let mut like = answers.iter().filter(|(name, _)| folded(name) == folded(key));
        like.next().filter(|_| like.next().is_none()).map(|(_, value)| value)
    })
}

/// A nested object: the only field that is an object, with nothing else but notes.
fn wrapped(answers: &Map<String, Value>) -> Option<&Map<String, Value>> {
    const NOTES: [&str; 12] = [
        "comment",
        "comments",
        "confidence",
        "explanation",
        "id",
        "name",
        "note",
        "notes",
        "rationale",
        "reasoning",
        "thoughts",
        "type",
    ];
    let mut objects = answers.values().filter_map(Value::as_object);
    let (inner, more) = (objects.next()?, objects.next());
    let is_note = |name: &String| NOTES.contains(&name.to_lowercase().as_str());
    let rest = answers.iter().filter(|(_, value)| !value.is_object());
    (more.is_none() && rest.into_iter().all(|(name, _)| is_note(name))).then_some(inner)
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
        Reply::of(&completion(text, StopReason::End), RuleSet::STRICT)
    }

    #[test]
    fn what_has_no_answers_is_told_apart() {
        assert!(matches!(ended("{\"n_turns\": 3}"), Reply::Answers(..)));
        assert!(matches!(ended("I cannot tell."), Reply::Unreadable(_)));
        assert_eq!(ended(" \n"), Reply::Empty);
        let refusal = StopReason::Refusal("refusal".to_owned());
        assert_eq!(Reply::of(&completion("{}", refusal), RuleSet::STRICT), Reply::Refusal);
    }

    #[test]
    fn a_key_is_found_in_another_spelling_but_never_guessed() {
        let pack = Pack::named("monitoring/1").expect("it exists");
        let run = "{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"role\":\"user\",\"content\":\"go\"}}\n";
        let files = RunFiles::from_bytes(vec![("s.jsonl".to_owned(), run.as_bytes().to_vec())]);
        let set = questions(&files, &pack, 1);
        let n_turns = set.questions.iter().find(|it| it.question_type.as_str() == "n_turns");
        let answer = |text: &str| ended(text).answer(n_turns.expect("it is always asked"));
        assert_eq!(answer("{\"n_turns\": 3}"), Answer::Json(json!(3)));
        assert_eq!(answer("{\"N-Turns\": 3}"), Answer::Json(json!(3)));
        assert_eq!(answer("{\"N-Turns\": 3, \"nTurns\": 4}"), Answer::Json(Value::Null));
        assert_eq!(answer("{\"turns\": 3}"), Answer::Json(Value::Null));
        for wrapped in [
            "{\"answers\": {\"n_turns\": 3}}",
            "{\"answer\": {\"n_turns\": 3}}",
            "{\"reasoning\": \"I counted 4.\", \"result\": {\"data\": {\"N_TURNS\": 3}}}",
        ] {
            assert_eq!(answer(wrapped), Answer::Json(json!(3)), "{wrapped}");
            let before = Reply::of(&completion(wrapped, StopReason::End), RuleSet::Strict1);
            let before = before.answer(n_turns.expect("it is always asked"));
            assert_eq!(before, Answer::Json(Value::Null), "strict/1 did not look into it");
        }
        for other in [
            "{\"a\": {\"n_turns\": 3}, \"b\": {\"n_turns\": 4}}",
            "{\"top_tool\": \"Bash\", \"last\": {\"n_turns\": 3}}",
        ] {
            assert_eq!(answer(other), Answer::Json(Value::Null), "{other}");
        }
    }

    #[test]
    fn stored_replies_are_read_by_the_rules_of_their_time() {
        let drafted = "<thinking>{\"n_turns\": 9}</thinking>{\"n_turns\": 3}";
        let read = |rule_set| Reply::of(&completion(drafted, StopReason::End), rule_set);
        assert!(matches!(read(RuleSet::Strict1), Reply::Unreadable(_)));
        assert!(matches!(read(RuleSet::Paper1), Reply::Unreadable(_)));
        assert!(matches!(read(RuleSet::Strict2), Reply::Answers(..)));
    }
}
