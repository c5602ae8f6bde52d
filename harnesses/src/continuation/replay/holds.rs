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
                let joined_before = of_w(start) && is(before, b"");
                let joined_after = of_w(end.saturating_sub(1)) && is(after, b"");
                !joined_before && !joined_after
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entity(kind: EntityKind, text: &str) -> Entity {
        Entity { kind, text: text.to_owned() }
    }

    fn holds(text: &str, kind: EntityKind, wanted: &str) -> bool {
        Finder::new([(&entity(kind, wanted), None)]).held(text) == [true]
    }

    #[test]
    fn each_kind_has_its_edges() {
        use EntityKind::{Command, Identifier, Issue, Number, Path, Url};
        for (text, kind, wanted, expected) in [
            ("x fooBar.", Identifier, "fooBar", true),
            ("x-fooBar-", Identifier, "fooBar", true),
            ("\u{e9}fooBar\u{e9}", Identifier, "fooBar", true),
            ("xfooBar fooBar_ fooBar1", Identifier, "fooBar", false),
            ("xfooBar fooBar", Identifier, "fooBar", true),
            ("12345", Number, "1234", false),
            ("/w/src/a.rs:3", Path, "src/a.rs", true),
            ("src/a.rs.", Path, "src/a.rs", true),
            ("src/a.rs.bak src/a.rs-x src/a.rs2", Path, "src/a.rs", false),
            ("-src/a.rs .src/a.rs xsrc/a.rs", Path, "src/a.rs", false),
            ("see #12.", Issue, "#12", true),
            ("see x#12 #123 /pull/123", Issue, "#12", false),
            ("https://x.example/o/pull/12/files", Issue, "#12", true),
            ("/pulls/12", Issue, "#12", true),
            ("/issues/12a", Issue, "#12", false),
            ("$ make all; ls", Command, "make all", true),
            ("$ remake all", Command, "make all", false),
            ("./run -v", Command, "./run", true),
            ("x./run", Command, "./run", true),
            ("https://x.example/a?b", Url, "https://x.example/a", true),
            ("https://x.example/ab", Url, "https://x.example/a", false),
        ] {
            assert_eq!(holds(text, kind, wanted), expected, "{text:?} {wanted:?}");
        }
    }

    #[test]
    fn a_command_is_held_by_its_whole_form_too() {
        let command = entity(EntityKind::Command, "make all");
        let finder = Finder::new([(&command, Some("make 2>&1 all"))]);
        assert_eq!(finder.held("$ make 2>&1 all"), [true]);
        assert_eq!(finder.held("$ make all"), [true]);
        assert_eq!(finder.held("$ make 2>&1 all_"), [false]);
    }

    /// The same by looking at every place.
    fn naive(text: &str, entity: &Entity) -> bool {
        let (mut forms, edges) = match entity.kind {
            EntityKind::Path | EntityKind::Branch => (vec![entity.text.clone()], Edges::Path),
            EntityKind::Issue => (vec![entity.text.clone()], Edges::Issue),
            _ => (vec![entity.text.clone()], Edges::Word),
        };
        let all = text.as_bytes();
        let found = |form: &str, edges: Edges| {
            (0..all.len()).any(|at| {
                all[at..].starts_with(form.as_bytes()) && edges.fit(all, at, at + form.len())
            })
        };
        if entity.kind == EntityKind::Issue {
            let number = &entity.text[1..];
            forms.extend(["/pull/", "/pulls/", "/issues/"].map(|it| format!("{it}{number}")));
        }
        let edges_of = |at: usize| if at > 0 { Edges::Numbered } else { edges };
        forms.iter().enumerate().any(|(at, form)| found(form, edges_of(at)))
    }

    proptest! {
        #[test]
        fn one_pass_finds_what_a_search_for_each_finds(
            text in "[ab_./# \u{e9}-]{0,40}",
            issues in "(#1|/pull/1|/issues/12|x|12| ){0,6}",
            wanted in prop::collection::vec(("[ab_./-]{1,4}", 0_usize..3), 1..12),
        ) {
            let kinds = [EntityKind::Path, EntityKind::Identifier, EntityKind::Branch];
            let mut entities: Vec<Entity> =
                wanted.iter().map(|(text, kind)| entity(kinds[*kind], text)).collect();
            entities.push(entity(EntityKind::Issue, "#1"));
            let finder = Finder::new(entities.iter().map(|it| (it, None)));
            let text = text + &issues;
            let expected: Vec<bool> = entities.iter().map(|it| naive(&text, it)).collect();
            prop_assert_eq!(finder.held(&text), expected);
        }
    }
}
