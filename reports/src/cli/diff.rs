//! `diff`: what changed between two sets of scoreboards.

use std::path::PathBuf;

use clap::Args;
use cli_support::Exit;
use rust_decimal::Decimal;

use super::common::{Margin, print};
use crate::boards;
use crate::diff::{Diff, diff};
use crate::tables::{self, Form};

/// Arguments of `diff`.
#[derive(Debug, Args)]
#[command(after_help = "\
Differences are B minus A, over what both measured: success rates by seed (McNemar's exact test),
accuracies by transcript (changes of sign). Exit status: 0, or 1 with --threshold if a cell fell by more
than that, lost its value, or is gone; 2 for wrong use or unusable input.")]
pub(crate) struct DiffArgs {
    /// Baseline scoreboards: a folder or one file
    #[arg(value_name = "A")]
    a: PathBuf,
    /// Scoreboards to compare with them
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Largest drop of a cell that is accepted
    #[arg(long, value_name = "SHARE")]
    threshold: Option<Decimal>,
    #[command(flatten)]
    margin: Margin,
    /// Also show cells that did not change
    #[arg(long)]
    all: bool,
    /// Output format
    #[arg(long, value_name = "FORM", default_value = "text")]
    form: Form,
}

pub(crate) fn run(args: &DiffArgs) -> anyhow::Result<Exit> {
    let found = diff(&boards::read(&args.a)?, &boards::read(&args.b)?, args.margin.settings());
    anyhow::ensure!(
        !found.changes.is_empty() || args.threshold.is_none(),
        "{} and {} have no cell in common: there is nothing to hold to the threshold",
        args.a.display(),
        args.b.display()
    );
    print(&args.form.table(&tables::changes(&found, args.all)))?;
    let Some(threshold) = args.threshold else { return Ok(Exit::Done) };
    held(&found, threshold, args.form)
}

fn held(found: &Diff, threshold: Decimal, form: Form) -> anyhow::Result<Exit> {
    let past = found.past(threshold);
    // The other forms are read by programs: there the exit status says it.
    if form == Form::Text {
        for line in &past {
            print(&format!("past {}: {}\n", threshold.normalize(), scoreboards::escape(line)))?;
        }
    }
    Ok(if past.is_empty() { Exit::Done } else { Exit::CheckFailed })
}
