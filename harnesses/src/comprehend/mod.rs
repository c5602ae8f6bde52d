//! COMPREHEND: how well a reader answers questions about runs from what a condition shows of them.
//!
//! Two readers need no model: `mechanical` parses the text, so that its score is what the condition
//! contains; `blind` is shown nothing and is the floor. A model behind an API is asked through
//! [`model`](crate::model). `docs/METHODOLOGY.md` says what each number means.

mod args;
mod asked;
mod blind;
mod board;
mod conditions;
mod crosscheck;
mod graders;
mod measure;
pub mod mechanical;
mod model_reader;
mod plan;
mod rows;
mod setup;
mod stored;
mod tables;

use std::collections::BTreeMap;

use anyhow::bail;
use ground_truth::graders::RuleSet;
use scoreboards::{Scoreboard, ShowOptions};
use trace_model::redact::Redactor;

pub use args::{ComprehendArgs, ComprehendCommand, READERS, ReportArgs, RescoreArgs};
pub use asked::Asked;
pub use conditions::{CONDITIONS, Caps, Compile, Condition, Context, Subject};
pub use graders::{GradersArgs, measure as measure_graders};
pub use tables::tables;

use crate::common::{CommonArgs, Reporter, Verdict, deliver, parallel, print, today};
use crate::inputs::Input;
use crate::model::{Backend as _, Provider, StopSignal, block_on};
use board::Made;
use measure::{Measured, Plan};
use model_reader::{Folder, Reader};
use setup::Setup;

/// The rule sets of a run, in the order in which tables show them.
const RULE_SETS: [RuleSet; 2] = RuleSet::DEFAULT;

/// Asks the chosen questions about the chosen runs.
///
/// # Errors
/// If an input cannot be read, there is none, or a model cannot be asked; replies that have come are kept.
pub fn run(args: &ComprehendArgs, progress: &Reporter) -> anyhow::Result<Scoreboard> {
    run_with(args, &CONDITIONS, progress)
}

/// The same with other conditions than the built-in ones.
///
/// # Errors
/// As for [`run`].
pub fn run_with(
    args: &ComprehendArgs,
    conditions: &[Condition],
    progress: &Reporter,
) -> anyhow::Result<Scoreboard> {
    let setup = set_up(args, conditions, progress)?;
    match (args.provider()?, &setup.reader) {
        (Some(provider), Some(reader)) => ask_model(args, provider, reader, &setup, progress),
        _ => grade(&setup, None, &args.common, progress),
    }
}

fn grade(
    setup: &Setup,
    replies: Option<&model_reader::Replies>,
    common: &CommonArgs,
    progress: &Reporter,
) -> anyhow::Result<Scoreboard> {
    let stage = progress.stage("grading", 1);
    let made = Made { setup, replies, rule_sets: &RULE_SETS };
    let board = board::build(&made, common);
    drop(stage);
    board
}

/// Asks the model what it was not asked yet, then grades all.
fn ask_model(
    args: &ComprehendArgs,
    provider: Provider,
    reader: &Reader,
    setup: &Setup,
    progress: &Reporter,
) -> anyhow::Result<Scoreboard> {
    let sends = false;
    let endpoint = args.model.endpoint(provider, sends)?;
    let identity = args.model.identify(endpoint.id(), model_reader::identity(setup));
    let folder = Folder::of(&args.common.out, &identity, reader);
    let day = today(&args.common).to_string();
    let stop = StopSignal::new();
    let to = args.model.connect(provider, folder.run_folder(), Some(day), stop.clone())?;
    let begun = folder.begin(setup, &identity, progress)?;
    let waiting = model_reader::waiting(setup, reader, &to, &begun);
    model_reader::consent(&waiting, &to, !args.no_redact, args.model.yes, progress)?;
    progress.say(&format!("replies are kept in {}", folder.path().display()));
    let replies = block_on(async {
        stop.on_ctrl_c(progress);
        model_reader::ask(setup, reader, &to.runner, begun, progress).await
    })?;
    grade(setup, Some(&replies), &args.common, progress)
}

