//! Why a statistic could not be computed. Every function of [`stats`](crate::stats) uses it.

/// A statistic that is not computable from what was given, and why.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// There is nothing to compute from.
    #[error("no data: give at least one observation")]
    NoData,
    /// Resampling clusters needs at least two of them.
    #[error("only one cluster: an interval over clusters needs at least two")]
    OneCluster,
    /// A number of successes above the number of trials, or no trials.
    #[error("{k} successes of {n} trials: need n >= 1 and k <= n")]
    InvalidCounts {
        /// Successes.
        k: u64,
        /// Trials.
        n: u64,
    },
    /// A probability outside its range.
    #[error("{what} = {value}: must lie strictly between 0 and 1")]
    InvalidProbability {
        /// Which argument.
        what: &'static str,
        /// The value given.
        value: f64,
    },
    /// NaN or infinity among the observations.
    #[error("an observation is NaN or infinite: leave it out and count it as missing")]
    NotFinite,
    /// Every resample gives the same value: the interval would have no width, which says nothing
    /// about the uncertainty.
    #[error("every resample gives {value}: the bootstrap sees no variation; use an exact interval")]
    Degenerate {
        /// The value.
        value: f64,
    },
    /// The statistic has no value on some resamples, and the interval would rest on them.
    #[error("the statistic is undefined on {undefined} of {of} resamples")]
    UndefinedResamples {
        /// Resamples without a value.
        undefined: usize,
        /// Resamples drawn.
        of: usize,
    },
    /// The statistic has no value on the data themselves.
    #[error("the statistic is undefined on the data: its denominator is zero")]
    Undefined,
    /// The bias correction or acceleration of the `BCa` interval leaves its domain.
    #[error("the BCa correction is out of range: the estimate lies outside its resamples")]
    BcaOutOfRange,
    /// Resamples that do not fit the data.
    #[error("resample {resample} is not a draw of {clusters} from {clusters} clusters")]
    InvalidResample {
        /// Its position.
        resample: usize,
        /// Clusters in the data.
        clusters: usize,
    },
    /// No resamples were asked for.
    #[error("no resamples: ask for at least one (10,000 is usual)")]
    NoResamples,
    /// An exact decimal left its range (28 digits).
    #[error("a decimal sum left its range of 28 digits")]
    Overflow,
    /// A series did not converge.
    #[error("the incomplete beta function did not converge for a = {a}, b = {b}")]
    DidNotConverge {
        /// First shape.
        a: f64,
        /// Second shape.
        b: f64,
    },
}
