//! How a run ends: the scoreboard saved and printed, and a verdict.

use std::io::{self, Write as _, stdout};

use anyhow::Context as _;
use cli_support::{Exit, say};
use scoreboards::{Date, Saved, Scoreboard, ShowOptions};

use super::args::CommonArgs;
use super::progress::Reporter;

/// Whether what was checked holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It does, or nothing was to be checked.
    Holds,
    /// It does not, and why.
    Fails(Vec<String>),
}

impl Verdict {
    /// [`Verdict::Holds`] if there is no fault.
    #[must_use]
    pub fn of(faults: Vec<String>) -> Self {
        if faults.is_empty() { Self::Holds } else { Self::Fails(faults) }
    }
}

/// Saves the scoreboard into `<out>/scoreboards/` and prints it on standard output. It is saved at the
/// end and as a whole, so a run that is stopped leaves nothing behind.
pub fn deliver(
    board: &Scoreboard,
    common: &CommonArgs,
    progress: &Reporter,
    options: ShowOptions,
) -> anyhow::Result<()> {
    let saved = scoreboards::save(&common.out.join("scoreboards"), board)?;
    let text = if common.json {
        scoreboards::to_json(board).context("the scoreboard cannot be written as JSON")?
    } else {
        scoreboards::show(board, options)
    };
    print(&text)?;
    progress.say(&match &saved {
        Saved::Written(path) => format!("saved {}", path.display()),
        Saved::AlreadyThere(path) => format!("{} is there already, and equal", path.display()),
    });
    Ok(())
}

/// Prints a result on standard output.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    match stdout().write_all(text.as_bytes()).and_then(|()| stdout().flush()) {
        // The reader of the output has gone away: that is its choice.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("cannot write to standard output"),
    }
}

impl From<Verdict> for Exit {
    /// Failures are printed.
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Holds => Self::Done,
            Verdict::Fails(faults) => {
                for fault in &faults {
                    say(fault);
                }
                Self::CheckFailed
            }
        }
    }
}

/// The day that goes into the scoreboard.
pub(crate) fn today(common: &CommonArgs) -> Date {
    let now = || jiff::Timestamp::now().to_zoned_datetime(jiff::tz::TimeZone::UTC).date();
    common.date.unwrap_or_else(now)
}

/// The date of a price table, for a scoreboard.
pub(crate) fn price_date(prices: &trace_model::pricing::PriceTable) -> anyhow::Result<Date> {
    prices.date().parse().with_context(|| format!("the price table's date `{}`", prices.date()))
}
