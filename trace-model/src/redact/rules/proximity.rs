//! How near another rule must match for a match to count: `5L`, `7L,200C`, or nothing for anywhere.

use super::rule::Finding;

/// Where the other match may start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Window {
    Anywhere,
    Near {
        /// Lines before and after the match's own.
        lines: usize,
        /// Bytes before and after it, if it is on one line; 0 for any.
        columns: usize,
    },
}

impl Window {
    /// Reads a window as the rules write it.
    pub(super) fn parse(written: &str) -> Option<Self> {
        if written.is_empty() {
            return Some(Self::Anywhere);
        }
        let (lines, columns) = match written.split_once(',') {
            Some((lines, columns)) => (lines, columns.strip_suffix('C')?.parse().ok()?),
            None => (written, 0),
        };
        // The match's own line is the first.
        let lines = lines.strip_suffix('L')?.parse::<usize>().ok()?.saturating_sub(1);
        Some(Self::Near { lines, columns })
    }

    /// Whether the other match is near enough.
    pub(super) fn holds(self, one: &Finding<'_>, other: &Finding<'_>) -> bool {
        let Self::Near { lines, columns } = self else { return true };
        let above = other.first_line + lines < one.first_line;
        let below = other.first_line > one.last_line + lines;
        if above || below {
            return false;
        }
        one.first_line != one.last_line
            || columns == 0
            || (other.column >= one.column.saturating_sub(columns)
                && other.column < one.column + one.length + columns)
    }
}
