//! FIDELITY: the fold against the oracle, field by field, and both against the generator's truth.
//!
//! The oracle recounts every checkable field from raw JSON and shares no code with the fold. What makes
//! the comparison worth something is tested too: a fold with one fault must be caught, for each field
//! ([`mutation`], [`tamper`]). Both follow one page of definitions; what somebody else's program makes of the
//! same transcripts is another comparison ([`against`]). `docs/METHODOLOGY.md` says what each number means.

mod against;
mod board;
mod comparable;
mod fields;
mod measure;
mod mutation;
mod prices;
mod tamper;

use std::collections::BTreeMap;

use clap::Args;
use scoreboards::{Aggregate, Measure, Row, Scoreboard, ShowOptions};
use trace_model::fold::{FoldConfig, Statistic};

pub use against::AgainstArgs;

use crate::common::{CommonArgs, Reporter, Verdict, deliver};
use crate::inputs::{Input, InputArgs};
use cli_support::parallel;

/// Compare the fold with an independent recount, field by field
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  tracefold fidelity
  tracefold fidelity --profile none --pathology none --transcripts ~/.claude/projects
  tracefold fidelity --against harnesses/outside/against-ccusage.py --transcripts ~/.claude/projects

Exit status: 0 if every field is equal everywhere and every planted fault was caught, 1 if not, 2
for wrong use, unusable input, or a program that cannot be run or understood.")]
pub struct FidelityArgs {
    /// What to measure over.
    #[command(flatten)]
    pub inputs: InputArgs,
    /// Another program to compare with instead of the oracle.
    #[command(flatten)]
    pub against: AgainstArgs,
    /// Flags of every instrument.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Compares fold, oracle and truth over the chosen inputs and the probe.
///
/// # Errors
/// If an input cannot be read. A difference is not an error: [`verdict`] reports it.
pub fn run(args: &FidelityArgs, progress: &Reporter) -> anyhow::Result<Scoreboard> {
    let mut config = FoldConfig::default();
    config.facts.statistics = Statistic::ALL.to_vec();
    let (named, mut remarks) = args.inputs.named()?;
    if named.is_empty() {
        remarks.push("no transcripts were named: generated runs and the probe only".to_owned());
    }
    let generated = args.inputs.sessions().into_iter().chain(args.inputs.traces());
    let mut inputs = vec![Input::Probe];
    inputs.extend(generated.map(Input::Generated));
    inputs.extend(named);
    let stage = progress.stage("fidelity", inputs.len());
    let runs = parallel::try_map(&inputs, args.common.jobs(), |input| {
        let result = measure::run(input, &config)?;
        stage.done(&result.name);
        Ok((result, input))
    })?;
    drop(stage);
    let mut by_name = BTreeMap::new();
    for (result, input) in runs {
        if let Input::Transcript(path) = input
            && result.fields.values().any(|field| !field.equal)
        {
            progress.say(&format!("{} is {}", result.name, path.display()));
        }
        // Equal files are one run.
        by_name.entry(result.name.clone()).or_insert(result);
    }
    let tamperings = measure::tamperings(&config)?;
    let runs: Vec<_> = by_name.into_values().collect();
    board::build(&args.common, &config, &runs, &tamperings, remarks)
}

/// Whether every field is equal everywhere and every fault was caught; otherwise one line per failure. A field
/// that no run exercised fails too: it was never tested.
#[must_use]
pub fn verdict(board: &Scoreboard) -> Verdict {
    let mut faults = Vec::new();
    let mut exercised: BTreeMap<&str, bool> = BTreeMap::new();
    for row in &board.rows {
        let flag = |name: &str| match row.measures.get(name) {
            Some(Measure::Flag(yes)) => Some(*yes),
            _ => None,
        };
        match row.labels.get("what").map(String::as_str) {
            Some("field") => {
                if flag("equal") == Some(false) || flag("truth") == Some(false) {
                    faults.push(difference(row));
                }
                let field = row.labels.get("field").map_or("", String::as_str);
                *exercised.entry(field).or_default() |= flag("caught").is_some();
            }
            Some("tampering") => {}
            _ => continue,
        }
        if flag("caught") == Some(false) {
            faults.push(format!("{}: the fault was not caught", row.id));
        }
    }
    let idle = exercised.into_iter().filter(|(_, exercised)| !exercised);
    faults.extend(idle.map(|(field, _)| format!("{field}: no run exercises this field")));
    Verdict::of(faults)
}

fn difference(row: &Row) -> String {
    let text = |name: &str| match row.measures.get(name) {
        Some(Measure::Text(text)) if !text.is_empty() => text.as_str(),
        _ => "nothing",
    };
    let (fold, oracle, generator) = (text("fold"), text("oracle"), text("generator"));
    format!("{}: the fold has {fold}; the oracle {oracle}; the generator {generator}", row.id)
}

/// Runs FIDELITY, saves and prints its scoreboard; or compares with another program and prints the result.
///
/// # Errors
/// If an input cannot be read, the scoreboard cannot be saved, or the other program cannot be understood.
pub fn command(args: &FidelityArgs) -> anyhow::Result<Verdict> {
    if let Some(program) = &args.against.against {
        return against::command(program, &args.against, &args.inputs, &args.common);
    }
    let progress = Reporter::new(args.common.quiet);
    let board = run(args, &progress)?;
    // Those of single fields come last, and there are many: they are in the file.
    let of_all_fields = |a: &&Aggregate| !a.spec.over.0.contains_key("field");
    let max_aggregates = board.aggregates.iter().filter(of_all_fields).count();
    let options = ShowOptions { max_aggregates, ..ShowOptions::default() };
    deliver(&board, &args.common, &progress, options)?;
    Ok(verdict(&board))
}
