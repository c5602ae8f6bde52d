//! Many sessions at once: one row each, folded once and then only as far as it has grown. Used by the
//! `fleet` table in a browser and the `sessions` list in a terminal.

mod cache;
mod candidates;
mod follow;
mod page;
mod row;
mod scan;

pub use cache::{Cache, CacheError};
pub use candidates::{Candidate, LastEvents, Stamp, Told, candidates};
pub use follow::{Fleet, follow};
pub use page::{compile, document};
pub use row::{Content, Row, SessionSummary, Unreadable};
pub use scan::{Scan, Scanned, names};
