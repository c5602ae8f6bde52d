//! Fills a budget: the parts of a view give one item after the other, the most worth for its length first, until
//! the next one would not fit.
//!
//! The order in which items come does not depend on the budget, so a view with a smaller one is contained in
//! the view with a larger one: each list is a part of the larger view's list, each text its start. The work is
//! linear in what is shown. Whole numbers only: the same on every machine.

use super::part::{Part, PartItems, Seen, Shape, chars};
use super::worth::Worth;
use crate::view::budget::Budget;

/// What is shown of a part, in the order in which it was taken.
pub(super) struct Filled<'a> {
    pub(super) part: Part<'a>,
    pub(super) shown: Vec<String>,
    /// How many things those are.
    pub(super) count: u64,
    /// Items that another part shows.
    pub(super) skipped: u64,
    /// Characters of the items with what separates them.
    items_chars: usize,
}

impl Filled<'_> {
    /// Of how many items it could show some.
    pub(super) fn total(&self) -> u64 {
        self.part.total.saturating_sub(self.skipped)
    }

    /// Whether nothing of it is shown though there is something.
    pub(super) fn is_left_out(&self) -> bool {
        self.shown.is_empty() && self.total() > 0
    }

    /// Characters of it as it is written.
    fn chars(&self) -> usize {
        if self.shown.is_empty() { 0 } else { self.chars_of(self.count, self.items_chars) }
    }

    /// Characters of it if it shows so many things in items of so many characters.
    fn chars_of(&self, count: u64, items_chars: usize) -> usize {
        match self.part.shape {
            Shape::Text => items_chars,
            Shape::Lines | Shape::Words => {
                items_chars + self.part.heading_chars(count, self.total())
            }
        }
    }

    /// Characters of the items with one more.
    fn items_chars_with(&self, item: &str) -> usize {
        let of_item = chars(item) + 1;
        match self.part.shape {
            Shape::Text => of_item,
            Shape::Lines => self.items_chars + of_item,
            // A comma and a space between two words; a line feed behind the last.
            Shape::Words => self.items_chars + of_item + usize::from(!self.shown.is_empty()),
        }
    }
}

/// A part with the item that it would give next.
struct Source<'a> {
    filled: Filled<'a>,
    items: PartItems<'a>,
    next: Option<Next>,
}

/// An item that may be taken.
struct Next {
    text: String,
    /// What the part's items then measure.
    items_chars: usize,
    /// What the part then measures.
    chars: usize,
    /// Worth for its length, scaled.
    priority: u128,
}

impl<'a> Source<'a> {
    fn new(mut part: Part<'a>) -> Self {
        let items = std::mem::replace(&mut part.items, Box::new(std::iter::empty()));
        let filled = Filled { part, shown: Vec::new(), count: 0, skipped: 0, items_chars: 0 };
        Self { filled, items, next: None }
    }

    /// Finds the next item that no other part shows.
    fn advance(&mut self, seen: &Seen) {
        self.next = None;
        if self.filled.shown.len() >= self.filled.part.worth.cap {
            return;
        }
        for text in self.items.by_ref() {
            if self.filled.part.shape == Shape::Words && seen.contains(&text) {
                self.filled.skipped += 1;
                continue;
            }
            let items_chars = self.filled.items_chars_with(&text);
            let chars = self
                .filled
                .chars_of(self.filled.count + (self.filled.part.count)(&text), items_chars);
            let cost = chars.saturating_sub(self.filled.chars()).max(1);
            let priority = priority(self.filled.part.worth, self.filled.shown.len(), cost);
            self.next = Some(Next { text, items_chars, chars, priority });
            return;
        }
    }

    /// Shows the next item.
    fn take(&mut self, next: Next, seen: &mut Seen) {
        if self.filled.part.shape == Shape::Words {
            seen.insert(&next.text);
        }
        self.filled.count += (self.filled.part.count)(&next.text);
        self.filled.shown.push(next.text);
        self.filled.items_chars = next.items_chars;
    }
}

/// The worth of a part's item of this rank, which falls to a half at the rank `half`, per character.
fn priority(worth: &Worth, rank: usize, cost: usize) -> u128 {
    let half = u128::from(worth.half);
    let of_rank = if rank == 0 { worth.first.max(worth.later) } else { worth.later };
    u128::from(of_rank) * half * 1_000_000 / ((half + rank as u128) * cost as u128)
}

/// Fills the budget beyond `fixed` characters. `note_chars` measures what is said of the parts of which nothing is
/// shown.
pub(super) fn fill<'a>(
    parts: Vec<Part<'a>>,
    budget: Budget,
    fixed: usize,
    note_chars: impl Fn(&mut dyn Iterator<Item = (&Filled<'a>, bool)>) -> usize,
) -> Vec<Filled<'a>> {
    let mut seen = Seen::default();
    let mut sources: Vec<Source<'a>> = parts.into_iter().map(Source::new).collect();
    for source in &mut sources {
        source.advance(&seen);
    }
    let mut body = 0;
    let note =
        |sources: &[Source<'a>], taken: Option<usize>| {
            let parts = sources.iter().enumerate();
            note_chars(&mut parts.map(|(at, source)| {
                (&source.filled, source.filled.is_left_out() && Some(at) != taken)
            }))
        };
    let mut note_now = note(&sources, None);
    while let Some(at) = most_worth(&sources) {
        let Some(next) = sources[at].next.take() else { break };
        let is_first = sources[at].filled.shown.is_empty();
        let note_then = if is_first { note(&sources, Some(at)) } else { note_now };
        let before = sources[at].filled.chars();
        if !budget.allows(fixed + body - before + next.chars + note_then) {
            break;
        }
        sources[at].take(next, &mut seen);
        sources[at].advance(&seen);
        body = body - before + sources[at].filled.chars();
        note_now = note_then;
    }
    sources.into_iter().map(|source| source.filled).collect()
}

/// The part whose next item is worth most for its length; of equal ones the first.
fn most_worth(sources: &[Source<'_>]) -> Option<usize> {
    let next = sources.iter().enumerate();
    let next = next.filter_map(|(at, source)| Some((source.next.as_ref()?.priority, at)));
    next.reduce(|best, other| if other.0 > best.0 { other } else { best }).map(|(_, at)| at)
}
