//! `generate`.

use std::io::{Write as _, stdout};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use cli_support::Exit;

use super::args::{Common, ProfileChoice, SetChoice};
use super::print::unless_closed;
use super::progress;
use crate::generate::{generate_to, replace};
use crate::plan::{Plan, default_session_seeds};
use crate::seeds::Seeds;

/// Arguments of `generate`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "Files below DIR:
  sessions/PROFILE/PROFILE-SEED.jsonl        a session, and beside it
  sessions/PROFILE/PROFILE-SEED.truth.json   what it holds
  sessions/PROFILE/PROFILE-SEED/subagents/   its subagents' transcripts
  pathology/SET/SET-SEED.jsonl               a pathology trace, with .truth.json and .labels.json

The same arguments give the same bytes on every machine. An existing corpus in DIR is updated in
place; files that corpus-gen did not write are never overwritten.")]
pub struct GenerateArgs {
    /// Folder to write to
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Sessions to generate
    #[arg(long, value_enum, default_value = "all")]
    pub profile: ProfileChoice,
    /// Seeds of the sessions: numbers and ranges, as in 201-212 or 1,5,9-12 [default: 201-212]
    #[arg(long, value_name = "LIST")]
    pub seeds: Option<Seeds>,
    /// Pathology traces to generate
    #[arg(long, value_enum, default_value = "all")]
    pub pathology: SetChoice,
    /// Seeds of the pathology traces [default: 301-330 for default, 401-430 for hard]
    #[arg(long, value_name = "LIST")]
    pub pathology_seeds: Option<Seeds>,
    /// Write the manifest of the generated files to FILE
    #[arg(long, value_name = "FILE")]
    pub manifest_out: Option<PathBuf>,
    /// Threads and talk
    #[command(flatten)]
    pub common: Common,
}

/// Generates what the arguments ask for.
pub(super) fn run(args: &GenerateArgs) -> anyhow::Result<Exit> {
    let seeds = args.seeds.clone().unwrap_or_else(default_session_seeds);
    let plan = Plan::new(
        args.profile.profiles(),
        &seeds,
        args.pathology.sets(),
        args.pathology_seeds.as_ref(),
    );
    let bar = progress::bar(plan.0.len(), args.common.quiet);
    let manifest = generate_to(&args.out, &plan, args.common.threads(), &|progress| {
        bar.set_message(progress.name);
        bar.inc(1);
    })?;
    bar.finish_and_clear();
    if let Some(file) = &args.manifest_out {
        replace(file, &manifest.to_bytes()).context("the manifest cannot be written")?;
    }
    if !args.common.quiet {
        let files = manifest.runs.iter().flat_map(|run| &run.files);
        let (count, bytes) = files.fold((0_u64, 0), |(n, sum), file| (n + 1, sum + file.bytes));
        let runs = manifest.runs.len();
        let out = args.out.display();
        unless_closed(writeln!(stdout(), "{runs} runs, {count} files, {bytes} bytes in {out}"))?;
    }
    Ok(Exit::Done)
}
