//! What a person asked, and the latest messages and actions in the main thread.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::event::{Event, EventKind, Outcome, Source};
use crate::ids::{Excerpt, Head, Millis, Seq};

/// How many of the last moments are kept.
const KEPT_MOMENTS: usize = 8;
/// Characters kept of the goal, of the latest request, and of the last error.
pub(super) const LONG_TEXT_CHARS: usize = 4000;
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
    pub kind: EventKind,
    /// Who it comes from.
    pub source: Source,
    /// The tool, for a call or a result.
    pub tool: Option<String>,
    /// How the call ended, for a result.
    pub outcome: Option<Outcome>,
    /// The start of its text.
    pub text: Head,
    /// The turn in which it happened; 0 before the first.
    pub turn: u64,
}

impl Moment {
    pub(super) fn message(event: &Event<'_>, text: &str, at: Seq, time: Option<Millis>) -> Self {
        Self::new(event.body.kind(), event.source, text, at, time)
    }

    pub(super) fn call(tool: &str, input: Head, at: Seq, time: Option<Millis>) -> Self {
        let tool = Some(tool.to_owned());
        Self { tool, text: input, ..Self::new(EventKind::ToolCall, Source::Agent, "", at, time) }
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
        Self { tool, outcome, ..Self::new(EventKind::ToolResult, Source::Tool, text, at, time) }
    }

    fn new(kind: EventKind, source: Source, text: &str, at: Seq, time: Option<Millis>) -> Self {
        let text = Head::new(text, MOMENT_CHARS);
        Self { at, time, kind, source, tool: None, outcome: None, text, turn: 0 }
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
    /// A person wrote. `goal` is the first prompt in force, if it changed.
    pub(super) fn prompt(&mut self, prompt: Prompt, goal: Option<&Prompt>) {
        self.prompts += 1;
        if let Some(goal) = goal {
            self.goal = Some(goal.clone());
        }
        self.latest = Some(prompt);
    }

    /// Forgets the moments of turns that are not in force.
    pub(super) fn forget_moments(&mut self, is_in_force: impl Fn(u64) -> bool) {
        self.moments.retain(|moment| is_in_force(moment.turn));
    }

    pub(super) fn moment(&mut self, moment: Moment, turn: u64) {
        let moment = Moment { turn, ..moment };
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

    /// The first prompt in force.
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

    /// The latest messages and actions in turns in force, oldest first.
    pub fn frontier(&self) -> impl DoubleEndedIterator<Item = &Moment> + ExactSizeIterator {
        self.moments.iter()
    }
}
