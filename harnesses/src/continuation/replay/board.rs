//! Replay's scoreboard: rows of counts by run, kind of cut, context and size. They hold no text of a
//! transcript.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use scoreboards::measures::replay::{self as measures, What};
use scoreboards::measures::{AggregateKey, LabelKey};
use scoreboards::{
    AggregateSpec, Instrument, IntervalSpec, Method, Provenance, Row, Scoreboard, ScoreboardBuilder,
};
use trace_model::pricing::Dollars;
use trace_model::view::flatlog;

use super::contexts::{CONTEXTS, RENDERERS, Size};
use super::cuts::CutKind;
use super::entities::EntityKind;
use super::measure::{ContextId, ContextKey, CutResult, Plan, SessionResult};
use super::recall::{Asked, Kinds, Question};
use super::sections::SectionHeld;
use super::tables::{HOOK, headline_of};
use crate::common::{CommonArgs, price_date, today};
use crate::continuation::arms::ARMS;
use crate::inputs::corpora;

/// The characters that a token is taken to have where no tokenizer is run.
const CHARS_PER_TOKEN: u64 = 4;

pub(super) fn build(
    common: &CommonArgs,
    plan: &Plan,
    runs: &[SessionResult],
    remarks: Vec<String>,
) -> anyhow::Result<Scoreboard> {
    let mut header = Provenance::new(Instrument::Replay, today(common), env!("CARGO_PKG_VERSION"));
    header.command = common.command();
    header.corpora = corpora(runs.iter().map(|run| &run.identity));
    header.protocol = protocol(plan);
    header.notes = remarks;
    if let Some(pricing) = &plan.arms {
        header.price_table = Some(price_date(&pricing.priced.prices)?);
    }
    let views = RENDERERS.iter().map(|it| (it.name, it.view.renderer()));
    for (name, stamp) in views.chain([("flatlog", flatlog::renderer())]) {
        let stamp = scoreboards::Renderer {
            name: stamp.name.to_owned(),
            version: stamp.version.to_string(),
            fingerprint: stamp.fingerprint,
        };
        header.renderers.insert(name.to_owned(), stamp);
    }
    let mut builder = ScoreboardBuilder::new(header);
    builder.rows(runs.iter().flat_map(rows).collect::<Vec<Row>>());
    declare(&mut builder, common.seed);
    builder.finish().context("the replay scoreboard cannot be built")
}

fn protocol(plan: &Plan) -> BTreeMap<String, String> {
    let sizes: Vec<String> = plan.sizes.iter().map(|size| size.name()).collect();
    let mut facts = BTreeMap::from([
        ("every".to_owned(), plan.rules.every.to_string()),
        ("min_calls".to_owned(), plan.rules.min_calls.to_string()),
        ("sizes".to_owned(), sizes.join(",")),
        ("window".to_owned(), plan.rules.window.to_string()),
    ]);
    if let Some(pricing) = &plan.arms {
        facts.insert("priced as".to_owned(), pricing.priced.model.clone());
        let (points, back, least) =
            (pricing.cache.max_breakpoints, pricing.cache.lookback, pricing.cache.minimum_tokens);
        let cache = format!(
            "at most {points} breakpoints, lookback {back} blocks, at least {least} tokens, 5 minutes"
        );
        facts.insert("cache".to_owned(), cache);
    }
    facts
}

/// The rows of a run.
fn rows(run: &SessionResult) -> Vec<Row> {
    let of_kind = |kind: CutKind| {
        let cuts: Vec<&CutResult> = run.cuts.iter().filter(|cut| cut.kind == kind).collect();
        OfRun { run, kind, cuts }.rows()
    };
    CutKind::ALL.into_iter().flat_map(of_kind).collect()
}

/// The cuts of one kind of a run.
struct OfRun<'a> {
    run: &'a SessionResult,
    kind: CutKind,
    cuts: Vec<&'a CutResult>,
}

/// Sums over cuts.
#[derive(Default)]
struct Sums {
    cuts: u64,
    chars: u64,
    needed: [u64; 2],
    used: [u64; 2],
}

