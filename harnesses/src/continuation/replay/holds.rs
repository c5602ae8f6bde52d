//! Which of many entities a text holds, in one pass over it.

use aho_corasick::{AhoCorasick, MatchKind};

use super::entities::{Entity, EntityKind};
use super::normal::is_w;

/// What must stand around a pattern where it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edges {
    /// Nothing of W, where the pattern's own end is of W.
    Word,
    /// Nothing that would make it another path.
    Path,
    /// Nothing of W on both sides.
    Issue,
    /// Nothing of W behind it.
    Numbered,
}

/// Entities to look for. Several may share a number: one is held if any of its forms is.
#[derive(Debug)]
pub(super) struct Finder {
    automaton: Option<AhoCorasick>,
    /// By pattern: the number of its entity, and its edges.
    patterns: Vec<(usize, Edges)>,
    entities: usize,
}

impl Finder {
    /// For these entities, each with the whole form that holds it too.
    pub(super) fn new<'a>(
        entities: impl IntoIterator<Item = (&'a Entity, Option<&'a str>)>,
    ) -> Self {
        let (mut texts, mut patterns, mut count) = (Vec::new(), Vec::new(), 0);
        for (at, (entity, whole)) in entities.into_iter().enumerate() {
            count = at + 1;
            let mut add = |text: String, edges| {
                texts.push(text);
                patterns.push((at, edges));
            };
            match entity.kind {
                EntityKind::Path | EntityKind::Branch => add(entity.text.clone(), Edges::Path),
                EntityKind::Issue => {
                    let number = entity.text.trim_start_matches('#');
                    for start in ["/pull/", "/pulls/", "/issues/"] {
                        add(format!("{start}{number}"), Edges::Numbered);
                    }
                    add(entity.text.clone(), Edges::Issue);
                }
                _ => add(entity.text.clone(), Edges::Word),
            }
            if let Some(whole) = whole {
                add(whole.to_owned(), Edges::Word);
            }
        }
        // It fails only on more patterns than memory holds.
        let automaton = AhoCorasick::builder().match_kind(MatchKind::Standard).build(&texts).ok();
        Self { automaton, patterns, entities: count }
    }

    /// Whether each entity is held by a text in normal form.
    pub(super) fn held(&self, normal: &str) -> Vec<bool> {
        let mut held = vec![false; self.entities];
        let mut left = self.entities;
        let Some(automaton) = &self.automaton else { return held };
        let bytes = normal.as_bytes();
        for found in automaton.find_overlapping_iter(normal) {
            let (entity, edges) = self.patterns[found.pattern().as_usize()];
            if !held[entity] && edges.fit(bytes, found.start(), found.end()) {
                held[entity] = true;
                left -= 1;
                if left == 0 {
                    break;
                }
            }
        }
        held
    }
}

impl Edges {
    fn fit(self, text: &[u8], start: usize, end: usize) -> bool {
        let before = start.checked_sub(1).and_then(|at| text.get(at)).copied();
        let after = text.get(end).copied();
        let is =
            |byte: Option<u8>, more: &[u8]| byte.is_some_and(|it| is_w(it) || more.contains(&it));
        match self {
            Self::Word => {
                let of_w = |at: usize| text.get(at).copied().is_some_and(is_w);
                let joined = of_w(start) && is(before, b"");
                !joined && !(of_w(end.saturating_sub(1)) && is(after, b""))
            }
            Self::Path => {
                let goes_on = after == Some(b'.') && text.get(end + 1).copied().is_some_and(is_w);
                !is(before, b"-.") && !is(after, b"-") && !goes_on
            }
            Self::Issue => !is(before, b"") && !is(after, b""),
            Self::Numbered => !is(after, b""),
        }
    }
}
