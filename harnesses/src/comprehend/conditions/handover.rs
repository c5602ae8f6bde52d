//! The handover view of the run, `worker/2`, within a budget if there is one.

use trace_model::view::WorkerView;

use super::context::{Caps, Compiled, Context, Subject};

#[expect(clippy::unnecessary_wraps, reason = "all conditions have one signature")]
pub(super) fn compile(subject: &Subject<'_>, caps: &Caps) -> Compiled {
    Ok(Context::whole(WorkerView::TWO.compile(subject.state(), caps.handover)))
}
