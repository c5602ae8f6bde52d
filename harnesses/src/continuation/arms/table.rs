//! The table of arms: one row each. An arm that shows a view has a counterpart, named `/2`, that is the same but
//! for the view's version.

use corpus_gen::tasks::Family;
use trace_model::view::Variant;

use super::extracting::ExtractorKind;
use super::{ArmSpec, arm, compaction, folded, list, raw, retrieval, summary, tally, viewing};

const CURATED: ArmSpec = viewing(
    "curated",
    "a view of the run every K steps, and the last K steps",
    Variant::Worker,
    |s, view| Box::new(folded::Curated::new(s, view)),
);

const CURATED_CACHED: ArmSpec = viewing(
    "curated-cached",
    "the view in the first turn, and the steps since as turns",
    Variant::Worker,
    |s, view| Box::new(folded::CuratedTurns::new(s, view)),
)
.caches("curated");

const VIEW_PLUS_FULL: ArmSpec = viewing(
    "view-plus-full",
    "a view of the run every K steps, and every step",
    Variant::Worker,
    |s, view| Box::new(folded::ViewPlusFull::new(s, view)),
);

const VIEW_WITHOUT_AGGREGATES: ArmSpec = viewing(
    "view-without-aggregates",
    "as curated, the view without what facts add up to",
    Variant::WithoutAggregates,
    |s, view| Box::new(folded::Curated::new(s, view)),
);

const CURATED_UNSTAMPED: ArmSpec = viewing(
    "curated-unstamped",
    "as curated, the view without what it covers",
    Variant::Unstamped,
    |s, view| Box::new(folded::Curated::new(s, view)),
);

const CURATED_DECLARED: ArmSpec = viewing(
    "curated-declared",
    "as curated; the fold keeps the statistic that the task declares",
    Variant::Worker,
    |s, view| Box::new(folded::Curated::declared(s, view)),
)
.sums();

const PARSER_FIXED: ArmSpec = viewing(
    "parser-fixed",
    "as curated; facts are lines `key = value` and `key: value`",
    Variant::Worker,
    |s, view| Box::new(folded::Curated::parsed(s, view, ExtractorKind::Fixed)),
)
.only(Family::ProseChain);

const PARSER_TUNED: ArmSpec = viewing(
    "parser-tuned",
    "as curated; facts of prose by patterns made for these tasks",
    Variant::Worker,
    |s, view| Box::new(folded::Curated::parsed(s, view, ExtractorKind::Tuned)),
)
.only(Family::ProseChain);

const PARSER_MODEL: ArmSpec =
    viewing("parser-model", "as curated; facts of prose by a model", Variant::Worker, |s, view| {
        Box::new(folded::Curated::parsed(s, view, ExtractorKind::Model))
    })
    .only(Family::ProseChain)
    .needs_model();

/// All arms.
pub const ARMS: [ArmSpec; 33] = [
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
    CURATED,
    CURATED_CACHED,
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
    VIEW_PLUS_FULL,
    VIEW_WITHOUT_AGGREGATES,
    CURATED_UNSTAMPED,
    CURATED_DECLARED,
    PARSER_FIXED,
    PARSER_TUNED,
    PARSER_MODEL,
    CURATED.second("curated/2", "as curated, with the view worker/2"),
    CURATED.second("", "").within(
        9500,
        "curated/2@9500",
        "as curated/2, the view within 9,500 characters",
    ),
    CURATED_CACHED
        .second("curated-cached/2", "as curated-cached, with the view worker/2")
        .caches("curated/2"),
    VIEW_PLUS_FULL.second("view-plus-full/2", "as view-plus-full, with the view worker/2"),
    VIEW_WITHOUT_AGGREGATES
        .second("view-without-aggregates/2", "as view-without-aggregates, with the view worker/2"),
    CURATED_UNSTAMPED.second("curated-unstamped/2", "as curated-unstamped, with the view worker/2"),
    CURATED_DECLARED.second("curated-declared/2", "as curated-declared, with the view worker/2"),
    PARSER_FIXED.second("parser-fixed/2", "as parser-fixed, with the view worker/2"),
    PARSER_TUNED.second("parser-tuned/2", "as parser-tuned, with the view worker/2"),
    PARSER_MODEL.second("parser-model/2", "as parser-model, with the view worker/2"),
    arm("list", "the last 40 paths and 20 commands every K steps, and the last K steps", |s| {
        Box::new(list::List::new(&s.policy))
    }),
    arm(
        "vendor-summary",
        "every step; beyond 6,000 tokens a summary as vendors ask for it, and the steps since",
        |s| Box::new(compaction::Compacting::new(s)),
    ),
];
