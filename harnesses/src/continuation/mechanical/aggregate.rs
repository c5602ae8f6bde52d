//! A running total as texts state it: `KEY sum X, over N values, up to and including SOURCE`. Views,
//! tallies and the worker's own notes say it alike.

use std::fmt;

/// A running total, what it covers, and how far it reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Total {
    /// The key whose values it is of.
    pub(super) key: String,
    /// Their sum.
    pub(super) sum: Option<i128>,
    /// Their sum with alternating signs.
    pub(super) alternating: Option<i128>,
    /// The count.
    pub(super) values: Option<u64>,
    /// The last source that is in it.
    pub(super) up_to: Option<String>,
}

impl Total {
    /// Reads a line; none if it states no total.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let line = line.strip_prefix("- ").unwrap_or(line);
        let (key, rest) = line.split_once(' ')?;
        let mut total =
            Self { key: key.to_owned(), sum: None, alternating: None, values: None, up_to: None };
        // What follows a semicolon is about the list of facts, not about the total.
        for part in rest.split("; ").next()?.split(", ") {
            if let Some(number) = part.strip_prefix("sum ") {
                total.sum = number.trim().parse().ok();
            } else if let Some(number) = part.strip_prefix("alternating sum ") {
                total.alternating = number.trim().parse().ok();
            } else if let Some(count) = part.strip_prefix("over ") {
                total.values = count.split(' ').find_map(|word| word.parse().ok());
            } else if let Some(source) = part.strip_prefix("up to and including ") {
                let source = source.split(" (event ").next().unwrap_or(source);
                total.up_to = Some(source.to_owned());
            }
        }
        (total.sum.is_some() || total.alternating.is_some()).then_some(total)
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.key)?;
        if let Some(sum) = self.sum {
            write!(f, " sum {sum},")?;
        }
        if let Some(sum) = self.alternating {
            write!(f, " alternating sum {sum},")?;
        }
        write!(f, " over {} values", self.values.unwrap_or(0))?;
        match &self.up_to {
            Some(source) => write!(f, ", up to and including {source}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_of_views_tallies_and_notes_are_read_alike() {
        let view = "- delta sum 340, alternating sum -12, over 40 values, up to and including a/b.txt \
                    (event 81); 39 of 40 are listed below";
        let total = Total::parse(view).unwrap();
        assert_eq!((total.sum, total.alternating, total.values), (Some(340), Some(-12), Some(40)));
        assert_eq!(total.up_to.as_deref(), Some("a/b.txt"));
        assert_eq!(Total::parse(&total.to_string()), Some(total));
        let partly = Total::parse("- n sum 3, over the 2 numbers among 5 values").unwrap();
        assert_eq!((partly.values, partly.up_to), (Some(2), None));
    }

    #[test]
    fn what_states_no_total_is_none() {
        for line in ["", "- ", "- delta over 3 values", "next sum x, over 2 values", "sum 3"] {
            assert_eq!(Total::parse(line), None, "{line}");
        }
    }
}
