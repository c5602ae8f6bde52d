//! CONTINUE as a command: a few runs, a resumable grid, tables.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::bail;
use scoreboards::{Scoreboard, ShowOptions};
use serde_json::Value;
use tokio::runtime::Handle;

use super::args::{
    ContinueArgs, ContinueCommand, ExecutionArgs, GridArgs, GridParts, GridWords, RunArgs,
    WorkerArgs,
};
use super::arms::ARMS;
use super::board;
use super::grid::{Cell, GridConfig, GridRuns, cells, run_cells};
use super::model::ModelWorkers;
use super::replay;
use super::run::RunRow;
use super::tables::tables;
use super::worker::{MechanicalWorkers, PricedAs, Workers};
use crate::common::{CommonArgs, Reporter, Verdict, deliver, print, today};
use crate::model::{
    BackendId, Connection, Identity, Journal, Provider, Request, RunFolder, StopSignal, block_on,
};

/// Runs CONTINUE.
///
/// # Errors
/// If the arguments ask for nothing that can be done, or results cannot be written.
pub fn command(args: &ContinueArgs) -> anyhow::Result<Verdict> {
    match &args.command {
        None => run_few(&args.run),
        Some(ContinueCommand::Run(args)) => run_few(args),
        Some(ContinueCommand::Grid(args)) => run_grid(args),
        Some(ContinueCommand::Tables(args)) => {
            print(&tables(&scoreboards::load(&args.file)?))?;
            Ok(Verdict::Holds)
        }
        Some(ContinueCommand::Replay(args)) => replay::command(args),
        Some(ContinueCommand::Arms(_)) => {
            let rows = ARMS.iter().map(|arm| vec![arm.name.to_owned(), arm.about.to_owned()]);
            print(&(scoreboards::table(&["arm", "shows"], &[], rows.collect()) + "\n"))?;
            Ok(Verdict::Holds)
        }
    }
}

fn run_few(args: &RunArgs) -> anyhow::Result<Verdict> {
    let execution = &args.execution;
    let progress = Reporter::new(execution.common.quiet);
    let words = GridWords {
        arms: &args.arms,
        families: std::slice::from_ref(&args.family),
        horizons: std::slice::from_ref(&args.horizon),
        seeds: &args.seeds,
    };
    let (cells, remarks) = grid_cells(words, &execution.worker)?;
    let default = || folder(&execution.common).path().join("transcripts");
    let grid = GridRun {
        execution,
        record: Some(execution.record.clone().unwrap_or_else(default)),
        cells: &cells,
        remarks,
        keep_rows: false,
    };
    match grid.measure(&progress)? {
        GridResult::Board(board) => {
            print(&if execution.common.json {
                scoreboards::to_json(&board)?
            } else {
                tables(&board)
            })?;
            Ok(Verdict::Holds)
        }
        GridResult::Unfinished(why) => Ok(Verdict::Fails(why)),
    }
}

fn run_grid(args: &GridArgs) -> anyhow::Result<Verdict> {
    let common = &args.execution.common;
    let progress = Reporter::new(common.quiet);
    match measured(args, true, &progress)? {
        GridResult::Board(board) => {
            let header_only = ShowOptions { max_aggregates: 0, max_rows: 0 };
            deliver(&board, common, &progress, header_only)?;
            if !common.json {
                print(&tables(&board))?;
            }
            Ok(Verdict::Holds)
        }
        GridResult::Unfinished(why) => Ok(Verdict::Fails(why)),
    }
}

/// Runs a grid, or the rest of it, and returns the scoreboard of all its rows.
///
/// # Errors
/// If stored rows come from another protocol, results cannot be written, or runs were left unfinished.
pub fn grid_board(args: &GridArgs, progress: &Reporter) -> anyhow::Result<Scoreboard> {
    whole(measured(args, true, progress)?)
}

/// Runs a whole grid from scratch, and stores no rows.
///
/// # Errors
/// If results cannot be had of every run.
pub fn fresh_grid_board(args: &GridArgs, progress: &Reporter) -> anyhow::Result<Scoreboard> {
    whole(measured(args, false, progress)?)
}

fn whole(measured: GridResult) -> anyhow::Result<Scoreboard> {
    match measured {
        GridResult::Board(board) => Ok(*board),
        GridResult::Unfinished(why) => bail!("{}", why.join("; ")),
    }
}

