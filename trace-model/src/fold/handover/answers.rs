//! What the agent said last.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::event::Event;
use crate::ids::{Excerpt, Seq};

/// How many messages are kept.
const KEPT: usize = 3;
/// Characters kept of each.
const CHARS: usize = 4000;

/// A message of the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Its event.
    pub at: Seq,
    /// Its text.
    pub text: Excerpt,
}

/// The last messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answers {
    list: VecDeque<Answer>,
    count: u64,
}

impl Answers {
    pub(super) fn say(&mut self, event: &Event<'_>, text: &str, at: Seq) {
        if text.trim().is_empty() {
            return;
        }
        self.count += 1;
        if self.list.len() == KEPT {
            self.list.pop_front();
        }
        let text = Excerpt::with_sha256(text, CHARS, event.sha256);
        self.list.push_back(Answer { at, text });
    }

    pub(super) fn list(&self) -> &VecDeque<Answer> {
        &self.list
    }

    pub(super) fn count(&self) -> u64 {
        self.count
    }
}
