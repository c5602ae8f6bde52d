//! Turns: which one each record belongs to, which one each continues, and which are in force.

use std::collections::BTreeMap;

/// What a prompt's record hangs below.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Above {
    /// This record of the main thread.
    Record(String),
    /// Nothing: it names no parent.
    Nothing,
    /// A record that is nowhere in the run.
    Unknown,
}

/// The turns so far. Turn 0 is everything before the first prompt.
#[derive(Debug)]
pub(crate) struct Turns {
    /// Each turn's parent turn, by its number; turn 0 is its own.
    parents: Vec<usize>,
    /// The turn in which a record stands, by its uuid.
    places: BTreeMap<String, usize>,
    /// Whether a record other than a prompt names a parent since the first prompt.
    linked: bool,
}

impl Default for Turns {
    fn default() -> Self {
        Self { parents: vec![0], places: BTreeMap::new(), linked: false }
    }
}

impl Turns {
    /// The current turn.
    pub(crate) fn now(&self) -> usize {
        self.parents.len() - 1
    }

    /// A prompt begins a turn.
    pub(crate) fn begin(&mut self, above: &Above) {
        let before = self.now();
        let parent = match above {
            Above::Record(uuid) => self.places.get(uuid).copied().unwrap_or(before),
            Above::Nothing if self.linked => 0,
            Above::Nothing | Above::Unknown => before,
        };
        self.parents.push(parent);
    }

    /// A record of the main thread belongs to the current turn.
    pub(crate) fn stands(&mut self, uuid: &str) {
        let now = self.now();
        self.places.entry(uuid.to_owned()).or_insert(now);
    }

    /// A record of the conversation other than a prompt names a parent.
    pub(crate) fn links(&mut self) {
        self.linked |= self.now() > 0;
    }

    /// Whether a turn is in force as things stand.
    pub(crate) fn in_force(&self, turn: usize) -> bool {
        let mut at = self.now();
        while at > turn {
            at = self.parents[at];
        }
        at == turn
    }

    /// The turns as text, and how many were taken back.
    pub(crate) fn list(&self) -> (Vec<String>, u64) {
        let mut back = 0;
        let line = |turn: usize| {
            let parent = self.parents[turn];
            if self.in_force(turn) {
                return format!("{turn} parent {parent}");
            }
            back += 1;
            format!("{turn} parent {parent} taken back")
        };
        let lines = (1..self.parents.len()).map(line).collect();
        (lines, back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(uuid: &str) -> Above {
        Above::Record(uuid.to_owned())
    }

    #[test]
    fn a_return_puts_a_turn_in_force_again() {
        let mut turns = Turns::default();
        turns.begin(&Above::Nothing);
        turns.stands("a");
        turns.links();
        turns.begin(&record("a"));
        turns.stands("b");
        turns.begin(&record("a"));
        assert_eq!((turns.in_force(2), turns.in_force(1)), (false, true));
        turns.begin(&record("b"));
        let (lines, back) = turns.list();
        assert_eq!(lines, ["1 parent 0", "2 parent 1", "3 parent 1 taken back", "4 parent 2"]);
        assert_eq!(back, 1);
    }

    #[test]
    fn no_parent_is_the_very_start_only_where_records_are_linked() {
        let mut turns = Turns::default();
        turns.begin(&Above::Nothing);
        turns.begin(&Above::Nothing);
        turns.links();
        turns.begin(&Above::Nothing);
        turns.begin(&Above::Unknown);
        let lines = ["1 parent 0 taken back", "2 parent 1 taken back", "3 parent 0", "4 parent 3"];
        assert_eq!(turns.list().0, lines);
    }
}
