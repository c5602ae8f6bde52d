//! `view`: what a worker that takes over the run would be shown.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use cli_support::Exit;
use harnesses::continuation::tokens;
use serde::Serialize;
use trace_model::adapter::Heads;
use trace_model::fold::RunState;
use trace_model::ids::Seq;
use trace_model::view::{Budget, Renderer, Version, WorkerView, handover};

use super::one_run;
use super::options::FoldOptions;
use crate::output::Out;

/// Arguments of `view`.
#[derive(Debug, Args)]
#[command(after_help = "\
The first line names the renderer and the events that the view covers. A truncated list says how
many of how many it shows; the last line names what the budget had no room for.

Examples:
  tracefold view session.jsonl --budget-chars 9500      what a hook may pass to an agent
  tracefold view session.jsonl --budget-tokens 2000
  tracefold view session.jsonl --since 812              what changed behind event 812
  tracefold view session.jsonl --renderer worker/1      the view behind the paper's figures")]
pub(crate) struct ViewArgs {
    /// Session transcript; its subagents' transcripts are read too
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show at most N characters, 1,000 or more [default: 24,000]
    #[arg(long, value_name = "N", value_parser = least_chars, conflicts_with = "budget_tokens")]
    budget_chars: Option<usize>,
    /// Show at most N tokens, as the public encoding `o200k_base` counts them
    #[arg(long, value_name = "N")]
    budget_tokens: Option<u64>,
    /// Show only what has changed behind this event, for a reader who has the view up to it
    #[arg(long, value_name = "EVENT")]
    since: Option<u64>,
    /// Which view
    #[arg(
        long,
        value_name = "NAME",
        default_value = "worker/2",
        value_parser = PossibleValuesParser::new(names()).map(|name| named(&name))
    )]
    renderer: WorkerView,
    /// Print one JSON object with session, renderer, events covered, and text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: FoldOptions,
}

fn names() -> Vec<&'static str> {
    ["worker/1", "worker/2"].to_vec()
}

fn named(name: &str) -> WorkerView {
    if name == "worker/1" { WorkerView::ONE } else { WorkerView::TWO }
}

fn least_chars(text: &str) -> Result<usize, String> {
    let chars: usize =
        text.parse().map_err(|_| format!("{text:?} is not a number of characters"))?;
    if chars < Budget::LEAST_CHARS {
        return Err(format!("a view needs {} characters or more", Budget::LEAST_CHARS));
    }
    Ok(chars)
}

/// A text compiled from a run, with what compiled it.
#[derive(Serialize)]
pub(super) struct Compiled {
    pub(super) session: String,
    pub(super) renderer: Renderer,
    /// Events of the run that the text covers.
    pub(super) events: u64,
    pub(super) text: String,
}

impl Compiled {
    /// Prints the text alone, or the whole as JSON.
    pub(super) fn print(&self, json: bool) -> anyhow::Result<()> {
        let mut out = Out::new();
        if json { out.json_line(self) } else { out.text(&self.text) }
    }
}

pub(crate) fn run(args: &ViewArgs) -> anyhow::Result<Exit> {
    let has_budget = args.budget_chars.is_some() || args.budget_tokens.is_some();
    if args.renderer.version == Version::One && (has_budget || args.since.is_some()) {
        bail!(
            "{} knows no budget and no --since; use --renderer {}",
            WorkerView::ONE,
            WorkerView::TWO
        );
    }
    let run = one_run::fold(&args.file, args.options.config()?, &Heads::default(), None, None)?;
    let compiled = Compiled {
        session: args.file.to_string_lossy().into_owned(),
        renderer: args.renderer.renderer(),
        events: run.state().observed().events,
        text: args.text(run.state())?,
    };
    compiled.print(args.json)?;
    Ok(Exit::Done)
}

impl ViewArgs {
    fn text(&self, state: &RunState) -> anyhow::Result<String> {
        match (self.budget_chars, self.budget_tokens) {
            (Some(chars), _) => Ok(self.compile(state, Budget::Chars(chars))),
            (None, Some(tokens)) => self.within_tokens(state, tokens),
            (None, None) => Ok(self.compile(state, Budget::Own)),
        }
    }

    fn compile(&self, state: &RunState, budget: Budget) -> String {
        match self.since {
            Some(since) => handover::compile_since(state, Seq(since), budget),
            None => self.renderer.compile(state, budget),
        }
    }

    /// The longest view of so many tokens. Views grow with their budget of characters, so that is searched by
    /// halves.
    fn within_tokens(&self, state: &RunState, most: u64) -> anyhow::Result<String> {
        let view = |chars| self.compile(state, Budget::Chars(chars));
        // A token is a character or more.
        let mut too_long = usize::try_from(most).unwrap_or(usize::MAX).saturating_mul(16);
        let mut fitting = Budget::LEAST_CHARS;
        let mut best = view(fitting);
        let least = tokens::count(&best);
        if least > most {
            bail!(
                "the shortest view of this run has {least} tokens; give it --budget-tokens {least} or more"
            );
        }
        while fitting + 1 < too_long {
            let chars = fitting.midpoint(too_long);
            let text = view(chars);
            if tokens::count(&text) <= most {
                (fitting, best) = (chars, text);
            } else {
                too_long = chars;
            }
        }
        Ok(best)
    }
}
