//! The parts of the handover view, made from the state. What is made here is cut by `fill`, not here: the makers
//! give one item after the other and say how many there are.

mod course;
mod facts;
mod lines;
mod requests;
mod trouble;
mod work;

use super::Since;
use super::part::Part;
use crate::fold::RunState;
use crate::ids::Seq;
use crate::view::variant::Variant;

/// What of a run a view shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    pub(super) variant: Variant,
    /// Only what is behind this event.
    since: Since,
}

impl Scope {
    /// All of it.
    pub(super) fn whole(variant: Variant) -> Self {
        Self { variant, since: None }
    }

    /// What has changed behind an event.
    pub(super) fn since(since: Seq) -> Self {
        Self { variant: Variant::Worker, since: Some(since) }
    }

    /// Whether something of this event is shown.
    fn shows(self, at: Seq) -> bool {
        self.since.is_none_or(|since| at > since)
    }
}

/// All parts of which there is something, in the order in which they are shown.
pub(super) fn parts(state: &RunState, scope: Scope) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    requests::add(&mut parts, state, scope);
    trouble::add(&mut parts, state, scope);
    let stated = facts::stated(state, scope);
    work::add(&mut parts, state, scope, &stated);
    course::add(&mut parts, state, scope);
    facts::add(&mut parts, state, scope, &stated);
    parts.retain(|part| part.total > 0);
    let place =
        |part: &Part<'_>| super::worth::ALL.iter().position(|row| row.name == part.worth.name);
    parts.sort_by_cached_key(place);
    parts
}
