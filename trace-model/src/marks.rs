//! Finds bytes of a kind in a text, one after the other, where they stand close together: 64 bytes are looked at at once,
//! in a form in which the next is one instruction away. Where they are rare, `memchr` is faster. Used by the reader of JSON
//! (in real transcripts every twentieth byte ends a piece of a string) and by the search for names.

use std::marker::PhantomData;

use wide::u8x16;

/// Bytes that are looked at together.
pub(crate) const BLOCK: usize = 64;

/// A kind of bytes.
pub(crate) trait Kind {
    /// Sets all bits of the bytes that are of the kind, and none of the others.
    fn mark(bytes: u8x16) -> u8x16;
}

/// Whether bytes are between two, which included.
#[inline]
pub(crate) fn between(bytes: u8x16, first: u8, last: u8) -> u8x16 {
    let from_first = bytes - u8x16::splat(first);
    from_first.min(u8x16::splat(last - first)).simd_eq(from_first)
}

/// Whether bytes are this one.
#[inline]
pub(crate) fn equal(bytes: u8x16, byte: u8) -> u8x16 {
    bytes.simd_eq(u8x16::splat(byte))
}

/// The bytes of a kind in one block of a text.
pub(crate) struct Marks<K> {
    /// Where the block starts.
    start: usize,
    /// A bit for each of its bytes, the first the lowest.
    bits: u64,
    kind: PhantomData<K>,
}

impl<K> Default for Marks<K> {
    fn default() -> Self {
        // Where no block starts.
        Self { start: usize::MAX, bits: 0, kind: PhantomData }
    }
}

impl<K: Kind> Marks<K> {
    /// The first byte of the kind at this place or behind it.
    #[inline]
    pub(crate) fn next(&mut self, bytes: &[u8], mut at: usize) -> Option<usize> {
        loop {
            let start = at - at % BLOCK;
            if start != self.start {
                self.bits = block::<K>(bytes, start)?;
                self.start = start;
            }
            let ahead = self.bits >> (at - start);
            if ahead != 0 {
                return Some(at + ahead.trailing_zeros() as usize);
            }
            at = start + BLOCK;
        }
    }
}

/// The marks of the block that starts here; none behind the end.
fn block<K: Kind>(bytes: &[u8], start: usize) -> Option<u64> {
    let block = Block::first_of(bytes.get(start..)?)?;
    Some(mask(block, K::mark))
}

/// A block of a text. The last one of a text is filled up.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    bytes: [u8; BLOCK],
    /// How many of them belong to the text; at least one.
    length: usize,
}

impl Block {
    fn first_of(bytes: &[u8]) -> Option<Self> {
        if let Some(whole) = bytes.first_chunk() {
            return Some(Self { bytes: *whole, length: BLOCK });
        }
        let mut last = [0; BLOCK];
        last[..bytes.len()].copy_from_slice(bytes);
        (!bytes.is_empty()).then_some(Self { bytes: last, length: bytes.len() })
    }
}

/// A text as blocks.
pub(crate) fn blocks(bytes: &[u8]) -> impl Iterator<Item = Block> {
    bytes.chunks(BLOCK).filter_map(Block::first_of)
}

/// A bit for each byte of a block that is marked, the first the lowest.
#[inline]
pub(crate) fn mask(block: Block, mark: impl Fn(u8x16) -> u8x16) -> u64 {
    let pieces = block.bytes.as_chunks().0.iter().enumerate();
    let bits = pieces.fold(0, |bits, (at, piece)| {
        bits | u64::from(mark(u8x16::new(*piece)).to_bitmask()) << (16 * at)
    });
    // What fills it up does not count.
    bits & (u64::MAX >> (BLOCK - block.length))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digits and quotes.
    struct DigitsAndQuotes;

    impl Kind for DigitsAndQuotes {
        fn mark(bytes: u8x16) -> u8x16 {
            between(bytes, b'0', b'9') | equal(bytes, b'"')
        }
    }

    #[test]
    fn marks_are_found_wherever_they_stand() {
        let marked = |byte: u8| byte.is_ascii_digit() || byte == b'"';
        for length in [1, 15, 63, 64, 65, 127, 128, 200] {
            for place in 0..length {
                for byte in 0..=u8::MAX {
                    let mut bytes = vec![b'x'; length];
                    bytes[place] = byte;
                    let found = Marks::<DigitsAndQuotes>::default().next(&bytes, 0);
                    assert_eq!(found, marked(byte).then_some(place));
                }
            }
        }
        let bytes = b"a\"b1c\n".repeat(30);
        let mut found_at = Marks::<DigitsAndQuotes>::default();
        for at in 0..=bytes.len() {
            let expected = (at..bytes.len()).find(|place| marked(bytes[*place]));
            assert_eq!(found_at.next(&bytes, at), expected);
        }
    }
}
