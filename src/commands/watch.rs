//! `watch`: the page of a run that is under way, in a browser or in the terminal.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use clap::Args;
use observer::fleet::{LastEvents, candidates};
use observer::live::{Follow, Site, follow, serve};
use observer::tui;
use trace_model::run::check;

use super::options::FoldOptions;
use crate::errors::{Outcome, talk};
use crate::output::Out;

/// Arguments of `watch`.
#[derive(Debug, Args)]
#[command(after_help = "\
The page is served on this machine alone (127.0.0.1) and follows the transcript as it grows. Ctrl-C
ends it.

Examples:
  tracefold watch latest                  the session of ~/.claude/projects with the latest event
  tracefold watch session.jsonl --port 8080
  tracefold watch latest --tui            the essentials in this terminal")]
pub(crate) struct WatchArgs {
    /// The session's transcript, or `latest` for the one below ~/.claude/projects whose last event is the
    /// latest
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Port to serve on [default: a free one]
    #[arg(long, value_name = "PORT", conflicts_with = "tui")]
    port: Option<u16>,
    /// Show the essentials in this terminal instead of serving a page
    #[arg(long)]
    tui: bool,
    /// Do not mask secrets
    #[arg(long)]
    show_secrets: bool,
    #[command(flatten)]
    options: FoldOptions,
}

pub(crate) fn run(args: &WatchArgs) -> anyhow::Result<Outcome> {
    let path = if args.file.as_os_str() == "latest" { latest()? } else { args.file.clone() };
    let what = Follow { path, config: args.options.config()?, show_secrets: args.show_secrets };
    if args.tui {
        tui::run(&what)?;
        return Ok(Outcome::Done);
    }
    let site = Arc::new(Site::new(follow(&what)?));
    talk(&format!("following {}", what.path.display()));
    serve_site(site, args.port)
}

/// Serves until interrupted, and prints the address.
pub(super) fn serve_site(site: Arc<Site>, port: Option<u16>) -> anyhow::Result<Outcome> {
    let mut printed = Ok(());
    serve(site, port.unwrap_or(0), |served| {
        printed = Out::new().text(&format!("http://{}/\n", served.address));
        talk("Ctrl-C ends it");
    })?;
    printed?;
    Ok(Outcome::Done)
}

/// The folder in which Claude Code keeps its sessions.
pub(super) fn projects() -> anyhow::Result<PathBuf> {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let home = home.context("your home folder is not known; name a folder or a file")?;
    Ok(home.join(".claude").join("projects"))
}

fn latest() -> anyhow::Result<PathBuf> {
    let folder = projects()?;
    let found = candidates(&folder, &mut LastEvents::default(), |_, _| {})?;
    // Files of other agents may lie there too.
    match found.into_iter().find(|one| check(&one.path).is_ok()) {
        Some(newest) => Ok(newest.path),
        None => bail!("there is no session below {}; name a transcript", folder.display()),
    }
}
