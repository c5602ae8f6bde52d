//! `watch`: the live page of a run, in a browser or in the terminal.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use cli_support::{Exit, parallel, say};
use observer::fleet::{LastEvents, candidates, names};
use observer::live::{Follow, Site, follow, serve};
use observer::tui;

use super::options::FoldOptions;
use crate::output::Out;
use crate::settings::Settings;

/// Arguments of `watch`.
#[derive(Debug, Args)]
#[command(after_help = "\
The page is served on this machine only (127.0.0.1) and follows the transcript as it grows. Press
Ctrl-C to stop.

Examples:
  tracefold watch latest                  the most recent session of any agent
  tracefold watch session.jsonl --port 8080
  tracefold watch latest --tui            the essentials in this terminal")]
pub(crate) struct WatchArgs {
    /// Session transcript, or `latest` for the most recent session of any agent
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Port to serve on [default: any free port]
    #[arg(long, value_name = "PORT", conflicts_with = "tui")]
    port: Option<u16>,
    /// Show the essentials in the terminal instead of serving a page
    #[arg(long)]
    tui: bool,
    /// Show secrets instead of masking them
    #[arg(long)]
    show_secrets: bool,
    #[command(flatten)]
    options: FoldOptions,
}

pub(crate) fn run(args: &WatchArgs) -> anyhow::Result<Exit> {
    let path = if args.file.as_os_str() == "latest" {
        latest(&args.options.settings()?)?
    } else {
        args.file.clone()
    };
    let what = Follow { path, config: args.options.config()?, show_secrets: args.show_secrets };
    if args.tui {
        tui::run(&what)?;
        return Ok(Exit::Done);
    }
    let site = Arc::new(Site::new(follow(&what)?));
    say(&format!("following {}", what.path.display()));
    serve_site(site, args.port)
}

/// Serves until interrupted, and prints the address.
pub(super) fn serve_site(site: Arc<Site>, port: Option<u16>) -> anyhow::Result<Exit> {
    let mut printed = Ok(());
    serve(site, port.unwrap_or(0), |served| {
        printed = Out::new().text(&format!("http://{}/\n", served.address));
        say("press Ctrl-C to stop");
    })?;
    printed?;
    Ok(Exit::Done)
}

fn latest(settings: &Settings) -> anyhow::Result<PathBuf> {
    let homes = settings.homes()?;
    let found = candidates(&homes, &mut LastEvents::default(), parallel::threads(None), |_, _| {})?;
    // Files of other agents may lie there too.
    match found.into_iter().find(|one| one.told.adapter().is_some()) {
        Some(newest) => Ok(newest.path),
        None => bail!("there is no session below {}; name a transcript", names(&homes)),
    }
}
