//! What can be typed: one definition a flag, from which parser, help and `docs/cli.md` come.

use clap::{ColorChoice, Parser, Subcommand};

use crate::commands::{
    comprehend, config, continuation, corpus, detect, fidelity, flatlog, fleet, fold, formats,
    observe, prices, report, scoreboard, sessions, suite, view, watch,
};

/// Fold a long agent run's transcript into deterministic state, compile views of it, and measure what
/// each view is worth
///
/// Without a command, runs `suite`: generates, folds and measures the default corpus, without a model,
/// into the folder `out`.
#[derive(Debug, Parser)]
#[command(
    name = "tracefold",
    version,
    color = ColorChoice::Never,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  tracefold                                  the whole suite, into out/
  tracefold fold session.jsonl               what a run did, used and cost
  tracefold fold --json ~/.claude/projects   the same for every session, one JSON object per line
  tracefold view session.jsonl               the view that a worker taking over would get

Results go to standard output, everything else to standard error. Exit status: 0 done, 1 a check
failed, 2 wrong use or unusable input."
)]
pub(crate) struct App {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) suite: suite::SuiteArgs,
}

/// The commands, in the order in which help lists them.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Generate, fold and measure the default corpus, without a model
    Suite(suite::SuiteArgs),
    /// Generate, verify or list the corpus
    #[command(subcommand)]
    Corpus(corpus::CorpusCommand),
    /// Fold transcripts into what each run did, used and cost
    Fold(fold::FoldArgs),
    /// Print the view that a worker taking over the run would get
    View(view::ViewArgs),
    /// Print the run as one line per event, the baseline that views are measured against
    Flatlog(flatlog::FlatlogArgs),
    /// Write a self-contained page that shows a run
    Observe(observe::ObserveArgs),
    /// Serve that page on this machine, live
    Watch(watch::WatchArgs),
    /// Serve a live table of all sessions, each linked to its page
    Fleet(fleet::FleetArgs),
    /// List sessions, most recent first
    Sessions(sessions::SessionsArgs),
    // The instruments say themselves what they do: they are programs of their own too.
    Detect(detect::DetectArgs),
    Fidelity(fidelity::FidelityArgs),
    Comprehend(Box<comprehend::ComprehendArgs>),
    Continue(Box<continuation::ContinueArgs>),
    /// Show, verify or compare scoreboards
    #[command(subcommand)]
    Scoreboard(scoreboard::ScoreboardCommand),
    /// Recompute, tabulate, plot and compare results (runs `tracefold-report`)
    Report(report::ReportArgs),
    /// List the transcript formats and their level of support
    Formats(formats::FormatsArgs),
    /// Print the price table with its sources
    Prices(prices::PricesArgs),
    /// Print the settings in effect and the origin of each
    Config(config::ConfigArgs),
}
