//! Question packs: which questions there are, how they are worded and graded, as data.
//!
//! The packs are in `data/packs/*.json`. A pack never changes what a published version of it asks: a new
//! wording or a new type is a new version, in a file of its own.

use serde::{Deserialize, Serialize};

use super::registry;
use super::truth::{Tolerance, Unit};

/// The packs that come with the program.
const PACKS: [(&str, &str); 2] = [
    ("monitoring/1", include_str!("../../data/packs/monitoring-1.json")),
    ("coverage/1", include_str!("../../data/packs/coverage-1.json")),
];

/// The names of the packs that come with the program, as scoreboards record them.
pub const PACK_NAMES: [&str; 2] = [PACKS[0].0, PACKS[1].0];

/// A question pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pack {
    /// The name without the version.
    pub id: String,
    /// The version.
    pub version: u32,
    /// Why the pack is there.
    pub why: String,
    /// What a reader is told before the questions: what the words in them mean.
    pub preamble: String,
    /// The question types in the order in which they are asked.
    pub types: Vec<QuestionType>,
}

/// A type of question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionType {
    /// The name, by which the code finds the truth.
    pub name: String,
    /// What part of the run it is about.
    pub scope: Scope,
    /// What the reader is asked, with `{parameter}`s.
    pub ask: String,
    /// What the reader is to answer with.
    pub answer: AnswerKind,
    /// How the answer is graded.
    pub grader: GraderKind,
    /// What the items of a list, or a single name, are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<ItemKind>,
    /// The unit of a duration that is answered without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// How far from the truth a number may be.
    #[serde(default, skip_serializing_if = "Tolerance::is_none")]
    pub tolerance: Tolerance,
    /// What no trace says, for the type that asks for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<Subject>,
    /// Why the type is there.
    pub why: String,
}

/// Something that a trace does not say, unless one of some words is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// What the reader is asked.
    pub ask: String,
    /// Words, in lower case: a run in which one of them stands may say it, and is not asked.
    pub evidence: Vec<String>,
}

/// What part of a run a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The main thread.
    Main,
    /// The whole run, with its subagents.
    Run,
}

/// What a reader is to answer with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// One text.
    Text,
    /// One integer.
    Integer,
    /// A list of texts in any order.
    List,
    /// A time span.
    Duration,
    /// A list with one answer for each part, in the order asked for.
    Parts,
}

/// How an answer is graded; `graders` documents each under each rule set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GraderKind {
    /// An integer, exact or within the stated tolerance.
    ExactInteger,
    /// A name or a path.
    ExactString,
    /// A quotation of a text.
    Quotation,
    /// F1 of two sets.
    SetF1,
    /// F1 of two sets, of which the true one may be empty.
    SetF1OrNone,
    /// A time span within the stated tolerance.
    Duration,
    /// Yes or no.
    YesNo,
    /// That the trace does not say.
    NotStated,
    /// Several answers, each graded by its own kind.
    Each,
}

/// What an item of a list is, which says when two of them are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// The path of a file.
    Path,
    /// An id.
    Id,
    /// A few words.
    Phrase,
}

/// Why there is no pack.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// No pack has this name.
    #[error("no question pack is named {name:?}; there are {known}", known = PACK_NAMES.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
    },
    /// The text is no pack.
    #[error("{name} is no question pack: {source}; compare it with ground-truth/data/packs")]
    Malformed {
        /// The pack's name or file.
        name: String,
        /// What is wrong, and where.
        source: serde_json::Error,
    },
    /// The code knows no truth for a question type.
    #[error("{name} asks for {question:?}, for which there is no truth; the types are {known}", known = registry::names().join(", "))]
    UnknownType {
        /// The pack's name or file.
        name: String,
        /// The question type.
        question: String,
    },
}

impl Pack {
    /// The pack of a name such as `monitoring/1`.
    pub fn named(name: &str) -> Result<Self, PackError> {
        let found = PACKS.iter().find(|(known, _)| *known == name);
        let (name, text) = found.ok_or_else(|| PackError::Unknown { name: name.to_owned() })?;
        Self::parse(name, text)
    }

    /// A pack from its JSON text; the name is for the errors.
    pub fn parse(name: &str, text: &str) -> Result<Self, PackError> {
        let pack: Self = serde_json::from_str(text)
            .map_err(|source| PackError::Malformed { name: name.to_owned(), source })?;
        match pack.types.iter().find(|kind| registry::truth_of(&kind.name).is_none()) {
            Some(kind) => {
                Err(PackError::UnknownType { name: name.to_owned(), question: kind.name.clone() })
            }
            None => Ok(pack),
        }
    }

    /// The name with the version, as scoreboards record it.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.id, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pack_reads_and_has_its_name() {
        for name in PACK_NAMES {
            let pack = Pack::named(name).unwrap();
            assert_eq!(pack.name(), name);
            let mut types: Vec<_> = pack.types.iter().map(|kind| &kind.name).collect();
            types.sort();
            types.dedup();
            assert_eq!(types.len(), pack.types.len(), "{name}: each type once");
        }
    }

    #[test]
    fn errors_name_the_pack_and_what_there_is() {
        let unknown = Pack::named("monitoring/9").unwrap_err().to_string();
        assert!(unknown.contains("\"monitoring/9\"") && unknown.contains("coverage/1"));
        let text = PACKS[0].1.replace("\"n_turns\"", "\"n_moons\"");
        let unknown = Pack::parse("mine", &text).unwrap_err().to_string();
        assert!(unknown.starts_with("mine asks for \"n_moons\"") && unknown.contains("n_turns"));
        let malformed = Pack::parse("mine", "{").unwrap_err().to_string();
        assert!(malformed.starts_with("mine is no question pack"));
    }
}
