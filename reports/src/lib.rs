//! Tables and figures from scoreboards.
