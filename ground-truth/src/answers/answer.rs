//! What a reader answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An answer as it came from a reader.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A value out of a structured answer; `null` if the reader gave none.
    Json(Value),
    /// Free text.
    Text(String),
}