fn measured(args: &GridArgs, keep_rows: bool, progress: &Reporter) -> anyhow::Result<GridResult> {
    let execution = &args.execution;
    let words = GridWords {
        arms: &args.arms,
        families: &args.families,
        horizons: &args.horizons,
        seeds: &args.seeds,
    };
    let (cells, remarks) = grid_cells(words, &execution.worker)?;
    // What a model did cannot be had again for nothing.
    let kept =
        execution.worker.provider().map(|_| folder(&execution.common).path().join("transcripts"));
    let grid = GridRun {
        execution,
        record: execution.record.clone().or(kept),
        cells: &cells,
        remarks,
        keep_rows,
    };
    grid.measure(progress)
}

/// The cells of a grid, and what was left out.
fn grid_cells(
    words: GridWords<'_>,
    worker: &WorkerArgs,
) -> anyhow::Result<(Vec<Cell>, Vec<String>)> {
    let GridParts { mut arms, families, horizons, seeds } = words.read()?;
    let mut remarks = Vec::new();
    if worker.provider().is_none() {
        for arm in arms.iter().filter(|arm| arm.needs_model) {
            remarks.push(format!("{} needs a model and is left out", arm.name));
        }
        arms.retain(|arm| !arm.needs_model);
    }
    let (cells, left_out) = cells(&arms, &families, &horizons, seeds.as_slice());
    remarks.extend(left_out);
    if cells.is_empty() {
        bail!("there is nothing to run: {}", remarks.join("; "));
    }
    Ok((cells, remarks))
}

/// Where rows, spending and recorded answers are kept.
fn folder(common: &CommonArgs) -> RunFolder {
    RunFolder::new(common.out.join("continue"))
}

/// What scoreboards record of how a model is config.
fn asking(
    request: &Request,
    endpoint: &BackendId,
    fallback: Option<&str>,
) -> BTreeMap<String, String> {
    let facts = [
        ("worker.model.extra_body", Value::Object(endpoint.extra_body.clone()).to_string()),
        ("worker.model.fallback", fallback.unwrap_or("none").to_owned()),
        ("worker.model.max_output_tokens", request.max_output_tokens.to_string()),
        ("worker.model.thinking", request.thinking.describe().to_owned()),
    ];
    facts.map(|(name, value)| (name.to_owned(), value)).into()
}

enum GridResult {
    /// Everything that was config for.
    Board(Box<Scoreboard>),
    /// What is left to do, and why.
    Unfinished(Vec<String>),
}

/// What is config for.
struct GridRun<'a> {
    execution: &'a ExecutionArgs,
    record: Option<PathBuf>,
    cells: &'a [Cell],
    remarks: Vec<String>,
    /// Whether rows are stored, and those that are need not be made again.
    keep_rows: bool,
}

