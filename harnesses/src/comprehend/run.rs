//! A run of COMPREHEND: prepares the runs, asks a model if one is to answer, grades.

use std::collections::BTreeMap;

use anyhow::bail;
use scoreboards::Scoreboard;
use trace_model::redact::Redactor;

use super::args::ComprehendArgs;
use super::board::{self, AskedRun};
use super::conditions::Condition;
use super::model_reader::{self, Folder, Reader, Replies};
use super::prepare::{self, Plan, PreparedRun};
use super::rule_sets::RULE_SETS;
use super::setup::Setup;
use crate::common::{CommonArgs, Reporter, today};
use crate::inputs::Input;
use crate::model::{Backend as _, Provider, StopSignal, block_on};
use cli_support::parallel;

/// Asks the chosen questions about the chosen runs.
///
/// # Errors
/// If an input cannot be read, there is none, or a model cannot be asked; replies that have come are kept.
pub fn run(args: &ComprehendArgs, progress: &Reporter) -> anyhow::Result<Scoreboard> {
    run_with(args, &args.conditions(), progress)
}

/// The same under these conditions, whatever the arguments name.
///
/// # Errors
/// As for [`run`].
pub fn run_with(
    args: &ComprehendArgs,
    conditions: &[Condition],
    progress: &Reporter,
) -> anyhow::Result<Scoreboard> {
    let setup = set_up(args, conditions, progress)?;
    match (args.provider()?, setup.reader.clone()) {
        (Some(provider), Some(reader)) => ask_model(args, provider, &reader, setup, progress),
        _ => grade(&setup, None, &args.common, progress),
    }
}

fn grade(
    setup: &Setup,
    replies: Option<&Replies>,
    common: &CommonArgs,
    progress: &Reporter,
) -> anyhow::Result<Scoreboard> {
    let stage = progress.stage("grading", 1);
    let asked = AskedRun { setup, replies, rule_sets: &RULE_SETS };
    let board = board::build(&asked, common);
    drop(stage);
    board
}

/// Asks the model the remaining questions, then grades all.
fn ask_model(
    args: &ComprehendArgs,
    provider: Provider,
    reader: &Reader,
    mut setup: Setup,
    progress: &Reporter,
) -> anyhow::Result<Scoreboard> {
    let sends = false;
    let endpoint = args.model.endpoint(provider, sends)?;
    let identity = args.model.identify(endpoint.id(), model_reader::identity(&setup));
    let folder = Folder::of(&args.common.out, &identity, reader);
    let day = today(&args.common).to_string();
    let stop = StopSignal::new();
    let to = args.model.connect(provider, folder.run_folder(), Some(day), stop.clone())?;
    let cassette = args.model.cassette.as_deref();
    setup.calls = Some(model_reader::calls(&setup, reader, &to.runner, cassette)?);
    let done = folder.begin(&setup, &to.cassette, progress)?;
    let pending = model_reader::pending(&setup, reader, &to, &done);
    model_reader::consent(&pending, &to, !args.no_redact, args.model.yes, progress)?;
    progress.say(&format!("replies are kept in {}", folder.path().display()));
    let replies = block_on(async {
        stop.on_ctrl_c(progress);
        model_reader::ask(&setup, reader, &to.runner, done, progress).await
    })?;
    grade(&setup, Some(&replies), &args.common, progress)
}

/// Reads the runs, finds their questions, and compiles what each condition shows of them.
pub(super) fn set_up(
    args: &ComprehendArgs,
    conditions: &[Condition],
    progress: &Reporter,
) -> anyhow::Result<Setup> {
    let reader = reader(args)?;
    let plan = Plan {
        packs: args.packs()?,
        question_seed: args.question_seed,
        conditions: conditions.to_vec(),
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
        bail!("no runs to ask about; choose a --profile, or name --transcripts");
    }
    let runs = prepare_all(&inputs, &plan, args.common.jobs(), progress)?;
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

fn prepare_all(
    inputs: &[Input],
    plan: &Plan,
    jobs: usize,
    progress: &Reporter,
) -> anyhow::Result<Vec<PreparedRun>> {
    let stage = progress.stage("comprehend", inputs.len());
    let prepared = parallel::try_map(inputs, jobs, |input| {
        let prepared = prepare::run(input, plan)?;
        stage.done(&prepared.name);
        Ok((prepared, input))
    })?;
    drop(stage);
    let mut by_name = BTreeMap::new();
    for (prepared, input) in prepared {
        if let Input::Transcript(path) = input {
            progress.say(&format!("{} is {}", prepared.name, path.display()));
        }
        // Equal files are one run.
        by_name.entry(prepared.name.clone()).or_insert(prepared);
    }
    Ok(by_name.into_values().collect())
}
