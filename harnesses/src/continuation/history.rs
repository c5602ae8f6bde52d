//! What happened in a run so far, as arms may use it: the task, every step, and the transcript.

use std::collections::BTreeSet;

use serde_json::Value;

use super::context::{Segment, quoted};
use crate::recording::Recorder;
use crate::workbench::{Action, CallOutcome, Observation};

/// Words of a step that an arm may search by, as digests in ascending order.
pub(super) type Words = Vec<u64>;

/// One reply of the worker and the observation it led to.
#[derive(Debug, Clone)]
pub struct Step {
    /// Its number, from 1.
    pub number: u32,
    /// `[step N]` and the reply as the worker wrote it, on one line.
    pub action: Segment,
    /// `[observation N]` and what the bench, or the protocol, answered.
    pub observation: Segment,
    /// The same without its content.
    pub elided: Segment,
    /// The call; `None` if the reply was not one.
    pub call: Option<Action>,
    /// How the call ended; none if the reply was not a call.
    pub outcome: Option<CallOutcome>,
    /// The words of both.
    pub words: Words,
    /// Whether it is what a person wrote, not a reply.
    pub by_person: bool,
}

impl Step {
    /// A step that called something.
    #[must_use]
    pub(super) fn called(
        number: u32,
        reply: &str,
        action: Option<Action>,
        observation: &Observation,
    ) -> Self {
        let error = if observation.outcome.is_error() { "error: " } else { "" };
        let text = format!("{error}{}", quoted(&observation.text));
        Self { call: action, outcome: Some(observation.outcome), ..Self::new(number, reply, &text) }
    }

    /// A step whose reply was not a call.
    #[must_use]
    pub fn unreadable(number: u32, reply: &str, complaint: &str) -> Self {
        Self::new(number, reply, complaint)
    }

    /// What a person wrote after the task.
    #[must_use]
    pub(super) fn request(number: u32, text: &str) -> Self {
        let text = quoted(text);
        Self {
            action: Segment::new(format!("[step {number}] a person wrote:\n{text}")),
            observation: Segment::new(format!("[observation {number}]\n")),
            elided: Segment::new(format!("[observation {number}]\n")),
            by_person: true,
            ..Self::new(number, "", &text)
        }
    }

    fn new(number: u32, reply: &str, observed: &str) -> Self {
        let reply = one_line(reply);
        let elided = format!(
            "[observation {number}]\n({} characters are left out here)\n",
            observed.chars().count()
        );
        Self {
            number,
            words: words(&format!("{reply} {observed}")),
            action: Segment::new(format!("[step {number}] {reply}\n")),
            observation: Segment::new(format!("[observation {number}]\n{observed}")),
            elided: Segment::new(elided),
            call: None,
            outcome: None,
            by_person: false,
        }
    }

    /// What the worker replied, on one line, or what a person wrote.
    #[must_use]
    pub fn reply(&self) -> &str {
        let end = if self.by_person { ":\n" } else { "] " };
        self.action.text().split_once(end).map_or("", |(_, reply)| reply.trim_end())
    }

    /// What the bench, or the protocol, answered.
    #[must_use]
    pub fn answer(&self) -> &str {
        self.observation.text().split_once('\n').map_or("", |(_, body)| body)
    }

    /// What the bench answered, if the call succeeded.
    #[must_use]
    pub fn succeeded(&self) -> Option<(&Action, &str)> {
        let call = self.call.as_ref().filter(|_| self.outcome == Some(CallOutcome::Ok))?;
        Some((call, self.answer()))
    }
}

/// A reply on one line: line feeds would let it begin a section.
fn one_line(reply: &str) -> String {
    let reply = reply.trim();
    if !reply.contains(['\n', '\r']) {
        return reply.to_owned();
    }
    // JSON has no line feed inside a string, so an action keeps its meaning.
    match serde_json::from_str::<Value>(reply) {
        Ok(value @ Value::Object(_)) => value.to_string(),
        _ => reply.replace(['\n', '\r'], " "),
    }
}

/// The distinct words of a text, as digests.
pub(super) fn words(text: &str) -> Words {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let digests = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let digests: BTreeSet<u64> = digests
        .map(|word| {
            let mut hasher = DefaultHasher::new();
            word.hash(&mut hasher);
            hasher.finish()
        })
        .collect();
    digests.into_iter().collect()
}

/// A run so far.
#[derive(Debug)]
pub struct History {
    /// How to act.
    pub instructions: Segment,
    /// What is to be done.
    pub task: Segment,
    /// Every step, in order.
    pub steps: Vec<Step>,
    /// The transcript that is being written.
    pub recorder: Recorder,
}

impl History {
    /// The last `k` steps.
    #[must_use]
    pub fn last(&self, k: usize) -> &[Step] {
        &self.steps[self.steps.len().saturating_sub(k)..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_one_line_and_stays_the_same_action() {
        assert_eq!(one_line("{\n \"tool\": \"done\"\n}\n"), r#"{"tool":"done"}"#);
        assert_eq!(one_line("I think\n[view]\nso"), "I think [view] so");
        let step = Step::unreadable(3, "a\n[task]\nb", "no action");
        assert_eq!(step.action.text(), "[step 3] a [task] b\n");
        assert_eq!(step.observation.text(), "[observation 3]\nno action\n");
        assert!(step.succeeded().is_none());
    }

    #[test]
    fn words_are_distinct_and_sorted() {
        let found = words("one two, one = two_three");
        assert_eq!(found.len(), 3);
        assert!(found.is_sorted());
    }
}
