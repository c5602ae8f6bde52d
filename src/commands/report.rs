//! `report`: passed on to `tracefold-report`, a separate program, so that this one builds without data frames
//! and plots.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use anyhow::{Context as _, bail};
use clap::Args;
use cli_support::Exit;

/// Arguments of `report`: all are the other program's.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct ReportArgs {
    /// Arguments of `tracefold-report`: `reproduce`, `tables`, `figures`, `html`, `diff` or `export`, with
    /// options
    #[arg(value_name = "COMMAND", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// The other program, as `cargo build` names it.
const PROGRAM: &str = "tracefold-report";

pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let program = find().with_context(|| {
        format!(
            "{PROGRAM} is neither beside this program nor in PATH: build it with \
             `cargo build --release -p reports`"
        )
    })?;
    let status = Command::new(&program)
        .args(&args.arguments)
        .status()
        .with_context(|| format!("cannot run {}", program.display()))?;
    outcome(status)
}

/// Beside this program, where both were built or installed together; else in PATH.
fn find() -> Option<PathBuf> {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().ok().and_then(|own| Some(own.parent()?.to_path_buf()));
    let path = env::var_os("PATH");
    let in_path = path.as_deref().map(OsStr::to_owned).into_iter();
    let folders = in_path.flat_map(|path| env::split_paths(&path).collect::<Vec<_>>());
    // An empty entry of PATH would mean the folder that happens to be the current one.
    let folders = folders.filter(|folder| folder.is_absolute());
    beside.into_iter().chain(folders).map(|folder| folder.join(&name)).find(|file| file.is_file())
}

/// The other program has said what there was to say; its exit statuses mean what ours do.
fn outcome(status: ExitStatus) -> anyhow::Result<Exit> {
    match status.code() {
        Some(0) => Ok(Exit::Done),
        Some(1) => Ok(Exit::CheckFailed),
        Some(2) => Ok(Exit::UnusableInput),
        Some(code) => bail!("{PROGRAM} ended with status {code}"),
        None => bail!("{PROGRAM} was killed by a signal"),
    }
}
