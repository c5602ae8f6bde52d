//! The handover view as sections, for renderers that write it otherwise than as text, such as the observer's page.
//! Made by the same `fill`, from the same parts and within the same budget as the text, so that the two never
//! disagree: the text is the sections written out.

use super::fill::{Filled, fill};
use super::part::{self, Shape, chars};
use super::parts::{Scope, parts};
use super::{LEFT_OUT, LeftOut, stamp};
use crate::fold::RunState;
use crate::view::budget::Budget;
use crate::view::variant::Variant;

/// How the items of a section are written in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionShape {
    /// A heading, and a line for each item.
    Lines,
    /// The items behind the heading on the same line, separated by commas.
    Words,
    /// One line of prose, without a heading.
    Text,
}

/// A section of the view of which something is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The name at the start of its heading. That of a text may not stand in the text itself.
    pub name: &'static str,
    /// How many things it shows, of how many; none for a text.
    pub share: Option<(u64, u64)>,
    /// What the heading says behind "N of M", with the punctuation before it.
    pub about: String,
    /// How its items are written.
    pub shape: SectionShape,
    /// The items in the order in which they are shown; of a text, one.
    pub items: Vec<String>,
}

/// The view in a budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sections {
    /// The sections, in the order of the text.
    pub shown: Vec<Section>,
    /// The parts of which nothing is shown, with how many things each has; empty if there are none.
    pub left_out: String,
}

/// The sections that [`WorkerView::TWO`](crate::view::WorkerView::TWO) shows of a run within a budget.
pub fn sections(state: &RunState, budget: Budget) -> Sections {
    let fixed = chars(&stamp(state, Variant::Worker));
    let filled = filled(state, Scope::whole(Variant::Worker), budget, fixed);
    Sections::of(&filled)
}

/// The parts of the view, filled within the budget beyond `fixed` characters.
pub(super) fn filled(
    state: &RunState,
    scope: Scope,
    budget: Budget,
    fixed: usize,
) -> Vec<Filled<'_>> {
    fill(parts(state, scope), budget, fixed, |parts| LeftOut::of(parts).chars())
}

impl Sections {
    fn of(filled: &[Filled<'_>]) -> Self {
        let left_out = LeftOut::of(&mut filled.iter().map(|part| (part, part.is_left_out())));
        let left_out = left_out.line();
        let left_out = left_out.trim_end().strip_prefix(LEFT_OUT).unwrap_or_default().to_owned();
        let shown = filled.iter().filter(|part| !part.shown.is_empty()).map(Section::of).collect();
        Self { shown, left_out }
    }
}

impl Section {
    fn of(filled: &Filled<'_>) -> Self {
        let mut items = filled.shown.clone();
        let shape = match filled.part.shape {
            Shape::Lines => SectionShape::Lines,
            Shape::Words => SectionShape::Words,
            Shape::Text => SectionShape::Text,
        };
        match shape {
            // Each item is more of the same text.
            SectionShape::Text => drop(items.drain(..items.len().saturating_sub(1))),
            SectionShape::Lines if filled.part.reversed => items.reverse(),
            SectionShape::Lines | SectionShape::Words => {}
        }
        let extent = (shape != SectionShape::Text).then(|| (filled.count, filled.total()));
        Self {
            name: filled.part.worth.name,
            share: extent,
            about: filled.part.about.clone(),
            shape,
            items,
        }
    }

    /// "40 of 300", or "all 12", and what the heading says behind it; empty for a text.
    pub fn extent(&self) -> String {
        let said = |(shown, total)| format!("{}{}", part::share(shown, total), self.about);
        self.share.map_or_else(String::new, said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::reference;

    /// The sections as the text has them.
    fn written(sections: &Sections) -> String {
        let mut lines = Vec::new();
        for section in &sections.shown {
            let heading = format!("{} ({}):", section.name, section.extent());
            match section.shape {
                SectionShape::Text => lines.extend(section.items.iter().cloned()),
                SectionShape::Words => {
                    lines.push(format!("{heading} {}", section.items.join(", ")));
                }
                SectionShape::Lines => {
                    lines.push(heading);
                    lines.extend(section.items.iter().cloned());
                }
            }
        }
        if !sections.left_out.is_empty() {
            lines.push(format!("{LEFT_OUT}{}", sections.left_out));
        }
        lines.into_iter().map(|line| line + "\n").collect()
    }

    #[test]
    fn the_text_is_the_sections_written_out() {
        let state = reference::state();
        let budgets = (1000..9500).step_by(250).map(Budget::Chars).chain([Budget::Own]);
        for budget in budgets {
            let text = super::super::compile(&state, budget, Variant::Worker);
            let sections = written(&sections(&state, budget));
            let of_view = text.split_once('\n').map(|(_, body)| body);
            assert_eq!(of_view, Some(sections.as_str()), "{budget:?}");
        }
    }
}
