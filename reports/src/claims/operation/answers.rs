//! Operations over released accuracies.

use rust_decimal::Decimal;

use super::{Answers, Failure, Operation, divide, misplaced};
use crate::cell::{ComprehendCell, StatedInterval};
use crate::claims::context::Context;
use crate::claims::figure::Figure;

pub(super) fn evaluate(operation: &Operation, context: &Context<'_>) -> Result<Figure, Failure> {
    let find = |a: &Answers| context.answers(&a.corpus, &a.reader, &a.condition);
    match operation {
        Operation::Accuracy(of) => {
            find(of)?.accuracy().map(Figure::Number).ok_or_else(no_questions)
        }
        Operation::MacroAverage { of, without } => {
            let cell = find(of)?;
            check_types(cell, without)?;
            cell.macro_average(without).map(Figure::Number).ok_or_else(no_questions)
        }
        Operation::LostShare { of, types } => lost_share(find(of)?, types),
        Operation::PossibleTranscriptMean(of) => possible_mean(find(of)?),
        Operation::Disjoint { above, below } => {
            let (above, below) = (stated(find(above)?)?, stated(find(below)?)?);
            Ok(Figure::Holds(above.lo > below.hi))
        }
        Operation::InputTokens(of) => {
            let tokens = find(of)?.input_tokens.map(Decimal::from);
            tokens.map(Figure::Number).ok_or_else(|| absent("tokens"))
        }
        Operation::AnswerDollars(of) => {
            find(of)?.dollars.map(Figure::Number).ok_or_else(|| absent("dollars"))
        }
        Operation::ReleasedMeanDollars { cell } => {
            let means = context.cell(cell)?.means.as_ref();
            let dollars = means.and_then(|means| means.dollars);
            dollars.map(Figure::Number).ok_or_else(|| absent("a mean cost"))
        }
        other => Err(misplaced(other)),
    }
}

fn no_questions() -> Failure {
    Failure::Undefined("no questions".to_owned())
}

fn absent(what: &str) -> Failure {
    Failure::Absent(format!("{what} of it were not released"))
}

fn stated(cell: &ComprehendCell) -> Result<&StatedInterval, Failure> {
    cell.stated.as_ref().ok_or_else(|| absent("an interval"))
}

fn check_types(cell: &ComprehendCell, types: &[String]) -> Result<(), Failure> {
    match types.iter().find(|name| !cell.questions.contains_key(*name)) {
        Some(name) => Err(Failure::Unusable(format!("there is no question type `{name}`"))),
        None => Ok(()),
    }
}

fn lost_share(cell: &ComprehendCell, types: &[String]) -> Result<Figure, Failure> {
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
fn possible_mean(cell: &ComprehendCell) -> Result<Figure, Failure> {
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
