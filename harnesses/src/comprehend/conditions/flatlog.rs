//! The end of the flat log over the session's own transcript.

use super::context::{Caps, Compiled, Context, Subject};

#[expect(clippy::unnecessary_wraps, reason = "all conditions have one signature")]
pub(super) fn compile(subject: &Subject<'_>, caps: &Caps) -> Compiled {
    Ok(Context::tail(subject.flat_log(), caps.flatlog_chars))
}
