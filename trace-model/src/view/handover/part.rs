//! A part of the handover view: a list or a text, and how it is written.

use std::collections::HashSet;
use std::fmt::Write as _;

use nohash_hasher::BuildNoHashHasher;

use super::fill::Filled;
use super::worth::Worth;
use crate::ids::{Digest64, count_chars};

/// What a part gives, the most worth first.
pub(super) type PartItems<'a> = Box<dyn Iterator<Item = String> + 'a>;

/// Words that a list of words shows.
#[derive(Default)]
pub(super) struct Seen(HashSet<Digest64, BuildNoHashHasher<Digest64>>);

impl Seen {
    pub(super) fn insert(&mut self, word: &str) {
        self.0.insert(Digest64::of(word));
    }

    pub(super) fn contains(&self, word: &str) -> bool {
        self.0.contains(&Digest64::of(word))
    }
}

/// How a part is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A heading, and a line for each item.
    Lines,
    /// A heading and the items behind it on the same line, separated by commas. What another such list shows is
    /// not repeated.
    Words,
    /// A line. Each item is more of the same text and takes the place of the one before.
    Text,
}

/// A part of the view.
pub(super) struct Part<'a> {
    /// What it is worth.
    pub(super) worth: &'static Worth,
    /// How it is written.
    pub(super) shape: Shape,
    /// Whether the items are shown in the opposite order of that in which they come.
    pub(super) reversed: bool,
    /// What is said in the heading behind "N of M".
    pub(super) about: String,
    /// Characters of the heading besides "N of M".
    heading_chars: usize,
    /// How many things there are in all.
    pub(super) total: u64,
    /// How many of them an item holds.
    pub(super) count: fn(&str) -> u64,
    /// The items.
    pub(super) items: PartItems<'a>,
}

impl<'a> Part<'a> {
    /// A list, a line an item.
    pub(super) fn lines(
        worth: &'static Worth,
        total: u64,
        about: impl Into<String>,
        items: impl Iterator<Item = String> + 'a,
    ) -> Self {
        let items = Box::new(items);
        let (shape, about) = (Shape::Lines, about.into());
        let heading_chars = chars(worth.name) + chars(&about) + 5;
        Self { worth, shape, reversed: false, about, heading_chars, total, count: |_| 1, items }
    }

    /// A list of words.
    pub(super) fn words(
        worth: &'static Worth,
        total: u64,
        about: impl Into<String>,
        items: impl Iterator<Item = String> + 'a,
    ) -> Self {
        Self { shape: Shape::Words, ..Self::lines(worth, total, about, items) }
    }

    /// A text of which each item shows more.
    pub(super) fn text(worth: &'static Worth, items: impl Iterator<Item = String> + 'a) -> Self {
        Self { shape: Shape::Text, ..Self::lines(worth, 1, "", items) }
    }

    /// Counts what an item holds, where that is more than one thing.
    pub(super) fn counting(self, count: fn(&str) -> u64) -> Self {
        Self { count, ..self }
    }

    /// Shows the items in the opposite order.
    pub(super) fn reversed(self) -> Self {
        Self { reversed: true, ..self }
    }

    fn heading(&self, shown: u64, total: u64) -> String {
        let name = self.worth.name;
        let share = share(shown, total);
        match self.about.as_str() {
            "" => format!("{name} ({share}):"),
            about => format!("{name} ({share}{about}):"),
        }
    }

    /// Characters of the heading with its line feed, or with the space before the first word.
    pub(super) fn heading_chars(&self, shown: u64, total: u64) -> usize {
        self.heading_chars + share_chars(shown, total)
    }
}

/// "40 of 300", or "all 12".
pub(super) fn share(shown: u64, all: u64) -> String {
    if shown >= all { format!("all {all}") } else { format!("{shown} of {all}") }
}

/// Characters of that.
fn share_chars(shown: u64, all: u64) -> usize {
    if shown >= all { 4 + digits(all) } else { digits(shown) + 4 + digits(all) }
}

/// Digits of a number.
pub(super) fn digits(number: u64) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// The number of characters of a text.
pub(super) fn chars(text: &str) -> usize {
    count_chars(text)
}

impl Filled<'_> {
    /// Writes what is shown.
    pub(super) fn write(&self, out: &mut String) {
        if self.shown.is_empty() {
            return;
        }
        let heading = || self.part.heading(self.count, self.total());
        match self.part.shape {
            Shape::Text => out.extend(self.shown.last().map(|text| format!("{text}\n"))),
            Shape::Words => {
                let _ = writeln!(out, "{} {}", heading(), self.shown.join(", "));
            }
            Shape::Lines => {
                let _ = writeln!(out, "{}", heading());
                let mut write = |item: &String| {
                    out.push_str(item);
                    out.push('\n');
                };
                if self.part.reversed {
                    self.shown.iter().rev().for_each(&mut write);
                } else {
                    self.shown.iter().for_each(&mut write);
                }
            }
        }
    }
}
