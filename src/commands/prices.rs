//! `prices`: the dated price table, with its sources.

use std::fmt::Write as _;

use clap::Args;
use cli_support::Exit;
use rust_decimal::Decimal;
use scoreboards::{escape, table};
use trace_model::pricing::{ModelPrice, PriceTable, Rates};

use crate::output::Out;

/// Arguments of `prices`.
#[derive(Debug, Args)]
#[command(after_help = "\
US dollars per million tokens. A model, service tier, speed or region without a published price is
not guessed: its tokens are reported as unpriced. To use your own prices, save the JSON, edit it,
and pass it with --prices FILE, or name it in tracefold.toml.")]
pub(crate) struct PricesArgs {
    /// Print the table as JSON, the format that --prices reads
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &PricesArgs) -> anyhow::Result<Exit> {
    let prices = PriceTable::builtin();
    let mut out = Out::new();
    if args.json {
        out.json(&prices)?;
    } else {
        out.text(&render(&prices))?;
    }
    Ok(Exit::Done)
}

fn render(prices: &PriceTable) -> String {
    let header = [
        "model",
        "from",
        "input",
        "output",
        "write 5m",
        "write 1h",
        "read",
        "long from",
        "fast",
        "sources",
    ];
    let rows = prices.models().iter().flat_map(rows);
    let body = table(&header, &[2, 3, 4, 5, 6, 7, 8], rows.collect());
    let mut text = format!("US dollars per million tokens, as of {}\n\n{body}\n", prices.date());
    for (key, source) in prices.sources() {
        let _ = write!(text, "\n{}: {}, {}\n", escape(key), escape(&source.title), source.url);
        if !source.note.is_empty() {
            let _ = writeln!(text, "  {}", escape(&source.note));
        }
    }
    text
}

fn rows(model: &ModelPrice) -> Vec<Vec<String>> {
    model.rates.iter().map(|rates| row(model, rates)).collect()
}

fn row(model: &ModelPrice, rates: &Rates) -> Vec<String> {
    let price =
        |price: Option<Decimal>| price.map_or("-".to_owned(), |p| p.normalize().to_string());
    let long = rates.long_context.as_ref().map(|tier| {
        format!("{} x{}/x{}", tier.above, tier.input.normalize(), tier.output.normalize())
    });
    vec![
        escape(&model.name),
        rates.from.clone().unwrap_or_else(|| "-".to_owned()),
        price(Some(rates.input)),
        price(Some(rates.output)),
        price(rates.cache_write_5m),
        price(rates.cache_write_1h),
        price(rates.cache_read),
        long.unwrap_or_else(|| "-".to_owned()),
        rates.fast.map_or("-".to_owned(), |factor| format!("x{}", factor.normalize())),
        model.sources.join(", "),
    ]
}
