//! Measures one run: fold, recount, compare, and put faults in.

use std::collections::BTreeMap;

use ground_truth::oracle::{dollars, estimate, recount};
use trace_model::fold::FoldConfig;

use super::comparable::{Fields, describe, differences, is_exercised, of_oracle, of_truth};
use super::fields::fold_fields;
use super::mutation::Sound;
use super::prices;
use super::tamper::{TAMPERINGS, Tampering};
use crate::folding::fold;
use crate::inputs::{Files, Identity, Input, RunInput};

/// One field of one run.
#[derive(Debug, Clone)]
pub(super) struct FieldResult {
    pub(super) equal: bool,
    /// Whether the generator's truth agrees with fold and oracle; none where it says nothing.
    pub(super) truth: Option<bool>,
    /// Whether a fault in this field is caught; none where the run does not exercise the field.
    pub(super) caught: Option<bool>,
    /// Fold, oracle and truth in short, where any two differ.
    pub(super) values: Option<[String; 3]>,
}

/// One run.
#[derive(Debug)]
pub(super) struct RunResult {
    pub(super) name: String,
    pub(super) identity: Identity,
    pub(super) corpus: String,
    pub(super) bytes: u64,
    pub(super) events: u64,
    pub(super) naive: u64,
    pub(super) deduplicated: u64,
    pub(super) fields: BTreeMap<String, FieldResult>,
}

/// Measures a run.
pub(super) fn run(input: &Input, config: &FoldConfig) -> anyhow::Result<RunResult> {
    let run = RunInput::load(input)?;
    let identity = Identity::of(&run);
    let RunInput { name, corpus, private, files, truth, .. } = run;
    let bytes = files.bytes();
    let folded = fold(&files.transcripts(), config.clone());
    let from_fold = fold_fields(&folded);
    let (naive, deduplicated) = folded.state.inflation();
    let events = folded.state.observed().events;
    drop(folded);
    let from_oracle = oracle_fields(files, config)?;
    let from_truth = truth.as_ref().map(of_truth).unwrap_or_default();
    let sound = Sound::new(&from_oracle);
    let names = from_fold.keys().chain(from_oracle.keys());
    let fields = names.map(|name| {
        let values = [&from_fold, &from_oracle, &from_truth];
        (name.clone(), field(name, values, &sound, private))
    });
    let fields = fields.collect();
    Ok(RunResult { name, identity, corpus, bytes, events, naive, deduplicated, fields })
}

fn oracle_fields(files: Files, config: &FoldConfig) -> anyhow::Result<Fields> {
    let counted = recount(&files.for_oracle()?);
    let prices = prices::for_oracle(&config.prices, &counted)?;
    let estimate = estimate(&counted, &prices::scales(&counted), &prices);
    Ok(of_oracle(&counted, &dollars(&counted, &prices), &estimate))
}

fn field(
    name: &str,
    [fold, oracle, truth]: [&Fields; 3],
    sound: &Sound,
    private: bool,
) -> FieldResult {
    let [by_fold, by_oracle, by_truth] = [fold, oracle, truth].map(|fields| fields.get(name));
    let equal = by_fold.is_some() && by_fold == by_oracle;
    let agrees = by_truth.map(|value| Some(value) == by_oracle && Some(value) == by_fold);
    let exercised = by_oracle.is_some_and(is_exercised);
    let values = (!equal || agrees == Some(false)).then(|| {
        let other = if equal { by_truth } else { by_oracle };
        [
            describe(by_fold, other, private),
            describe(by_oracle, by_fold, private),
            by_truth.map_or_else(String::new, |value| describe(Some(value), by_oracle, private)),
        ]
    });
    FieldResult { equal, truth: agrees, caught: exercised.then(|| sound.is_caught(name)), values }
}

/// What a tampered fold of the probe was caught in.
#[derive(Debug)]
pub(super) struct TamperResult {
    pub(super) name: &'static str,
    /// Whether it was caught, by field that it falsifies.
    pub(super) caught: Vec<(&'static str, bool)>,
    /// Total number of differing fields.
    pub(super) differing: u64,
}

/// Folds the probe with each fault and compares it with the oracle's recount of the sound one.
pub(super) fn tamperings(config: &FoldConfig) -> anyhow::Result<Vec<TamperResult>> {
    let sound = oracle_fields(RunInput::load(&Input::Probe)?.files, config)?;
    TAMPERINGS.iter().map(|tampering| tampered(tampering, config, &sound)).collect()
}

fn tampered(
    tampering: &Tampering,
    config: &FoldConfig,
    sound: &Fields,
) -> anyhow::Result<TamperResult> {
    let subject = tampering.of(config)?;
    let files = Files::Made(subject.probe.files());
    let fields = fold_fields(&fold(&files.transcripts(), subject.config));
    let differing = differences(&fields, sound);
    let caught = tampering.falsifies.iter();
    Ok(TamperResult {
        name: tampering.name,
        caught: caught.map(|field| (*field, differing.iter().any(|f| f == field))).collect(),
        differing: differing.len() as u64,
    })
}
