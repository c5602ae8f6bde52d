//! From bytes to records: splits lines in any chunking, quarantines malformed lines, and keeps the place to
//! resume from. Used by everything that feeds a fold or a ledger.

mod follow;
mod lines;
mod token;
mod transcript;

pub(crate) use follow::Begun;
pub use follow::{Change, FollowError, Followed};
pub use token::{Fingerprint, ResumeToken};
pub use transcript::{BadLine, ReadStats, TranscriptReader};
