//! The delta view: what has changed since an event, for a reader who has the view up to it.

use super::parts::Scope;
use super::{covered, renderer, with_stamp};
use crate::fold::RunState;
use crate::ids::Seq;
use crate::view::budget::Budget;
use crate::view::variant::Variant;

/// Compiles what has changed behind the event `since`. Lists show what is new or changed; what can also end
/// (calls without a result, to-dos, failures that are not mended, background tasks, alerts) is shown whole and takes
/// the place of what the reader has.
pub fn compile_since(state: &RunState, since: Seq, budget: Budget) -> String {
    let renderer = renderer(Variant::Worker);
    let stamp = format!(
        "# {renderer}: what changed behind event {since}; covers {}\n",
        covered(state, since.0.saturating_add(1))
    );
    with_stamp(&stamp, state, Scope::since(since), budget)
}
