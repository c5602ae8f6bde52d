//! What a person asked, and what was said and done last in the main thread.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::state::LONG_TEXT_CHARS;
use crate::event::{Event, Kind, Outcome, Source};
use crate::ids::{Excerpt, Head, Millis, Seq};

/// How many of the last moments are kept.
const KEPT_MOMENTS: usize = 8;
/// Characters kept of a moment's text.
const MOMENT_CHARS: usize = 200;

/// What a person wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prompt {
    /// Its event.
    pub at: Seq,
    /// When it was written.
    pub time: Option<Millis>,
    /// Its text.
    pub text: Excerpt,
}

/// Something that was said or done in the main thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Its event.
    pub at: Seq,
    /// When it happened.
    pub time: Option<Millis>,
    /// What kind of event it is.
    pub kind: Kind,
    /// Who it comes from.
    pub source: Source,
    /// The tool, for a call or a result.
    pub tool: Option<String>,
    /// How the call ended, for a result.
    pub outcome: Option<Outcome>,
    /// The start of its text.
    pub text: Head,
}

impl Moment {
    pub(super) fn message(event: &Event<'_>, text: &str, at: Seq, time: Option<Millis>) -> Self {
        Self::new(event.body.kind(), event.source, text, at, time)
    }

    pub(super) fn call(tool: &str, input: Head, at: Seq, time: Option<Millis>) -> Self {
        let tool = Some(tool.to_owned());
        Self { tool, text: input, ..Self::new(Kind::ToolCall, Source::Agent, "", at, time) }
    }

    pub(super) fn result(
        tool: &str,
        outcome: Outcome,
        text: &str,
        at: Seq,
        time: Option<Millis>,
    ) -> Self {
        let tool = Some(tool.to_owned());
        let outcome = Some(outcome);
        Self { tool, outcome, ..Self::new(Kind::ToolResult, Source::Tool, text, at, time) }
    }

    fn new(kind: Kind, source: Source, text: &str, at: Seq, time: Option<Millis>) -> Self {
        let text = Head::new(text, MOMENT_CHARS);
        Self { at, time, kind, source, tool: None, outcome: None, text }
    }
}

/// Prompts, and the last moments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversation {
    prompts: u64,
    goal: Option<Prompt>,
    latest: Option<Prompt>,
    moments: VecDeque<Moment>,
    /// Moments so far, kept or not.
    moment_count: u64,
}

impl Conversation {
    pub(super) fn prompt(&mut self, text: &str, at: Seq, time: Option<Millis>) {
        self.prompts += 1;
        let prompt = Prompt { at, time, text: Excerpt::new(text, LONG_TEXT_CHARS) };
        self.goal.get_or_insert_with(|| prompt.clone());
        self.latest = Some(prompt);
    }

    pub(super) fn moment(&mut self, moment: Moment) {
        self.moment_count += 1;
        if self.moments.len() == KEPT_MOMENTS {
            self.moments.pop_front();
        }
        self.moments.push_back(moment);
    }

    /// How many times a person wrote.
    pub fn prompts(&self) -> u64 {
        self.prompts
    }

    /// What a person wrote first.
    pub fn goal(&self) -> Option<&Prompt> {
        self.goal.as_ref()
    }

    /// What a person wrote last.
    pub fn latest_request(&self) -> Option<&Prompt> {
        self.latest.as_ref()
    }

    /// How many times something was said or done.
    pub fn moments(&self) -> u64 {
        self.moment_count
    }

    /// What was said and done last, oldest first.
    pub fn frontier(&self) -> impl DoubleEndedIterator<Item = &Moment> + ExactSizeIterator {
        self.moments.iter()
    }
}
