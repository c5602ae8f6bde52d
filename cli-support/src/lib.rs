//! What every command of the workspace does alike: how it ends, and how it says what went wrong. It knows
//! nothing of transcripts or results, so that packages that must not know one another may all use it.

mod bar;
mod escape;
mod exit;
mod say;

pub use bar::{Bar, Unit};
pub use escape::escape;
pub use exit::{Exit, end, is_closed_pipe};
pub use say::{one_line_panics, say, say_error};