impl OfRun<'_> {
    fn rows(&self) -> Vec<Row> {
        let keys: BTreeSet<ContextKey> =
            self.cuts.iter().flat_map(|cut| cut.held.keys().copied()).collect();
        let mut rows: Vec<Row> = keys.iter().map(|key| self.context(*key)).collect();
        rows.extend(keys.iter().filter(|(_, size)| *size == HOOK).map(|key| self.kinds(*key)));
        rows.extend(self.sections());
        rows
    }

    fn question(&self, asked: Asked) -> Question {
        Question { cut: self.kind, asked, kinds: Kinds::Pooled }
    }

    fn row(&self, what: What, parts: &[&str]) -> Row {
        let id = [what.name(), &self.run.name, self.kind.name()]
            .into_iter()
            .chain(parts.iter().copied());
        Row::new(id.collect::<Vec<_>>().join("/"))
            .label(&measures::WHAT, what)
            .label(&measures::RUN, &self.run.name)
            .label(&measures::CORPUS, &self.run.corpus)
            .label(&measures::CUT, self.kind.name())
    }

    fn sums(&self, key: ContextKey) -> Sums {
        let (needed, used) = (self.question(Asked::Needed), self.question(Asked::UsedNext));
        let mut sums = Sums::default();
        for cut in &self.cuts {
            let Some(held) = cut.held.get(&key) else { continue };
            sums.cuts += 1;
            sums.chars += held.chars as u64;
            for (sum, counts) in [&cut.all, &held.counts].into_iter().enumerate() {
                sums.needed[sum] += u64::from(needed.of(counts));
                sums.used[sum] += u64::from(used.of(counts));
            }
        }
        sums
    }

    fn context(&self, key: ContextKey) -> Row {
        let (id, size) = key;
        let sums = self.sums(key);
        let (what, name) = match id {
            ContextId::Context(at) => (What::Context, CONTEXTS[at].name),
            ContextId::Arm(at) => (What::Arm, ARMS[at].name),
        };
        let row = self
            .row(what, &[name, &size.name()])
            .label(&measures::CONTEXT, name)
            .label(&measures::SIZE, size.name())
            .with(&measures::CUTS, sums.cuts)
            .with(&measures::CHARACTERS, sums.chars)
            .with(&measures::NEEDED, sums.needed[0])
            .with(&measures::NEEDED_HELD, sums.needed[1])
            .with(&measures::USED, sums.used[0])
            .with(&measures::USED_HELD, sums.used[1]);
        let row = match id {
            ContextId::Context(_) => {
                row.with(&measures::ESTIMATED_TOKENS, sums.chars.div_ceil(CHARS_PER_TOKEN))
            }
            ContextId::Arm(at) => self.costs(row, at),
        };
        if name == "flatlog" || RENDERERS.iter().any(|it| it.name == name) {
            row.renderer(name)
        } else {
            row
        }
    }

    fn costs(&self, row: Row, arm: usize) -> Row {
        let costs = self.cuts.iter().filter_map(|cut| cut.costs.get(&arm));
        let dollars: Option<scoreboards::Decimal> =
            costs.clone().map(|cost| cost.dollars.map(Dollars::amount)).sum();
        row.with(&measures::ESTIMATED_TOKENS, costs.map(|cost| cost.tokens).sum::<u64>())
            .with_known(&measures::DOLLARS, dollars.ok_or("some tokens have no known price"))
    }

    fn kinds(&self, key: ContextKey) -> Row {
        let name = key.0.name();
        let mut row = self
            .row(What::Kinds, &[&name, &key.1.name()])
            .label(&measures::CONTEXT, &name)
            .label(&measures::SIZE, key.1.name());
        for kind in EntityKind::ALL {
            let question = Question { kinds: Kinds::One(kind), ..headline_of(self.kind) };
            let (mut of, mut held) = (0, 0);
            for cut in &self.cuts {
                let Some(found) = cut.held.get(&key) else { continue };
                of += u64::from(question.of(&cut.all));
                held += u64::from(question.of(&found.counts));
            }
            row = row
                .with(&measures::of_kind(kind.name()), of)
                .with(&measures::of_kind_held(kind.name()), held);
        }
        row
    }

    fn sections(&self) -> Vec<Row> {
        let mut sums: BTreeMap<(usize, &str), [u64; 5]> = BTreeMap::new();
        let (needed, used) = (self.question(Asked::Needed), self.question(Asked::UsedNext));
        for cut in &self.cuts {
            for (view, sections) in &cut.sections {
                for (name, SectionHeld { chars, alone, unique }) in sections {
                    let counts = [
                        *chars as u64,
                        needed.of(alone).into(),
                        needed.of(unique).into(),
                        used.of(alone).into(),
                        used.of(unique).into(),
                    ];
                    let sums = sums.entry((*view, name)).or_default();
                    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
                }
            }
        }
        let all = |question: Question| {
            self.cuts.iter().map(|cut| u64::from(question.of(&cut.all))).sum::<u64>()
        };
        let (all_needed, all_used) = (all(needed), all(used));
        let row = |((view, section), sums): ((usize, &str), [u64; 5])| {
            let view = RENDERERS[view].name;
            self.row(What::Section, &[view, section])
                .label(&measures::CONTEXT, view)
                .label(&measures::SIZE, Size::Own.name())
                .label(&measures::SECTION, section)
                .with(&measures::CUTS, self.cuts.len() as u64)
                .with(&measures::CHARACTERS, sums[0])
                .with(&measures::NEEDED, all_needed)
                .with(&measures::NEEDED_HELD, sums[1])
                .with(&measures::NEEDED_UNIQUE, sums[2])
                .with(&measures::USED, all_used)
                .with(&measures::USED_HELD, sums[3])
                .with(&measures::USED_UNIQUE, sums[4])
        };
        sums.into_iter().map(row).collect()
    }
}

