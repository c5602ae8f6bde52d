//! Operations over released accuracies.

use rust_decimal::Decimal;

use crate::cell::{ComprehendCell, StatedInterval};
use crate::claims::failure::{Failure, divide};
use crate::claims::figure::Figure;

pub(super) fn accuracy(cell: &ComprehendCell) -> Result<Figure, Failure> {
    cell.accuracy().map(Figure::Number).ok_or_else(no_questions)
}

pub(super) fn macro_average(cell: &ComprehendCell, without: &[String]) -> Result<Figure, Failure> {
    check_types(cell, without)?;
    cell.macro_average(without).map(Figure::Number).ok_or_else(no_questions)
}

pub(super) fn disjoint(above: &ComprehendCell, below: &ComprehendCell) -> Result<Figure, Failure> {
    Ok(Figure::Holds(stated(above)?.lo > stated(below)?.hi))
}

pub(super) fn input_tokens(cell: &ComprehendCell) -> Result<Figure, Failure> {
    let tokens = cell.input_tokens.map(Decimal::from);
    tokens.map(Figure::Number).ok_or_else(|| Failure::not_released("tokens"))
}

pub(super) fn dollars(cell: &ComprehendCell) -> Result<Figure, Failure> {
    cell.dollars.map(Figure::Number).ok_or_else(|| Failure::not_released("dollars"))
}

fn no_questions() -> Failure {
    Failure::Undefined("no questions".to_owned())
}

fn stated(cell: &ComprehendCell) -> Result<&StatedInterval, Failure> {
    cell.stated.as_ref().ok_or_else(|| Failure::not_released("an interval"))
}

fn check_types(cell: &ComprehendCell, types: &[String]) -> Result<(), Failure> {
    match types.iter().find(|name| !cell.questions.contains_key(*name)) {
        Some(name) => Err(Failure::Unusable(format!("there is no question type `{name}`"))),
        None => Ok(()),
    }
}

pub(super) fn lost_share(cell: &ComprehendCell, types: &[String]) -> Result<Figure, Failure> {
    check_types(cell, types)?;
    let lost = |name: &String| {
        cell.questions.get(name).map_or(Decimal::ZERO, |q| Decimal::from(q.n) - q.sum)
    };
    let all: Decimal = cell.questions.keys().map(lost).sum();
    let named: Decimal = types.iter().map(lost).sum();
    divide(named, all, "nothing was lost").map(Figure::Number)
}

/// Of T transcripts, U lack one question of six. With S the sum of all scores and s that of the
/// transcripts with five, the mean of the transcripts' means is ((S - s)/6 + s/5) / T, and s lies
/// between what the others cannot hold and 5 U.
pub(super) fn possible_mean(cell: &ComprehendCell) -> Result<Figure, Failure> {
    let types = cell.questions.len() as u64;
    let full = types * cell.transcripts;
    let lacking = full.checked_sub(cell.n()).ok_or_else(no_questions)?;
    if types < 2 || cell.transcripts == 0 || lacking > cell.transcripts {
        return Err(no_questions());
    }
    let sum: Decimal = cell.questions.values().map(|q| q.sum).sum();
    let most = Decimal::from(lacking * (types - 1)).min(sum);
    let others = Decimal::from((cell.transcripts - lacking) * types);
    let least = (sum - others).max(Decimal::ZERO);
    let mean = |short: Decimal| {
        let means = (sum - short) / Decimal::from(types) + short / Decimal::from(types - 1);
        means / Decimal::from(cell.transcripts)
    };
    Ok(Figure::Possible { lo: mean(least), hi: mean(most) })
}
