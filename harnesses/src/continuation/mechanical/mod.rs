//! The worker without a model. It decides from its context's text and from nothing else: no file, no
//! truth, no state of its own, no name of an arm. So it succeeds where the context holds what the task
//! needs, and where a part of it is gone it goes on with the rest and says which part that is.

mod aggregate;
mod chain;
mod evidence;
mod files;
mod goal;
mod sections;
mod view;

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::context::{Piece, Prompt};
use crate::workbench::Action;
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

/// The same for a context in pieces, each of which is read once however many contexts it is in.
///
/// What is kept from one step to the next is a function of the pieces' texts alone: [`next`] of the
/// whole text decides the same.
#[derive(Debug, Default)]
pub struct Mechanical {
    read: HashMap<u64, Arc<[Section]>>,
}

impl Mechanical {
    /// The next action.
    pub fn next(&mut self, prompt: &Prompt) -> String {
        let pieces: Vec<Arc<[Section]>> =
            prompt.pieces().map(|piece| Arc::clone(self.read(piece))).collect();
        decide(pieces.iter().flat_map(|sections| sections.iter())).json()
    }

    fn read(&mut self, piece: &Piece) -> &Arc<[Section]> {
        self.read.entry(piece.digest()).or_insert_with(|| sections(piece.text()).into())
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

/// What to do, and what goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Decision {
    action: Action,
    note: Option<String>,
    missing: Option<String>,
}

impl Decision {
    fn new(action: Action) -> Self {
        Self { action, note: None, missing: None }
    }

    /// Gives up, since something is not there.
    fn lost(what: &str) -> Self {
        Self { missing: Some(what.to_owned()), ..Self::new(Action::Done) }
    }

    fn note(self, note: String) -> Self {
        Self { note: Some(note), ..self }
    }

    fn json(self) -> String {
        let mut reply = Map::new();
        let action = self.action.to_json();
        reply.extend(action.as_object().cloned().unwrap_or_default());
        let texts = [(MISSING, self.missing), ("note", self.note)];
        reply.extend(
            texts
                .into_iter()
                .filter_map(|(name, text)| Some((name.to_owned(), Value::String(text?)))),
        );
        Value::Object(reply).to_string()
    }
}

/// The field of a reply that says which part of what is asked for the context does not show.
pub const MISSING: &str = "missing";
