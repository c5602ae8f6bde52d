//! A scripted stand-in for a model that extracts facts from prose.

use trace_model::extract::{
    Answer, Extractor, ExtractorError, Reply, Request, StatedFact, Synonym,
};

/// Names and values, or names and the keys that they mean.
pub(crate) type Pairs = Vec<(String, String)>;

/// What it says of a text, given the keys in use: facts and synonyms.
type Reading = fn(&str, &[String]) -> (Pairs, Pairs);

/// Answers as scripted, unless a text of the request holds one of the words that it refuses.
pub(crate) struct ScriptedModel {
    name: &'static str,
    reading: Reading,
    refused: &'static [&'static str],
    /// How many texts each request held.
    pub(crate) asked: Vec<usize>,
}

impl ScriptedModel {
    pub(crate) fn new(name: &'static str, reading: Reading) -> Self {
        Self { name, reading, refused: &[], asked: Vec::new() }
    }

    pub(crate) fn refusing(self, refused: &'static [&'static str]) -> Self {
        Self { refused, ..self }
    }
}

impl Extractor for ScriptedModel {
    fn name(&self) -> &str {
        self.name
    }

    fn extract(&mut self, request: &Request<'_>) -> Result<Reply, ExtractorError> {
        self.asked.push(request.events.len());
        let refuses = |text: &str| self.refused.iter().any(|word| text.contains(word));
        if request.events.iter().any(|event| refuses(&event.text)) {
            return Ok(Reply::Refused { reason: "I can't help with that.".to_owned() });
        }
        let mut answer = Answer::default();
        for (event, text) in request.events.iter().enumerate() {
            let (facts, synonyms) = (self.reading)(&text.text, request.keys);
            let stated = facts.into_iter().map(|(key, value)| StatedFact { event, key, value });
            answer.facts.extend(stated);
            let synonyms = synonyms.into_iter().map(|(name, key)| Synonym { name, key });
            answer.synonyms.extend(synonyms);
        }
        Ok(Reply::Answer(answer))
    }
}
