//! The question types, one row each: the name, the words, the grader and what finds the truth.
//!
//! What a published version of a pack asks never changes: a new wording or a new type goes into a new version,
//! with its own row. A reader without a model has to parse every type (`harnesses`, COMPREHEND's mechanical
//! reader).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::spec::{AnswerKind, COVERAGE_1, EXACT, GraderKind, MONITORING_1, QuestionSpec, Scope};
use super::{asks, calls, files, spans, stated};
use crate::answers::Tolerance;

/// Makes the enum of all question types from their rows. The comment of a row says why the type is there.
macro_rules! question_types {
    ($($(#[$why:meta])+ $variant:ident = $spec:expr;)+) => {
        /// A type of question.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(into = "&'static str", try_from = "String")]
        pub enum QuestionType {
            $($(#[$why])+ $variant,)+
        }

        impl QuestionType {
            /// All types, in the order in which packs ask them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The row of the type.
            pub(super) const fn spec(self) -> &'static QuestionSpec {
                match self {
                    $(Self::$variant => {
                        const SPEC: QuestionSpec = $spec;
                        &SPEC
                    })+
                }
            }
        }
    };
}

question_types! {
    /// What the agent should be working on now.
    LatestAsk = QuestionSpec {
        name: "latest_ask",
        pack: MONITORING_1,
        scope: Scope::Main,
        ask:
            "What did the person ask for last? Quote the text of the last user turn, word for \
             word.",
        answer: AnswerKind::Text,
        grader: GraderKind::Quotation,
        tolerance: EXACT,
        truth: asks::latest_ask,
    };

    /// How much guidance the run has needed; a tail of the trace cannot hold it.
    NTurns = QuestionSpec {
        name: "n_turns",
        pack: MONITORING_1,
        scope: Scope::Main,
        ask: "How many user turns are there? Answer with one integer.",
        answer: AnswerKind::Integer,
        grader: GraderKind::ExactInteger,
        tolerance: EXACT,
        truth: asks::n_turns,
    };

    /// What kind of work the run has been, over its whole length.
    TopTool = QuestionSpec {
        name: "top_tool",
        pack: MONITORING_1,
        scope: Scope::Main,
        ask: "Which tool did the main agent call most often? Answer with the tool's name.",
        answer: AnswerKind::Text,
        grader: GraderKind::ExactString,
        tolerance: EXACT,
        truth: calls::top_tool,
    };

    /// What has to be reviewed or rolled back.
    Files = QuestionSpec {
        name: "files",
        pack: MONITORING_1,
        scope: Scope::Main,
        ask:
            "Which files did the main agent change (create, write or edit) by a file-writing \
             tool's call that succeeded? Answer with a list of paths.",
        answer: AnswerKind::List,
        grader: GraderKind::SetF1,
        tolerance: EXACT,
        truth: files::files,
    };

    /// The first thing to look at when a run is stuck.
    LastError = QuestionSpec {
        name: "last_error",
        pack: MONITORING_1,
        scope: Scope::Main,
        ask:
            "What did the last failed tool call of the main agent report? Quote the text of its \
             error result, word for word. (A call that a person denied or interrupted has not \
             failed.)",
        answer: AnswerKind::Text,
        grader: GraderKind::Quotation,
        tolerance: EXACT,
        truth: calls::last_error,
    };

    /// What is still running, or was lost.
    Dangling = QuestionSpec {
        name: "dangling",
        pack: MONITORING_1,
        scope: Scope::Main,
        ask:
            "Which tool calls of the main agent never got a result? Answer with a list of their \
             call ids, or \"none\".",
        answer: AnswerKind::List,
        grader: GraderKind::SetF1OrNone,
        tolerance: EXACT,
        truth: calls::dangling,
    };

    /// The last error is often only a consequence of the first.
    FirstError = QuestionSpec {
        name: "first_error",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "What did the first failed tool call of the main agent report? Quote the text of its \
             error result, word for word.",
        answer: AnswerKind::Text,
        grader: GraderKind::Quotation,
        tolerance: EXACT,
        truth: calls::first_error,
    };

    /// Where the time went.
    SlowestCall = QuestionSpec {
        name: "slowest_call",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "Which tool call of the main agent that succeeded or failed took longest, from the \
             call to its result? Give its tool and, word for word, its main argument (the \
             command, path, pattern, address or text it was called with); or its call id.",
        answer: AnswerKind::Text,
        grader: GraderKind::Quotation,
        tolerance: EXACT,
        truth: spans::slowest_call,
    };

    /// A file that is changed again and again is where the agent struggles.
    MostEditedFile = QuestionSpec {
        name: "most_edited_file",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "Which file did the main agent change most often, counting each succeeded call of a \
             file-writing tool once? Answer with its path.",
        answer: AnswerKind::Text,
        grader: GraderKind::ExactString,
        tolerance: EXACT,
        truth: files::most_edited_file,
    };

    /// Who is billed for what.
    ModelTokens = QuestionSpec {
        name: "model_tokens",
        pack: COVERAGE_1,
        scope: Scope::Run,
        ask:
            "How many output tokens did the model {model} produce in the whole run, subagents \
             included, counting each API call once? Answer with one integer; one within 1% counts \
             as right.",
        answer: AnswerKind::Integer,
        grader: GraderKind::ExactInteger,
        tolerance: Tolerance { absolute: 0, percent: 1 },
        truth: spans::model_tokens,
    };

    /// Whether the last change was tried out, and how.
    AfterLastEdit = QuestionSpec {
        name: "after_last_edit",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "After the last call of a file-writing tool that succeeded, which tool call did the \
             main agent make first? Give its tool and, word for word, its main argument (the \
             command, path, pattern, address or text it was called with); or its call id.",
        answer: AnswerKind::Text,
        grader: GraderKind::Quotation,
        tolerance: EXACT,
        truth: calls::after_last_edit,
    };

    /// What was done before the request changed.
    CallsBeforeTurn = QuestionSpec {
        name: "calls_before_turn",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "How many calls of the tool {tool} did the main agent make before user turn {turn}? \
             Answer with one integer.",
        answer: AnswerKind::Integer,
        grader: GraderKind::ExactInteger,
        tolerance: EXACT,
        truth: calls::calls_before_turn,
    };

    /// How long the agent has been on its own.
    SinceLastUser = QuestionSpec {
        name: "since_last_user",
        pack: COVERAGE_1,
        scope: Scope::Run,
        ask:
            "How much time passed between the last user turn and the last event of the run, \
             subagents included? Answer in seconds; within 5 seconds or 1%, whichever is more, \
             counts as right.",
        answer: AnswerKind::Duration,
        grader: GraderKind::Duration,
        tolerance: Tolerance { absolute: 5, percent: 1 },
        truth: spans::since_last_user,
    };

    /// What was delegated, and so is not in the main thread.
    Subagents = QuestionSpec {
        name: "subagents",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "Which subagents did the main agent launch? Answer with a list of the descriptions \
             they were launched with.",
        answer: AnswerKind::List,
        grader: GraderKind::SetF1,
        tolerance: EXACT,
        truth: calls::subagents,
    };

    /// Whether the agent knows what it is talking about. Of several files some were read and some were not, so
    /// that no constant answer pays.
    WasRead = QuestionSpec {
        name: "was_read",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "Did the main agent ever read these files by a file-reading tool's call that \
             succeeded? {files}. Answer with a list of \"yes\" or \"no\", one for each, in this \
             order.",
        answer: AnswerKind::Parts,
        grader: GraderKind::Each,
        tolerance: EXACT,
        truth: files::was_read,
    };

    /// Whether it is going well right now. More than the failures is asked for because most turns have none.
    FailedInLastTurn = QuestionSpec {
        name: "failed_in_last_turn",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "Since the last user turn, how many tool calls has the main agent made, how many of \
             these failed, and which tool did it call last? Answer with a list of two integers \
             and the tool's name.",
        answer: AnswerKind::Parts,
        grader: GraderKind::Each,
        tolerance: EXACT,
        truth: calls::failed_in_last_turn,
    };

    /// What the agent claims to have done or to be doing.
    LastWords = QuestionSpec {
        name: "last_words",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "What did the main agent say last? Quote the text of its last message (not of its \
             thinking), word for word.",
        answer: AnswerKind::Text,
        grader: GraderKind::Quotation,
        tolerance: EXACT,
        truth: asks::last_words,
    };

    /// What the agent wanted to do and was not allowed to.
    RefusedCall = QuestionSpec {
        name: "refused_call",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "Which tool call of the main agent did the person deny or interrupt, or a permission \
             rule refuse, the last one if there are several? Give its tool and, word for word, \
             its main argument (the command, path, pattern, address or text it was called with); \
             or its call id.",
        answer: AnswerKind::Text,
        grader: GraderKind::Quotation,
        tolerance: EXACT,
        truth: calls::refused_call,
    };

    /// How long the run has been going.
    SessionMinutes = QuestionSpec {
        name: "session_minutes",
        pack: COVERAGE_1,
        scope: Scope::Run,
        ask:
            "How long did the run last, from its first event to its last, subagents included? \
             Answer in whole minutes; within one minute counts as right.",
        answer: AnswerKind::Duration,
        grader: GraderKind::Duration,
        tolerance: Tolerance { absolute: 60, percent: 0 },
        truth: spans::session_minutes,
    };

    /// What the agent tries again and again.
    TopCommand = QuestionSpec {
        name: "top_command",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "Which shell command (the whole command of a Bash call) did the main agent run most \
             often? Quote it, word for word.",
        answer: AnswerKind::Text,
        grader: GraderKind::Quotation,
        tolerance: EXACT,
        truth: calls::top_command,
    };

    /// What was asked for in between, neither first nor last.
    TurnRequest = QuestionSpec {
        name: "turn_request",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "What did the person ask for in user turn {turn}? Quote the text of that turn, word \
             for word.",
        answer: AnswerKind::Text,
        grader: GraderKind::Quotation,
        tolerance: EXACT,
        truth: asks::turn_request,
    };

    /// Which request the work went into.
    BusiestTurn = QuestionSpec {
        name: "busiest_turn",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "In which user turn did the main agent make the most tool calls, and how many did it \
             make in it? Answer with a list of two integers: the turn's number and the number of \
             calls.",
        answer: AnswerKind::Parts,
        grader: GraderKind::Each,
        tolerance: EXACT,
        truth: calls::busiest_turn,
    };

    /// Whether a reader makes things up. One of the two questions has an answer (it is about the calls at the
    /// end of the main thread), so that neither "not stated" nor a guess pays alone.
    NotStated = QuestionSpec {
        name: "not_stated",
        pack: COVERAGE_1,
        scope: Scope::Main,
        ask:
            "Two questions, to be answered in this order: (1) {first} (2) {second} Answer with a \
             list of two. Where the trace does not say, answer \"not stated\".",
        answer: AnswerKind::Parts,
        grader: GraderKind::Each,
        tolerance: EXACT,
        truth: stated::not_stated,
    };
}

/// No question type has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no question type is named {name:?}")]
pub struct UnknownQuestionType {
    /// The name asked for.
    pub name: String,
}

impl QuestionType {
    /// The name, by which readers answer and scoreboards label rows.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.spec().name
    }

    /// Whether the type is part of the pack of this name.
    pub(super) fn is_in(self, pack: &str) -> bool {
        self.spec().pack == pack
    }
}

impl fmt::Display for QuestionType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl FromStr for QuestionType {
    type Err = UnknownQuestionType;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.iter().find(|kind| kind.as_str() == name);
        found.copied().ok_or_else(|| UnknownQuestionType { name: name.to_owned() })
    }
}

impl From<QuestionType> for &'static str {
    fn from(kind: QuestionType) -> Self {
        kind.as_str()
    }
}

impl TryFrom<String> for QuestionType {
    type Error = UnknownQuestionType;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        name.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::super::pack::PACK_NAMES;
    use super::*;

    #[test]
    fn every_type_has_a_name_of_its_own_and_a_pack() {
        for kind in QuestionType::ALL {
            assert_eq!(kind.as_str().parse(), Ok(*kind));
            assert!(PACK_NAMES.contains(&kind.spec().pack), "{kind}");
            let json = serde_json::to_string(kind).unwrap();
            assert_eq!(json, format!("\"{kind}\""));
            assert_eq!(serde_json::from_str::<QuestionType>(&json).unwrap(), *kind);
        }
        assert!("n_moons".parse::<QuestionType>().unwrap_err().to_string().contains("n_moons"));
    }
}
