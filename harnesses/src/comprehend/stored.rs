//! Existing runs: regraded or printed from stored data.

use std::path::Path;

use anyhow::bail;
use ground_truth::graders::RuleSet;
use scoreboards::{Instrument, Scoreboard};

use super::args::{ReportArgs, RescoreArgs};
use super::board::{self, AskedRun};
use super::model_reader::Folder;
use super::print::{deliver_with_tables, text};
use super::rule_sets::RULE_SETS;
use crate::common::{CommonArgs, Reporter, print};

/// Grades a run's stored replies with this version's graders, into a new scoreboard.
pub(super) fn rescore(args: &RescoreArgs) -> anyhow::Result<()> {
    let chosen = |it: &RuleSet| args.graders.iter().any(|name| name == it.name());
    let rule_sets: Vec<RuleSet> = if args.graders.is_empty() {
        RULE_SETS.into()
    } else {
        // The strict rules first: tables show the first rule set in full.
        RuleSet::ALL.into_iter().rev().filter(chosen).collect()
    };
    if rule_sets.iter().filter(|it| it.is_strict()).count() > 1 {
        bail!("two versions of the strict rules produce the same measures: rescore once for each");
    }
    let board = of_folder(&args.run, &rule_sets, &args.common)?;
    deliver_with_tables(&board, &args.common, &Reporter::new(args.common.quiet))
}

/// Prints a run's tables.
pub(super) fn report(args: &ReportArgs) -> anyhow::Result<()> {
    let board = if args.run.is_file() {
        let board = scoreboards::load(&args.run)?;
        if board.provenance.instrument != Instrument::Comprehend {
            bail!(
                "{} is a scoreboard of {}: print it with `tracefold scoreboard show`",
                args.run.display(),
                board.provenance.instrument
            );
        }
        board
    } else {
        of_folder(&args.run, &RULE_SETS, &args.common)?
    };
    print(&if args.common.json { scoreboards::to_json(&board)? } else { text(&board) })
}

fn of_folder(run: &Path, rule_sets: &[RuleSet], common: &CommonArgs) -> anyhow::Result<Scoreboard> {
    let (setup, replies) = Folder::named(run)?.read()?;
    board::build(&AskedRun { setup: &setup, replies: Some(&replies), rule_sets }, common)
}
