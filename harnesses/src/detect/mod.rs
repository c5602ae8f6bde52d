//! DETECT: the detectors on labelled traces, and their firing rates on sessions.
//!
//! It measures and passes no verdict: the result is what the detectors do with the given thresholds.
//! `docs/METHODOLOGY.md` says how alarms are matched and what each number means.

mod alarms;
mod arguments;
mod board;
mod firing;
mod labelled;
mod matching;
mod read_alarms;

use std::collections::BTreeMap;

use clap::Args;
use corpus_gen::Source;
use scoreboards::{Measure, Row, Scoreboard, ShowOptions};
use trace_model::detect::DetectorConfig;

pub use arguments::DetectorArgs;

use crate::common::{CommonArgs, Reporter, Verdict, deliver};
use crate::inputs::{Identity, Input, InputArgs, corpora};
use cli_support::parallel;

/// Measure the detectors on labelled traces, and their firing rates on sessions
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  tracefold detect
  tracefold detect --pathology default --profile none --require-perfect
  tracefold detect --transcripts ~/.claude/projects     how often they fire over your own sessions

Exit status: 0 measured, 1 with --require-perfect if the default set is not perfect, 2 wrong use
or unusable input.")]
pub struct DetectArgs {
    /// What to measure over.
    #[command(flatten)]
    pub inputs: InputArgs,
    /// How the detectors are set.
    #[command(flatten)]
    pub detectors: DetectorArgs,
    /// Exit with status 1 unless precision and recall over the default set are 1
    #[arg(long, help_heading = None::<&str>)]
    pub require_perfect: bool,
    /// Flags of every instrument.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Measures the detectors over the chosen inputs.
///
/// # Errors
/// If an input cannot be read.
pub fn run(args: &DetectArgs, progress: &Reporter) -> anyhow::Result<Scoreboard> {
    // Every alarm that is over is kept, not only the latest.
    let detectors = DetectorConfig { keep_cleared: usize::MAX, ..args.detectors.config()? };
    let (named, mut remarks) = args.inputs.named()?;
    if named.is_empty() {
        remarks.push(
            "no transcripts were named: firing rates are of generated sessions only".to_owned(),
        );
    }
    let (mut identities, mut rows) = labelled_part(args, &detectors, progress)?;
    let sessions = args.inputs.sessions().into_iter().map(Input::Generated);
    let sessions: Vec<Input> = sessions.chain(named).collect();
    let stage = progress.stage("sessions", sessions.len());
    let read = read_alarms::ReadAlarms::built_in()?;
    let results = parallel::try_map(&sessions, args.common.jobs(), |input| {
        let result = firing::measure(input, &detectors, &read)?;
        stage.done(&result.name);
        Ok((result, input))
    })?;
    drop(stage);
    let mut by_name = BTreeMap::new();
    for (result, input) in results {
        if let Input::Transcript(path) = input
            && result.alarms > 0
        {
            progress.say(&format!("{} is {}", result.name, path.display()));
        }
        // Equal files are one session.
        by_name.entry(result.name.clone()).or_insert(result);
    }
    for (_, result) in by_name {
        identities.push(result.identity);
        rows.extend(result.rows);
    }
    board::build(&args.common, &detectors, corpora(&identities), rows, remarks)
}

fn labelled_part(
    args: &DetectArgs,
    detectors: &DetectorConfig,
    progress: &Reporter,
) -> anyhow::Result<(Vec<Identity>, Vec<Row>)> {
    let traces = args.inputs.traces();
    let stage = progress.stage("traces", traces.len());
    let results = parallel::try_map(&traces, args.common.jobs(), |source| {
        let Source::Pathology { set, .. } = *source else {
            anyhow::bail!("{source:?} is not a trace")
        };
        let result = labelled::measure(*source, set, detectors)?;
        stage.done(&source.name());
        Ok(result)
    })?;
    let (identities, rows): (Vec<_>, Vec<_>) =
        results.into_iter().map(|result| (result.identity, result.rows)).unzip();
    Ok((identities, rows.into_iter().flatten().collect()))
}

/// Whether every instance of the default set was found without a false alarm; otherwise one line per failure.
#[must_use]
pub fn perfection(board: &Scoreboard) -> Verdict {
    let is = |row: &&Row, label: &str, value: &str| {
        row.labels.get(label).is_some_and(|found| found == value)
    };
    let scored =
        || board.rows.iter().filter(|row| is(row, "set", "default") && is(row, "scored", "yes"));
    let count = |row: &Row, name: &str| row.measures.get(name) == Some(&Measure::Count(1));
    let kind = |row: &Row| row.labels.get("kind").cloned().unwrap_or_default();
    let mut faults = Vec::new();
    for row in scored() {
        if count(row, "fn") {
            faults.push(format!("{}: the {} was not found", row.id, kind(row)));
        }
        if count(row, "fp") {
            faults.push(format!("{}: a false {} alarm", row.id, kind(row)));
        }
    }
    if !scored().any(|row| count(row, "tp")) {
        faults.push("no instance of the default set was found".to_owned());
    }
    Verdict::of(faults)
}

/// Runs DETECT, saves and prints its scoreboard.
///
/// # Errors
/// If an input cannot be read or the scoreboard cannot be saved.
pub fn command(args: &DetectArgs) -> anyhow::Result<Verdict> {
    let progress = Reporter::new(args.common.quiet);
    let board = run(args, &progress)?;
    deliver(&board, &args.common, &progress, ShowOptions::default())?;
    Ok(if args.require_perfect { perfection(&board) } else { Verdict::Holds })
}
