//! ground-truth

pub mod graders;
pub mod oracle;
pub mod questions;
pub mod stats;
