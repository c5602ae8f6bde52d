//! Questions about a run, as a person who watches it would ask them, with their truth from the oracle.
//!
//! [`questions`](questions()) asks a [`Pack`] of one run. `types` is the table of question types: a row holds
//! the words, the grader and the function that finds the truth (in `asks`, `calls`, `files`, `spans`,
//! `stated`). `scene` is the run as those functions see it, and `draw` makes the choices. The graders and the
//! harnesses use this module. It knows nothing of views or readers.

mod ask;
mod asks;
mod calls;
mod draw;
mod files;
mod found;
mod pack;
mod question;
mod scene;
mod spans;
mod spec;
mod stated;
mod types;

pub use crate::answers::{ItemKind, Part, Tolerance, Truth, Unit};
pub use ask::{question_sets, questions};
pub use pack::{PACK_NAMES, Pack, UnknownPack};
pub use question::{LeftOut, Question, QuestionSet};
pub use spec::{AnswerKind, GraderKind, Scope};
pub use types::{QuestionType, UnknownQuestionType};
