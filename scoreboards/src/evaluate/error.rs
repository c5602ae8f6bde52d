//! Why an aggregate cannot be computed.

/// Why an aggregate cannot be computed as declared. Each is a mistake in the declaration or the rows,
/// not a property of the data: a value that data do not determine is
/// [`Value::Undefined`](crate::Value::Undefined).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AggregateError {
    /// A row of the group lacks a measure.
    #[error("row `{row}` has no measure `{measure}`: narrow the group, or mark the value missing")]
    NoMeasure {
        /// The row.
        row: String,
        /// The measure.
        measure: String,
    },
    /// A measure is of a kind that the method cannot use.
    #[error("measure `{measure}` of row `{row}` is a {found}, where {wanted} is needed")]
    WrongKind {
        /// The row.
        row: String,
        /// The measure.
        measure: String,
        /// Its kind.
        found: &'static str,
        /// What the method uses.
        wanted: &'static str,
    },
    /// A row of the group lacks the label that names its cluster or value.
    #[error("row `{row}` has no label `{label}`: set it on every row of the group")]
    NoLabel {
        /// The row.
        row: String,
        /// The label.
        label: String,
    },
    /// No row has a label that the group names.
    #[error("no row has label {label}={value}: the group names something that was not measured")]
    UnknownGroup {
        /// The label.
        label: String,
        /// The value.
        value: String,
    },
    /// Rows of different renderers would be pooled.
    #[error("rows of different renderers ({}): split them, or pool across the renderer by name", found.join(", "))]
    MixedRenderers {
        /// The renderers' names, `none` among them for rows without one.
        found: Vec<String>,
    },
    /// The method has no interval of the declared kind.
    #[error("no {interval} interval for this method")]
    UnsupportedInterval {
        /// The interval.
        interval: &'static str,
    },
    /// A bootstrap without a cluster label.
    #[error("a bootstrap needs the label that names each row's cluster: declare `cluster`")]
    NeedsCluster,
    /// A binomial interval of something other than successes among trials.
    #[error("row `{row}` is not k successes of n trials: use a bootstrap interval")]
    NotAProportion {
        /// The row.
        row: String,
    },
    /// An argument of the method or interval is out of range.
    #[error("{0}")]
    OutOfRange(String),
    /// A sum left the range of exact decimals.
    #[error("a sum left the range of exact decimals (28 digits)")]
    Overflow,
}
