//! Whose an answer's end is: the model's, or the provider's that broke off. One rule for all formats.
//!
//! By a provider's documentation a model ends, reaches a limit, refuses (or a filter does on account of
//! what was asked or said), or calls a tool: such an answer is the model's, whatever its text. A reason
//! that says that something failed makes it the provider's failure, whatever its text. With any other
//! reason, or none, it is unknown: then a whole text is an answer, and an empty or truncated one is the
//! provider's failure, tried again and never graded.

use serde_json::Value;

use super::super::completion::{Completion, StopReason};
use super::super::structured::{self, ParseFailure};

/// Whose an answer's end is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finish {
    /// The model's.
    Own,
    /// Unknown: the reason is missing, or the provider does not document it.
    Unknown,
    /// The provider's: it says itself that something failed.
    Broken,
}

/// What a body says, and whose its end is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) completion: Completion,
    pub(super) finish: Finish,
}

impl Answer {
    /// Why this is not the model's answer; none if it is.
    pub(super) fn fault(&self) -> Option<String> {
        let reason = match &self.completion.stop {
            StopReason::Other(reason) => reason.as_str(),
            StopReason::End | StopReason::Length | StopReason::Refusal(_) => return None,
        };
        let text = &self.completion.text;
        let what = match self.finish {
            Finish::Broken => "by which the provider says that it failed",
            Finish::Unknown if text.trim().is_empty() => "and has no text",
            Finish::Unknown if is_torn(text) => "and its text breaks off",
            Finish::Own | Finish::Unknown => return None,
        };
        Some(format!("it ended by `{reason}`, {what}"))
    }
}

/// A reason that no format has a meaning for.
pub(super) fn other(reason: Option<&str>, none: &str) -> (StopReason, Finish) {
    let Some(reason) = reason else { return (StopReason::Other(none.to_owned()), Finish::Unknown) };
    let finish = if says_failure(reason) { Finish::Broken } else { Finish::Unknown };
    (StopReason::Other(reason.to_owned()), finish)
}

/// A reason that is the model's own doing, but not an end: a call of a tool that was not offered.
pub(super) fn own(reason: &str) -> (StopReason, Finish) {
    (StopReason::Other(reason.to_owned()), Finish::Own)
}

/// Words with which servers and gateways report failure: `error` from gateways, `abort` from vLLM,
/// `insufficient_system_resource` from a provider, and words with the same stem.
fn says_failure(reason: &str) -> bool {
    let reason = reason.to_ascii_lowercase();
    let words = ["error", "fail", "abort", "cancel", "timeout", "insufficient_system_resource"];
    words.iter().any(|word| reason.contains(word))
}

/// Whether a text breaks off inside something that it began: thinking, a code fence or JSON.
fn is_torn(text: &str) -> bool {
    let text = text.trim();
    let fences = text.lines().filter(|line| line.trim_start().starts_with("```")).count();
    let ends_open = text.ends_with(['{', '[', ',', ':']);
    fences % 2 == 1
        || ends_open
        || structured::parse(text) == Err(ParseFailure::Unfinished)
        || serde_json::from_str::<Value>(text).is_err_and(|error| error.is_eof())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str, (stop, finish): (StopReason, Finish)) -> bool {
        let completion =
            Completion { text: text.to_owned(), stop, model_returned: None, usage: None };
        Answer { completion, finish }.fault().is_some()
    }

    #[test]
    fn a_torn_text_is_told_from_a_whole_one() {
        for truncated in [
            "{\"n_turns\": 3",
            "{",
            "[\"a\", \"b",
            "\"a",
            "Here it is: {",
            "Here it is:\n```json\n{\"a\": 1}",
            "<think>three turns, I",
            "{\"a\": [1, 2],",
        ] {
            assert!(is_torn(truncated), "{truncated}");
        }
        for whole in [
            "3",
            "not stated",
            "{\"n_turns\": 3}",
            "```json\n{\"a\": 1}\n```",
            "<think>hm</think>{\"a\": 1}",
            "The answer is {\"a\": \"b\"}.",
            "It ran `fn f() {}` twice.",
            "[\"a\", \"b\"]",
        ] {
            assert!(!is_torn(whole), "{whole}");
        }
    }

    #[test]
    fn the_same_text_is_an_answer_or_a_failure_by_its_reason() {
        for (text, reason, expected) in [
            ("", other(None, "none"), true),
            ("{\"a\"", other(None, "none"), true),
            ("{\"a\": 1}", other(None, "none"), false),
            ("{\"a\"", other(Some("weird"), "none"), true),
            ("{\"a\": 1}", other(Some("weird"), "none"), false),
            ("{\"a\": 1}", other(Some("error"), "none"), true),
            ("{\"a\": 1}", other(Some("REQUEST_ABORTED"), "none"), true),
            ("", own("tool_calls"), false),
            ("", (StopReason::End, Finish::Own), false),
            ("{\"a\"", (StopReason::Length, Finish::Own), false),
            ("", (StopReason::Refusal("SAFETY".to_owned()), Finish::Own), false),
        ] {
            assert_eq!(fault(text, reason.clone()), expected, "{text} {reason:?}");
        }
    }
}
