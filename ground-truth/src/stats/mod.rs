//! The statistics behind every interval, p-value and rate that an instrument reports.
//!
//! Pure functions of their arguments: nothing here reads a file, a clock or a global random
//! generator. Whatever cannot be computed (no data, one cluster, a zero denominator) is a typed
//! error or `None`, never a conventional 0 or 1. Floats are used inside; results that must be exact
//! (counts, money) stay integers or decimals. `scoreboards` and the harnesses use this module; it
//! knows of neither.
//!
//! Agreement with `SciPy` and `statsmodels` to 1e-9 is tested in `tests/stats_vectors.rs`.

pub mod bootstrap;
mod cost;
mod detectable;
mod distance;
mod error;
mod holm;
mod interval;
mod mcnemar;
mod order;
mod proportion;
mod rates;
mod sign_flip;
pub mod special;

pub use bootstrap::{Bootstrap, BootstrapKind, ClusterSum, FEWEST_CLUSTERS};
pub use cost::{
    CostPerSuccess, RunCost, cost_per_success, cost_per_success_interval, cost_per_success_of,
};
pub use detectable::{Direction, minimum_detectable_difference};
pub use distance::total_variation;
pub use error::StatsError;
pub use holm::holm;
pub use interval::{Interval, IntervalMethod, Level};
pub use mcnemar::mcnemar_exact;
pub use order::{median, percentile};
pub use proportion::{clopper_pearson, wilson};
pub use rates::{Fraction, f1, precision, recall};
pub use sign_flip::{SIGN_FLIP_EXACT, sign_flip};
