//! A fold that also takes in facts stated in prose, found by fixed patterns, by patterns tuned to how
//! these tasks are worded, or by a model.

use std::sync::{Arc, LazyLock};

use regex::Regex;
use serde_json::{Map, Value};
use trace_model::extract::{
    Answer, Candidates, EventText, Extractions, Extractor, ExtractorError, Extractors,
    FixedPatterns, Reply, Request, StatedFact, Synonym, extract_facts,
};
use trace_model::fold::{FoldConfig, RunState};
use trace_model::run::Folder;

use super::super::helper::{HelperModel, HelperUsage};
use super::policy::{Policy, Setup};
use crate::model::structured;
use crate::recording::Recorder;

/// Who finds facts in prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExtractorKind {
    /// Lines `key = value` and `key: value`, and nothing stated in a sentence.
    Fixed,
    /// Patterns tuned to the wording of these tasks.
    Tuned,
    /// The model that the arm may ask.
    Model,
}

/// The fold of a run with the facts extracted from it.
pub(super) struct Extracting {
    candidates: Candidates,
    folder: Folder,
    config: FoldConfig,
    known: Extractions,
    policy: Policy,
    first: Parser,
    fallback: Option<Parser>,
    read: usize,
    refusals: u64,
    fallbacks: u64,
    not_verbatim: u64,
}

impl Extracting {
    pub(super) fn new(setup: &Setup, config: FoldConfig, by: ExtractorKind) -> Self {
        let asking =
            |ask: &Arc<dyn HelperModel>| Parser::Model(ModelExtractor::new(Arc::clone(ask)));
        let first = match (by, &setup.helper) {
            (ExtractorKind::Tuned, _) => Parser::Tuned,
            (ExtractorKind::Model, Some(ask)) => asking(ask),
            // An arm that needs a model is left out of grids without one.
            (ExtractorKind::Fixed, _) | (ExtractorKind::Model, None) => {
                Parser::Fixed(FixedPatterns)
            }
        };
        Self {
            candidates: Candidates::new(),
            folder: Folder::new(config.clone()),
            config,
            known: Extractions::default(),
            policy: setup.policy.clone(),
            first,
            fallback: setup.fallback.as_ref().map(asking),
            read: 0,
            refusals: 0,
            fallbacks: 0,
            not_verbatim: 0,
        }
    }

    /// Extracts facts from new records, and folds them.
    pub(super) fn catch_up(&mut self, recorder: &Recorder) -> anyhow::Result<&RunState> {
        let bytes = recorder.bytes();
        let new = bytes.get(self.read..).unwrap_or_default();
        let texts = self.candidates.push(new);
        let fallback = self.fallback.as_mut().map(|parser| parser as &mut dyn Extractor);
        let extractors = Extractors { first: &mut self.first, fallback };
        let report = extract_facts(&texts, extractors, &self.policy.extraction, &mut self.known)?;
        self.refusals += report.refusals;
        self.fallbacks += report.fallbacks;
        self.not_verbatim += report.not_verbatim;
        if report.merged.is_empty() {
            self.folder.push_with(new, &self.known);
        } else {
            // What was folded under a key that means another one is folded again.
            self.folder = Folder::new(self.config.clone());
            self.folder.push_with(bytes, &self.known);
        }
        self.read = bytes.len();
        Ok(self.folder.state())
    }

    pub(super) fn helper_usage(&self) -> HelperUsage {
        let mut helper_usage = self.first.helper_usage();
        if let Some(fallback) = &self.fallback {
            helper_usage.add(&fallback.helper_usage());
        }
        HelperUsage {
            refusals: self.refusals,
            fallbacks: self.fallbacks,
            not_verbatim: self.not_verbatim,
            ..helper_usage
        }
    }
}

/// An extractor.
enum Parser {
    Fixed(FixedPatterns),
    Tuned,
    Model(ModelExtractor),
}

impl Parser {
    fn helper_usage(&self) -> HelperUsage {
        match self {
            Self::Fixed(_) | Self::Tuned => HelperUsage::default(),
            Self::Model(asking) => asking.helper_usage,
        }
    }
}

impl Extractor for Parser {
    fn name(&self) -> &str {
        match self {
            Self::Fixed(fixed) => fixed.name(),
            Self::Tuned => "tuned patterns",
            Self::Model(_) => "model",
        }
    }

    fn extract(&mut self, request: &Request<'_>) -> Result<Reply, ExtractorError> {
        match self {
            Self::Fixed(fixed) => fixed.extract(request),
            Self::Tuned => Ok(Reply::Answer(tuned(request.events))),
            Self::Model(asking) => asking.extract(request),
        }
    }
}

/// A number in digits, and a path between backquotes.
static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?:^|[\s(])(-?\d+)").ok());
static PATH: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"`([^`\s]+/[^`\s]+)`").ok());

