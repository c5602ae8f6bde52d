//! Two scoreboards side by side: what differs in their origin, in each aggregate, and pair by pair.

mod paired;
mod text;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use crate::aggregate::{Aggregate, AggregateSpec, IntervalSpec};
use crate::provenance::Corpus;
use crate::schema::Scoreboard;
use crate::show::seeds;
pub use paired::Paired;
pub use types::{AggregateDelta, BoardRef, Comparison, Named, ProvenanceDifference};

/// Compares two scoreboards, in the order given: differences are second minus first.
pub fn compare(a: &Scoreboard, b: &Scoreboard) -> Comparison {
    let mut shared: Vec<AggregateDelta> = a
        .aggregates
        .iter()
        .filter_map(|one| Some((one, b.aggregate(&one.spec.name, &one.spec.over)?)))
        .map(|(one, other)| delta(a, b, one, other))
        .collect();
    paired::adjust(shared.iter_mut().filter_map(|delta| delta.paired.as_mut()).collect());
    let (ids_a, ids_b) = (ids(a), ids(b));
    Comparison {
        a: board_ref(a),
        b: board_ref(b),
        provenance: provenance(a, b),
        shared,
        only_in_a: only(a, b),
        only_in_b: only(b, a),
        rows_shared: ids_a.intersection(&ids_b).count() as u64,
        rows_only_in_a: ids_a.difference(&ids_b).count() as u64,
        rows_only_in_b: ids_b.difference(&ids_a).count() as u64,
        same_rows: a.rows_sha256 == b.rows_sha256,
    }
}

fn delta(a: &Scoreboard, b: &Scoreboard, one: &Aggregate, other: &Aggregate) -> AggregateDelta {
    let same_method = one.spec.method == other.spec.method;
    let values = (one.outcome.value.decimal(), other.outcome.value.decimal());
    let difference = match values {
        (Some(x), Some(y)) if same_method => y.checked_sub(x).map(|d| d.normalize()),
        _ => None,
    };
    AggregateDelta {
        aggregate: named(&one.spec),
        a: one.outcome.shown(),
        b: other.outcome.shown(),
        difference,
        same_method,
        paired: same_method.then(|| paired::paired(a, b, &one.spec)).flatten(),
    }
}

fn named(spec: &AggregateSpec) -> Named {
    Named { name: spec.name.clone(), over: spec.over.clone() }
}

fn only(a: &Scoreboard, b: &Scoreboard) -> Vec<Named> {
    let missing = |spec: &AggregateSpec| b.aggregate(&spec.name, &spec.over).is_none();
    a.aggregates.iter().map(|one| &one.spec).filter(|spec| missing(spec)).map(named).collect()
}

fn ids(board: &Scoreboard) -> BTreeSet<&str> {
    board.rows.iter().map(|row| row.id.as_str()).collect()
}

fn board_ref(board: &Scoreboard) -> BoardRef {
    BoardRef {
        id: board.id.clone(),
        instrument: board.provenance.instrument,
        date: board.provenance.date.to_string(),
    }
}

/// Settings one by one, the rest field by field.
fn provenance(a: &Scoreboard, b: &Scoreboard) -> Vec<ProvenanceDifference> {
    let (p, q) = (&a.provenance, &b.provenance);
    let mut found = Vec::new();
    let mut note = |what: &str, a: String, b: String| {
        if a != b {
            found.push(ProvenanceDifference { what: what.to_owned(), a, b });
        }
    };
    note("instrument", p.instrument.to_string(), q.instrument.to_string());
    note("code version", p.code_version.clone(), q.code_version.clone());
    note("corpus", corpora(&p.corpora), corpora(&q.corpora));
    for (id, seeds_a, seeds_b) in seeds_by_corpus(&p.corpora, &q.corpora) {
        note(&format!("seeds of {id}"), seeds_a, seeds_b);
    }
    note("seed of resampling", resampling_seeds(a), resampling_seeds(b));
    for (what, a, b) in [
        ("protocol", text_values(&p.protocol), text_values(&q.protocol)),
        ("renderer", text_values(&p.renderers), text_values(&q.renderers)),
        ("grader", text_values(&p.graders), text_values(&q.graders)),
    ] {
        let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        for name in names {
            note(&format!("{what} {name}"), or_none(a.get(name)), or_none(b.get(name)));
        }
    }
    note("question pack", or_none(p.question_pack.as_ref()), or_none(q.question_pack.as_ref()));
    let asked = |p: &crate::Provenance| {
        or_none(p.answerer.as_ref().map(|a| format!("{}/{}", a.provider, a.model_asked)).as_ref())
    };
    note("reader or worker", asked(p), asked(q));
    let returned = |p: &crate::Provenance| {
        let models = p.answerer.as_ref().map(|a| a.models_returned.keys().cloned());
        models.map_or("none".to_owned(), |models| models.collect::<Vec<_>>().join(", "))
    };
    note("models that answered", returned(p), returned(q));
    note("prices", or_none(p.price_table.as_ref()), or_none(q.price_table.as_ref()));
    let build = |p: &crate::Provenance| {
        let env = &p.environment;
        format!("{} {} rustc {} {}", env.os, env.arch, env.rustc, env.build)
    };
    note("environment", build(p), build(q));
    found
}

fn text_values<V: ToString>(map: &BTreeMap<String, V>) -> BTreeMap<String, String> {
    map.iter().map(|(name, value)| (name.clone(), value.to_string())).collect()
}

fn or_none<T: ToString>(value: Option<&T>) -> String {
    value.map_or("none".to_owned(), ToString::to_string)
}

fn corpora(corpora: &[Corpus]) -> String {
    let texts: Vec<String> = corpora
        .iter()
        .map(|corpus| {
            let hash = corpus.manifest_sha256.as_deref().unwrap_or("no manifest");
            let seeds = corpus.seeds.len();
            format!("{} ({}, {seeds} seeds)", corpus.id, hash.get(..12).unwrap_or(hash))
        })
        .collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(" + ") }
}

/// The seeds of each corpus that both have: equal numbers of seeds are not equal seeds.
fn seeds_by_corpus(a: &[Corpus], b: &[Corpus]) -> Vec<(String, String, String)> {
    let of = |corpora: &[Corpus]| {
        let mut found: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
        for corpus in corpora {
            found.entry(corpus.id.clone()).or_default().extend(&corpus.seeds);
        }
        found
    };
    let text = |found: BTreeSet<u64>| seeds(&found.into_iter().collect::<Vec<_>>());
    let mut others = of(b);
    let both = of(a).into_iter().filter_map(|(id, one)| Some((others.remove(&id)?, id, one)));
    both.map(|(other, id, one)| (id, text(one), text(other))).collect()
}

/// The seeds behind a scoreboard's bootstrap intervals.
fn resampling_seeds(board: &Scoreboard) -> String {
    let found: BTreeSet<u64> = board
        .aggregates
        .iter()
        .filter_map(|aggregate| match aggregate.spec.interval {
            Some(IntervalSpec::Bootstrap { seed, .. }) => Some(seed),
            _ => None,
        })
        .collect();
    seeds(&found.into_iter().collect::<Vec<_>>())
}
