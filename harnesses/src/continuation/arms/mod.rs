//! Arms: what of a run's past a worker is shown at each step.
//!
//! Each is a small type behind [`Arm`] and one row of [`ARMS`]; its settings are in
//! [`Policy`], which is part of the protocol. An arm sees the history and nothing of the task's truth.

mod extracting;
mod folded;
mod layout;
mod policy;
mod raw;
mod retrieval;
mod summary;
mod tally;

use corpus_gen::tasks::Family;
use trace_model::view::Variant;

use extracting::ExtractorKind;
pub use policy::{Arm, Policy, Setup};

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
    /// Which text of the run's fold it shows.
    pub view: Option<Variant>,
    /// Whether it is about sums, so for chains only.
    pub sums: bool,
    /// The only family it is for, if there is one.
    pub only: Option<Family>,
    /// Whether it uses its own model.
    pub needs_model: bool,
    /// The arm that shows the same without asking for a cache, if it asks for one.
    pub without_cache: Option<&'static str>,
    /// Makes one.
    pub make: fn(&Setup) -> Box<dyn Arm>,
}

const fn arm(name: &'static str, about: &'static str, make: fn(&Setup) -> Box<dyn Arm>) -> ArmSpec {
    ArmSpec {
        name,
        about,
        notes: false,
        tally: false,
        view: None,
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

    const fn view(self, view: Variant) -> Self {
        Self { view: Some(view), ..self }
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

/// All arms.
pub const ARMS: [ArmSpec; 21] = [
    arm("full", "every step, in one message", |_| Box::new(raw::Full)),
    arm("full-cached", "every step, as turns that are appended to", |_| Box::new(raw::Turns))
        .caches("full"),
    arm("full-one-block", "every step, in one cached block that is rebuilt", |_| {
        Box::new(raw::OneBlock)
    })
    .caches("full"),
    arm("mask", "every action; observations but the last K are left out", |s| {
        Box::new(raw::Mask::new(s.policy.refresh_every))
    }),
    arm("curated", "a view of the run every K steps, and the last K steps", |s| {
        Box::new(folded::Curated::new(s, Variant::Worker))
    })
    .view(Variant::Worker),
    arm("curated-cached", "the view in the first turn, and the steps since as turns", |s| {
        Box::new(folded::CuratedTurns::new(s, Variant::Worker))
    })
    .view(Variant::Worker)
    .caches("curated"),
    arm("scratchpad", "every step; the worker keeps a note", |_| Box::new(raw::Full)).notes(),
    arm("scratchpad-cached", "the same as turns that are appended to", |_| Box::new(raw::Turns))
        .notes()
        .caches("scratchpad"),
    arm("mask-scratchpad", "as mask; the worker keeps a note", |s| {
        Box::new(raw::Mask::new(s.policy.refresh_every))
    })
    .notes(),
    arm("summary-capped", "a rolling summary of limited length, and the last K steps", |s| {
        Box::new(summary::Rolling::capped(s))
    }),
    arm("summary-uncapped", "a rolling summary of any length, and the last K steps", |s| {
        Box::new(summary::Rolling::uncapped(s))
    }),
    arm("retrieval", "the M past steps most like the last one, and the last K steps", |s| {
        Box::new(retrieval::Retrieval::new(&s.policy))
    }),
    arm("calculator", "every step; a tool adds numbers", |_| Box::new(raw::Full)).tally(),
    arm("minimal-tally", "a running sum by a pattern, and the last K steps", |s| {
        Box::new(tally::Minimal::new(s))
    })
    .sums(),
    arm("view-plus-full", "a view of the run every K steps, and every step", |s| {
        Box::new(folded::ViewPlusFull::new(s))
    })
    .view(Variant::Worker),
    arm("view-without-aggregates", "as curated, the view without what facts add up to", |s| {
        Box::new(folded::Curated::new(s, Variant::WithoutAggregates))
    })
    .view(Variant::WithoutAggregates),
    arm("curated-unstamped", "as curated, the view without what it covers", |s| {
        Box::new(folded::Curated::new(s, Variant::Unstamped))
    })
    .view(Variant::Unstamped),
    arm(
        "curated-declared",
        "as curated; the fold keeps the statistic that the task declares",
        |s| Box::new(folded::Curated::declared(s)),
    )
    .view(Variant::Worker)
    .sums(),
    arm("parser-fixed", "as curated; facts are lines `key = value` and `key: value`", |s| {
        Box::new(folded::Curated::parsed(s, ExtractorKind::Fixed))
    })
    .view(Variant::Worker)
    .only(Family::ProseChain),
    arm("parser-tuned", "as curated; facts of prose by patterns made for these tasks", |s| {
        Box::new(folded::Curated::parsed(s, ExtractorKind::Tuned))
    })
    .view(Variant::Worker)
    .only(Family::ProseChain),
    arm("parser-model", "as curated; facts of prose by a model", |s| {
        Box::new(folded::Curated::parsed(s, ExtractorKind::Model))
    })
    .view(Variant::Worker)
    .only(Family::ProseChain)
    .needs_model(),
];
