//! Answers are written twice, as what the model said and as what the client showed: each is one message.

use serde::{Deserialize, Serialize};

use crate::ids::Digest64;

/// The two ways in which an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// As an item of the model's response.
    Item,
    /// As an event of the client.
    Event,
}

/// Texts that have been written one way, and wait for the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SaidTwice {
    items: Vec<Digest64>,
    events: Vec<Digest64>,
}

impl SaidTwice {
    /// Takes in a text; returns whether it is the copy of one that waited.
    pub(super) fn is_copy(&mut self, told: Told, text: &str) -> bool {
        if text.trim().is_empty() {
            return false;
        }
        let (same, other) = match told {
            Told::Item => (&mut self.items, &mut self.events),
            Told::Event => (&mut self.events, &mut self.items),
        };
        let digest = Digest64::of(text);
        match other.iter().position(|waiting| *waiting == digest) {
            Some(at) => {
                other.remove(at);
                true
            }
            None => {
                same.push(digest);
                false
            }
        }
    }

    /// Nothing waits any more: a turn begins.
    pub(super) fn forget(&mut self) {
        self.items.clear();
        self.events.clear();
    }
}
