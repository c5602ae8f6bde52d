//! Choices that follow from the run, the seed and the question type alone.

use sha2::{Digest, Sha256};

use crate::oracle::RunFiles;

/// What identifies a run's content and a seed.
pub(super) fn run_key(run: &RunFiles, seed: u64) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(seed.to_le_bytes());
    for content in run.contents() {
        hash.update((content.len() as u64).to_le_bytes());
        hash.update(content);
    }
    hash.finalize().into()
}

/// A sequence of choices for one question.
#[derive(Debug)]
pub(super) struct Draw {
    key: [u8; 32],
    question: String,
    drawn: u64,
}

impl Draw {
    pub(super) fn new(key: [u8; 32], question: &str) -> Self {
        Self { key, question: question.to_owned(), drawn: 0 }
    }

    /// A number below `n`; zero for none. The modulo's bias is far below what anything here could show.
    pub(super) fn below(&mut self, n: usize) -> usize {
        let mut hash = Sha256::new();
        hash.update(self.key);
        hash.update(self.question.as_bytes());
        hash.update(self.drawn.to_le_bytes());
        self.drawn += 1;
        let digest: [u8; 32] = hash.finalize().into();
        let number = digest.iter().take(8).fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
        let remainder = number.checked_rem(n as u64).unwrap_or(0);
        usize::try_from(remainder).unwrap_or(0)
    }

    /// One of the items; none of none.
    pub(super) fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        if of.is_empty() { None } else { of.get(self.below(of.len())) }
    }

    /// The items in another order.
    pub(super) fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_repeat_and_cover() {
        let mut first = Draw::new([7; 32], "x");
        let mut again = Draw::new([7; 32], "x");
        let mut seen = [0; 5];
        for _ in 0..200 {
            let drawn = first.below(5);
            assert_eq!(drawn, again.below(5));
            seen[drawn] += 1;
        }
        assert!(seen.iter().all(|&times| times > 20), "{seen:?}");
        let mut order = first.shuffled((0..20).collect());
        assert_ne!(order, (0..20).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..20).collect::<Vec<_>>());
        assert_eq!((first.below(0), first.one::<u8>(&[])), (0, None));
    }

    #[test]
    fn the_seed_the_content_and_where_a_file_ends_matter() {
        let run = |files: &[&[u8]]| {
            let name = |at: usize| if at == 0 { "s.jsonl".into() } else { "agent-a.jsonl".into() };
            RunFiles::from_bytes(
                files.iter().enumerate().map(|(at, file)| (name(at), file.to_vec())).collect(),
            )
        };
        let key = run_key(&run(&[b"ab"]), 1);
        assert_eq!(key, run_key(&run(&[b"ab"]), 1));
        assert_ne!(key, run_key(&run(&[b"ab"]), 2));
        assert_ne!(key, run_key(&run(&[b"a", b"b"]), 1));
    }
}