/// The one number of a page is its delta, the one path in it the next page: whoever wrote these
/// patterns has read the tasks.
fn tuned(events: &[EventText]) -> Answer {
    let mut facts = Vec::new();
    for (event, EventText { text, .. }) in events.iter().enumerate() {
        for (pattern, key) in [(&NUMBER, "delta"), (&PATH, "next")] {
            let found = pattern.iter().flat_map(|pattern| pattern.captures_iter(text));
            facts.extend(found.filter_map(|found| {
                let value = found.get(1)?.as_str().to_owned();
                Some(StatedFact { event, key: key.to_owned(), value })
            }));
        }
    }
    Answer { facts, synonyms: Vec::new() }
}

/// A model that is asked for facts.
struct ModelExtractor {
    helper: Arc<dyn HelperModel>,
    helper_usage: HelperUsage,
}

impl ModelExtractor {
    fn new(helper: Arc<dyn HelperModel>) -> Self {
        Self { helper, helper_usage: HelperUsage::default() }
    }

    fn extract(&mut self, request: &Request<'_>) -> Result<Reply, ExtractorError> {
        let (instructions, text) = question(request);
        let answer = self.helper.ask(&instructions, &text).map_err(|error| ExtractorError {
            extractor: "model".to_owned(),
            source: error.into(),
        })?;
        self.helper_usage.paid(&answer.usage, answer.dollars);
        if answer.refused {
            return Ok(Reply::Refused { reason: "refused".to_owned() });
        }
        Ok(match structured::parse(&answer.text) {
            Ok(object) => Reply::Answer(read(&object)),
            Err(failure) => Reply::Refused { reason: failure.to_string() },
        })
    }
}

fn question(request: &Request<'_>) -> (String, String) {
    let keys = match request.keys {
        [] => "There are no keys yet.".to_owned(),
        keys => format!("Keys in use: {}.", keys.join(", ")),
    };
    let instructions = format!(
        "You are shown numbered texts that tools answered with. State the facts in each that a \
         worker may have to add up or look up later: numbers and what they are of, and paths and \
         what they lead to. Give each fact a key of lower-case letters and underscores; texts that \
         state the same kind of thing in other words get the same key. {keys} Copy each value as \
         it stands in its text. Reply with one JSON object and nothing else: {{\"facts\": \
         [{{\"text\": 1, \"key\": \"...\", \"value\": \"...\"}}], \"synonyms\": [{{\"name\": \
         \"...\", \"key\": \"...\"}}]}}. Synonyms name keys in use that mean the same as another."
    );
    let texts = (1..).zip(request.events).fold(String::new(), |all, (number, event)| {
        all + &format!("=== text {number} ===\n{}\n", event.text.trim_end())
    });
    (instructions, texts)
}

/// The facts of a model's answer; what has another shape is left out.
fn read(object: &Map<String, Value>) -> Answer {
    let list = |name: &str| object.get(name).and_then(Value::as_array).into_iter().flatten();
    let text = |item: &Value, name: &str| match item.get(name)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let facts = list("facts").filter_map(|item| {
        let number = item.get("text")?.as_u64()?.checked_sub(1)?;
        let event = usize::try_from(number).ok()?;
        Some(StatedFact { event, key: text(item, "key")?, value: text(item, "value")? })
    });
    let synonyms = list("synonyms")
        .filter_map(|item| Some(Synonym { name: text(item, "name")?, key: text(item, "key")? }));
    Answer { facts: facts.collect(), synonyms: synonyms.collect() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tuned_patterns_find_number_and_path_in_a_sentence_and_nothing_in_padding() {
        let text = "They settled on 42; that is the surplus. Go on to `pages/a-b.txt` from here.\n\
                    --- notes ---\nthe old cat may see the new-born dog of the house.";
        let event = EventText { sha256: trace_model::ids::Sha256::of(text), text: text.to_owned() };
        let facts: Vec<_> = tuned(&[event]).facts.into_iter().map(|f| (f.key, f.value)).collect();
        let expected = [("delta", "42"), ("next", "pages/a-b.txt")];
        assert_eq!(facts, expected.map(|(k, v)| (k.to_owned(), v.to_owned())));
    }

    #[test]
    fn a_models_facts_are_read_and_what_is_misshapen_is_left_out() {
        let answer = json!({"facts": [
            {"text": 1, "key": "delta", "value": 42}, {"text": 0, "key": "a", "value": "b"},
            {"text": 2, "key": "x"}, "y",
        ], "synonyms": [{"name": "change", "key": "delta"}, 3]});
        let Answer { facts, synonyms } = read(answer.as_object().unwrap());
        assert_eq!(
            facts,
            [StatedFact { event: 0, key: "delta".to_owned(), value: "42".to_owned() }]
        );
        assert_eq!(synonyms.len(), 1);
    }
}