impl GridRun<'_> {
    fn measure(&self, progress: &Reporter) -> anyhow::Result<GridResult> {
        match self.execution.worker.provider() {
            None => self.mechanical(progress),
            Some(provider) => block_on(async {
                let stop = StopSignal::new();
                stop.on_ctrl_c(progress);
                let handle = Handle::current();
                // Runs wait for their replies, each on a thread of its own.
                tokio::task::block_in_place(|| self.model(provider, stop, handle, progress))
            }),
        }
    }

    fn mechanical(&self, progress: &Reporter) -> anyhow::Result<GridResult> {
        let (priced, cache) = self.execution.worker.priced()?;
        let config = GridConfig {
            protocol: self.execution.settings.protocol(),
            provider: "none".to_owned(),
            model: self.execution.worker.worker.clone(),
            asking: BTreeMap::new(),
            priced: priced.clone(),
            cache: Some(format!(
                "at most {} breakpoints, lookback {} blocks, at least {} tokens, 5 minutes",
                cache.max_breakpoints, cache.lookback, cache.minimum_tokens
            )),
            record: self.record.clone(),
            jobs: self.execution.common.jobs(),
        };
        self.run(&config, &MechanicalWorkers { priced, cache }, Identity::new(), progress)
    }

    fn model(
        &self,
        provider: Provider,
        stop: StopSignal,
        handle: Handle,
        progress: &Reporter,
    ) -> anyhow::Result<GridResult> {
        let args = &self.execution.worker.model;
        if args.repeats.get() > 1 {
            bail!("--repeats has no meaning here: more seeds repeat a cell");
        }
        let date = today(&self.execution.common).to_string();
        let connection =
            args.connect(provider, &folder(&self.execution.common), Some(date.clone()), stop)?;
        let Connection { runner, endpoint, .. } = connection;
        let request = args.request(provider)?;
        let prices = args.price_table()?;
        let fallback = self.execution.worker.fallback_model.as_deref();
        let config = GridConfig {
            protocol: self.execution.settings.protocol(),
            provider: provider.name().to_owned(),
            model: request.model.clone(),
            asking: asking(&request, &endpoint, fallback),
            priced: PricedAs { model: request.model.clone(), prices, date },
            cache: None,
            record: self.record.clone(),
            jobs: runner.jobs(),
        };
        let identity = args.identify(&endpoint, Identity::new());
        let workers = ModelWorkers::new(runner, request, handle);
        let workers = match fallback {
            Some(model) => workers.with_fallback(model),
            None => workers,
        };
        self.run(&config, &workers, identity, progress)
    }

    /// Makes the runs that are not stored yet.
    fn run(
        &self,
        config: &GridConfig,
        workers: &dyn Workers,
        identity: Identity,
        progress: &Reporter,
    ) -> anyhow::Result<GridResult> {
        if !self.keep_rows {
            let ran = run_cells(self.cells, config, workers, progress, &|_, _| Ok(()))?;
            return self.board(config, ran, BTreeMap::new());
        }
        let identity = (config.facts().iter())
            .fold(identity, |identity, (name, value)| identity.with(name, value))
            .with("worker", &config.model);
        let (journal, opened) =
            Journal::<RunRow>::open(&folder(&self.execution.common).rows(), &identity)?;
        if opened.truncated.is_some() {
            progress.say("the last row was not written whole; its run is made again");
        }
        let (stored, left): (Vec<Cell>, Vec<Cell>) =
            self.cells.iter().copied().partition(|cell| opened.rows.contains_key(&cell.id()));
        if !stored.is_empty() {
            progress.say(&format!("{} of {} runs are stored", stored.len(), self.cells.len()));
        }
        let done = |cell: &Cell, row: &RunRow| Ok(journal.append(&cell.id(), row)?);
        let ran = run_cells(&left, config, workers, progress, &done)?;
        journal.sync()?;
        let mut rows = opened.rows;
        let stored =
            stored.into_iter().filter_map(|cell| Some((cell, rows.remove(&cell.id())?))).collect();
        self.board(config, ran, stored)
    }

    fn board(
        &self,
        config: &GridConfig,
        ran: GridRuns,
        mut rows: BTreeMap<Cell, RunRow>,
    ) -> anyhow::Result<GridResult> {
        let GridRuns { rows: new, mut failed, stopped } = ran;
        rows.extend(new);
        let left = failed.len() + stopped;
        if left > 0 {
            let all = self.cells.len();
            failed.push(format!(
                "{left} of {all} runs are left to do: the same command goes on with them"
            ));
            return Ok(GridResult::Unfinished(failed));
        }
        let remarks = self.remarks.clone();
        Ok(GridResult::Board(Box::new(board::build(
            &self.execution.common,
            config,
            &rows,
            remarks,
        )?)))
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use serde_json::json;

    use super::*;

    #[test]
    fn the_protocol_says_how_a_model_is_asked() {
        let request = Request::new("m", NonZeroU32::MIN);
        let mut endpoint = BackendId {
            provider: Provider::OpenAi,
            base_url: "http://127.0.0.1:8080/v1".to_owned(),
            extra_body: serde_json::Map::new(),
        };
        let plain = asking(&request, &endpoint, None);
        endpoint.extra_body.insert("temperature".to_owned(), json!(0));
        let config = asking(&request, &endpoint, Some("other"));
        assert_eq!(plain["worker.model.max_output_tokens"], "1");
        assert_eq!(plain["worker.model.extra_body"], "{}");
        assert_eq!(config["worker.model.extra_body"], r#"{"temperature":0}"#);
        assert_eq!(config["worker.model.fallback"], "other");
    }
}
