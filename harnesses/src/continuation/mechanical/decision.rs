//! The worker's next action, and what else it says.

use serde_json::{Map, Value};

use crate::continuation::reply::MISSING;
use crate::workbench::Action;

/// What to do, and what goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) action: Action,
    pub(super) note: Option<String>,
    pub(super) missing: Option<String>,
}

impl Decision {
    pub(super) fn new(action: Action) -> Self {
        Self { action, note: None, missing: None }
    }

    /// Gives up, since something is not there.
    pub(super) fn lost(what: &str) -> Self {
        Self { missing: Some(what.to_owned()), ..Self::new(Action::Done) }
    }

    pub(super) fn note(self, note: String) -> Self {
        Self { note: Some(note), ..self }
    }

    pub(super) fn json(self) -> String {
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
