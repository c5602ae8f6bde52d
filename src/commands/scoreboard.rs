//! `scoreboard`: what instruments wrote, shown, verified, compared.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use cli_support::Exit;
use scoreboards::{FileReport, ShowOptions, compare, load, show, verify_file, verify_folder};
use serde::Serialize;

use crate::output::{Out, count};

/// What can be done with scoreboards.
#[derive(Debug, Subcommand)]
pub(crate) enum ScoreboardCommand {
    /// Show a scoreboard's origin and results
    Show(ShowArgs),
    /// Recompute every aggregate and hash from the rows
    Verify(VerifyArgs),
    /// Show how two scoreboards differ in origin, values and rows
    Compare(CompareArgs),
}

/// Arguments of `scoreboard show`.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Scoreboards
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Show up to N aggregates of each
    #[arg(long, value_name = "N", default_value_t = 200)]
    aggregates: usize,
    /// Show up to N rows of each
    #[arg(long, value_name = "N", default_value_t = 0)]
    rows: usize,
    /// Print each scoreboard as one JSON object per line
    #[arg(long)]
    json: bool,
}

/// Arguments of `scoreboard verify`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0 if every scoreboard holds, 1 if one does not (each difference is named), 2 if a
file or folder cannot be read or holds no scoreboard.")]
pub(crate) struct VerifyArgs {
    /// Scoreboards, or folders of scoreboards
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    /// Print a JSON list with one object per scoreboard
    #[arg(long)]
    json: bool,
    /// Name only the scoreboards that fail
    #[arg(short, long)]
    quiet: bool,
}

/// Arguments of `scoreboard compare`.
#[derive(Debug, Args)]
#[command(after_help = "\
Differences are B minus A. Yes-or-no measures are paired by row and tested with McNemar's exact
test, raw and Holm-adjusted; the smallest detectable difference for that number of pairs is shown.")]
pub(crate) struct CompareArgs {
    /// Baseline scoreboard
    #[arg(value_name = "A")]
    a: PathBuf,
    /// Scoreboard to compare with it
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Show up to N aggregates per list
    #[arg(long, value_name = "N", default_value_t = 200)]
    aggregates: usize,
    /// Print the comparison as one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: &ScoreboardCommand) -> anyhow::Result<Exit> {
    match command {
        ScoreboardCommand::Show(args) => run_show(args),
        ScoreboardCommand::Verify(args) => run_verify(args),
        ScoreboardCommand::Compare(args) => run_compare(args),
    }
}

fn run_show(args: &ShowArgs) -> anyhow::Result<Exit> {
    let options = ShowOptions { max_aggregates: args.aggregates, max_rows: args.rows };
    for (at, file) in args.files.iter().enumerate() {
        let board = load(file)?;
        let mut out = Out::new();
        if args.json {
            out.json_line(&board)?;
            continue;
        }
        let gap = if at > 0 { "\n" } else { "" };
        out.text(&format!("{gap}{}", show(&board, options)))?;
    }
    Ok(Exit::Done)
}

#[derive(Serialize)]
struct Verified {
    path: String,
    holds: bool,
    aggregates: usize,
    rows: usize,
    problems: Vec<String>,
}

impl From<&FileReport> for Verified {
    fn from(report: &FileReport) -> Self {
        Self {
            path: report.path.to_string_lossy().into_owned(),
            holds: report.holds(),
            aggregates: report.aggregates,
            rows: report.rows,
            problems: report.problems.iter().map(ToString::to_string).collect(),
        }
    }
}

fn run_verify(args: &VerifyArgs) -> anyhow::Result<Exit> {
    let mut reports = Vec::new();
    for path in &args.paths {
        reports.extend(reports_of(path)?);
    }
    let holding = reports.iter().filter(|report| report.holds()).count();
    let mut out = Out::new();
    if args.json {
        out.json(&reports.iter().map(Verified::from).collect::<Vec<_>>())?;
    } else {
        for report in reports.iter().filter(|report| !args.quiet || !report.holds()) {
            out.text(&format!("{report}\n"))?;
        }
        if !args.quiet {
            let all = count(reports.len() as u64, "scoreboard");
            out.text(&format!("{holding} of {all} hold\n"))?;
        }
    }
    Ok(if holding == reports.len() { Exit::Done } else { Exit::CheckFailed })
}

fn reports_of(path: &Path) -> anyhow::Result<Vec<FileReport>> {
    let kind = path.metadata().with_context(|| format!("cannot read {}", path.display()))?;
    if kind.is_dir() { Ok(verify_folder(path)?.files) } else { Ok(vec![verify_file(path)]) }
}

fn run_compare(args: &CompareArgs) -> anyhow::Result<Exit> {
    let comparison = compare(&load(&args.a)?, &load(&args.b)?);
    let mut out = Out::new();
    if args.json {
        out.json(&comparison)?;
    } else {
        out.text(&comparison.render(args.aggregates))?;
    }
    Ok(Exit::Done)
}
