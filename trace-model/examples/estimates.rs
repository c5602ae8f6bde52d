//! How well output tokens are estimated from what was written: over the calls whose records tell their
//! end, each session's calls by the scale of the other sessions. Prints a table for METHODOLOGY.
//!
//!     cargo run --release -p trace-model --example estimates -- FOLDER...

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};

use rust_decimal::Decimal;
use trace_model::adapter::{Heads, sessions_below};
use trace_model::fold::{Calibration, FoldConfig, Reasoning};
use trace_model::run::Run;

/// Sessions with fewer calls of a model do not calibrate it.
const MIN_CALLS: usize = 5;

/// A call whose end is known.
struct Known {
    session: usize,
    recorded: u64,
    from_text: u64,
    with_signatures: u64,
    reasoning: Reasoning,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if folders.is_empty() {
        return Err("name folders of transcripts".into());
    }
    let mut sessions = BTreeSet::new();
    for folder in &folders {
        sessions.extend(sessions_below(folder, &Heads::default())?.files);
    }
    let mut known: BTreeMap<String, Vec<Known>> = BTreeMap::new();
    let mut unfinished = [0_u64; 4];
    for (session, path) in sessions.iter().enumerate() {
        let Some(run) = fold(path) else { continue };
        for call in run.state().calibration().filter(|call| call.ended) {
            known.entry(call.model.clone()).or_default().push(of(session, &call));
        }
        let (estimates, tokens) = (run.state().estimates(), &run.state().spending().tokens);
        let here = [estimates.calls, tokens.output, tokens.output + estimates.output, 1];
        unfinished.iter_mut().zip(here).for_each(|(all, here)| *all += here);
    }
    println!(
        "| model | reasoning | calls | sessions | recorded | estimate | error | from text alone |"
    );
    println!("| --- | --- | --: | --: | --: | --: | --: | --: |");
    for (model, calls) in &known {
        table(model, calls);
    }
    let [calls, recorded, estimated, sessions] = unfinished;
    println!(
        "\n{sessions} sessions: {recorded} output tokens recorded, {estimated} with the estimates of \
         the {calls} calls that have unfinished usage"
    );
    Ok(())
}

fn fold(path: &Path) -> Option<Run> {
    match Run::fold(path, FoldConfig::default()) {
        Ok(run) => Some(run),
        Err(error) => {
            eprintln!("left out: {error}");
            None
        }
    }
}

fn of(session: usize, call: &Calibration<'_>) -> Known {
    Known {
        session,
        recorded: call.recorded,
        from_text: call.from_text,
        with_signatures: call.with_signatures,
        reasoning: call.reasoning,
    }
}

/// Rows of a model: by what is on record of the reasoning.
fn table(model: &str, calls: &[Known]) {
    let sessions: BTreeSet<usize> = calls.iter().map(|call| call.session).collect();
    let scales: BTreeMap<usize, Decimal> = sessions
        .iter()
        .filter_map(|session| Some((*session, scale(calls, Some(*session))?)))
        .collect();
    if let Some(shipped) = scale(calls, None) {
        eprintln!(
            "{model}: the scale of all sessions is {}",
            (shipped * Decimal::from(100)).round_dp(1)
        );
    }
    for (name, wanted) in [
        ("none or stored", &[Reasoning::None, Reasoning::Stored][..]),
        ("stored", &[Reasoning::Stored]),
        ("withheld", &[Reasoning::Withheld]),
    ] {
        let rows = calls.iter().filter(|call| wanted.contains(&call.reasoning));
        let rows: Vec<(&Known, Decimal)> =
            rows.filter_map(|call| Some((call, *scales.get(&call.session)?))).collect();
        if rows.is_empty() {
            continue;
        }
        let sessions: BTreeSet<usize> = rows.iter().map(|(call, _)| call.session).collect();
        let recorded: u64 = rows.iter().map(|(call, _)| call.recorded).sum();
        let sum = |units: fn(&Known) -> u64| -> Decimal {
            rows.iter().map(|(call, scale)| tokens(units(call)) * scale).sum()
        };
        let (whole, text) = (sum(|call| call.with_signatures), sum(|call| call.from_text));
        println!(
            "| {model} | {name} | {} | {} | {recorded} | {} | {} | {} |",
            rows.len(),
            sessions.len(),
            whole.round(),
            error(whole, recorded),
            error(text, recorded)
        );
    }
}

fn tokens(thousandths: u64) -> Decimal {
    Decimal::from(thousandths) / Decimal::from(1000)
}

fn error(estimated: Decimal, recorded: u64) -> String {
    let ratio = estimated.checked_div(Decimal::from(recorded));
    ratio.map_or_else(String::new, |ratio| {
        let percent = (ratio - Decimal::ONE) * Decimal::from(100);
        format!("{:+.1} %", percent.round_dp(1))
    })
}

/// The median over sessions of recorded over unscaled estimate, of calls whose reasoning is stored or
/// absent, a session left out.
fn scale(calls: &[Known], left_out: Option<usize>) -> Option<Decimal> {
    let mut sums: BTreeMap<usize, (u64, u64, usize)> = BTreeMap::new();
    for call in calls {
        if Some(call.session) != left_out && call.reasoning != Reasoning::Withheld {
            let sum = sums.entry(call.session).or_default();
            *sum = (sum.0 + call.recorded, sum.1 + call.with_signatures, sum.2 + 1);
        }
    }
    let ratios = sums.values().filter(|(.., calls)| *calls >= MIN_CALLS);
    let mut ratios: Vec<Decimal> = ratios
        .filter_map(|(recorded, units, _)| Decimal::from(*recorded).checked_div(tokens(*units)))
        .collect();
    ratios.sort_unstable();
    let middle = ratios.len() / 2;
    let upper = *ratios.get(middle)?;
    let lower = if ratios.len().is_multiple_of(2) { *ratios.get(middle - 1)? } else { upper };
    Some((lower + upper) / Decimal::TWO)
}
