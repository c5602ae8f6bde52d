//! Adapters turn one agent's transcript format into [`Record`](crate::event::Record)s: a folder per
//! agent, with its README, its shapes and its tests. Readers use them through [`claude_code`].

pub mod claude_code;
mod format;
mod recognise;

pub use format::{Format, FormatSupport};
pub use recognise::{Recognised, recognise, sniff};
