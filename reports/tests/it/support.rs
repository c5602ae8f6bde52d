//! Running the command, and making scoreboards for it.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use scoreboards::{
    Date, Decimal, Instrument, Measure, Provenance, Row, Scoreboard, ScoreboardBuilder,
};

/// The command, away from any scoreboards that it would find by itself.
pub(crate) fn report(folder: &Path, arguments: &[&str]) -> Assert {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold-report"));
    command.current_dir(folder).env("COLUMNS", "100").env_remove("RUST_BACKTRACE");
    command.args(arguments).assert()
}

/// What it printed.
pub(crate) fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// What it said.
pub(crate) fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// The committed scoreboards.
pub(crate) fn own_runs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../scoreboards/runs")
}

/// One run of a CONTINUE scoreboard.
pub(crate) fn run(arm: &str, seed: u32, success: bool, dollars: &str) -> Row {
    Row::new(format!("chain-120/{seed}/{arm}"))
        .label("arm", arm)
        .label("family", "chain")
        .label("horizon", "120")
        .label("seed", seed.to_string())
        .flag("success", success)
        .measure("dollars", Measure::Dollars(dollars.parse().unwrap()))
        .measure("input_tokens", Measure::Tokens(1000))
        .measure("output_tokens", Measure::Tokens(100))
        .measure("cache_read_tokens", Measure::Tokens(0))
        .measure("cache_write_tokens", Measure::Tokens(0))
}

/// An answer of a COMPREHEND scoreboard.
pub(crate) fn answer(condition: &str, transcript: u32, score: &str) -> Row {
    Row::new(format!("t{transcript}/monitoring/1/files/{condition}/mechanical"))
        .label("what", "answer")
        .label("condition", condition)
        .label("corpus", "made up")
        .label("pack", "monitoring/1")
        .label("question", "files")
        .label("reader", "mechanical")
        .label("run", format!("t{transcript}"))
        .measure("strict", Measure::Score(score.parse::<Decimal>().unwrap()))
}

/// What a condition shows of a transcript in a COMPREHEND scoreboard.
pub(crate) fn context(condition: &str, transcript: u32, tokens: u64) -> Row {
    Row::new(format!("t{transcript}/context/{condition}"))
        .label("what", "context")
        .label("condition", condition)
        .label("corpus", "made up")
        .label("run", format!("t{transcript}"))
        .measure("estimated_tokens", Measure::Tokens(tokens))
}

/// A scoreboard of these rows.
pub(crate) fn board(instrument: Instrument, rows: Vec<Row>) -> Scoreboard {
    let date = Date::new(2026, 11, 30).unwrap();
    let mut header = Provenance::new(instrument, date, "test");
    header.command = vec!["tracefold".to_owned(), instrument.name().to_owned()];
    header.graders.insert("strict".to_owned(), "strict/1".to_owned());
    let mut builder = ScoreboardBuilder::new(header);
    builder.rows(rows);
    builder.finish().unwrap()
}

/// Saves a scoreboard into a folder inside another, and gives its path as text.
pub(crate) fn save(folder: &Path, name: &str, board: &Scoreboard) -> String {
    let inner = folder.join(name);
    scoreboards::save(&inner, board).unwrap();
    inner.to_str().unwrap().to_owned()
}
