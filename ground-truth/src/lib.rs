//! ground-truth

pub mod oracle;
pub mod stats;
