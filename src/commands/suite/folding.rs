//! The suite's corpus folded from disk, in sums a folder.

use std::collections::BTreeMap;
use std::path::Path;

use cli_support::parallel;
use corpus_gen::Manifest;
use harnesses::common::Reporter;
use rust_decimal::Decimal;
use scoreboards::table;
use serde::Serialize;
use trace_model::detect::AnomalyKind;
use trace_model::fold::FoldConfig;
use trace_model::pricing::Dollars;
use trace_model::run::Run;

use crate::output::grouped;

/// The sums of a folder's runs.
#[derive(Default, Serialize)]
pub(super) struct Folder {
    /// Its path below the corpus's.
    name: String,
    runs: u64,
    bytes: u64,
    events: u64,
    prompts: u64,
    api_calls: u64,
    tool_calls: u64,
    tokens: u64,
    /// Tokens as a plain sum over records, and those that are compared with it.
    naive: (u64, u64),
    dollars: Decimal,
    /// Calls whose output was never stated in full: with any, the dollars are a lower bound.
    unfinished_usage: u64,
    unpriced_tokens: u64,
    anomalies: u64,
}

impl Folder {
    fn of(folder: &str, run: &Run) -> Self {
        let state = run.state();
        let spending = state.spending();
        Self {
            name: folder.to_owned(),
            runs: 1,
            bytes: run.reading().bytes,
            events: state.observed().events,
            prompts: state.conversation().prompts(),
            api_calls: spending.calls,
            tool_calls: state.tool_totals().calls,
            tokens: spending.tokens.total(),
            naive: state.inflation(),
            dollars: spending.dollars,
            unfinished_usage: state.estimates().calls,
            unpriced_tokens: spending.unpriced_tokens,
            anomalies: AnomalyKind::ALL.iter().map(|kind| state.raised(*kind)).sum(),
        }
    }

    fn add(&mut self, other: &Self) {
        self.runs += other.runs;
        self.bytes += other.bytes;
        self.events += other.events;
        self.prompts += other.prompts;
        self.api_calls += other.api_calls;
        self.tool_calls += other.tool_calls;
        self.tokens += other.tokens;
        self.naive.0 += other.naive.0;
        self.naive.1 += other.naive.1;
        self.dollars += other.dollars;
        self.unfinished_usage += other.unfinished_usage;
        self.unpriced_tokens += other.unpriced_tokens;
        self.anomalies += other.anomalies;
    }
}

/// Folds every run of the corpus.
pub(super) fn fold(
    corpus: &Path,
    manifest: &Manifest,
    jobs: usize,
    progress: &Reporter,
) -> anyhow::Result<Vec<Folder>> {
    let stage = progress.stage("fold", manifest.runs.len());
    let runs = parallel::try_map(&manifest.runs, jobs, |entry| {
        let run = Run::fold(&corpus.join(&entry.transcript), FoldConfig::default())?;
        stage.done(&entry.name);
        Ok(Folder::of(&entry.source.folder(), &run))
    })?;
    let mut folders: BTreeMap<String, Folder> = BTreeMap::new();
    for run in runs {
        let empty = || Folder { name: run.name.clone(), ..Folder::default() };
        folders.entry(run.name.clone()).or_insert_with(empty).add(&run);
    }
    Ok(folders.into_values().collect())
}

/// The sums as a table.
pub(super) fn render(folders: &[Folder]) -> String {
    let header = [
        "folded",
        "runs",
        "bytes",
        "events",
        "prompts",
        "API calls",
        "tool calls",
        "tokens",
        "naive",
        "cost",
        "unpriced",
        "anomalies",
    ];
    let rows = folders.iter().map(|folder| {
        let factor = Decimal::from(folder.naive.0).checked_div(Decimal::from(folder.naive.1));
        vec![
            folder.name.clone(),
            grouped(folder.runs),
            grouped(folder.bytes),
            grouped(folder.events),
            grouped(folder.prompts),
            grouped(folder.api_calls),
            grouped(folder.tool_calls),
            grouped(folder.tokens),
            factor.map_or("-".to_owned(), |factor| format!("{:.2}x", factor.round_dp(2))),
            format!(
                "{}{:.2}",
                if folder.unfinished_usage > 0 { "at least " } else { "" },
                Dollars::new(folder.dollars.round_dp(2))
            ),
            grouped(folder.unpriced_tokens),
            grouped(folder.anomalies),
        ]
    });
    let numeric: Vec<usize> = (1..header.len()).collect();
    table(&header, &numeric, rows.collect())
}
