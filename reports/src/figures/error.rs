//! Why a figure cannot be drawn.

/// A figure that cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum FigureError {
    /// The drawing library refused.
    #[error("figure {id} cannot be drawn: {reason}")]
    Draw {
        /// Which.
        id: String,
        /// Why.
        reason: String,
    },
}
