//! The numbers of the rules.

/// How long an entry lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lifetime {
    /// Five minutes.
    FiveMinutes,
    /// An hour.
    OneHour,
}

impl Lifetime {
    /// In seconds.
    pub fn seconds(self) -> u64 {
        match self {
            Self::FiveMinutes => 5 * 60,
            Self::OneHour => 60 * 60,
        }
    }
}

/// The limits of a model's cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheRules {
    /// Most breakpoints of a request.
    pub max_breakpoints: usize,
    /// Positions that a lookup checks, the breakpoint's own included.
    pub lookback: usize,
    /// Tokens of the shortest prefix that is cached.
    pub minimum_tokens: u64,
}

/// Shortest cacheable prefix by model, from "Cache limitations" of the page that this module names.
const MINIMUMS: [(&str, u64); 17] = [
    ("claude-3-5-haiku", 2048),
    ("claude-fable-5", 512),
    ("claude-fable-5-1", 512),
    ("claude-haiku-4-5", 4096),
    ("claude-mythos-5", 512),
    ("claude-mythos-5-1", 512),
    ("claude-opus-4", 1024),
    ("claude-opus-4-1", 1024),
    ("claude-opus-4-5", 4096),
    ("claude-opus-4-6", 4096),
    ("claude-opus-4-7", 2048),
    ("claude-opus-4-8", 1024),
    ("claude-opus-5", 512),
    ("claude-sonnet-4", 1024),
    ("claude-sonnet-4-5", 1024),
    ("claude-sonnet-4-6", 1024),
    ("claude-sonnet-5", 1024),
];

impl CacheRules {
    /// The rules with this shortest prefix.
    pub fn with_minimum(minimum_tokens: u64) -> Self {
        Self { max_breakpoints: 4, lookback: 20, minimum_tokens }
    }

    /// The rules of a model (its name, with or without a date); none where its shortest prefix is not
    /// known, rather than a guess.
    pub fn of_model(model: &str) -> Option<Self> {
        let bare = match model.rsplit_once('-') {
            Some((name, date)) if date.len() == 8 && date.bytes().all(|b| b.is_ascii_digit()) => {
                name
            }
            _ => model,
        };
        let (_, minimum) = MINIMUMS.iter().find(|(name, _)| *name == bare)?;
        Some(Self::with_minimum(*minimum))
    }
}
