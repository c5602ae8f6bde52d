//! What every command of the workspace does alike: how it ends, how it says what went wrong, and how it spreads
//! work over the processors. It knows nothing of transcripts or results, so that packages that must not know one
//! another may all use it.

mod escape;
mod exit;
pub mod parallel;
mod say;

pub use escape::{escape, is_obeyed};
pub use exit::{Exit, end, is_closed_pipe};
pub use say::{one_line_panics, say, say_error};
