//! What an element of a list could be, in the form in which elements are compared.

use std::collections::HashSet;

use crate::answers::ItemKind;

/// All items that a run knows. It depends on the truth alone, and can be used for many answers. `P` finds paths
/// as a rule set does.
pub(super) struct KnownItems<'a, P> {
    pub(super) kind: ItemKind,
    pub(super) known: Vec<&'a String>,
    pub(super) paths: P,
    /// The items as they stand, for finding one.
    as_written: HashSet<&'a str>,
    /// The forms in which a rule set compares paths, and phrases.
    forms: [fn(&str) -> String; 2],
}

impl<'a, P> KnownItems<'a, P> {
    pub(super) fn new(
        items: &'a [String],
        known: &'a [String],
        kind: ItemKind,
        paths: impl FnOnce(&[&'a String]) -> P,
        forms: [fn(&str) -> String; 2],
    ) -> Self {
        let known: Vec<&String> = items.iter().chain(known).collect();
        let paths = paths(if kind == ItemKind::Path { known.as_slice() } else { &[] });
        let as_written = known.iter().map(|item| item.as_str()).collect();
        Self { kind, known, paths, as_written, forms }
    }

    pub(super) fn form(&self, item: &str) -> String {
        let [path, phrase] = self.forms;
        match self.kind {
            ItemKind::Path => path(item),
            ItemKind::Id => item.to_owned(),
            ItemKind::Phrase => phrase(item),
        }
    }

    /// The item that a text is as it stands.
    pub(super) fn exact(&self, text: &str) -> Option<String> {
        self.as_written.get(text).map(|item| self.form(item))
    }
}
