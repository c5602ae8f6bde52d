//! Question packs: named, versioned lists of question types.

use super::spec::{COVERAGE_1, MONITORING_1};
use super::types::QuestionType;

/// The names of the packs, as scoreboards record them.
pub const PACK_NAMES: [&str; 2] = [MONITORING_1, COVERAGE_1];

const PACKS: [Pack; 2] = [
    // The six question types of arXiv 2609.01466, about the main thread. Whoever chose them also chose what a
    // compiled view holds, so this pack says what a view that was made for its questions is worth; coverage
    // says how far it reaches beyond them.
    Pack {
        name: MONITORING_1,
        preamble: "The questions are about one run of a coding agent. The main agent is the one that \
               the person talks to; subagents that it launched do not count unless a question \
               names them. A user turn is a message that a person wrote: not a tool result, not \
               text that the harness added. A tool call has an id, a tool and an input; its \
               result is a success or an error.",
    },
    // What a person on call would ask about a run, written without regard to what any view shows: how far a
    // view's schema covers what people ask.
    Pack {
        name: COVERAGE_1,
        preamble: "The questions are about one run of a coding agent. The main agent is the one that \
               the person talks to; subagents that it launched do not count unless a question \
               names them. A user turn is a message that a person wrote: not a tool result, not \
               text that the harness added; the first one is turn 1, and a turn lasts until the \
               next one. A tool call has an id, a tool and an input; its result is a success or \
               an error. A call that a person denied or interrupted has not failed.",
    },
];

/// A question pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pack {
    name: &'static str,
    /// Preamble for readers: the meaning of the words in the questions.
    pub preamble: &'static str,
}

/// No pack has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no question pack is named {name:?}; there are {known}", known = PACK_NAMES.join(", "))]
pub struct UnknownPack {
    /// The name asked for.
    pub name: String,
}

impl Pack {
    /// The pack of a name such as `monitoring/1`.
    ///
    /// # Errors
    /// If there is no such pack; the error lists the packs.
    pub fn named(name: &str) -> Result<Self, UnknownPack> {
        let found = PACKS.into_iter().find(|pack| pack.name == name);
        found.ok_or_else(|| UnknownPack { name: name.to_owned() })
    }

    /// The name with the version, as scoreboards record it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The question types in the order in which they are asked.
    pub fn types(&self) -> impl Iterator<Item = QuestionType> + use<> {
        let name = self.name;
        QuestionType::ALL.iter().copied().filter(move |kind| kind.is_in(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pack_has_its_name_and_types() {
        for name in PACK_NAMES {
            let pack = Pack::named(name).unwrap();
            assert_eq!(pack.name(), name);
            assert!(pack.types().count() >= 6, "{name}");
        }
    }

    #[test]
    fn the_error_names_the_pack_and_what_there_is() {
        let unknown = Pack::named("monitoring/9").unwrap_err().to_string();
        assert!(unknown.contains("\"monitoring/9\"") && unknown.contains("coverage/1"));
    }
}
