//! Adapters turn one agent's transcript format into [`Record`](crate::event::Record)s: a folder per agent,
//! with its README, its shapes and its tests, and a line each in the table of formats. Everything else asks
//! an [`Adapter`], and knows no agent by name.

mod boundary;
mod claude_code;
mod codex;
mod discovery;
mod format;
mod heads;
mod json_lines;
mod lenient;
mod recognise;
mod registry;
mod times;
mod torn;

pub use boundary::{Adapter, AdapterRef, FileRole, LineReport, RecordReader, RunFile};
pub use claude_code::is_harness_element;
pub use discovery::{agent_of, agents_below, sessions_below};
pub use format::Format;
pub use heads::Heads;
pub(crate) use recognise::recognise_into;
pub use recognise::{Facts, Recognised, Sign, recognise, sniff};
pub use registry::FormatSupport;
