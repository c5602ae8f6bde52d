//! `fleet`: all sessions in one live table.

use std::path::PathBuf;

use clap::Args;
use cli_support::{Exit, say};
use observer::fleet::{self, Cache, Fleet, Scan, names};

use super::options::{FoldOptions, Jobs};
use super::watch::serve_site;

/// Where sessions are looked for, for the commands that look at many.
#[derive(Debug, Args)]
pub(crate) struct FleetOptions {
    /// Folder to look for sessions in [default: where agents keep theirs]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Folder for cached states, so that only new data is read [default: tracefold in the user's cache
    /// folder]
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    #[command(flatten)]
    jobs: Jobs,
    #[command(flatten)]
    options: FoldOptions,
}

impl FleetOptions {
    /// What to look at: the `limit` most recent sessions, or all.
    pub(super) fn scan(&self, limit: Option<usize>) -> anyhow::Result<Scan> {
        let settings = self.options.settings()?;
        let folders = match &self.folder {
            Some(folder) => vec![folder.clone()],
            None => settings.homes()?,
        };
        let config = self.options.config()?;
        let cache = match self.cache_dir.clone().or_else(Cache::default_folder) {
            Some(folder) => Some(Cache::open(&folder, config.clone())?),
            None => None,
        };
        Ok(Scan::new(folders, limit, cache, config).with_jobs(self.jobs.jobs))
    }
}

/// Arguments of `fleet`.
#[derive(Debug, Args)]
#[command(after_help = "\
The table is served on this machine only (127.0.0.1); each row links to the session's live page.
Press Ctrl-C to stop.")]
pub(crate) struct FleetArgs {
    /// Port to serve on [default: any free port]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Show the N most recent sessions [default: all]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Show secrets instead of masking them
    #[arg(long)]
    show_secrets: bool,
    #[command(flatten)]
    fleet: FleetOptions,
}

pub(crate) fn run(args: &FleetArgs) -> anyhow::Result<Exit> {
    let scan = args.fleet.scan(args.limit)?;
    let folders = scan.folders().to_owned();
    let site = fleet::follow(Fleet { scan, show_secrets: args.show_secrets })?;
    say(&format!("watching sessions below {}", names(&folders)));
    serve_site(site, args.port)
}
