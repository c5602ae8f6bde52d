//! What one record reports of the usage of an API call.

/// One record's report of a call, or one entry of its `usage.iterations`.
#[derive(Debug, Clone, Default)]
pub(super) struct UsageReport {
    /// The record's position in the ledger.
    pub(super) record: usize,
    /// Whether it has a `stop_reason`.
    pub(super) stops: bool,
    pub(super) message: Option<String>,
    pub(super) request: Option<String>,
    pub(super) uuid: Option<String>,
    pub(super) in_sidechain: bool,
    pub(super) date: Option<String>,
    pub(super) model: Option<String>,
    pub(super) speed: Option<String>,
    pub(super) service_tier: Option<String>,
    pub(super) inference_geo: Option<String>,
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) cache_read: u64,
    pub(super) cache_total: u64,
    pub(super) cache_5m: u64,
    pub(super) cache_1h: u64,
    pub(super) web_search: u64,
    pub(super) web_fetch: u64,
    /// Of an entry: its type.
    pub(super) kind: Option<String>,
    /// Whether the usage or the entry states the input, output, cache reads and cache writes.
    pub(super) states: [bool; 4],
    /// The entries of `usage.iterations`, with their positions in the list.
    pub(super) iterations: Vec<(u64, UsageReport)>,
}

/// The largest value of a number over some reports.
pub(super) fn largest(reports: &[&UsageReport], number: fn(&UsageReport) -> u64) -> u64 {
    reports.iter().map(|report| number(report)).max().unwrap_or(0)
}

/// Whether an entry of iterations "has a number above zero".
pub(super) fn has_numbers(reports: &[&UsageReport]) -> bool {
    reports.iter().any(|it| {
        let cache = it.cache_read + it.cache_total + it.cache_5m + it.cache_1h;
        it.input + it.output + cache + it.web_search + it.web_fetch > 0
    })
}
