//! The worker view of the run. It is bounded by the lists' own caps, not by characters.

use trace_model::view::worker;

use super::context::{Caps, Context, Subject};

pub(super) fn compile(subject: &Subject<'_>, caps: &Caps) -> Context {
    Context::whole(worker::compile(subject.state(), &caps.view))
}
