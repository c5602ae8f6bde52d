//! What figures look like beside others: an arm with a cache beside the same without, tokens beside
//! those published.

use scoreboards::{Decimal, table};

use super::board::{ALL_INPUT, DOLLARS};
use super::lookup::{Tables, grouped, line};

/// A published mean of input tokens a run, without a cache.
struct Published {
    /// The arm.
    arm: &'static str,
    /// Links of the chain.
    links: u32,
    /// Mean input tokens over three runs.
    input_tokens: u64,
}

/// Where [`UNCACHED`] was published.
const SOURCE: &str =
    "arXiv 2609.01466, scoreboard cells CONTINUE_v10_scaling, error rate 0.08, 3 runs each";

/// Chain tasks at three horizons.
const UNCACHED: [Published; 6] = [
    Published { arm: "full", links: 30, input_tokens: 149_311 },
    Published { arm: "full", links: 60, input_tokens: 633_854 },
    Published { arm: "full", links: 120, input_tokens: 2_368_366 },
    Published { arm: "curated", links: 30, input_tokens: 91_106 },
    Published { arm: "curated", links: 60, input_tokens: 235_250 },
    Published { arm: "curated", links: 120, input_tokens: 608_878 },
];

/// Arms with a cache, and the same without.
const CACHED: [(&str, &str); 4] = [
    ("full-one-block", "full"),
    ("full-cached", "full"),
    ("scratchpad-cached", "scratchpad"),
    ("curated-cached", "curated"),
];

/// Dollars of arms with a cache as a share of those of the same without.
pub(super) fn cache(out: &mut String, tables: &Tables<'_>) {
    let mut rows = Vec::new();
    for family in &tables.families {
        for (cached, without) in CACHED {
            for links in &tables.horizons {
                let dollars = |arm| tables.number(DOLLARS, family, *links, arm);
                let (Some(with), Some(flat)) = (dollars(cached), dollars(without)) else {
                    continue;
                };
                rows.push(vec![
                    (*family).to_owned(),
                    cached.to_owned(),
                    links.to_string(),
                    format!("${:.4}", with.round_dp(4)),
                    format!("${:.4}", flat.round_dp(4)),
                    ratio(with, flat),
                ]);
            }
        }
    }
    if rows.is_empty() {
        return;
    }
    line(out, "\ncache: mean dollars a run, beside those of the same arm without a cache");
    let header = ["family", "arm", "horizon", "cached", "without", "ratio"];
    line(out, &table(&header, &[2, 3, 4, 5], rows));
}

/// Tokens read by `full` and `curated` on chains, beside the published ones.
pub(super) fn beside_published(out: &mut String, tables: &Tables<'_>) {
    let mut rows = Vec::new();
    for links in &tables.horizons {
        let row = tokens(tables, "full", *links).zip(tokens(tables, "curated", *links));
        let Some(((full, their_full), (curated, their_curated))) = row else { continue };
        rows.push(vec![
            links.to_string(),
            grouped(full),
            grouped(their_full),
            ratio(their_full, full),
            grouped(curated),
            grouped(their_curated),
            ratio(their_curated, curated),
            ratio(full, curated),
            ratio(their_full, their_curated),
        ]);
    }
    if rows.is_empty() {
        return;
    }
    let title = "chain: tokens read a run, without a cache, beside those published";
    line(out, &format!("\n{title} ({SOURCE})"));
    let header = [
        "links",
        "full",
        "published",
        "ratio",
        "curated",
        "published",
        "ratio",
        "full/curated",
        "published",
    ];
    line(out, &table(&header, &(0..header.len()).collect::<Vec<_>>(), rows));
}

/// Ours and the published ones, where there are both.
fn tokens(tables: &Tables<'_>, arm: &str, links: u32) -> Option<(Decimal, Decimal)> {
    let published = UNCACHED.iter().find(|it| it.arm == arm && it.links == links)?;
    let ours = tables.number(ALL_INPUT, "chain", links, arm)?;
    Some((ours, Decimal::from(published.input_tokens)))
}

fn ratio(a: Decimal, b: Decimal) -> String {
    a.checked_div(b).map_or_else(|| "-".to_owned(), |it| format!("{:.2}", it.round_dp(2)))
}
