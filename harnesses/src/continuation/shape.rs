//! Published figures beside which ours are printed.

/// A published mean of input tokens a run, without a cache.
pub(super) struct Published {
    /// The arm.
    pub(super) arm: &'static str,
    /// Links of the chain.
    pub(super) links: u32,
    /// Mean input tokens over three runs.
    pub(super) input_tokens: u64,
}

/// Where [`UNCACHED`] was published.
pub(super) const SOURCE: &str =
    "arXiv 2609.01466, scoreboard cells CONTINUE_v10_scaling, error rate 0.08, 3 runs each";

/// Chain tasks at three horizons.
pub(super) const UNCACHED: [Published; 6] = [
    Published { arm: "full", links: 30, input_tokens: 149_311 },
    Published { arm: "full", links: 60, input_tokens: 633_854 },
    Published { arm: "full", links: 120, input_tokens: 2_368_366 },
    Published { arm: "curated", links: 30, input_tokens: 91_106 },
    Published { arm: "curated", links: 60, input_tokens: 235_250 },
    Published { arm: "curated", links: 120, input_tokens: 608_878 },
];
