//! What a call used: what prices are computed from.

/// What one API call used, as its usage record says. Tokens are disjoint classes: `input` excludes
/// what was read from or written to the cache.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallUsage<'a> {
    /// Uncached input tokens.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Tokens read from the cache.
    pub cache_read: u64,
    /// Tokens written to the cache for 5 minutes.
    pub cache_write_5m: u64,
    /// Tokens written to the cache for 1 hour.
    pub cache_write_1h: u64,
    /// Web searches made by the server.
    pub web_search_requests: u64,
    /// `speed`: none, empty and `standard` are the standard speed.
    pub speed: Option<&'a str>,
    /// `service_tier`: none, empty, `standard` and `default` are the standard tier.
    pub service_tier: Option<&'a str>,
    /// `inference_geo`: none, empty, `global` and `not_available` are the global default.
    pub inference_geo: Option<&'a str>,
    /// When the call was made: `YYYY-MM-DD` or an RFC 3339 timestamp in UTC. Without it the newest
    /// prices stand, and [`Assumptions::undated`](super::Assumptions::undated) says so where it matters.
    pub date: Option<&'a str>,
    /// Whether it is the sum of several calls, of which none is known to have had a long context.
    pub is_sum: bool,
}

impl CallUsage<'_> {
    /// The context that the model read: what the long-context tier is decided from.
    pub fn context(&self) -> u64 {
        [self.cache_read, self.cache_write_5m, self.cache_write_1h]
            .into_iter()
            .fold(self.input, u64::saturating_add)
    }
}
