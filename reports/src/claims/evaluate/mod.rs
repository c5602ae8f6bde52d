//! Operations carried out: one arm each, over runs, released accuracies and counts, or a scoreboard of ours.

mod answers;
mod instruments;
mod runs;

use rust_decimal::Decimal;

use super::context::Context;
use super::failure::{Failure, divide};
use super::figure::Figure;
use super::operation::{Operation, Select};
use crate::cell::Pooled;

/// The figure. What pooled cells differ in is added to `across`.
pub(super) fn evaluate(
    operation: &Operation,
    context: &Context<'_>,
    across: &mut Vec<String>,
) -> Result<Figure, Failure> {
    let mut pooled =
        |s: &Select| -> Result<Pooled<'_>, Failure> { context.pooled(&s.cells, &s.across, across) };
    match operation {
        Operation::Successes(s) => {
            runs::successes(&pooled(s)?).map(|(k, n)| Figure::Fraction { k, n })
        }
        Operation::SuccessRate(s) => runs::rate(&pooled(s)?).map(Figure::Number),
        Operation::Failures(s) => {
            let (k, n) = runs::successes(&pooled(s)?)?;
            Ok(Figure::Number(Decimal::from(n - k)))
        }
        Operation::Sum { of, over } => {
            runs::total(&pooled(over)?, *of).map(|(sum, _)| Figure::Number(sum))
        }
        Operation::Mean { of, over } => {
            let (sum, n) = runs::total(&pooled(over)?, *of)?;
            divide(sum, n, "no runs").map(Figure::Number)
        }
        Operation::CostPerSuccess(s) => runs::cost_per_success(&pooled(s)?),
        Operation::PricedTokens { over, price } => runs::mean_priced(&pooled(over)?, price),
        Operation::ImpliedWritePremium { over, price } => {
            runs::implied_premium(&pooled(over)?, price)
        }
        Operation::Discordant { a, b } => {
            let (a, b) = runs::discordant(&pooled(a)?, &pooled(b)?)?;
            Ok(Figure::Pairs { a, b })
        }
        Operation::McNemar { a, b } => runs::mcnemar(&pooled(a)?, &pooled(b)?),
        Operation::Recovered { failed, now } => runs::recovered(&pooled(failed)?, &pooled(now)?),
        Operation::NoBetter { a, b } => {
            Ok(Figure::Holds(runs::rate(&pooled(a)?)? <= runs::rate(&pooled(b)?)?))
        }
        Operation::Accuracy(of) => answers::accuracy(context.answers(of)?),
        Operation::MacroAverage { of, without } => {
            answers::macro_average(context.answers(of)?, without)
        }
        Operation::LostShare { of, types } => answers::lost_share(context.answers(of)?, types),
        Operation::PossibleTranscriptMean(of) => answers::possible_mean(context.answers(of)?),
        Operation::Disjoint { above, below } => {
            answers::disjoint(context.answers(above)?, context.answers(below)?)
        }
        Operation::InputTokens(of) => answers::input_tokens(context.answers(of)?),
        Operation::AnswerDollars(of) => answers::dollars(context.answers(of)?),
        Operation::ReleasedMeanDollars { cell } => {
            let means = context.cell(cell)?.means.as_ref();
            let dollars = means.and_then(|means| means.dollars);
            dollars.map(Figure::Number).ok_or_else(|| Failure::not_released("a mean cost"))
        }
        Operation::Ratio { num, den } => {
            let (num, den) = (number(num, context, across)?, number(den, context, across)?);
            divide(num, den, "the divisor is zero").map(Figure::Number)
        }
        Operation::DetectPrecision => instruments::detect_precision(context.published),
        Operation::DetectRecall => instruments::detect_recall(context.published),
        Operation::DetectInstances => Ok(instruments::detect_instances(context.published)),
        Operation::FidelityFields => Ok(instruments::fidelity_fields(context.published)),
        Operation::CorrelationShare => instruments::correlation_share(context.published),
        Operation::OurRun { instrument, over, method } => {
            instruments::our_run(context.boards, *instrument, over, method)
        }
        Operation::NotComputable { why } => Err(Failure::Absent(why.clone())),
    }
}

fn number(
    operation: &Operation,
    context: &Context<'_>,
    across: &mut Vec<String>,
) -> Result<Decimal, Failure> {
    match evaluate(operation, context, across)? {
        Figure::Number(number) => Ok(number),
        other => Err(Failure::Unusable(format!("{other} is not a number to divide"))),
    }
}
