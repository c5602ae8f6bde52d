//! Figures side by side: an arm with and without a cache, tokens beside those published.

use scoreboards::measures::continuation::{MEAN_ALL_INPUT, MEAN_DOLLARS};
use scoreboards::{Column, Decimal, Table};

use super::lookup::{Cells, grouped};

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

/// Dollars of arms with a cache as a share of the same arms without.
pub(super) fn cache(cells: &Cells<'_>) -> Option<Table> {
    let title = "cache: mean dollars a run, beside those of the same arm without a cache";
    let heads = ["horizon", "cached", "without", "ratio"].map(Column::number);
    let columns = ["family", "arm"].map(Column::text).into_iter().chain(heads);
    let mut table = Table::new(title, columns);
    for family in &cells.families {
        for arm in &cells.arms {
            let Some(without) = arm.without_cache else { continue };
            for links in &cells.horizons {
                let dollars = |arm| cells.number(&MEAN_DOLLARS, family, *links, arm);
                let (Some(with), Some(flat)) = (dollars(arm.name), dollars(without)) else {
                    continue;
                };
                table.rows.push(vec![
                    (*family).to_owned(),
                    arm.name.to_owned(),
                    links.to_string(),
                    format!("${:.4}", with.round_dp(4)),
                    format!("${:.4}", flat.round_dp(4)),
                    ratio(with, flat),
                ]);
            }
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Tokens read by `full` and `curated` on chains, beside the published ones.
pub(super) fn beside_published(cells: &Cells<'_>) -> Option<Table> {
    let title =
        format!("chain: tokens read a run, without a cache, beside those published ({SOURCE})");
    let heads = [
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
    let mut table = Table::new(title, heads.map(Column::number));
    for links in &cells.horizons {
        let row = tokens(cells, "full", *links).zip(tokens(cells, "curated", *links));
        let Some(((full, their_full), (curated, their_curated))) = row else { continue };
        table.rows.push(vec![
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
    (!table.rows.is_empty()).then_some(table)
}

/// Ours and the published ones, where there are both.
fn tokens(cells: &Cells<'_>, arm: &str, links: u32) -> Option<(Decimal, Decimal)> {
    let published = UNCACHED.iter().find(|it| it.arm == arm && it.links == links)?;
    let ours = cells.number(&MEAN_ALL_INPUT, "chain", links, arm)?;
    Some((ours, Decimal::from(published.input_tokens)))
}

fn ratio(a: Decimal, b: Decimal) -> String {
    a.checked_div(b).map_or_else(|| "-".to_owned(), |it| format!("{:.2}", it.round_dp(2)))
}
