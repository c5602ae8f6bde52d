//! A recorded call, as stored in a line of a cassette.

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
    /// The request.
    pub request: Request,
    /// Which repeat of it this is, from 0.
    pub repeat: u32,
    /// The attempts made until there was an answer; their cost is in the ledger only.
    pub attempts: Vec<Attempt>,
    /// The HTTP status of the answer.
    pub status: u16,
    /// The body of the answer, whole, without any key. What it says is read from it again.
    pub body: String,
}
