//! `suite`: everything that needs no model: the corpus generated and compared with the committed
//! manifest, folded from disk, and measured by DETECT, FIDELITY, COMPREHEND's readers without a model and
//! CONTINUE's worker without one.

mod corpus;
mod folding;
mod measuring;

use std::path::Path;
use std::time::Instant;

use clap::Args;
use cli_support::{Exit, say};
use corpus_gen::Seeds;
use corpus_gen::cli::ProfileChoice;
use harnesses::common::{CommonArgs, Reporter};
use harnesses::inputs::InputArgs;
use serde::Serialize;

use crate::output::{Out, count, duration};

/// Arguments of `suite`.
#[derive(Debug, Args)]
#[command(after_help = "\
Writes the corpus to DIR/corpus and scoreboards to DIR/scoreboards; a scoreboard is never
overwritten. With --json, prints one object: whether everything holds, the corpus, the sums of
each folder, and the file of each scoreboard.

Exit status: 0 done, 1 if the corpus differs from the committed manifest or a DETECT or FIDELITY
check fails, 2 wrong use or unusable input.")]
pub(crate) struct SuiteArgs {
    /// Use two seeds per profile instead of twelve, and short tasks with two seeds, for a quick look or CI
    #[arg(long, conflicts_with = "seeds")]
    small: bool,
    #[command(flatten)]
    inputs: InputArgs,
    /// Horizons of CONTINUE's tasks [default: 30,60,120, with --small 30]
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Inputs")]
    horizons: Vec<String>,
    /// Seeds of CONTINUE's tasks: numbers and ranges [default: 1-6, with --small 1-2]
    #[arg(long, value_name = "LIST", help_heading = "Inputs")]
    task_seeds: Option<String>,
    #[command(flatten)]
    common: CommonArgs,
}

impl SuiteArgs {
    /// Lengths and seeds of the tasks.
    fn tasks(&self) -> (Vec<String>, String) {
        let horizons: &[&str] = if self.small { &["30"] } else { &["30", "60", "120"] };
        let horizons = match self.horizons.as_slice() {
            [] => horizons.iter().map(|&it| it.to_owned()).collect(),
            given => given.to_owned(),
        };
        let seeds = if self.small { "1-2" } else { "1-6" };
        (horizons, self.task_seeds.clone().unwrap_or_else(|| seeds.to_owned()))
    }
}

/// What the suite found, for `--json`.
#[derive(Serialize)]
struct Report {
    holds: bool,
    corpus: corpus::Corpus,
    fold: Vec<folding::Folder>,
    scoreboards: Vec<measuring::Measured>,
}

pub(crate) fn run(args: &SuiteArgs) -> anyhow::Result<Exit> {
    let begun = Instant::now();
    let mut inputs = args.inputs.clone();
    if args.small {
        inputs.seeds = Some(Seeds::range(201, 202));
    }
    let common = &args.common;
    let progress = Reporter::new(common.quiet);
    let folder = common.out.join("corpus");
    let corpus = corpus::generate(&folder, &inputs, common)?;
    print(common, &corpus.render())?;
    let fold = folding::fold(&folder, &corpus.manifest, common.jobs(), &progress)?;
    print(common, &format!("\n{}\n", folding::render(&fold)))?;
    let mut scoreboards = Vec::new();
    for measure in instruments(&inputs) {
        let measured = measure(&inputs, common, &progress)?;
        print(common, &format!("\n{}", measured.text))?;
        scoreboards.push(measured);
    }
    let measured = measuring::continuation(args.tasks(), common, &progress)?;
    print(common, &format!("\n{}", measured.text))?;
    scoreboards.push(measured);
    let faults = corpus.differences.iter().chain(scoreboards.iter().flat_map(|s| &s.faults));
    let holds = faults.map(|fault| say(fault)).count() == 0;
    let report = Report { holds, corpus, fold, scoreboards };
    if common.json {
        Out::new().json(&report)?;
    }
    if !common.quiet {
        where_things_are(&folder, &report, begun);
    }
    Ok(if holds { Exit::Done } else { Exit::CheckFailed })
}

type Instrument = fn(&InputArgs, &CommonArgs, &Reporter) -> anyhow::Result<measuring::Measured>;

/// The instruments that have something to measure: COMPREHEND asks about sessions only.
fn instruments(inputs: &InputArgs) -> Vec<Instrument> {
    let mut instruments: Vec<Instrument> = vec![measuring::detect, measuring::fidelity];
    let sessions = inputs.profile != ProfileChoice::None || !inputs.transcripts.is_empty();
    if sessions {
        instruments.push(measuring::comprehend);
    }
    instruments
}

fn print(common: &CommonArgs, text: &str) -> anyhow::Result<()> {
    if common.json { Ok(()) } else { Out::new().text(text) }
}

fn where_things_are(corpus: &Path, report: &Report, begun: Instant) {
    say("");
    let runs = report.corpus.manifest.runs.len() as u64;
    say(&format!("corpus       {} ({})", corpus.display(), count(runs, "run")));
    for board in &report.scoreboards {
        say(&format!("scoreboard   {}", board.path));
    }
    let took = i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX);
    let verdict = if report.holds { "everything holds" } else { "NOT everything holds: see above" };
    say(&format!("{verdict}; done in {}", duration(took)));
    say(
        "next: `tracefold scoreboard show FILE` prints a scoreboard in full, `tracefold fold FILE` \
          folds a transcript of yours",
    );
}
