//! Asks extractors and decides what to believe.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::extractor::{Answer, EventText, Extractor, ExtractorError, Reply, Request, StatedFact};
use super::keys::plain;
use super::store::{Extracted, Extractions};
use super::verbatim::{line_of, occurrences};
use crate::fold::{ExtractedFact, is_value};

/// How to extract.
// Each switches one mechanism, so that its worth can be measured.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExtractionConfig {
    /// Maximum number of texts per request.
    pub batch_texts: usize,
    /// Maximum bytes of text per request; a longer text gets its own request.
    pub batch_bytes: usize,
    /// Whether names are mapped to canonical keys (requirement 8). Otherwise each name is a key.
    pub canonical_keys: bool,
    /// Whether a refused batch is retried in halves (requirement 9).
    pub bisect: bool,
    /// Whether the second extractor is asked about what the first refuses (requirement 9).
    pub fall_back: bool,
    /// Whether a value must occur in its text (requirement 10).
    pub validate: bool,
}

impl Default for ExtractionConfig {
    fn default() -> Self {
        Self {
            batch_texts: 16,
            batch_bytes: 32_000,
            canonical_keys: true,
            bisect: true,
            fall_back: true,
            validate: true,
        }
    }
}

/// The extractors to ask.
pub struct Extractors<'a> {
    /// Who is asked first.
    pub first: &'a mut dyn Extractor,
    /// Who is asked about what the first refuses.
    pub fallback: Option<&'a mut dyn Extractor>,
}

/// Counts of an extraction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractionReport {
    /// Texts, each counted every time it was passed in.
    pub texts: u64,
    /// Of those, texts that were known and not asked about.
    pub remembered: u64,
    /// Requests to either extractor.
    pub requests: u64,
    /// Requests that were refused.
    pub refusals: u64,
    /// Batches that were split.
    pub bisections: u64,
    /// Requests to the second extractor.
    pub fallbacks: u64,
    /// Texts that gave no facts because everyone refused.
    pub given_up: u64,
    /// Facts that were kept.
    pub facts: u64,
    /// Facts dropped because their value does not occur in their text, or not often enough.
    pub not_verbatim: u64,
    /// Facts that were dropped since their key or value can be none, or their text is not in the
    /// request.
    pub unusable: u64,
    /// Keys that were found to mean another one, and that one. Facts folded before under such a key
    /// still go by it: a state that holds any must be folded again.
    pub merged: Vec<(String, String)>,
}

/// Extracts the facts of texts not seen before, and adds them to the store.
///
/// If an extractor fails, its earlier results are kept, so that a retry resumes from there.
pub fn extract_facts(
    events: &[EventText],
    extractors: Extractors<'_>,
    config: &ExtractionConfig,
    known: &mut Extractions,
) -> Result<ExtractionReport, ExtractorError> {
    let Extractors { first, fallback } = extractors;
    let mut new: Vec<EventText> = Vec::new();
    let mut listed = std::collections::BTreeSet::new();
    for event in events {
        if known.get(&event.sha256).is_none() && listed.insert(event.sha256) {
            new.push(event.clone());
        }
    }
    let report = ExtractionReport {
        texts: events.len() as u64,
        remembered: (events.len() - new.len()) as u64,
        ..ExtractionReport::default()
    };
    let fallback = fallback.filter(|_| config.fall_back);
    let mut driver = Driver { first, fallback, config, known, report };
    for batch in batches(&new, config) {
        driver.batch(batch)?;
    }
    Ok(driver.report)
}

/// Texts in their order, as many at a time as a request may hold.
fn batches<'e>(events: &'e [EventText], config: &ExtractionConfig) -> Vec<&'e [EventText]> {
    let mut batches = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, event) in events.iter().enumerate() {
        let full =
            at - start >= config.batch_texts || bytes + event.text.len() > config.batch_bytes;
        if at > start && full {
            batches.push(&events[start..at]);
            (start, bytes) = (at, 0);
        }
        bytes += event.text.len();
    }
    if start < events.len() {
        batches.push(&events[start..]);
    }
    batches
}

