//! The instruments over the suite's inputs: each measured, saved and shown.

use corpus_gen::cli::SetChoice;
use harnesses::common::{CommonArgs, Reporter, Verdict, defaults};
use harnesses::comprehend::{self, ComprehendArgs};
use harnesses::continuation::arms::ARMS;
use harnesses::continuation::{self, ExecutionArgs, GridArgs};
use harnesses::detect::{self, DetectArgs};
use harnesses::fidelity::{self, FidelityArgs};
use harnesses::inputs::InputArgs;
use scoreboards::{Scoreboard, ShowOptions, save, show};
use serde::Serialize;

/// Aggregates that are printed of a scoreboard: those of the whole and of its larger parts. The rest
/// is in its file.
const PRINTED: usize = 40;

/// A scoreboard that was saved.
#[derive(Serialize)]
pub(super) struct Measured {
    instrument: String,
    /// Its file.
    pub(super) path: String,
    /// What does not hold.
    pub(super) faults: Vec<String>,
    /// The scoreboard for people.
    #[serde(skip)]
    pub(super) text: String,
}

pub(super) fn detect(
    inputs: &InputArgs,
    common: &CommonArgs,
    progress: &Reporter,
) -> anyhow::Result<Measured> {
    let args =
        DetectArgs { inputs: inputs.clone(), common: common.clone(), ..defaults::<DetectArgs>() };
    let board = detect::run(&args, progress)?;
    let labelled = matches!(inputs.pathology, SetChoice::Default | SetChoice::All);
    let verdict = if labelled { detect::perfection(&board) } else { Verdict::Holds };
    measured(&board, verdict, common, start(&board))
}

pub(super) fn fidelity(
    inputs: &InputArgs,
    common: &CommonArgs,
    progress: &Reporter,
) -> anyhow::Result<Measured> {
    let args = FidelityArgs {
        inputs: inputs.clone(),
        common: common.clone(),
        ..defaults::<FidelityArgs>()
    };
    let board = fidelity::run(&args, progress)?;
    measured(&board, fidelity::verdict(&board), common, start(&board))
}

pub(super) fn comprehend(
    inputs: &InputArgs,
    common: &CommonArgs,
    progress: &Reporter,
) -> anyhow::Result<Measured> {
    let args = ComprehendArgs {
        profile: inputs.profile,
        seeds: inputs.seeds.clone(),
        transcripts: inputs.transcripts.clone(),
        common: common.clone(),
        ..defaults::<ComprehendArgs>()
    };
    let board = comprehend::run(&args, progress)?;
    measured(&board, Verdict::Holds, common, comprehend::text(&board))
}

/// The suite's arms over chains, with the worker that needs no model.
pub(super) fn continuation(
    (horizons, seeds): (Vec<String>, String),
    common: &CommonArgs,
    progress: &Reporter,
) -> anyhow::Result<Measured> {
    let execution = ExecutionArgs { common: common.clone(), ..defaults() };
    let arms = ARMS.iter().filter(|arm| arm.in_suite()).map(|arm| arm.name.to_owned()).collect();
    let args = GridArgs { arms, horizons, seeds, execution, ..defaults() };
    let board = continuation::fresh_grid_board(&args, progress)?;
    let header_only = ShowOptions { max_aggregates: 0, ..ShowOptions::default() };
    let text = show(&board, header_only) + &continuation::tables(&board);
    measured(&board, Verdict::Holds, common, text)
}

/// The start of a scoreboard, for people.
fn start(board: &Scoreboard) -> String {
    show(board, ShowOptions { max_aggregates: PRINTED, ..ShowOptions::default() })
}

fn measured(
    board: &Scoreboard,
    verdict: Verdict,
    common: &CommonArgs,
    text: String,
) -> anyhow::Result<Measured> {
    let saved = save(&common.out.join("scoreboards"), board)?;
    Ok(Measured {
        instrument: board.provenance.instrument.to_string(),
        path: saved.path().to_string_lossy().into_owned(),
        faults: match verdict {
            Verdict::Holds => Vec::new(),
            Verdict::Fails(faults) => faults,
        },
        text,
    })
}
