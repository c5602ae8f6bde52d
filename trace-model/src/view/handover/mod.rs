//! The handover view, `worker/2`: what an agent that takes over, or goes on after its context was cut, needs of the
//! run, in a budget.
//!
//! Its parts are chosen and ordered by what `tracefold continue replay` finds that agents went on to need, and what
//! COMPREHEND asks. `parts` makes them from the state, `worth` says which gives way to which, `fill`
//! takes items until the budget is spent. Every list says how many of how many it shows, and a last line names the
//! parts of which nothing is shown. Used through [`WorkerView`](super::WorkerView);
//! [`sections`] gives other renderers the same in pieces.

mod delta;
mod fill;
mod part;
mod parts;
mod section;
mod worth;

use std::fmt::Write as _;
use std::sync::OnceLock;

pub use delta::compile_since;
pub use section::{Section, SectionShape, Sections, sections};

use self::fill::Filled;
use self::part::{Shape, chars, digits};
use self::parts::Scope;
use self::section::filled;
use super::budget::Budget;
use super::reference;
use super::renderer::Renderer;
use super::variant::Variant;
use crate::fold::RunState;
use crate::ids::Seq;

/// Higher whenever any byte of the output changes. `worker/1` is the view before it (`view::worker`).
const VERSION: u32 = 2;

/// The start of the line that names the parts of which nothing is shown.
const LEFT_OUT: &str = "LEFT OUT: ";

/// The renderer of a variant.
pub(super) fn renderer(variant: Variant) -> Renderer {
    static FINGERPRINTS: [OnceLock<String>; Variant::ALL.len()] =
        [const { OnceLock::new() }; Variant::ALL.len()];
    let fingerprint = FINGERPRINTS[variant as usize].get_or_init(|| {
        reference::fingerprint(&body(&reference::state(), Scope::whole(variant), Budget::Own, 0))
    });
    Renderer { name: variant.name(), version: VERSION, fingerprint: fingerprint.clone() }
}

/// Compiles a variant of the view.
pub(super) fn compile(state: &RunState, budget: Budget, variant: Variant) -> String {
    with_stamp(&stamp(state, variant), state, Scope::whole(variant), budget)
}

fn with_stamp(stamp: &str, state: &RunState, scope: Scope, budget: Budget) -> String {
    let mut view = body(state, scope, budget, chars(stamp));
    view.insert_str(0, stamp);
    view
}

/// What compiled the view and what it covers.
fn stamp(state: &RunState, variant: Variant) -> String {
    let renderer = renderer(variant);
    if !variant.states_coverage() {
        return format!("# {renderer}: what it covers is left out\n");
    }
    format!("# {renderer}: covers {}\n", covered(state, 0))
}

/// "events 0-812 until TIME", from this event on.
fn covered(state: &RunState, from: u64) -> String {
    let observed = state.observed();
    let events = match observed.events {
        events if events <= from => "no events".to_owned(),
        events => format!("events {from}-{}", events - 1),
    };
    let until = observed.time.map_or_else(String::new, |time| format!(" until {time}"));
    format!("{events}{until}")
}

fn body(state: &RunState, scope: Scope, budget: Budget, fixed: usize) -> String {
    let filled = filled(state, scope, budget, fixed);
    let mut out = String::new();
    for part in &filled {
        part.write(&mut out);
    }
    let left_out = LeftOut::of(&mut filled.iter().map(|part| (part, part.is_left_out())));
    out.push_str(&left_out.line());
    out
}

/// What is left out: the lists by name with their lengths, those of one name together, and how many single lines.
struct LeftOut {
    lists: Vec<(&'static str, u64)>,
    texts: u64,
}

impl LeftOut {
    fn of(parts: &mut dyn Iterator<Item = (&Filled<'_>, bool)>) -> Self {
        let mut left = Self { lists: Vec::new(), texts: 0 };
        for (part, _) in parts.filter(|(_, is_left_out)| *is_left_out) {
            let short = part.part.worth.short;
            match (part.part.shape, left.lists.last_mut()) {
                (Shape::Text, _) => left.texts += 1,
                (_, Some((name, total))) if *name == short => *total += part.total(),
                _ => left.lists.push((short, part.total())),
            }
        }
        left
    }

    /// Each number with its name.
    fn pieces(&self) -> impl Iterator<Item = (u64, &'static str)> + '_ {
        let lists = self.lists.iter().map(|(name, total)| (*total, *name));
        lists.chain((self.texts > 0).then_some((self.texts, "lines")))
    }

    /// The line that says it. Empty if there is nothing.
    fn line(&self) -> String {
        let mut line = String::new();
        for (number, name) in self.pieces() {
            let before = if line.is_empty() { LEFT_OUT } else { ", " };
            let _ = write!(line, "{before}{number} {name}");
        }
        if !line.is_empty() {
            line.push('\n');
        }
        line
    }

    /// Characters of that line.
    fn chars(&self) -> usize {
        let pieces = self.pieces().map(|(number, name)| digits(number) + 1 + chars(name) + 2);
        match pieces.sum() {
            0 => 0,
            // No separator behind the last one, but a line feed.
            pieces => chars(LEFT_OUT) + pieces - 2 + 1,
        }
    }
}

/// The event behind which a delta view begins.
pub(super) type Since = Option<Seq>;

#[cfg(test)]
mod tests;