/// Reads the runs, finds their questions, and compiles what each condition shows of them.
fn set_up(
    args: &ComprehendArgs,
    conditions: &[Condition],
    progress: &Reporter,
) -> anyhow::Result<Setup> {
    let reader = reader(args)?;
    let plan = Plan {
        packs: args.packs()?,
        question_seed: args.question_seed,
        conditions: args.conditions(conditions),
        caps: args.caps(),
        mechanical: args.is_mechanical() && (reader.is_some() || !args.dry_run),
        keep_texts: reader.is_some(),
        redactor: (reader.is_some() && !args.no_redact).then(Redactor::new),
    };
    let chosen = args.inputs();
    let (named, mut remarks) = chosen.named()?;
    let (named, left_out) = args.choice.of(named, args.common.seed);
    remarks.extend(left_out);
    let inputs: Vec<Input> =
        chosen.sessions().into_iter().map(Input::Generated).chain(named).collect();
    if inputs.is_empty() {
        bail!("there is no run to ask about; choose a --profile, or name --transcripts");
    }
    let runs = measure_all(&inputs, &plan, args.common.jobs(), progress)?;
    Ok(Setup::new(&plan, reader, runs, remarks))
}

/// The model that answers, if one does.
fn reader(args: &ComprehendArgs) -> anyhow::Result<Option<Reader>> {
    let Some(provider) = args.provider()? else { return Ok(None) };
    let request = args.model.request(provider)?;
    let pricing = args.model.pricing(None)?;
    Ok(Some(Reader {
        provider,
        model: request.model,
        max_output_tokens: request.max_output_tokens,
        thinking: request.thinking,
        extra_body: args.model.extra_body.clone().unwrap_or_default(),
        repeats: args.model.repeats.get(),
        price_table: pricing.table_date().to_owned(),
        free: pricing.is_free(),
    }))
}

fn measure_all(
    inputs: &[Input],
    plan: &Plan,
    jobs: usize,
    progress: &Reporter,
) -> anyhow::Result<Vec<Measured>> {
    let stage = progress.stage("comprehend", inputs.len());
    let measured = parallel::map(inputs, jobs, |input| {
        let measured = measure::run(input, plan)?;
        stage.done(&measured.name);
        Ok((measured, input))
    })?;
    drop(stage);
    let mut by_name = BTreeMap::new();
    for (measured, input) in measured {
        if let Input::Transcript(path) = input {
            progress.say(&format!("{} is {}", measured.name, path.display()));
        }
        // Equal files are one run.
        by_name.entry(measured.name.clone()).or_insert(measured);
    }
    Ok(by_name.into_values().collect())
}

/// A scoreboard for people: what it comes to, and the tables.
#[must_use]
pub fn text(board: &Scoreboard) -> String {
    scoreboards::show(board, shown(board)) + &tables(board)
}

/// What the readers score in all, and how much the conditions show: the rest is in the tables.
fn shown(board: &Scoreboard) -> ShowOptions {
    let is_total = |over: &scoreboards::Group| {
        !over.0.contains_key("question") && !over.0.contains_key("corpus")
    };
    let totals = board.aggregates.iter().take_while(|it| is_total(&it.spec.over));
    ShowOptions { max_aggregates: totals.count(), ..ShowOptions::default() }
}

/// Runs COMPREHEND, saves and prints its scoreboard; with `--dry-run` says what it would do; or grades or
/// prints a run that was made before.
///
/// # Errors
/// If an input cannot be read, a model cannot be asked, or the scoreboard cannot be saved.
pub fn command(args: &ComprehendArgs) -> anyhow::Result<Verdict> {
    match &args.command {
        Some(ComprehendCommand::Rescore(args)) => stored::rescore(args)?,
        Some(ComprehendCommand::Report(args)) => stored::report(args)?,
        Some(ComprehendCommand::Graders(args)) => return graders::command(args),
        None if args.dry_run => dry_run(args)?,
        None => {
            let progress = Reporter::new(args.common.quiet);
            let board = run(args, &progress)?;
            deliver_with_tables(&board, &args.common, &progress)?;
        }
    }
    Ok(Verdict::Holds)
}

fn deliver_with_tables(
    board: &Scoreboard,
    common: &CommonArgs,
    progress: &Reporter,
) -> anyhow::Result<()> {
    deliver(board, common, progress, shown(board))?;
    if common.json { Ok(()) } else { print(&tables(board)) }
}

fn dry_run(args: &ComprehendArgs) -> anyhow::Result<()> {
    let setup = set_up(args, &CONDITIONS, &Reporter::new(args.common.quiet))?;
    print(&match &setup.reader {
        None => plan::describe(&setup.runs, args.common.json)?,
        Some(reader) => {
            let pricing = args.model.pricing(Some(today(&args.common).to_string()))?;
            model_reader::describe(&setup, reader, &pricing, args.common.json)?
        }
    })
}
