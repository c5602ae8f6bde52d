//! What can be typed: one definition a flag, from which parser, help and the README's tables come.

#[cfg(test)]
mod readme;

use clap::{ColorChoice, Parser, Subcommand};

use crate::commands::{
    comprehend, continue_, corpus, detect, fidelity, flatlog, fleet, fold, formats, observe,
    prices, report, scoreboard, sessions, suite, view, watch,
};

/// Fold a long agent run's transcript into deterministic state, compile views of it, and measure what
/// each view is worth
///
/// Without a command, does what `suite` does: everything that needs no model, over the default corpus,
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
  tracefold fold --json ~/.claude/projects   the same of every session there, one JSON object a line
  tracefold view session.jsonl               what a worker that takes over would be shown

Results go to standard output, everything else to standard error.
Exit status: 0 done, 1 what was checked does not hold, 2 wrong use or unusable input."
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
    /// Do everything that needs no model, over the default corpus
    Suite(suite::SuiteArgs),
    /// Generate, verify or list the corpus
    #[command(subcommand)]
    Corpus(corpus::CorpusCommand),
    /// Fold transcripts: what each run did, used and cost
    Fold(fold::FoldArgs),
    /// Print what a worker that takes over the run would be shown
    View(view::ViewArgs),
    /// Print the run as one line an event: the baseline that views are measured against
    Flatlog(flatlog::FlatlogArgs),
    /// Write one page that shows a run: what it does, did, used and cost
    Observe(observe::ObserveArgs),
    /// Serve the same page on this machine, following the run as it goes on
    Watch(watch::WatchArgs),
    /// Serve a live table of all sessions, each with its page
    Fleet(fleet::FleetArgs),
    /// List sessions, those first whose last event is the latest
    Sessions(sessions::SessionsArgs),
    /// Measure the detectors over labelled traces
    #[command(after_help = "\
Examples:
  tracefold detect
  tracefold detect --pathology default --profile none --require-perfect
  tracefold detect --transcripts ~/.claude/projects     how often they fire over your own sessions

Exit status: 0 measured, 1 with --require-perfect if the default set is not perfect, 2 wrong use or
unusable input.")]
    Detect(detect::DetectArgs),
    /// Compare the fold with an independent recount, field by field
    #[command(after_help = "\
Examples:
  tracefold fidelity
  tracefold fidelity --profile none --pathology none --transcripts ~/.claude/projects
  tracefold fidelity --against harnesses/outside/against-ccusage.py --transcripts ~/.claude/projects

Exit status: 0 if every field is equal everywhere and every planted fault was caught, 1 if not, 2
wrong use, unusable input, or another program that cannot be run or understood.")]
    Fidelity(fidelity::FidelityArgs),
    /// Measure what can be answered from a raw tail, a flat log and the compiled view
    #[command(after_help = "\
Examples:
  tracefold comprehend
  tracefold comprehend --pack monitoring/1 --condition view,flatlog
  tracefold comprehend --profile none --transcripts ~/.claude/projects     over your own sessions
  tracefold comprehend --reader anthropic --model claude-haiku-4-5 --dry-run
  tracefold comprehend --reader openai --model qwen --base-url http://localhost:8080/v1 --free
  tracefold comprehend rescore out/comprehend/NAME --grader strict/2
  tracefold comprehend graders               the graders' own errors

Nothing is sent anywhere unless a reader behind an API is named: mechanical parses what it is shown,
blind is shown nothing and is the floor. Before anything leaves this machine the command says how much
goes where, and asks. Keys come from the environment alone: ANTHROPIC_API_KEY, OPENAI_API_KEY,
GEMINI_API_KEY, and for vertex an access token. A run that was stopped goes on where it was when the
same command is given again. Exit status: 0 measured, 2 wrong use, unusable input, or a run that
stopped before all calls were made.")]
    Comprehend(Box<comprehend::ComprehendArgs>),
    /// Measure which context policy lets a worker finish a long task, and at what price
    #[command(after_help = "\
Examples:
  tracefold continue                                 a chain of 30 links under a curated context
  tracefold continue grid                            every arm, chains of 30, 60 and 120 links
  tracefold continue grid --arms full,curated --families altchain --error-rate 0.08
  tracefold continue arms                            what each arm shows the worker

The worker mechanical needs no model: it acts on what its context shows and on nothing else. Exit
status: 0 measured, 1 some runs are left to do, 2 wrong use or unusable input.")]
    Continue(Box<continue_::ContinueArgs>),
    /// Show, verify or compare scoreboards
    #[command(subcommand)]
    Scoreboard(scoreboard::ScoreboardCommand),
    /// Recompute, tabulate, draw and compare results: what `tracefold-report` does
    Report(report::ReportArgs),
    /// List the transcript formats and how well each is supported
    Formats(formats::FormatsArgs),
    /// Print the price table: models, prices, sources
    Prices(prices::PricesArgs),
}
