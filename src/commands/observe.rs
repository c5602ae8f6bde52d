//! `observe`: a self-contained page that shows a run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context as _, bail};
use clap::Args;
use cli_support::{Exit, say};
use observer::mask::Mask;
use observer::page::{Compiler, Shell, Subject, document};
use observer::session::Session;
use trace_model::ids::Millis;

use super::options::FoldOptions;

/// Arguments of `observe`.
#[derive(Debug, Args)]
#[command(after_help = "\
The page is a single file that loads nothing and sends nothing. Secrets are masked; a banner says
how many.

Examples:
  tracefold observe session.jsonl                    writes session.html into the current folder
  tracefold observe session.jsonl -o page.html
  tracefold observe session.jsonl -o - > page.html")]
pub(crate) struct ObserveArgs {
    /// Session transcript; its subagents' transcripts are read too
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the page to FILE, `-` for standard output [default: the transcript's name with .html]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show the run as of this time, the end point of ages and silences [default: its last event]
    #[arg(long, value_name = "TIME", value_parser = time)]
    now: Option<Millis>,
    /// Show secrets instead of masking them
    #[arg(long)]
    show_secrets: bool,
    /// Print nothing but results and errors
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    options: FoldOptions,
}

/// A time as it is typed: RFC 3339.
fn time(text: &str) -> Result<Millis, String> {
    Millis::parse(text).ok_or_else(|| "write it as in 2026-11-29T14:30:00Z".to_owned())
}

pub(crate) fn run(args: &ObserveArgs) -> anyhow::Result<Exit> {
    let mask = Mask::unless(args.show_secrets);
    let mut session = Session::finished(&args.file, args.options.config()?)?;
    if let Some(now) = args.now {
        session.advance(now);
    }
    let reading = session.run().reading();
    let subject = Subject::of(&session, &reading, args.now);
    let units = Compiler::new(mask).compile(&subject);
    let page = document(&units, &Shell::Static);
    let output = match &args.output {
        Some(output) if output.as_os_str() == "-" => {
            let mut out = io::stdout().lock();
            out.write_all(page.as_bytes())?;
            out.flush()?;
            return Ok(Exit::Done);
        }
        Some(output) => output.clone(),
        None => beside(&args.file)?,
    };
    if same_file(&output, &args.file) {
        bail!("{} is the transcript itself; name another file with -o", output.display());
    }
    fs::write(&output, page).with_context(|| format!("cannot write {}", output.display()))?;
    if !args.quiet {
        say(&format!("wrote {}", output.display()));
    }
    Ok(Exit::Done)
}

/// The page's name where none is given: in the working folder, so that nothing is written among an
/// agent's own files.
fn beside(transcript: &Path) -> anyhow::Result<PathBuf> {
    let stem = transcript.file_stem().context("the transcript has no name; name a page with -o")?;
    Ok(Path::new(stem).with_extension("html"))
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
