//! Claims as data, and the list that the binary carries.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::figure::{Figure, FigureError, Rounding};
use super::operation::Operation;

/// One claim of the paper.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Unique.
    pub id: String,
    /// What it says, in our words.
    pub says: String,
    /// Where it is in the paper.
    #[serde(rename = "where")]
    pub place: String,
    /// The figure, as [`Figure`] reads it.
    pub figure: String,
    /// To what the figure is rounded; a count is exact.
    #[serde(default)]
    pub rounding: Option<String>,
    /// What else a reader must know.
    #[serde(default)]
    pub note: Option<String>,
    /// How it is recomputed, or why it is not.
    pub compute: Operation,
}

/// Data that cannot be used to judge any claim.
#[derive(Debug, thiserror::Error)]
pub enum ClaimsError {
    /// The list is not what it should be.
    #[error("claims: {0}")]
    Malformed(String),
    /// A claim names something missing, or pools what must not be pooled.
    #[error("claim {id}: {reason}")]
    Unusable {
        /// The claim.
        id: String,
        /// Why.
        reason: String,
    },
}

const CARRIED: &str = include_str!("../../data/claims.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimFile {
    claim: Vec<Claim>,
}

/// The claims carried in the binary.
pub fn carried() -> Result<Vec<Claim>, ClaimsError> {
    parse(CARRIED)
}

/// Reads a list of claims.
pub fn parse(text: &str) -> Result<Vec<Claim>, ClaimsError> {
    let file: ClaimFile = toml::from_str(text).map_err(|e| {
        // The first line of the message says where; the rest quotes the file.
        let lines: Vec<&str> = e.message().lines().collect();
        let at = e.span().map_or(0, |span| text[..span.start].lines().count());
        ClaimsError::Malformed(format!("line {at}: {}", lines.join(" ")))
    })?;
    let mut ids = BTreeSet::new();
    for claim in &file.claim {
        if !ids.insert(claim.id.as_str()) {
            return Err(ClaimsError::Malformed(format!("`{}` is there twice", claim.id)));
        }
        if let Err(reason) = claim.check() {
            return Err(ClaimsError::Unusable { id: claim.id.clone(), reason });
        }
    }
    Ok(file.claim)
}

impl Claim {
    fn check(&self) -> Result<(), String> {
        if !matches!(self.compute, Operation::NotComputable { .. }) {
            Figure::parse(&self.figure).map_err(|e| e.to_string())?;
        }
        self.rounding().map_err(|e| e.to_string())?;
        if self.compute.is_part() {
            return Err("a released number is not evidence for itself: combine it".to_owned());
        }
        Ok(())
    }

    pub(super) fn rounding(&self) -> Result<Rounding, FigureError> {
        self.rounding.as_deref().map_or(Ok(Rounding::Exact), Rounding::parse)
    }
}
