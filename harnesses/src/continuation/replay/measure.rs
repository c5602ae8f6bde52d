//! What the contexts at a run's cuts hold of what is looked for there.

use std::collections::BTreeMap;

use trace_model::pricing::Dollars;

use super::arms::{Pricing, follow};
use super::contexts::{CONTEXTS, FLOOR, Made, OTHER, Past, Size, chars};
use super::cuts::{CutKind, CutRules};
use super::entities::EntityKind;
use super::holds::Finder;
use super::normal::normal;
use super::scored::{ScoredCut, Wanted, score};
use super::sections::{SectionHeld, sections};
use super::session::Session;
use crate::continuation::arms::ARMS;
use crate::inputs::{Identity, RunInput};

/// Kinds of entities.
const KINDS: usize = EntityKind::ALL.len();

/// How many entities, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Of what is needed.
    pub(super) needed: [u32; KINDS],
    /// Of what is used next.
    pub(super) used: [u32; KINDS],
}

impl Counts {
    pub(super) fn of<'a>(wanted: impl IntoIterator<Item = &'a Wanted>) -> Self {
        let mut counts = Self::default();
        for it in wanted {
            let kind = it.entity.kind as usize;
            counts.used[kind] += 1;
            counts.needed[kind] += u32::from(it.needed);
        }
        counts
    }
}

/// What one context holds at one cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// The context's characters.
    pub(super) chars: usize,
    /// What it holds.
    pub(super) counts: Counts,
}

/// A context, and its size.
pub(super) type ContextKey = (ContextId, Size);

/// Which context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ContextId {
    /// The row of [`CONTEXTS`].
    Context(usize),
    /// The row of [`ARMS`].
    Arm(usize),
}

impl ContextId {
    /// What it is, in a few words, if it is no arm.
    pub(super) fn about(self) -> Option<&'static str> {
        match self {
            Self::Context(at) => Some(CONTEXTS[at].about),
            Self::Arm(_) => None,
        }
    }

    /// Its name.
    pub(super) fn name(self) -> String {
        match self {
            Self::Context(at) => CONTEXTS[at].name.to_owned(),
            Self::Arm(at) => format!("arm {}", ARMS[at].name),
        }
    }
}

/// What an arm would have cost up to a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ArmCost {
    /// Tokens of its context at the cut, estimated.
    pub(super) tokens: u64,
    /// Dollars of the calls before, simulated; none if some tokens have no price.
    pub(super) dollars: Option<Dollars>,
}

/// A cut, measured.
#[derive(Clone, Debug)]
pub(super) struct CutResult {
    /// Why the run is cut here.
    pub(super) kind: CutKind,
    /// What is looked for.
    pub(super) all: Counts,
    /// What each context holds.
    pub(super) held: BTreeMap<ContextKey, Held>,
    /// What each section of a view in its own size holds, by the view's row of [`RENDERERS`].
    pub(super) sections: BTreeMap<usize, BTreeMap<String, SectionHeld>>,
    /// What each arm would have cost, by its row of [`ARMS`].
    pub(super) costs: BTreeMap<usize, ArmCost>,
}

/// A run, measured.
#[derive(Debug)]
pub(super) struct SessionResult {
    /// Its name, which says nothing of its content.
    pub(super) name: String,
    /// The corpus it belongs to.
    pub(super) corpus: String,
    /// What identifies it.
    pub(super) identity: Identity,
    /// Its cuts.
    pub(super) cuts: Vec<CutResult>,
    /// What was looked for, for what is measured against other sessions.
    scored: Vec<ScoredCut>,
    /// The views at its end.
    end: BTreeMap<Size, String>,
}

/// What is measured.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// How runs are cut.
    pub(super) rules: CutRules,
    /// Sizes of contexts, their own among them.
    pub(super) sizes: Vec<Size>,
    /// The rows of the contexts.
    pub(super) contexts: Vec<usize>,
    /// How the calls of arms are priced, if arms are measured.
    pub(super) arms: Option<Pricing>,
}

