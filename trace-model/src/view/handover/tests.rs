use proptest::prelude::*;

use super::LeftOut;
use super::fill::{Filled, fill};
use super::part::{Part, chars};
use super::worth::{self, Worth};
use crate::view::budget::Budget;

/// Lists and texts of any length.
fn lists() -> impl Strategy<Value = Vec<(usize, u8, Vec<String>)>> {
    let item = "[a-zé ]{1,40}";
    let list = (0..worth::ALL.len(), 0_u8..4, prop::collection::vec(item, 1..60));
    prop::collection::vec(list, 1..12)
}

fn made(lists: &[(usize, u8, Vec<String>)]) -> Vec<Part<'_>> {
    let made = lists.iter().map(|(row, shape, items)| {
        let row: &'static Worth = worth::ALL[*row];
        let total = items.len() as u64;
        match shape {
            0 => Part::lines(row, total, ", newest first", items.iter().cloned()),
            1 => Part::lines(row, total + 7, "", items.iter().cloned()).reversed(),
            2 => {
                let mut seen = std::collections::HashSet::new();
                let distinct: Vec<String> =
                    items.iter().filter(|item| seen.insert(*item)).cloned().collect();
                Part::words(row, distinct.len() as u64, ", newest first", distinct.into_iter())
            }
            _ => Part::text(row, growing(items)),
        }
    });
    made.collect()
}

/// A text that grows by an item at a time.
fn growing(items: &[String]) -> impl Iterator<Item = String> + '_ {
    (1..=items.len()).map(|shown| items[..shown].concat())
}

fn written(filled: &[Filled<'_>]) -> String {
    let mut out = String::new();
    for part in filled {
        part.write(&mut out);
    }
    let left_out = LeftOut::of(&mut filled.iter().map(|part| (part, part.is_left_out())));
    assert_eq!(left_out.chars(), chars(&left_out.line()));
    out.push_str(&left_out.line());
    out
}

fn filled(lists: &[(usize, u8, Vec<String>)], budget: Budget) -> Vec<Filled<'_>> {
    fill(made(lists), budget, 0, |parts| LeftOut::of(parts).chars())
}

proptest! {
    /// No view is longer than its budget, unless even its last line alone is.
    #[test]
    fn a_budget_is_kept(lists in lists(), most in 0_usize..4000) {
        let text = written(&filled(&lists, Budget::Chars(most)));
        let nothing = written(&filled(&lists, Budget::Chars(0)));
        prop_assert!(chars(&text) <= most.max(chars(&nothing)), "{} over {most}", chars(&text));
    }

    /// A reader who gets more room loses nothing.
    #[test]
    fn a_smaller_view_is_contained_in_a_larger_one(
        lists in lists(), small in 0_usize..2000, more in 0_usize..2000,
    ) {
        let less = filled(&lists, Budget::Chars(small));
        let more = filled(&lists, Budget::Chars(small + more));
        for (less, more) in less.iter().zip(&more) {
            prop_assert!(more.shown.starts_with(&less.shown));
        }
    }

    /// Room is given away only where the next item is longer than what is left.
    #[test]
    fn without_a_budget_all_is_shown_up_to_the_caps(lists in lists()) {
        for part in filled(&lists, Budget::Chars(usize::MAX)) {
            let cap = part.part.worth.cap as u64;
            let shown = part.shown.len() as u64;
            prop_assert!(shown == cap || shown + part.skipped + 7 >= part.part.total.min(cap));
        }
    }
}
