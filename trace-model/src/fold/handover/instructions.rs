//! Standing instructions of the person: what holds beyond the request that it was written in.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::cues::states_rule;
use super::sentences::sentences;
use crate::ids::{Digest64, Head, Seq};

/// How many instructions in force are kept.
const KEPT: usize = 60;
/// How many are held in all, with repeated ones and those of turns taken back, which may return.
const HELD: usize = 240;
/// Characters kept of an instruction.
const CHARS: usize = 300;

/// A standing instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instruction {
    /// The event of its prompt.
    pub at: Seq,
    /// The turn that this began.
    pub turn: u64,
    /// The sentence, or the start of a long one.
    pub text: Head,
}

/// The instructions of all turns, and those in force.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Instructions {
    held: VecDeque<Instruction>,
    in_force: Vec<Instruction>,
    /// In force, but not kept.
    beyond: u64,
    /// No longer held.
    forgotten: u64,
}

impl Instructions {
    /// Reads the text of a prompt. [`Instructions::recount`] then says what is in force.
    pub(super) fn read(&mut self, text: &str, turn: u64, at: Seq) {
        for sentence in sentences(text).into_iter().filter(|sentence| states_rule(sentence)) {
            if self.held.len() == HELD {
                self.held.pop_front();
                self.forgotten += 1;
            }
            self.held.push_back(Instruction { at, turn, text: Head::new(sentence, CHARS) });
        }
    }

    /// Selects those in force: of equal texts the latest, of all the last.
    pub(super) fn recount(&mut self, is_in_force: impl Fn(u64) -> bool) {
        let mut seen = BTreeSet::new();
        let (mut kept, mut beyond) = (Vec::new(), 0);
        for instruction in self.held.iter().rev().filter(|it| is_in_force(it.turn)) {
            if !seen.insert(Digest64::of(&instruction.text).with(instruction.text.chars)) {
                continue;
            }
            if kept.len() < KEPT {
                kept.push(instruction.clone());
            } else {
                beyond += 1;
            }
        }
        kept.reverse();
        (self.in_force, self.beyond) = (kept, beyond);
    }

    pub(super) fn in_force(&self) -> &[Instruction] {
        &self.in_force
    }

    pub(super) fn dropped(&self) -> u64 {
        self.beyond + self.forgotten
    }
}
