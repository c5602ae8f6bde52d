//! The paper's numeric claims, each recomputed from what was released, or from a run of ours.
//!
//! A claim is data (`data/claims.toml`): what it says, where, its figure and rounding, and the
//! operation that recomputes it. Operations combine runs or released parts; none returns a released
//! number as it is, so a figure is never compared with itself. Commands and pages print the verdicts.

mod context;
mod figure;
mod operation;
mod print;

use serde::Deserialize;

pub use context::Context;
pub use figure::{Figure, FigureError, Rounding};
pub use operation::{Basis, Operation};
pub use print::{as_table, counts};

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

/// What came of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// What was recomputed rounds to the claim's figure.
    Reproduced(Figure),
    /// It does not.
    Differs(Figure),
    /// It cannot be recomputed here, and why.
    NotComputable(String),
}

impl Verdict {
    /// Its name in print.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Reproduced(_) => "reproduced",
            Self::Differs(_) => "differs",
            Self::NotComputable(_) => "not computable here",
        }
    }
}

/// A claim and what came of it.
#[derive(Debug, Clone)]
pub struct Judged<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// What came of it.
    pub verdict: Verdict,
    /// In what the pooled cells differ, by name.
    pub across: Vec<String>,
}

/// Data that cannot be used to judge any claim.
#[derive(Debug, thiserror::Error)]
pub enum ClaimsError {
    /// The list is not what it should be.
    #[error("claims: {0}")]
    Malformed(String),
    /// A claim names what is not there, or pools what may not be pooled.
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
    let mut ids = std::collections::BTreeSet::new();
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
            return Err("a released number alone is no evidence for itself: combine it".to_owned());
        }
        Ok(())
    }

    fn rounding(&self) -> Result<Rounding, FigureError> {
        self.rounding.as_deref().map_or(Ok(Rounding::Exact), Rounding::parse)
    }
}

/// Judges every claim, in order.
pub fn judge<'a>(
    claims: &'a [Claim],
    context: &Context<'_>,
) -> Result<Vec<Judged<'a>>, ClaimsError> {
    claims.iter().map(|claim| judge_one(claim, context)).collect()
}

fn judge_one<'a>(claim: &'a Claim, context: &Context<'_>) -> Result<Judged<'a>, ClaimsError> {
    let unusable = |reason: String| ClaimsError::Unusable { id: claim.id.clone(), reason };
    if let Operation::NotComputable { why } = &claim.compute {
        let verdict = Verdict::NotComputable(why.clone());
        return Ok(Judged { claim, verdict, across: Vec::new() });
    }
    let wanted = Figure::parse(&claim.figure).map_err(|e| unusable(e.to_string()))?;
    let rounding = claim.rounding().map_err(|e| unusable(e.to_string()))?;
    let mut across = Vec::new();
    let verdict = match claim.compute.evaluate(context, &mut across) {
        Ok(found) => compare(&wanted, found, rounding).map_err(unusable)?,
        Err(operation::Failure::Absent(why)) => Verdict::NotComputable(why),
        Err(operation::Failure::Undefined(why)) => Verdict::Differs(Figure::Undefined(why)),
        Err(operation::Failure::Unusable(reason)) => return Err(unusable(reason)),
    };
    Ok(Judged { claim, verdict, across })
}

/// A range of what is possible can contradict a figure, but not confirm it.
fn compare(wanted: &Figure, found: Figure, rounding: Rounding) -> Result<Verdict, String> {
    let agrees = wanted.agrees(&found, rounding).map_err(|e| e.to_string())?;
    if let Figure::Possible { .. } = &found {
        let why = format!("not contradicted: it lies in what the released parts allow, {found}");
        return Ok(if agrees { Verdict::NotComputable(why) } else { Verdict::Differs(found) });
    }
    Ok(if agrees { Verdict::Reproduced(found) } else { Verdict::Differs(found) })
}
