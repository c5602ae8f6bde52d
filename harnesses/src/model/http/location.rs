//! Where a cloud runs a model.

/// Where Vertex AI runs a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VertexLocation {
    /// The Google Cloud project.
    pub project: String,
    /// The region, or `global`.
    pub region: String,
}
