//! Lists of seeds as people write them: `201-212`, `1,5,9-12`.

use std::collections::BTreeSet;
use std::str::FromStr;

/// A list of seeds, in the order written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeds(Vec<u64>);

/// Why a list of seeds cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeedsError {
    /// A part is neither a number nor a range of numbers.
    #[error("`{0}` is not a seed or a range of seeds; write for example `201-212` or `1,5,9-12`")]
    NotASeed(String),
    /// A range runs backwards.
    #[error("the range `{0}` runs backwards; write the smaller seed first")]
    Backwards(String),
    /// A range holds more seeds than can be meant.
    #[error("the range `{0}` holds more than a million seeds; split the work into smaller ranges")]
    TooMany(String),
}

/// Seeds that one range may hold.
const MOST: u64 = 1_000_000;

impl Seeds {
    /// The seeds `first..=last`.
    #[must_use]
    pub fn range(first: u64, last: u64) -> Self {
        Self((first..=last).collect())
    }

    /// The seeds, in order.
    #[must_use]
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }

    /// The seeds, in order.
    #[must_use]
    pub fn into_vec(self) -> Vec<u64> {
        self.0
    }
}

impl From<Vec<u64>> for Seeds {
    fn from(seeds: Vec<u64>) -> Self {
        Self(seeds)
    }
}

impl FromStr for Seeds {
    type Err = SeedsError;

    fn from_str(text: &str) -> Result<Self, SeedsError> {
        let (mut seeds, mut known) = (Vec::new(), BTreeSet::new());
        for part in text.split(',').map(str::trim) {
            let wrong = || SeedsError::NotASeed(part.to_owned());
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let first: u64 = first.trim().parse().map_err(|_| wrong())?;
            let last: u64 = last.trim().parse().map_err(|_| wrong())?;
            if last < first {
                return Err(SeedsError::Backwards(part.to_owned()));
            }
            if last - first >= MOST {
                return Err(SeedsError::TooMany(part.to_owned()));
            }
            for seed in first..=last {
                if known.insert(seed) {
                    seeds.push(seed);
                }
            }
        }
        Ok(Self(seeds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        let read = |text: &str| text.parse::<Seeds>().map(|seeds| seeds.0);
        assert_eq!(read("1,5,9-12"), Ok(vec![1, 5, 9, 10, 11, 12]));
        assert_eq!(read("7, 7-8"), Ok(vec![7, 8]));
        assert_eq!(read("9-3"), Err(SeedsError::Backwards("9-3".into())));
        assert_eq!(read("x"), Err(SeedsError::NotASeed("x".into())));
        assert_eq!(read("0-9999999"), Err(SeedsError::TooMany("0-9999999".into())));
        assert_eq!(read("18446744073709551615"), Ok(vec![u64::MAX]));
    }
}
