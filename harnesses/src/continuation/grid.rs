//! A grid: arms x families x horizons x seeds, each cell run once, stored as it is done.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use corpus_gen::tasks::{Family, TaskSpec, generate};

use super::arms::ArmSpec;
use super::mechanical;
use super::protocol::Protocol;
use super::rows;
use super::run::{RunRow, RunSpec, run};
use super::tokens::TOKENIZER;
use super::worker::{PricedAs, Workers};
use crate::common::Reporter;
use crate::model::{CallError, ErrorKind};
use cli_support::parallel;

/// One run of a grid.
#[derive(Debug, Clone, Copy)]
pub struct Cell {
    /// The arm.
    pub arm: &'static ArmSpec,
    /// The task.
    pub task: TaskSpec,
}

impl Cell {
    fn key(&self) -> (TaskSpec, &'static str) {
        (self.task, self.arm.name)
    }

    /// The name of its row.
    #[must_use]
    pub fn id(&self) -> String {
        rows::id(self.arm, self.task)
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// What is config for, beside the cells.
#[derive(Debug, Clone)]
pub struct GridConfig {
    /// What all runs have in common.
    pub protocol: Protocol,
    /// Whose endpoint; `none` without a model.
    pub provider: String,
    /// The model, or `mechanical`.
    pub model: String,
    /// How the model is config, by name; nothing without one.
    pub asking: BTreeMap<String, String>,
    /// What tokens cost.
    pub priced: PricedAs,
    /// The rules of the simulated cache, in words; none with a real one.
    pub cache: Option<String>,
    /// Where transcripts go, if they are kept.
    pub record: Option<PathBuf>,
    /// Runs at once.
    pub jobs: usize,
}

impl GridConfig {
    /// Whether a model works.
    #[must_use]
    pub fn is_model(&self) -> bool {
        self.provider != "none"
    }

    /// The protocol in words, by name.
    #[must_use]
    pub fn facts(&self) -> BTreeMap<String, String> {
        let mut facts = self.protocol.facts();
        facts.extend(self.asking.clone());
        let mut add = |name: &str, value: String| facts.insert(name.to_owned(), value);
        if let Some(cache) = &self.cache {
            add("tokens.counted", format!("estimated with {TOKENIZER}; no model counted them"));
            add("cache", format!("simulated: {cache}"));
            add("worker.mechanical", format!("version {}", mechanical::VERSION));
        }
        add("dollars.as", format!("{} on {}", self.priced.model, self.priced.date));
        facts
    }
}

/// The cells of a grid, each once, and what was left out of it.
#[must_use]
pub fn cells(
    arms: &[&'static ArmSpec],
    families: &[Family],
    horizons: &[u32],
    seeds: &[u64],
) -> (Vec<Cell>, Vec<String>) {
    let (mut cells, mut left_out) = (Vec::new(), Vec::new());
    for &family in families {
        for &arm in arms {
            if !arm.is_for(family) {
                left_out
                    .push(format!("{} has nothing to do with {family} and is left out", arm.name));
                continue;
            }
            for &horizon in horizons {
                let task = |&seed: &u64| Cell { arm, task: TaskSpec { family, horizon, seed } };
                cells.extend(seeds.iter().map(task));
            }
        }
    }
    cells.sort();
    cells.dedup();
    (cells, left_out)
}

/// The results of a grid's cells.
#[derive(Debug, Default)]
pub struct GridRuns {
    /// Rows of the runs that ended.
    pub rows: BTreeMap<Cell, RunRow>,
    /// Runs that could not be finished, and why.
    pub failed: Vec<String>,
    /// Runs that were not begun, or broken off, because the grid was config to stop.
    pub stopped: usize,
}

/// Runs cells, handing each result over as it comes. A run that fails for want of its model leaves no row, and
/// the others continue, unless no further call makes sense.
///
/// # Errors
/// If a transcript cannot be written or `done` fails.
pub fn run_cells(
    cells: &[Cell],
    config: &GridConfig,
    workers: &dyn Workers,
    progress: &Reporter,
    done: &(dyn Fn(&Cell, &RunRow) -> anyhow::Result<()> + Sync),
) -> anyhow::Result<GridRuns> {
    let stage = progress.stage("runs", cells.len());
    let over = AtomicBool::new(false);
    let results = parallel::try_map(cells, config.jobs, |cell| {
        if over.load(Ordering::Relaxed) {
            return Ok((cell, Err(None)));
        }
        let result = match run_cell(cell, config, workers) {
            Ok(row) => {
                done(cell, &row)?;
                Ok(row)
            }
            Err(error) => Err(failure(cell, error, &over)?),
        };
        stage.done(&cell.id());
        Ok((cell, result))
    })?;
    let mut ran = GridRuns::default();
    for (cell, result) in results {
        match result {
            Ok(row) => {
                ran.rows.insert(*cell, row);
            }
            Err(Some(why)) => ran.failed.push(why),
            Err(None) => ran.stopped += 1,
        }
    }
    Ok(ran)
}

/// Why a run failed; none if the grid was config to stop. Whatever is not a model's failure is an error.
fn failure(cell: &Cell, error: anyhow::Error, over: &AtomicBool) -> anyhow::Result<Option<String>> {
    let Some(failed) = error.chain().find_map(|cause| cause.downcast_ref::<CallError>()) else {
        return Err(error.context(cell.id()));
    };
    if failed.kind.ends_run() {
        over.store(true, Ordering::Relaxed);
    }
    let stopped = failed.kind == ErrorKind::Stopping;
    Ok((!stopped).then(|| format!("{}: {error:#}", cell.id())))
}

fn run_cell(cell: &Cell, config: &GridConfig, workers: &dyn Workers) -> anyhow::Result<RunRow> {
    let task = generate(cell.task)?;
    let (helper, fallback) = (workers.helper(), workers.fallback());
    let spec = RunSpec {
        task: &task,
        arm: cell.arm,
        protocol: &config.protocol,
        priced: &config.priced,
        helper: helper.as_ref(),
        fallback: fallback.as_ref(),
    };
    let finished = run(spec, &mut *workers.worker(cell.task))?;
    if let Some(folder) = &config.record {
        write(&transcript(folder, cell), &finished.transcript)?;
    }
    Ok(finished.row)
}

/// Where a run's transcript goes.
#[must_use]
pub fn transcript(folder: &Path, cell: &Cell) -> PathBuf {
    let TaskSpec { family, horizon, seed } = cell.task;
    folder
        .join(format!("{family}-{horizon}"))
        .join(format!("{}-{seed}.jsonl", cell.arm.file_name()))
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, bytes))
        .with_context(|| format!("cannot write the transcript {}", path.display()))
}
