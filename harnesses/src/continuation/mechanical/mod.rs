//! The worker without a model. It decides from its context's text and from nothing else: no file, no truth, no
//! state of its own, no name of an arm. So it succeeds where the context holds what the task needs, and where
//! part of that is gone, it continues with the rest and says what is missing.

mod aggregate;
mod assignments;
mod chain;
mod decision;
mod evidence;
mod files;
mod goal;
mod sections;
mod view;

use std::collections::HashMap;
use std::sync::Arc;

use super::context::{Prompt, Segment};
use decision::Decision;
use evidence::Evidence;
use goal::Goal;
use sections::{Section, sections};

/// Its version: higher whenever any decision changes.
pub const VERSION: u32 = 1;

/// The next action, as JSON on one line, given what the context says.
#[must_use]
pub fn next(context: &str) -> String {
    decide(&sections(context)).json()
}

/// The same for a context in segments, each of which is parsed once however many contexts contain it.
///
/// What is kept from one step to the next is a function of the segments' texts alone: [`next`] of the
/// whole text decides the same.
#[derive(Debug, Default)]
pub struct Mechanical {
    read: HashMap<u64, Arc<[Section]>>,
}

impl Mechanical {
    /// The next action.
    pub fn next(&mut self, prompt: &Prompt) -> String {
        let segments: Vec<Arc<[Section]>> =
            prompt.segments().map(|segment| Arc::clone(self.read(segment))).collect();
        decide(segments.iter().flat_map(|sections| sections.iter())).json()
    }

    fn read(&mut self, segment: &Segment) -> &Arc<[Section]> {
        self.read.entry(segment.digest()).or_insert_with(|| sections(segment.text()).into())
    }
}

fn decide<'a>(sections: impl IntoIterator<Item = &'a Section>) -> Decision {
    let evidence = Evidence::of(sections);
    match evidence.goal {
        None => Decision::lost("the context shows no task that is understood"),
        Some(goal @ Goal::Sum { .. }) => chain::decide(&evidence, goal),
        Some(goal) => files::decide(&evidence, goal),
    }
}
