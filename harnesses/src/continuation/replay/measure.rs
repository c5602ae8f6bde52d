//! What the contexts at a run's cuts hold of what is looked for there.

use std::collections::BTreeMap;

use super::contexts::{CONTEXTS, FLOOR, Made, OTHER, Past, Size, chars};
use super::cuts::{CutKind, CutRules};
use super::entities::EntityKind;
use super::holds::Finder;
use super::normal::normal;
use super::scored::{ScoredCut, Wanted, score};
use super::session::Session;
use crate::inputs::RunInput;

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
    fn of<'a>(wanted: impl IntoIterator<Item = &'a Wanted>) -> Self {
        let mut counts = Self::default();
        for it in wanted {
            let kind = it.entity.kind as usize;
            counts.used[kind] += 1;
            counts.needed[kind] += u32::from(it.needed);
        }
        counts
    }

    pub(super) fn add(&mut self, other: &Self) {
        for kind in 0..KINDS {
            self.needed[kind] += other.needed[kind];
            self.used[kind] += other.used[kind];
        }
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

/// The number of a context, and its size.
pub(super) type ContextKey = (usize, Size);

/// A cut, measured.
#[derive(Clone, Debug)]
pub(super) struct CutResult {
    /// Why the run is cut here.
    pub(super) kind: CutKind,
    /// What is looked for.
    pub(super) all: Counts,
    /// What each context holds.
    pub(super) held: BTreeMap<ContextKey, Held>,
}

/// A run, measured.
#[derive(Debug)]
pub(super) struct SessionResult {
    /// Its name, which says nothing of its content.
    pub(super) name: String,
    /// The corpus it belongs to.
    pub(super) corpus: String,
    /// SHA-256 of each of its transcripts.
    pub(super) hashes: Vec<String>,
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
    /// The numbers of the contexts.
    pub(super) contexts: Vec<usize>,
}

/// Measures a run, but for what takes other runs.
pub(super) fn measure(input: &RunInput, plan: &Plan) -> SessionResult {
    let session = Session::read(input.files.transcripts(), plan.rules, &plan.sizes);
    let scored = score(&session.items, &session.cuts, &session.folder, plan.rules);
    let mut cuts = Vec::new();
    for (cut, snapshot) in session.cuts.iter().zip(&session.snapshot_of) {
        let Some(scored) = scored.iter().find(|scored| scored.cut == *cut) else { continue };
        let past = Past { session: &session, cut: *cut, snapshot: &session.snapshots[*snapshot] };
        cuts.push(at_cut(&past, &scored.wanted, plan));
    }
    let end = session.end.into_iter().filter(|((renderer, _), _)| *renderer == FLOOR);
    SessionResult {
        name: input.name.clone(),
        corpus: input.corpus.clone(),
        hashes: input.hashes(),
        cuts,
        scored,
        end: end.map(|((_, size), view)| (size, view)).collect(),
    }
}

fn finder(wanted: &[Wanted]) -> Finder {
    Finder::new(wanted.iter().map(|it| (&it.entity, it.whole.as_deref())))
}

fn at_cut(past: &Past<'_>, wanted: &[Wanted], plan: &Plan) -> CutResult {
    let finder = finder(wanted);
    let mut held = BTreeMap::new();
    for &at in &plan.contexts {
        let context = &CONTEXTS[at];
        for size in plan.sizes.iter().filter(|size| context.sized || **size == Size::Own) {
            let found = match (context.make)(past, *size) {
                None => continue,
                Some(Made::Text(text)) => held_by(&text, &finder, wanted),
                Some(Made::Everything { chars }) => Held { chars, counts: Counts::of(wanted) },
            };
            held.insert((at, *size), found);
        }
    }
    CutResult { kind: past.cut.kind, all: Counts::of(wanted), held }
}

fn held_by(text: &str, finder: &Finder, wanted: &[Wanted]) -> Held {
    let held = finder.held(&normal(text));
    let found = wanted.iter().zip(held).filter(|(_, held)| *held).map(|(it, _)| it);
    Held { chars: chars(text), counts: Counts::of(found) }
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
                let held = finder.held(view);
                let found = scored.wanted.iter().zip(held).filter(|(_, held)| *held);
                let counts = Counts::of(found.map(|(it, _)| it));
                cut.held.insert((other, *size), Held { chars: *chars, counts });
            }
        }
    }
}
