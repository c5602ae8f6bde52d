//! Graders: how right an answer to a question is. No grader calls a model.
//!
//! There are three rule sets, each with a version that scoreboards record. What one accepts never changes
//! under its name: a change is a new version.
//!
//! - `paper/1` is our reading of the lenient rules of arXiv 2609.01466, for comparison with its figures: a
//!   quotation is right if it is contained in the truth or contains it, however short or long; an integer is
//!   the first one in the text; a name is exact; of a path the file's name is enough; lists score F1, and
//!   nothing at all counts as "none"; several parts score their mean.
//! - `strict/1` accepts no answer that a careful person would reject. A quotation has the words (see
//!   `quotation` for how many, and when they identify the text); an integer is the only one in the answer and
//!   not hedged; a name or path may stand in a short sentence, but no other beside it; a list of which more
//!   than half is wrong scores nothing; of several parts each must be right.
//!
//! - `strict/2` accepts what a careful person accepts, by closed grammars (see `strict2`): an answer of which a
//!   word or sign is not understood is not right. It is the headline of a run.
//!
//! The first two differ in fields of `rules::Rules`. Under all, white space and case do not matter (but where
//! two paths of a run differ only in case), a Markdown fence and quotation marks around the whole answer are
//! dropped, a list of one item is that item, a list may be a JSON text, `{"answer": X}` is X, `\` and `/`
//! separate paths alike, and look-alike letters of other scripts are other letters.
//!
//! `reply` reads an answer, `dispatch` hands it to the module that grades its kind, [`Grades`] holds what all
//! rule sets say of one answer, [`best_constant`] finds the floor. Only the harnesses use this module; it
//! knows the truths of `questions` and nothing of readers.

mod blind;
mod dispatch;
mod duration;
mod each;
mod f1;
mod grade;
mod grades;
mod integer;
mod known_items;
mod name;
mod not_stated;
mod path;
mod path_index;
mod quotation;
mod reply;
mod rules;
mod score;
mod set;
mod strict2;
mod text;
mod yes_no;

pub use crate::answers::Answer;
pub use blind::{BestConstant, best_constant};
pub use dispatch::grade;
pub use grade::{Grade, Reason};
pub use grades::Grades;
pub use quotation::{RUN_CHARACTERS, RUN_TOKENS};
pub use rules::{RuleSet, UnknownRuleSet};
pub use score::Score;