/// Measures a run, but for what takes other runs.
pub(super) fn measure(input: &RunInput, plan: &Plan) -> anyhow::Result<SessionResult> {
    let session = Session::read(input.files.transcripts(), plan.rules, &plan.sizes);
    let scored = score(&session.items, &session.cuts, &session.folder, plan.rules);
    let finders: Vec<Finder> = scored.iter().map(|scored| finder(&scored.wanted)).collect();
    let mut cuts = Vec::new();
    for (scored, finder) in scored.iter().zip(&finders) {
        let at = session.cuts.iter().position(|cut| *cut == scored.cut);
        let snapshot = at.and_then(|at| session.snapshot_of.get(at));
        let snapshot = snapshot.and_then(|at| session.snapshots.get(*at)).cloned();
        let snapshot = snapshot.unwrap_or_default();
        let past = Past { session: &session, cut: scored.cut, snapshot: &snapshot };
        cuts.push(at_cut(&past, finder, &scored.wanted, plan));
    }
    if let Some(pricing) = &plan.arms {
        follow(&session, pricing, &mut |arm, before, context| {
            let normal = normal(&context.text);
            let here = (cuts.iter_mut()).zip(&scored).zip(&finders);
            for ((cut, scored), finder) in here.filter(|((_, it), _)| it.cut.before == before) {
                let held = held_in(&normal, chars(&context.text), finder, &scored.wanted);
                cut.held.insert((ContextId::Arm(arm), Size::Own), held);
                let cost = ArmCost { tokens: context.tokens, dollars: context.dollars };
                cut.costs.insert(arm, cost);
            }
        })?;
    }
    let end = session.end.into_iter().filter(|((renderer, _), _)| *renderer == FLOOR);
    Ok(SessionResult {
        name: input.name.clone(),
        corpus: input.corpus.clone(),
        identity: Identity::of(input),
        cuts,
        scored,
        end: end.map(|((_, size), view)| (size, view)).collect(),
    })
}

fn finder(wanted: &[Wanted]) -> Finder {
    Finder::new(wanted.iter().map(|it| (&it.entity, it.whole.as_deref())))
}

fn at_cut(past: &Past<'_>, finder: &Finder, wanted: &[Wanted], plan: &Plan) -> CutResult {
    let mut held = BTreeMap::new();
    for &at in &plan.contexts {
        let context = &CONTEXTS[at];
        for size in plan.sizes.iter().filter(|size| context.sized || **size == Size::Own) {
            let found = match (context.make)(past, *size) {
                None => continue,
                Some(Made::Text(text)) => held_in(&normal(&text), chars(&text), finder, wanted),
                Some(Made::Everything { chars }) => Held { chars, counts: Counts::of(wanted) },
            };
            held.insert((ContextId::Context(at), *size), found);
        }
    }
    let own = past.snapshot.views.iter().filter(|((_, size), _)| *size == Size::Own);
    let sections = own.map(|((at, _), view)| (*at, sections(view, finder, wanted))).collect();
    let all = Counts::of(wanted);
    CutResult { kind: past.cut.kind, all, held, sections, costs: BTreeMap::new() }
}

fn held_in(normal: &str, chars: usize, finder: &Finder, wanted: &[Wanted]) -> Held {
    let held = finder.held(normal);
    let found = wanted.iter().zip(held).filter(|(_, held)| *held).map(|(it, _)| it);
    Held { chars, counts: Counts::of(found) }
}

/// Adds to each run what the last view of the next one holds.
pub(super) fn measure_floor(runs: &mut [SessionResult], plan: &Plan) {
    let Some(other) = plan.contexts.iter().copied().find(|at| CONTEXTS[*at].name == OTHER) else {
        return;
    };
    let ends: Vec<BTreeMap<Size, String>> =
        runs.iter_mut().map(|run| std::mem::take(&mut run.end)).collect();
    if ends.len() < 2 {
        return;
    }
    for (at, run) in runs.iter_mut().enumerate() {
        let end: Vec<(Size, usize, String)> = ends[(at + 1) % ends.len()]
            .iter()
            .map(|(size, view)| (*size, chars(view), normal(view)))
            .collect();
        for (cut, scored) in run.cuts.iter_mut().zip(&run.scored) {
            let finder = finder(&scored.wanted);
            for (size, chars, view) in &end {
                let held = held_in(view, *chars, &finder, &scored.wanted);
                cut.held.insert((ContextId::Context(other), *size), held);
            }
        }
    }
}
