//! The sections of a view, and what each holds.

use std::collections::BTreeMap;

use super::contexts::chars;
use super::holds::Finder;
use super::measure::Counts;
use super::normal::normal;
use super::scored::Wanted;

/// What a section holds at one cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SectionHeld {
    /// Its characters.
    pub(super) chars: usize,
    /// What it holds.
    pub(super) alone: Counts,
    /// What it holds and no other section does.
    pub(super) unique: Counts,
}

/// A view's text by section. One begins at a line that starts with two or more capital letters; what
/// stands before the first is the `head`.
fn split(view: &str) -> BTreeMap<&str, String> {
    let mut sections: BTreeMap<&str, String> = BTreeMap::new();
    let mut name = "head";
    for line in view.split_inclusive('\n') {
        name = heading(line).unwrap_or(name);
        sections.entry(name).or_default().push_str(line);
    }
    sections
}

/// The name of the section that a line begins, if it does.
fn heading(line: &str) -> Option<&str> {
    let begins = line.bytes().take(2).filter(u8::is_ascii_uppercase).count() == 2;
    let in_name = |c: char| c.is_ascii_uppercase() || c == ' ' || c == '-';
    let end = line.find(|c| !in_name(c)).unwrap_or(line.len());
    begins.then(|| line[..end].trim_end_matches([' ', '-']))
}

/// What each section of a view holds.
pub(super) fn sections(
    view: &str,
    finder: &Finder,
    wanted: &[Wanted],
) -> BTreeMap<String, SectionHeld> {
    let split = split(view);
    let held: Vec<Vec<bool>> = split.values().map(|text| finder.held(&normal(text))).collect();
    let holders = |at: usize| held.iter().filter(|held| held[at]).count();
    let measured = split.iter().zip(&held).map(|((name, text), held)| {
        let of = |keep: &dyn Fn(usize) -> bool| {
            Counts::of(wanted.iter().enumerate().filter(|(at, _)| keep(*at)).map(|(_, it)| it))
        };
        let alone = of(&|at| held[at]);
        let unique = of(&|at| held[at] && holders(at) == 1);
        ((*name).to_owned(), SectionHeld { chars: chars(text), alone, unique })
    });
    measured.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::continuation::replay::entities::{Entity, EntityKind};

    #[test]
    fn sections_begin_at_capital_letters_and_share_what_several_hold() {
        let view =
            "# stamp a_b\n\nLAST ERROR: c_d\n  FILES\nFILES (2 of 2):\n- a_b\nFILES: e_f\nA x\n";
        let names: Vec<&str> = split(view).into_keys().collect();
        assert_eq!(names, ["FILES", "LAST ERROR", "head"]);
        let want = |text: &str| Wanted {
            entity: Entity { kind: EntityKind::Identifier, text: text.to_owned() },
            whole: None,
            needed: true,
        };
        let wanted = ["a_b", "c_d", "e_f"].map(want);
        let finder = Finder::new(wanted.iter().map(|it| (&it.entity, None)));
        let found = sections(view, &finder, &wanted);
        let sum = |counts: Counts| counts.needed.iter().sum::<u32>();
        let of = |name: &str| (sum(found[name].alone), sum(found[name].unique));
        assert_eq!((of("head"), of("FILES"), of("LAST ERROR")), ((1, 0), (2, 1), (1, 1)));
        assert_eq!(found.values().map(|it| it.chars).sum::<usize>(), view.chars().count());
    }
}
