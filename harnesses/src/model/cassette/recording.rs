//! A recorded call, as a line of a cassette holds it.

use serde::{Deserialize, Serialize};

use crate::model::backend::BackendId;
use crate::model::called::Attempt;
use crate::model::request::Request;

/// The lines' format.
pub(super) const SCHEMA: &str = "tracefold-cassette/3";

/// A recorded call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// Where it went.
    pub endpoint: BackendId,
    /// What was asked.
    pub request: Request,
    /// Which repeat of it this is, from 0.
    pub repeat: u32,
    /// What was tried until there was an answer; what it cost is in the ledger only.
    pub attempts: Vec<Attempt>,
    /// The HTTP status of the answer.
    pub status: u16,
    /// The body of the answer, whole, without any key. What it says is read from it again.
    pub body: String,
}
