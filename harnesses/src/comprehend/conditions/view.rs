//! The worker view of the run, `worker/1`. It is bounded by the lists' own caps, not by characters.

use trace_model::view::worker;

use super::context::{Caps, Compiled, Context, Subject};

#[expect(clippy::unnecessary_wraps, reason = "all conditions have one signature")]
pub(super) fn compile(subject: &Subject<'_>, caps: &Caps) -> Compiled {
    Ok(Context::whole(worker::compile(subject.state(), &caps.view)))
}
