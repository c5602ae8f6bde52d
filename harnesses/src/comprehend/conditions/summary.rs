//! The vendor's own summary at the last compaction of the main thread, as it was written.

use super::context::{Caps, Compiled, Context, Subject};

/// Why a run has none.
const NONE: &str = "the client wrote no summary of a compaction";

pub(super) fn compile(subject: &Subject<'_>, _: &Caps) -> Compiled {
    subject.summary().map(|text| Context::whole(text.to_owned())).ok_or(NONE)
}
