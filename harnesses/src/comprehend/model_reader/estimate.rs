//! `--dry-run` with a model: the calls, the tokens that they are estimated to have, and dollars. Nothing
//! is sent, and no key is needed.

use std::collections::BTreeMap;

use serde_json::json;
use trace_model::pricing::Dollars;

use super::jobs::jobs;
use super::reader::Reader;
use crate::comprehend::setup::Setup;
use crate::model::{Pricing, tokens};
use crate::usage::TokenUsage;

/// What the calls under a condition are estimated to take.
#[derive(Default)]
struct Size {
    calls: u64,
    bytes: u64,
    tokens: u64,
    /// Dollars of the input, and the maximum the output can add.
    dollars: Option<(Dollars, Dollars)>,
}

/// The estimate by corpus, pack and condition: as a table, or as JSON.
///
/// # Errors
/// If it cannot be written as JSON.
pub(in crate::comprehend) fn describe(
    setup: &Setup,
    reader: &Reader,
    pricing: &Pricing,
    as_json: bool,
) -> anyhow::Result<String> {
    let sizes = sizes(setup, reader, pricing);
    if as_json {
        let object = |((corpus, pack, condition), size): (&(String, String, String), &Size)| {
            json!({
                "corpus": corpus, "pack": pack, "condition": condition, "calls": size.calls,
                "bytes": size.bytes, "estimated_input_tokens": size.tokens,
                "encoding": tokens::ENCODING,
                "estimated_input_dollars": size.dollars.map(|it| it.0),
                "most_output_dollars": size.dollars.map(|it| it.1),
            })
        };
        let all: Vec<_> = sizes.iter().map(object).collect();
        let text = serde_json::to_string_pretty(&json!({
            "reader": reader.label(), "price_table": reader.price_table, "dry_run": all,
        }))?;
        return Ok(text + "\n");
    }
    Ok(table(&sizes, reader))
}

type Sizes = BTreeMap<(String, String, String), Size>;

fn sizes(setup: &Setup, reader: &Reader, pricing: &Pricing) -> Sizes {
    let settings = reader.prompt_settings();
    let corpora: BTreeMap<&str, &str> =
        setup.runs.iter().map(|run| (run.name.as_str(), run.corpus.as_str())).collect();
    let mut sizes = Sizes::new();
    for job in jobs(setup, reader).filter(|job| job.id.repeat == 0) {
        let request = job.request(&settings);
        let input = request.blocks().map(|block| tokens::estimate(&block.text)).sum::<u64>();
        let bytes = request.blocks().map(|block| block.text.len() as u64).sum::<u64>();
        let price = |usage: TokenUsage| pricing.of(&reader.model, &usage).dollars();
        let cost = price(TokenUsage { input, ..TokenUsage::default() });
        let most = price(TokenUsage {
            output: reader.max_output_tokens.get().into(),
            ..TokenUsage::default()
        });
        let corpus = corpora.get(job.id.run.as_str()).copied().unwrap_or_default();
        let key = (corpus.to_owned(), job.id.pack, job.id.condition);
        let size = sizes.entry(key).or_insert_with(|| Size {
            dollars: Some((Dollars::ZERO, Dollars::ZERO)),
            ..Size::default()
        });
        // Every repeat sends the same.
        for _ in 0..reader.repeats {
            size.calls += 1;
            size.bytes += bytes;
            size.tokens += input;
            size.dollars =
                size.dollars.and_then(|(sum, sum_most)| Some((sum + cost?, sum_most + most?)));
        }
    }
    sizes
}

fn table(sizes: &Sizes, reader: &Reader) -> String {
    let header = [
        "corpus, pack, condition",
        "calls",
        "bytes",
        "input tokens",
        "input dollars",
        "output dollars, at most",
    ];
    let shown = |dollars: Option<Dollars>| match dollars {
        Some(dollars) => format!("${:.4}", dollars.amount().round_dp(4)),
        None => "no price".to_owned(),
    };
    let mut rows = Vec::new();
    let mut all = Size { dollars: Some((Dollars::ZERO, Dollars::ZERO)), ..Size::default() };
    for ((corpus, pack, condition), size) in sizes {
        all.calls += size.calls;
        all.bytes += size.bytes;
        all.tokens += size.tokens;
        all.dollars = all.dollars.zip(size.dollars).map(|(a, b)| (a.0 + b.0, a.1 + b.1));
        rows.push((format!("{corpus}, {pack}, {condition}"), size));
    }
    rows.push(("all".to_owned(), &all));
    let rows = rows.into_iter().map(|(name, size)| {
        let numbers = [size.calls, size.bytes, size.tokens].map(|it| it.to_string());
        let dollars = [size.dollars.map(|it| it.0), size.dollars.map(|it| it.1)].map(shown);
        [name].into_iter().chain(numbers).chain(dollars).collect()
    });
    let table = scoreboards::table(&header, &[1, 2, 3, 4, 5], rows.collect());
    format!(
        "{}\n\nThe reader is {}. Tokens are estimated by the encoding {}; other models' tokenizers count \
         differently. Dollars are by the price table of {}, for estimated input and for the most output; \
         retries come on top. Nothing was sent and nothing was written.\n",
        table.trim_end(),
        reader.label(),
        tokens::ENCODING,
        reader.price_table
    )
}
