//! Splits bytes into lines without copying a line that lies within one chunk.

use memchr::memchr;

/// The longest line that is read by default: longer than any seen, and a bound on memory.
pub(super) const DEFAULT_MAX_LINE: usize = 256 * 1024 * 1024;

/// Capacity above which the buffer of a long line is given back.
const KEPT_CAPACITY: usize = 4 * 1024 * 1024;

/// A line without its line feed, and where it starts.
pub(super) struct Line<'a> {
    pub(super) bytes: LineBytes<'a>,
    pub(super) offset: u64,
    pub(super) number: u64,
}

pub(super) enum LineBytes<'a> {
    Whole(&'a [u8]),
    /// Longer than the limit: its bytes were passed over.
    TooLong,
}

/// The splitter's position, and the part of a line seen so far.
#[derive(Clone, Debug)]
pub(super) struct LineSplitter {
    /// Offset of the first byte of the line being read.
    pub(super) offset: u64,
    /// Number of the line being read.
    pub(super) number: u64,
    pub(super) pending: Vec<u8>,
    /// Bytes passed over of a line that is too long.
    skipped: u64,
    max_line: usize,
}

impl LineSplitter {
    pub(super) fn new(offset: u64, number: u64, max_line: usize) -> Self {
        Self { offset, number, pending: Vec::new(), skipped: 0, max_line }
    }

    /// Bytes of the unfinished last line.
    pub(super) fn pending_bytes(&self) -> u64 {
        self.pending.len() as u64 + self.skipped
    }

    /// Hands on each line that the chunk completes.
    pub(super) fn feed(&mut self, mut chunk: &[u8], mut sink: impl FnMut(Line<'_>)) {
        while let Some(end) = memchr(b'\n', chunk) {
            let (head, rest) = (&chunk[..end], &chunk[end + 1..]);
            chunk = rest;
            if self.pending.is_empty() && self.skipped == 0 && head.len() <= self.max_line {
                self.emit(LineBytes::Whole(head), head.len() as u64, &mut sink);
                continue;
            }
            self.keep(head);
            let length = self.pending_bytes();
            if self.skipped > 0 {
                self.emit(LineBytes::TooLong, length, &mut sink);
            } else {
                let line = std::mem::take(&mut self.pending);
                self.emit(LineBytes::Whole(&line), length, &mut sink);
                self.pending = line;
            }
            self.clear();
        }
        self.keep(chunk);
    }

    /// Takes the unfinished line as read, without its line feed.
    pub(super) fn consume_pending(&mut self) {
        self.offset += self.pending_bytes();
        self.clear();
    }

    fn emit(&mut self, bytes: LineBytes<'_>, length: u64, sink: &mut impl FnMut(Line<'_>)) {
        sink(Line { bytes, offset: self.offset, number: self.number });
        self.offset += length + 1;
        self.number += 1;
    }

    fn keep(&mut self, part: &[u8]) {
        if self.skipped > 0 || self.pending.len() + part.len() > self.max_line {
            self.skipped += (self.pending.len() + part.len()) as u64;
            self.pending = Vec::new();
        } else {
            self.pending.extend_from_slice(part);
        }
    }

    fn clear(&mut self) {
        self.skipped = 0;
        self.pending.clear();
        if self.pending.capacity() > KEPT_CAPACITY {
            self.pending = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number, offset and bytes of a line; no bytes of one that is too long.
    type Seen = (u64, u64, Option<Vec<u8>>);

    fn split(chunks: &[&[u8]], max_line: usize) -> (Vec<Seen>, u64) {
        let mut splitter = LineSplitter::new(0, 1, max_line);
        let mut lines = Vec::new();
        for chunk in chunks {
            splitter.feed(chunk, |line| {
                let bytes = match line.bytes {
                    LineBytes::Whole(bytes) => Some(bytes.to_vec()),
                    LineBytes::TooLong => None,
                };
                lines.push((line.number, line.offset, bytes));
            });
        }
        (lines, splitter.pending_bytes())
    }

    #[test]
    fn lines_do_not_depend_on_chunks() {
        let whole = split(&[b"ab\n\ncd\nrest"], 100);
        assert_eq!(whole, split(&[b"a", b"b", b"\n\nc", b"d\nre", b"st"], 100));
        assert_eq!(whole.0[2], (3, 4, Some(b"cd".to_vec())));
        assert_eq!(whole.1, 4);
    }

    #[test]
    fn a_line_above_the_limit_is_passed_over_and_the_next_is_read() {
        let expected = vec![(1, 0, None), (2, 7, Some(b"ok".to_vec()))];
        assert_eq!(split(&[b"abcdef\nok\n"], 4).0, expected);
        assert_eq!(split(&[b"abc", b"def", b"\no", b"k\n"], 4).0, expected);
        assert_eq!(split(&[b"abcdef"], 4).1, 6);
    }
}
