//! Judges each claim: its figure beside the recomputed one.

use super::claim::{Claim, ClaimsError};
use super::context::Context;
use super::evaluate::evaluate;
use super::failure::Failure;
use super::figure::{Figure, Rounding};
use super::operation::Operation;

/// The verdict on a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The recomputed value rounds to the claim's figure.
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

/// A claim and its verdict.
#[derive(Debug, Clone)]
pub struct Judged<'a> {
    /// The claim.
    pub claim: &'a Claim,
    /// The verdict.
    pub verdict: Verdict,
    /// In what the pooled cells differ, by name.
    pub across: Vec<String>,
}

impl Judged<'_> {
    /// The recomputed figure, where there is one.
    pub fn figure(&self) -> Option<&Figure> {
        match &self.verdict {
            Verdict::Reproduced(figure) | Verdict::Differs(figure) => Some(figure),
            Verdict::NotComputable(_) => None,
        }
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
    let verdict = match evaluate(&claim.compute, context, &mut across) {
        Ok(found) => compare(&wanted, found, rounding).map_err(unusable)?,
        Err(Failure::Absent(why)) => Verdict::NotComputable(why),
        Err(Failure::Undefined(why)) => Verdict::Differs(Figure::Undefined(why)),
        Err(Failure::Unusable(reason)) => return Err(unusable(reason)),
    };
    Ok(Judged { claim, verdict, across })
}

/// A range of possible values can contradict a figure, but not confirm it.
fn compare(wanted: &Figure, found: Figure, rounding: Rounding) -> Result<Verdict, String> {
    let agrees = wanted.agrees(&found, rounding).map_err(|e| e.to_string())?;
    if let Figure::Possible { .. } = &found {
        let why = format!("not contradicted: it lies in what the released parts allow, {found}");
        return Ok(if agrees { Verdict::NotComputable(why) } else { Verdict::Differs(found) });
    }
    Ok(if agrees { Verdict::Reproduced(found) } else { Verdict::Differs(found) })
}
