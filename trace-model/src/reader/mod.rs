//! From bytes to records: splits lines in any chunking, quarantines what is malformed, and keeps the
//! place from which reading can go on. Used by whoever feeds a fold or a ledger.

mod follow;
mod lines;
mod token;
mod transcript;

pub use follow::{Change, FollowError, Followed};
pub use token::{Fingerprint, ResumeToken};
pub use transcript::{BadLine, ReadStats, TranscriptReader};
