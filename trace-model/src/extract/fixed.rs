//! An extractor without a model: it recognizes one form of statement and no other.

use std::sync::LazyLock;

use regex::Regex;

use super::extractor::{Answer, EventText, Extractor, ExtractorError, Reply, Request, StatedFact};

static LINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?m)^[ \t]*([A-Za-z_][A-Za-z0-9_.-]{0,63})[ \t]*[:=][ \t]*(\S.*?)\s*$").ok()
});

/// Finds lines of the form `key = value` and `key: value`, and nothing stated in a sentence.
#[derive(Clone, Copy, Debug, Default)]
pub struct FixedPatterns;

impl Extractor for FixedPatterns {
    fn name(&self) -> &'static str {
        "fixed patterns"
    }

    fn extract(&mut self, request: &Request<'_>) -> Result<Reply, ExtractorError> {
        let mut facts = Vec::new();
        for (event, EventText { text, .. }) in request.events.iter().enumerate() {
            let lines = LINE.iter().flat_map(|line| line.captures_iter(text));
            facts.extend(lines.map(|line| {
                let group =
                    |group: usize| line.get(group).map_or("", |found| found.as_str()).to_owned();
                StatedFact { event, key: group(1), value: group(2) }
            }));
        }
        Ok(Reply::Answer(Answer { facts, synonyms: Vec::new() }))
    }
}
