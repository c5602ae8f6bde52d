//! ground-truth

mod answers;
pub mod forms;
pub mod graders;
pub mod oracle;
pub mod questions;
pub mod stats;