struct Driver<'e, 'a> {
    first: &'e mut dyn Extractor,
    fallback: Option<&'e mut dyn Extractor>,
    config: &'a ExtractionConfig,
    known: &'a mut Extractions,
    report: ExtractionReport,
}

impl Driver<'_, '_> {
    /// Asks about a batch, in halves if it is refused, and finally the other extractor.
    fn batch(&mut self, events: &[EventText]) -> Result<(), ExtractorError> {
        let reply = ask(self.first, events, self.known, &mut self.report)?;
        if let Some(answer) = reply {
            let by = self.first.name().to_owned();
            self.take(events, answer, &by);
            return Ok(());
        }
        if self.config.bisect && events.len() > 1 {
            self.report.bisections += 1;
            let (left, right) = events.split_at(events.len() / 2);
            self.batch(left)?;
            return self.batch(right);
        }
        if let Some(fallback) = self.fallback.as_deref_mut() {
            self.report.fallbacks += 1;
            let reply = ask(fallback, events, self.known, &mut self.report)?;
            if let Some(answer) = reply {
                let by = fallback.name().to_owned();
                self.take(events, answer, &by);
                return Ok(());
            }
        }
        for event in events {
            self.report.given_up += 1;
            self.known.insert(event.sha256, Extracted::default());
        }
        Ok(())
    }

    /// Takes in an answer: its synonyms first, then what of its facts holds.
    fn take(&mut self, events: &[EventText], answer: Answer, by: &str) {
        if self.config.canonical_keys {
            let merged = answer.synonyms.iter().filter_map(|synonym| self.known.declare(synonym));
            self.report.merged.extend(merged);
        }
        let mut by_event: Vec<Vec<StatedFact>> = vec![Vec::new(); events.len()];
        for fact in answer.facts {
            match by_event.get_mut(fact.event) {
                Some(facts) => facts.push(fact),
                None => self.report.unusable += 1,
            }
        }
        for (event, stated) in events.iter().zip(by_event) {
            let mut facts = self.believed(&event.text, stated);
            facts.sort_by_key(|fact| fact.line);
            self.report.facts += facts.len() as u64;
            self.known.insert(event.sha256, Extracted { facts, by: Some(by.to_owned()) });
        }
    }

    /// The facts that can be facts and that the text states. Of equal ones no more are believed than the text
    /// states: a value that occurs once was not stated twice.
    fn believed(&mut self, text: &str, stated: Vec<StatedFact>) -> Vec<ExtractedFact> {
        let mut said: BTreeMap<(String, String), usize> = BTreeMap::new();
        let mut facts = Vec::new();
        for StatedFact { key, value, .. } in stated {
            let value = value.trim();
            let known = self.known.keys().find(&key).filter(|_| self.config.canonical_keys);
            let key = known.map(str::to_owned).or_else(|| plain(&key));
            let Some(key) = key.filter(|_| is_value(value)) else {
                self.report.unusable += 1;
                continue;
            };
            let times = said.entry((key.clone(), value.to_owned())).or_default();
            let place = occurrences(text, value).nth(*times);
            *times += 1;
            if place.is_none() && self.config.validate {
                self.report.not_verbatim += 1;
                continue;
            }
            if self.config.canonical_keys {
                self.known.keys_mut().add(&key);
            }
            let line = place.map_or(0, |at| line_of(text, at));
            facts.push(ExtractedFact { key, value: value.to_owned(), line });
        }
        facts
    }
}

/// An answer, or nothing if the request was refused.
fn ask(
    extractor: &mut dyn Extractor,
    events: &[EventText],
    known: &Extractions,
    report: &mut ExtractionReport,
) -> Result<Option<Answer>, ExtractorError> {
    report.requests += 1;
    let request = Request { keys: known.keys().canonical(), events };
    match extractor.extract(&request)? {
        Reply::Answer(answer) => Ok(Some(answer)),
        Reply::Refused { .. } => {
            report.refusals += 1;
            Ok(None)
        }
    }
}
