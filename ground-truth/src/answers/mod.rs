//! Answers and truths: what questions know, readers give and graders compare.
//!
//! A leaf: `questions` finds truths, `graders` compares answers with them, `forms` varies them, and all three
//! use these types.

mod answer;
mod numerals;
mod text;
mod truth;

pub use answer::Answer;
pub(crate) use numerals::{ONES, TENS};
pub(crate) use text::fold;
pub use truth::{ItemKind, Part, Tolerance, Truth, Unit};
