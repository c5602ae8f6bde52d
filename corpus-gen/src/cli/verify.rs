//! `verify`.

use std::fs;
use std::io::{Write as _, stdout};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use cli_support::Exit;

use super::args::Common;
use super::print::unless_closed;
use super::progress;
use crate::manifest::{Manifest, default_manifest};
use crate::verify::verify;

/// Arguments of `verify`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Only the manifest is read, and nothing is written: the runs are generated in memory. Exit status:
0 if every file matches the manifest, 1 if not (each file that differs is named), 2 if the
manifest cannot be read.")]
pub struct VerifyArgs {
    /// Compare with this manifest instead of the default corpus's
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Threads and talk
    #[command(flatten)]
    pub common: Common,
}

/// Compares the generated files with the manifest.
pub(super) fn run(args: &VerifyArgs) -> anyhow::Result<Exit> {
    let manifest = match &args.manifest {
        None => default_manifest()?,
        Some(path) => {
            let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
            Manifest::parse(&text).with_context(|| path.display().to_string())?
        }
    };
    let bar = progress::bar(manifest.runs.len(), args.common.quiet);
    let differences = verify(&manifest, args.common.threads(), &|progress| {
        bar.set_message(progress.name);
        bar.inc(1);
    });
    bar.finish_and_clear();
    let files = manifest.runs.iter().map(|run| run.files.len()).sum::<usize>();
    let names: Vec<String> = differences.iter().map(ToString::to_string).collect();
    let mut text = String::new();
    if args.json {
        let value = serde_json::json!({
            "ok": names.is_empty(),
            "runs": manifest.runs.len(),
            "files": files,
            "manifest_sha256": manifest.sha256(),
            "differences": names,
        });
        text = format!("{value:#}\n");
    } else {
        for name in &names {
            text.push_str(name);
            text.push('\n');
        }
        if names.is_empty() && !args.common.quiet {
            text =
                format!("{files} files of {} runs are as the manifest says\n", manifest.runs.len());
        }
    }
    unless_closed(stdout().write_all(text.as_bytes()))?;
    Ok(if names.is_empty() { Exit::Done } else { Exit::CheckFailed })
}
