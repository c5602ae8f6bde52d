//! Ends of an interval, or why there are none.

use ground_truth::stats::{Bootstrap, BootstrapKind, FEWEST_CLUSTERS, Interval, Level, StatsError};
use rust_decimal::Decimal;

/// The bootstrap of every interval that needs one: 10,000 resamples of a fixed seed, so that a report
/// over the same data is the same bytes.
pub const BOOTSTRAP: Bootstrap =
    Bootstrap { kind: BootstrapKind::Bca, resamples: 10_000, seed: 1, level: Level::P95 };

/// An interval as it is printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bounds {
    /// It has ends.
    Ends {
        /// Lower end.
        lo: Decimal,
        /// Upper end.
        hi: Decimal,
        /// Level and method, as `95% Clopper-Pearson`.
        kind: String,
    },
    /// It would rest on this many clusters, which is too few.
    TooFew(u64),
    /// It has none, and why.
    None(String),
}

impl Bounds {
    /// From a computed interval.
    pub fn of(interval: Result<Interval, StatsError>) -> Self {
        match interval {
            Ok(Interval { lo, hi, level, method }) => match (decimal(lo), decimal(hi)) {
                (Some(lo), Some(hi)) => {
                    Self::Ends { lo, hi, kind: format!("{:.0}% {method}", level.get() * 100.0) }
                }
                _ => Self::None("out of range".to_owned()),
            },
            Err(error) => Self::None(why(&error)),
        }
    }

    /// Ends and method, for a cell of a table.
    pub fn ends(&self) -> Option<(Decimal, Decimal)> {
        match self {
            Self::Ends { lo, hi, .. } => Some((*lo, *hi)),
            Self::TooFew(_) | Self::None(_) => None,
        }
    }

    /// Whether it leaves out 0; none where it has no ends.
    pub fn leaves_out_zero(&self) -> Option<bool> {
        self.ends().map(|(lo, hi)| lo > Decimal::ZERO || hi < Decimal::ZERO)
    }

    /// Whether it has ends and both lie strictly within these.
    pub fn within(&self, margin: Decimal) -> bool {
        self.ends().is_some_and(|(lo, hi)| lo > -margin && hi < margin)
    }

    /// Level and method; empty without ends.
    pub fn kind(&self) -> &str {
        match self {
            Self::Ends { kind, .. } => kind,
            Self::TooFew(_) | Self::None(_) => "",
        }
    }
}

/// An error in the few words that fit beside a number.
fn why(error: &StatsError) -> String {
    match error {
        StatsError::NoData => "no data".to_owned(),
        StatsError::OneCluster => "one cluster".to_owned(),
        StatsError::Degenerate { .. } => "no variation to resample".to_owned(),
        StatsError::UndefinedResamples { undefined, of } => {
            format!("undefined on {undefined} of {of} resamples")
        }
        StatsError::Undefined => "undefined".to_owned(),
        StatsError::BcaOutOfRange => "BCa out of range".to_owned(),
        other => other.to_string(),
    }
}

/// `BCa`, or the percentile interval where `BCa` leaves its range (which the method's name then says). None
/// over fewer clusters than such an interval needs.
pub(super) fn bootstrap_or_percentile(
    clusters: usize,
    interval: impl Fn(&Bootstrap) -> Result<Interval, StatsError>,
) -> Bounds {
    if too_few(clusters as u64) {
        return Bounds::TooFew(clusters as u64);
    }
    match interval(&BOOTSTRAP) {
        Err(StatsError::BcaOutOfRange) => {
            let percentile = Bootstrap { kind: BootstrapKind::Percentile, ..BOOTSTRAP };
            Bounds::of(interval(&percentile))
        }
        other => Bounds::of(other),
    }
}

/// Whether there are clusters, but fewer than a bootstrap interval or a verdict can rest on.
pub(super) fn too_few(clusters: u64) -> bool {
    (1..FEWEST_CLUSTERS).contains(&clusters)
}

/// At twelve significant digits: beyond them platforms may differ.
pub fn decimal(value: f64) -> Option<Decimal> {
    Decimal::try_from(value).ok().and_then(|d| d.round_sf(12)).map(|d| d.normalize())
}

/// The nearest float, for statistics and plots.
pub fn float(value: Decimal) -> f64 {
    f64::try_from(value).unwrap_or(f64::NAN)
}
