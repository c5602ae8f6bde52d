//! Folds an in-memory run, and keeps each event's position.

use trace_model::adapter::FileRole;
use trace_model::event::{Record, Turn};
use trace_model::fold::{FoldConfig, RunState};
use trace_model::reader::ReadStats;
use trace_model::run::{FoldObserver, Folder};

/// An event's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Location {
    /// The run's file: 0 is the session's.
    pub(crate) file: usize,
    /// The line in it, from 1.
    pub(crate) line: u64,
}

/// The place of each event, in ledger order.
#[derive(Debug, Default)]
pub(crate) struct EventLocations(Vec<Location>);

impl EventLocations {
    /// An event's position; past the last, the position of the next one.
    pub(crate) fn of(&self, seq: u64) -> Location {
        let at = usize::try_from(seq).ok().and_then(|at| self.0.get(at));
        at.or(self.0.last()).copied().unwrap_or(Location { file: 0, line: 0 })
    }

    /// The position of the first event of the session file on this line or after it.
    pub(crate) fn first_from(&self, line: u64) -> u64 {
        self.0.partition_point(|place| *place < Location { file: 0, line }) as u64
    }

    /// The position of the last event of the session file on this line or before it.
    pub(crate) fn last_until(&self, line: u64) -> u64 {
        self.first_from(line + 1).saturating_sub(1)
    }
}

/// A folded run.
#[derive(Debug)]
pub(crate) struct Folded {
    pub(crate) state: RunState,
    /// What reading each file came across.
    pub(crate) readings: Vec<ReadStats>,
    /// Blank lines of all files.
    pub(crate) blank_lines: u64,
    /// Records that the adapter takes for interruptions, without duplicates.
    pub(crate) interruptions: u64,
    pub(crate) locations: EventLocations,
}

/// Folds a run's transcripts, the session's first.
pub(crate) fn fold(files: &[(FileRole, &[u8])], config: FoldConfig) -> Folded {
    let mut notes = Notes::default();
    let folder = Folder::of(files.iter().cloned(), config, &mut notes);
    Folded {
        readings: folder.readings().cloned().collect(),
        blank_lines: files.iter().map(|(_, bytes)| blank_lines(bytes)).sum(),
        interruptions: notes.interruptions,
        locations: notes.locations,
        state: folder.into_state(),
    }
}

/// Notes kept beside the state.
#[derive(Default)]
struct Notes {
    interruptions: u64,
    locations: EventLocations,
    /// Events that repeated one, before the record that is folded in.
    duplicates: u64,
}

impl FoldObserver for Notes {
    fn before(&mut self, state: &RunState, record: &Record<'_>, file: u32) {
        let place = Location { file: file as usize, line: record.at.line.0 };
        self.locations.0.extend(record.events.iter().map(|_| place));
        self.duplicates = state.duplicates();
    }

    fn after(&mut self, state: &RunState, record: &Record<'_>, _file: u32) {
        let repeated = state.duplicates() - self.duplicates == record.events.len() as u64;
        self.interruptions += u64::from(record.turn == Turn::Interruption && !repeated);
    }
}

/// The reader counts blank lines as lines; the comparison does not.
fn blank_lines(bytes: &[u8]) -> u64 {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    // What follows the last line feed is no line of the reader's, unless it was finished.
    lines.pop();
    lines.iter().filter(|line| line.trim_ascii().is_empty()).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_lines_of_the_session_file() {
        let session = b"{\"type\":\"user\",\"message\":{\"content\":\"a\"}}\n\n{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"b\"},{\"type\":\"text\",\"text\":\"c\"}]}}\n";
        let agent = b"{\"type\":\"user\",\"message\":{\"content\":\"d\"}}\n";
        let role = FileRole { agent: Some("x".into()), ..FileRole::default() };
        let folded = fold(&[(FileRole::default(), session), (role, agent)], FoldConfig::default());
        let locations: Vec<(usize, u64)> =
            folded.locations.0.iter().map(|place| (place.file, place.line)).collect();
        assert_eq!(locations, [(0, 1), (0, 3), (0, 3), (1, 1)]);
        assert_eq!(folded.locations.first_from(2), 1);
        assert_eq!(folded.locations.last_until(3), 2);
        assert_eq!(folded.locations.of(3), Location { file: 1, line: 1 });
        assert_eq!(folded.blank_lines, 1);
    }
}
