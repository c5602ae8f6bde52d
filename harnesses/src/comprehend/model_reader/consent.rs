//! Before anything leaves the machine: what would be sent, where, and whether that is wanted.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, IsTerminal as _, Write as _, stderr, stdin};

use anyhow::{Context as _, bail};
use trace_model::pricing::Dollars;

use super::jobs::jobs;
use super::reader::Reader;
use crate::common::Reporter;
use crate::comprehend::setup::Setup;
use crate::model::{Called, Connection, Request};

/// The calls that are still to be made.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::comprehend) struct PendingCalls {
    calls: u64,
    bytes: u64,
    /// An upper bound of the cost without retries; none without a price.
    most: Option<Dollars>,
    /// Runs of the user's own that it is made from.
    private_runs: usize,
    redactions: u64,
}

/// Bytes of a request's texts.
fn bytes(request: &Request) -> u64 {
    request.blocks().map(|block| block.text.len() as u64).sum()
}

/// The calls that have no reply yet.
pub(in crate::comprehend) fn pending(
    setup: &Setup,
    reader: &Reader,
    to: &Connection,
    done: &BTreeMap<String, Called>,
) -> PendingCalls {
    let settings = reader.prompt_settings();
    let mut pending = PendingCalls { most: Some(Dollars::ZERO), ..PendingCalls::default() };
    let mut texts = BTreeSet::new();
    for job in jobs(setup, reader).filter(|job| !done.contains_key(&job.id.key())) {
        let request = job.request(&settings);
        pending.calls += 1;
        pending.bytes += bytes(&request);
        pending.most = pending.most.and_then(|sum| Some(sum + to.runner.most(&request).ok()?));
        texts.insert((job.id.run, job.id.condition));
    }
    for run in &setup.runs {
        let sent: Vec<_> = run
            .conditions
            .iter()
            .filter(|it| texts.contains(&(run.name.clone(), it.condition.clone())))
            .collect();
        pending.private_runs += usize::from(run.private && !sent.is_empty());
        pending.redactions += sent.iter().map(|it| it.redactions).sum::<u64>();
    }
    pending
}

impl PendingCalls {
    fn text(&self, host: &str, redacts: bool) -> String {
        let own = match self.private_runs {
            0 => "generated runs only".to_owned(),
            1 => "from 1 transcript of your own".to_owned(),
            n => format!("from {n} transcripts of your own"),
        };
        let secrets = if redacts {
            format!("{} secrets are replaced in what is shown", self.redactions)
        } else {
            "secrets are not looked for (--no-redact)".to_owned()
        };
        let cost = match self.most {
            Some(most) => format!("at most ${} without retries", most.amount().round_dp(4)),
            None => "the model's price is not known".to_owned(),
        };
        format!(
            "{} calls with {} bytes of text will be sent to {host} ({own}); {secrets}; {cost}",
            self.calls, self.bytes
        )
    }
}

/// Says what will be sent, and asks unless it stays on this machine or `yes` was given.
///
/// # Errors
/// If the answer is no, or there is no terminal to ask on.
pub(in crate::comprehend) fn consent(
    pending: &PendingCalls,
    to: &Connection,
    redacts: bool,
    yes: bool,
    progress: &Reporter,
) -> anyhow::Result<()> {
    if pending.calls == 0 {
        return Ok(());
    }
    let text = pending.text(&to.host, redacts);
    if yes || to.is_local {
        progress.say(&text);
        return Ok(());
    }
    let mut terminal = stderr();
    if !stdin().is_terminal() {
        bail!(
            "{text}; there is no terminal to ask on: give --yes to send it, or --dry-run to see more"
        );
    }
    write!(terminal, "{}\nSend it? [y/N] ", scoreboards::escape(&text))
        .and_then(|()| terminal.flush())
        .context("cannot ask on standard error")?;
    let mut answer = String::new();
    stdin().lock().read_line(&mut answer).context("cannot read the answer")?;
    if !matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes") {
        bail!("nothing was sent");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_how_much_of_what_goes_where_at_what_price() {
        let pending =
            PendingCalls { calls: 3, bytes: 250_000, most: None, private_runs: 1, redactions: 2 };
        insta::assert_snapshot!(pending.text("api.example.org", true), @"3 calls with 250000 bytes of text will be sent to api.example.org (from 1 transcript of your own); 2 secrets are replaced in what is shown; the model's price is not known");
        let pending = PendingCalls { most: Some(Dollars::ZERO), private_runs: 0, ..pending };
        insta::assert_snapshot!(pending.text("api.example.org", false), @"3 calls with 250000 bytes of text will be sent to api.example.org (generated runs only); secrets are not looked for (--no-redact); at most $0 without retries");
    }
}
