//! A page as the parts that change as a whole.

use std::sync::Arc;

/// A part of the page that changes as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The `id` of its element.
    pub id: String,
    /// The element.
    pub html: Arc<str>,
}

/// All parts of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Units {
    /// The title of the document, as plain text.
    pub title: String,
    /// The parts with their own place.
    pub fixed: Vec<Unit>,
    /// The episodes, newest first.
    pub episodes: Vec<Unit>,
}

impl Units {
    /// A part with its own place.
    pub fn fixed(&self, id: &str) -> &str {
        self.fixed.iter().find(|unit| unit.id == id).map_or("", |unit| &unit.html)
    }
}
