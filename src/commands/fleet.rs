//! `fleet`: all sessions in one live table.

use std::path::PathBuf;

use clap::Args;
use observer::fleet::{self, Cache, Fleet, Scan, names};

use super::options::FoldOptions;
use super::watch::{homes, serve_site};
use crate::errors::{Outcome, talk};

/// Where sessions are looked for, for the commands that look at many.
#[derive(Debug, Args)]
pub(crate) struct FleetOptions {
    /// Folder to look for sessions in [default: where agents keep theirs]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Folder in which states are kept, so that only what is new is read [default: tracefold in the
    /// user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
    #[command(flatten)]
    options: FoldOptions,
}

impl FleetOptions {
    /// What is to be looked at; at most so many sessions.
    pub(super) fn scan(&self, limit: Option<usize>) -> anyhow::Result<Scan> {
        let folders = match &self.folder {
            Some(folder) => vec![folder.clone()],
            None => homes()?,
        };
        let config = self.options.config()?;
        let cache = match self.cache_dir.clone().or_else(Cache::default_folder) {
            Some(folder) => Some(Cache::open(&folder, config.clone())?),
            None => None,
        };
        Ok(Scan::new(folders, limit, cache, config))
    }
}

/// Arguments of `fleet`.
#[derive(Debug, Args)]
#[command(after_help = "\
The table is served on this machine alone (127.0.0.1); each row leads to its session's live page.
Ctrl-C ends it.")]
pub(crate) struct FleetArgs {
    #[command(flatten)]
    fleet: FleetOptions,
    /// Port to serve on [default: a free one]
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Show at most so many sessions, those whose last event is the latest [default: all]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Do not mask secrets
    #[arg(long)]
    show_secrets: bool,
}

pub(crate) fn run(args: &FleetArgs) -> anyhow::Result<Outcome> {
    let scan = args.fleet.scan(args.limit)?;
    let folders = scan.folders().to_owned();
    let site = fleet::follow(Fleet { scan, show_secrets: args.show_secrets })?;
    talk(&format!("looking below {}", names(&folders)));
    serve_site(site, args.port)
}
