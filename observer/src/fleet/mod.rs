//! Many sessions at once: what each is doing in a row, folded once and then only as far as it has
//! grown. The table in a browser and the list in a terminal come from here.

mod cache;
mod candidates;
mod follow;
mod page;
mod row;
mod scan;

pub use cache::{Cache, CacheError};
pub use candidates::{Candidate, LastEvents, Stamp, candidates};
pub use follow::{Fleet, follow};
pub use page::{compile, document};
pub use row::{Content, Row, SessionSummary, Unreadable};
pub use scan::{Scan, Scanned};
