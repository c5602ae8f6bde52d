//! Where the lines of a text start.

/// The lines of a text, counted from 0.
#[derive(Debug)]
pub(super) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub(super) fn new(text: &[u8]) -> Self {
        let after = memchr::memchr_iter(b'\n', text).map(|newline| newline + 1);
        Self { starts: std::iter::once(0).chain(after).collect() }
    }

    /// The line that holds this byte.
    pub(super) fn of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// The first byte of a line.
    pub(super) fn start(&self, line: usize) -> usize {
        self.starts[line]
    }
}
