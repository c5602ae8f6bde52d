//! Arms: what of a run's past a worker is shown at each step.
//!
//! Each is a small type behind [`Arm`] and one row of [`ARMS`]; its settings are in
//! [`Policy`], which is part of the protocol. An arm sees the history and nothing of the task's truth.

mod called;
mod compaction;
mod extracting;
mod folded;
mod layout;
mod list;
mod policy;
mod raw;
mod retrieval;
mod summary;
mod table;
mod tally;

use corpus_gen::tasks::Family;
use trace_model::view::{Budget, Variant, Version, WorkerView};

pub use policy::{Arm, Policy, Setup};
pub use table::ARMS;

/// A view of the run as an arm shows it.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// Which view.
    pub view: WorkerView,
    /// How long it may be.
    pub budget: Budget,
}

impl Shown {
    const fn first(variant: Variant) -> Self {
        Self { view: WorkerView { version: Version::One, variant }, budget: Budget::Caps }
    }

    const fn second(self) -> Self {
        let variant = self.view.variant;
        Self { view: WorkerView { version: Version::Two, variant }, ..self }
    }
}

/// How an arm is made.
#[derive(Debug, Clone, Copy)]
pub enum Make {
    /// From the run's steps.
    Steps(fn(&Setup) -> Box<dyn Arm>),
    /// From a view of the run.
    View(fn(&Setup, Shown) -> Box<dyn Arm>, Shown),
}

/// An arm as it is listed.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property that any arm may have")]
pub struct ArmSpec {
    /// Its name.
    pub name: &'static str,
    /// What the worker is shown, in a few words.
    pub about: &'static str,
    /// Whether the worker is asked to keep a note in its actions.
    pub notes: bool,
    /// Whether the bench offers the tool that adds.
    pub tally: bool,
    /// Whether it is about sums, so for chains only.
    pub sums: bool,
    /// The only family it is for, if there is one.
    pub only: Option<Family>,
    /// Whether it uses its own model.
    pub needs_model: bool,
    /// The arm that shows the same without asking for a cache, if it asks for one.
    pub without_cache: Option<&'static str>,
    /// How it is made.
    pub make: Make,
}

/// An arm that shows no view.
const fn arm(name: &'static str, about: &'static str, make: fn(&Setup) -> Box<dyn Arm>) -> ArmSpec {
    made(name, about, Make::Steps(make))
}

/// An arm that shows the first version of the worker view, or a variant of it.
const fn viewing(
    name: &'static str,
    about: &'static str,
    variant: Variant,
    make: fn(&Setup, Shown) -> Box<dyn Arm>,
) -> ArmSpec {
    made(name, about, Make::View(make, Shown::first(variant)))
}

const fn made(name: &'static str, about: &'static str, make: Make) -> ArmSpec {
    ArmSpec {
        name,
        about,
        notes: false,
        tally: false,
        sums: false,
        only: None,
        needs_model: false,
        without_cache: None,
        make,
    }
}

impl ArmSpec {
    const fn notes(self) -> Self {
        Self { notes: true, ..self }
    }

    const fn tally(self) -> Self {
        Self { tally: true, sums: true, ..self }
    }

    const fn sums(self) -> Self {
        Self { sums: true, ..self }
    }

    /// The same arm with the second version of its view.
    const fn second(self, name: &'static str, about: &'static str) -> Self {
        let make = match self.make {
            Make::View(make, shown) => Make::View(make, shown.second()),
            steps @ Make::Steps(_) => steps,
        };
        Self { name, about, make, ..self }
    }

    /// The same arm with its view within a budget.
    const fn within(self, chars: usize, name: &'static str, about: &'static str) -> Self {
        let make = match self.make {
            Make::View(make, Shown { view, .. }) => {
                Make::View(make, Shown { view, budget: Budget::Chars(chars) })
            }
            steps @ Make::Steps(_) => steps,
        };
        Self { name, about, make, ..self }
    }

    const fn only(self, family: Family) -> Self {
        Self { only: Some(family), ..self }
    }

    const fn needs_model(self) -> Self {
        Self { needs_model: true, ..self }
    }

    const fn caches(self, without_cache: &'static str) -> Self {
        Self { without_cache: Some(without_cache), ..self }
    }

    /// Makes one.
    #[must_use]
    pub fn policy(&self, setup: &Setup) -> Box<dyn Arm> {
        match self.make {
            Make::Steps(make) => make(setup),
            Make::View(make, shown) => make(setup, shown),
        }
    }

    /// Which view of the run it shows.
    #[must_use]
    pub fn view(&self) -> Option<WorkerView> {
        match self.make {
            Make::Steps(_) => None,
            Make::View(_, shown) => Some(shown.view),
        }
    }

    /// Whether the suite runs it: of the arms with the second version of the view, `curated/2` stands for all.
    #[must_use]
    pub fn in_suite(&self) -> bool {
        self.name == "curated/2" || self.view().is_none_or(|view| view.version == Version::One)
    }

    /// The name where it is part of a file's.
    #[must_use]
    pub fn file_name(&self) -> String {
        self.name.replace('/', ".")
    }

    /// The arm of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        ARMS.iter().find(|arm| arm.name == name)
    }

    /// Whether it has anything to do with a family.
    #[must_use]
    pub fn is_for(&self, family: Family) -> bool {
        let sums = matches!(family, Family::Chain | Family::AltChain | Family::ProseChain);
        self.only.is_none_or(|only| only == family) && (sums || !self.sums)
    }
}
