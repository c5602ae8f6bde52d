//! Facts found other than as `key = value` lines, which enter the fold alongside those.

use serde::{Deserialize, Serialize};

use super::parse::{self, Assignment};
use crate::ids::Sha256;

/// A fact that a text states in its own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractedFact {
    /// The key.
    pub key: String,
    /// The value as the text writes it.
    pub value: String,
    /// The line of the text that states it, counted from 0.
    pub line: u64,
}

/// Provides facts that results state besides their `key = value` lines.
pub trait FactSource {
    /// The facts of the result whose text has this digest.
    fn facts_of(&self, text: &Sha256) -> &[ExtractedFact];
}

/// Nothing besides the lines.
pub(crate) struct LinesOnly;

impl FactSource for LinesOnly {
    fn facts_of(&self, _text: &Sha256) -> &[ExtractedFact] {
        &[]
    }
}

/// Adds extracted facts to those that lines assign. A line that assigns states nothing else, so that
/// no value counts twice.
pub(super) fn add<'a>(
    found: &mut Vec<Assignment<'a>>,
    extracted: &'a [ExtractedFact],
    text: &'a str,
    first_line: u64,
) {
    if extracted.is_empty() {
        return;
    }
    let numbers: Vec<u64> = parse::lines(text, first_line).map(|(line, _)| line).collect();
    let assigning: Vec<u64> = found.iter().map(|assignment| assignment.line).collect();
    for ExtractedFact { key, value, line } in extracted {
        let number = usize::try_from(*line).ok().and_then(|line| numbers.get(line));
        let Some(line) = number.copied().filter(|line| !assigning.contains(line)) else { continue };
        found.push(Assignment { line, key, value });
    }
}