fn declare(builder: &mut ScoreboardBuilder, seed: u64) {
    let needed = || measures::NEEDED_HELD.over(&measures::NEEDED);
    let used = || measures::USED_HELD.over(&measures::USED);
    let mean_chars = || measures::CHARACTERS.over(&measures::CUTS);
    let mean_tokens = || measures::ESTIMATED_TOKENS.over(&measures::CUTS);
    let cell = [&measures::CUT, &measures::CONTEXT, &measures::SIZE].map(LabelKey::name);
    for what in [What::Context, What::Arm] {
        let of = |key: &AggregateKey, method: Method| {
            AggregateSpec::new(key, method).over(&measures::WHAT, what).cluster(&measures::RUN)
        };
        let interval = |spec: AggregateSpec| spec.interval(IntervalSpec::bca95(seed));
        builder.aggregate_by(&cell, interval(of(&measures::NEEDED_RECALL, needed())));
        builder.aggregate_by(&cell, interval(of(&measures::USED_RECALL, used())));
        builder.aggregate_by(&cell, of(&measures::MEAN_CHARACTERS, mean_chars()));
        builder.aggregate_by(&cell, of(&measures::MEAN_TOKENS, mean_tokens()));
        if what == What::Arm {
            let dollars = measures::DOLLARS.over(&measures::CUTS);
            builder.aggregate_by(&cell, of(&measures::MEAN_DOLLARS, dollars));
        }
    }
    let section = [&measures::CUT, &measures::CONTEXT, &measures::SECTION].map(LabelKey::name);
    let of = |key: &AggregateKey, method: Method| {
        AggregateSpec::new(key, method).over(&measures::WHAT, What::Section).cluster(&measures::RUN)
    };
    builder.aggregate_by(&section, of(&measures::NEEDED_RECALL, needed()));
    let unique = measures::NEEDED_UNIQUE.over(&measures::NEEDED);
    builder.aggregate_by(&section, of(&measures::NEEDED_UNIQUE_RECALL, unique));
}
