//! Which failures were mended since.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::feed::OpenWork;
use super::target::Target;
use crate::ids::Seq;

/// How many failures are kept: as many as [`RunState::failures`](crate::fold::RunState::failures) keeps.
const KEPT: usize = 20;

/// A failed call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Failed {
    /// Its result.
    at: Seq,
    call: Seq,
    target: Target,
    mended_at: Option<Seq>,
}

/// The last failed calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mending(VecDeque<Failed>);

impl Mending {
    pub(super) fn fail(&mut self, open: &OpenWork, at: Seq) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        let (call, target) = (open.call.at, open.target);
        self.0.push_back(Failed { at, call, target, mended_at: None });
    }

    /// A call succeeded, and mends the failures of earlier calls with its target.
    pub(super) fn succeed(&mut self, open: &OpenWork, at: Seq) {
        let is_mended = |failed: &&mut Failed| {
            failed.mended_at.is_none() && failed.target == open.target && failed.call < open.call.at
        };
        self.0.iter_mut().filter(is_mended).for_each(|failed| failed.mended_at = Some(at));
    }

    pub(super) fn mended(&self, failure: Seq) -> Option<Seq> {
        self.0.iter().find(|failed| failed.at == failure)?.mended_at
    }
}
