//! Turns: a prompt and what follows it up to the next one. Each continues an earlier one, its parent; those
//! that the newest does not continue were taken back (`/rewind`, or a request that was edited and sent again).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::collections::{DigestMap, sorted_map};
use super::conversation::{LONG_TEXT_CHARS, Prompt};
use crate::event::{CommandMeaning, Record};
use crate::ids::{Digest64, Excerpt, Head, Millis, Seq};

/// Characters kept of a turn's prompt.
const PROMPT_CHARS: usize = 200;

/// A turn of the main thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunTurn {
    /// Its number, counted from 1; that of its episode, too.
    pub number: u64,
    /// The turn it continues; 0 is everything before the first prompt.
    pub parent: u64,
    /// The event of its prompt.
    pub at: Seq,
    /// When that was written.
    pub time: Option<Millis>,
    /// The start of its prompt.
    pub prompt: Head,
    /// The turn that took it back; `None` while it is in force.
    pub taken_back_by: Option<u64>,
}

impl RunTurn {
    /// Whether it is part of the current conversation.
    pub fn is_in_force(&self) -> bool {
        self.taken_back_by.is_none()
    }
}

/// A command whose meaning is not known yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Pending {
    at: Seq,
    time: Option<Millis>,
    parent: Option<Digest64>,
    text: Excerpt,
}

/// A prompt that begins a turn, and the record it continues.
pub(super) struct TurnStart {
    pub(super) prompt: Prompt,
    pub(super) parent: Option<Digest64>,
}

/// Which turns a new one took back, and which it put in force again; both in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rewind {
    pub(super) taken_back: Vec<u64>,
    pub(super) returned: Vec<u64>,
}

impl Rewind {
    pub(super) fn is_none(&self) -> bool {
        self.taken_back.is_empty() && self.returned.is_empty()
    }
}

/// The turns of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Turns {
    list: Vec<RunTurn>,
    /// The turn of each record of the main thread.
    #[serde(with = "sorted_map")]
    stands: DigestMap<u32>,
    /// Whether a record since the first prompt names the one before it: old clients link nothing.
    linked: bool,
    pending: Option<Pending>,
    /// The full prompts of the turns without a parent turn: one of them is the goal.
    roots: BTreeMap<u64, Prompt>,
}

impl Turns {
    /// The number of the current turn; 0 before the first.
    pub(super) fn current(&self) -> u64 {
        self.list.len() as u64
    }

    /// All turns, in order.
    pub(super) fn list(&self) -> &[RunTurn] {
        &self.list
    }

    /// How many turns are not in force.
    pub(super) fn taken_back(&self) -> u64 {
        self.list.iter().filter(|turn| !turn.is_in_force()).count() as u64
    }

    /// Whether a turn is in force; turn 0 always is.
    pub(super) fn is_in_force(&self, number: u64) -> bool {
        let index = number.checked_sub(1).and_then(|index| usize::try_from(index).ok());
        index.and_then(|index| self.list.get(index)).is_none_or(RunTurn::is_in_force)
    }

    /// The first prompt in force.
    pub(super) fn goal(&self) -> Option<&Prompt> {
        self.roots.iter().find(|(number, _)| self.is_in_force(**number)).map(|(_, prompt)| prompt)
    }

    /// A person typed a command with this record; a later one tells what it means.
    pub(super) fn hold_command(&mut self, record: &Record<'_>, text: &str, at: Seq) {
        self.pending = Some(Pending {
            at,
            time: record.time,
            parent: record.parent.as_deref().map(Digest64::of),
            text: Excerpt::new(text, LONG_TEXT_CHARS),
        });
    }

    /// Takes in what a record of the main thread tells of a command before it; the prompt that the
    /// command was, if it set the agent to work.
    pub(super) fn tell(&mut self, meaning: CommandMeaning) -> Option<TurnStart> {
        let Pending { at, time, parent, text } = self.pending.take()?;
        match meaning {
            CommandMeaning::Started => {
                Some(TurnStart { prompt: Prompt { at, time, text }, parent })
            }
            CommandMeaning::Drove => {
                self.linked = !self.list.is_empty() && parent.is_some();
                None
            }
        }
    }

    /// A turn begins. Returns its parent, and how that shifts what is in force.
    pub(super) fn begin(&mut self, start: &TurnStart) -> (u64, Rewind) {
        let before = self.current();
        let number = before + 1;
        let parent = match start.parent {
            Some(parent) => self.stands.get(&parent).map_or(before, |turn| u64::from(*turn)),
            None if self.linked => 0,
            None => before,
        };
        let prompt = &start.prompt;
        self.list.push(RunTurn {
            number,
            parent,
            at: prompt.at,
            time: prompt.time,
            prompt: Head {
                text: crate::text::head(&prompt.text.text, PROMPT_CHARS).to_owned(),
                chars: prompt.text.chars,
            },
            taken_back_by: None,
        });
        if parent == 0 {
            self.roots.insert(number, prompt.clone());
        }
        let shift = if parent == before { Rewind::default() } else { self.shift(number) };
        (parent, shift)
    }

    /// Recomputes which turns are in force, now that this one is the newest.
    fn shift(&mut self, newest: u64) -> Rewind {
        let mut shift = Rewind::default();
        let mut next = newest;
        // From the newest back: every parent is older than its children.
        for turn in self.list.iter_mut().rev() {
            let in_force = turn.number == next;
            if in_force {
                next = turn.parent;
            }
            match (turn.is_in_force(), in_force) {
                (true, false) => {
                    turn.taken_back_by = Some(newest);
                    shift.taken_back.push(turn.number);
                }
                (false, true) => {
                    turn.taken_back_by = None;
                    shift.returned.push(turn.number);
                }
                _ => {}
            }
        }
        shift.taken_back.reverse();
        shift.returned.reverse();
        shift
    }

    /// A record of the main thread was read: it belongs to the current turn, unless it was read before.
    /// `is_prompt` says that it began that turn itself.
    pub(super) fn stand(&mut self, record: &Record<'_>, is_prompt: bool) {
        self.stand_uuid(record.uuid.as_deref());
        if record.exchange && !is_prompt && !self.is_held(record) {
            self.linked = !self.list.is_empty() && record.parent.is_some();
        }
    }

    /// Whether the record is a command whose meaning is not known yet.
    fn is_held(&self, record: &Record<'_>) -> bool {
        record.command.is_some() && self.pending.is_some()
    }

    /// As [`Turns::stand`], for a record that only carries another.
    pub(super) fn stand_uuid(&mut self, uuid: Option<&str>) {
        if let Some(uuid) = uuid {
            let turn = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
            self.stands.entry(Digest64::of(uuid)).or_insert(turn);
        }
    }
}
