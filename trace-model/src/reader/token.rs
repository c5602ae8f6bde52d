//! The place to resume a transcript from, and the check that it is still the same file.

use serde::{Deserialize, Serialize};

use crate::ids::{ByteOffset, LineNumber, Seq, Sha256};

/// How many bytes at the start and before the offset go into a fingerprint.
pub(super) const WINDOW: usize = 4096;

/// A hash of the first and last 4 KiB read, and of the number of bytes read.
///
/// Both ends are needed: a file that was truncated and has grown past the offset again often keeps
/// its head or its tail, but not both at the same length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fingerprint(Sha256);

impl Fingerprint {
    /// The fingerprint of `length` bytes that start with `head` and end with `tail`.
    pub(super) fn new(length: u64, head: &[u8], tail: &[u8]) -> Self {
        Self(Sha256::of_parts(&[&length.to_be_bytes(), head, tail]))
    }
}

/// All that is needed to read on where reading stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResumeToken {
    /// The offset of the first byte that was not read.
    pub offset: ByteOffset,
    /// The number of the line that starts there.
    pub line: LineNumber,
    /// How many events the file has given.
    pub seq: Seq,
    /// The fingerprint of what came before.
    pub fingerprint: Fingerprint,
    /// What the reader of records keeps of the lines before, if it does.
    #[serde(default)]
    pub reader: Option<String>,
}

/// Keeps the two ends of a growing sequence of bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    head: Vec<u8>,
    tail: Vec<u8>,
    length: u64,
}

impl Ends {
    /// The ends of a file that was read up to `length`, given its two windows.
    pub(super) fn resumed(length: u64, head: Vec<u8>, tail: Vec<u8>) -> Self {
        Self { head, tail, length }
    }

    /// Takes in the bytes that follow.
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        let missing = WINDOW.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..missing]);
        if bytes.len() >= WINDOW {
            self.tail.clear();
            self.tail.extend_from_slice(&bytes[bytes.len() - WINDOW..]);
        } else {
            let surplus = (self.tail.len() + bytes.len()).saturating_sub(WINDOW);
            self.tail.drain(..surplus);
            self.tail.extend_from_slice(bytes);
        }
    }

    /// Whether these are its two ends.
    pub(super) fn are(&self, head: &[u8], tail: &[u8]) -> bool {
        self.head == head && self.tail == tail
    }

    /// How many bytes were taken in.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::new(self.length, &self.head, &self.tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_do_not_depend_on_chunks() {
        let bytes: Vec<u8> = (0..20_000_u32).flat_map(u32::to_le_bytes).collect();
        let mut whole = Ends::default();
        whole.extend(&bytes);
        for size in [1, 7, 4096, 5000, 70_000] {
            let mut parts = Ends::default();
            bytes.chunks(size).for_each(|chunk| parts.extend(chunk));
            assert_eq!(parts.fingerprint(), whole.fingerprint(), "chunks of {size}");
        }
        let tail = bytes[bytes.len() - WINDOW..].to_vec();
        let resumed = Ends::resumed(bytes.len() as u64, bytes[..WINDOW].to_vec(), tail);
        assert_eq!(resumed.fingerprint(), whole.fingerprint());
    }
}
