//! Operations over the released counts of DETECT and FIDELITY, and over runs of ours.

use rust_decimal::Decimal;
use scoreboards::{AggregateSpec, Group, Instrument, Method, Scoreboard, evaluate as aggregate};

use super::{Failure, Operation, divide, misplaced};
use crate::claims::context::Context;
use crate::claims::figure::Figure;
use crate::published::DetectRecord;

pub(super) fn evaluate(operation: &Operation, context: &Context<'_>) -> Result<Figure, Failure> {
    let detect = |count: fn(&DetectRecord) -> u64| -> Decimal {
        context.published.detect.iter().map(|record| Decimal::from(count(record))).sum()
    };
    match operation {
        Operation::DetectPrecision => {
            divide(detect(|r| r.tp), detect(|r| r.tp + r.fp), "no alarms").map(Figure::Number)
        }
        Operation::DetectRecall => {
            divide(detect(|r| r.tp), detect(|r| r.tp + r.r#fn), "no instances").map(Figure::Number)
        }
        Operation::DetectInstances => Ok(Figure::Number(detect(|r| r.tp + r.r#fn))),
        Operation::FidelityFields => {
            let fields = || context.published.fidelity.iter().filter(|r| r.field != "overall");
            let (k, n) = (fields().filter(|r| r.mismatches == 0).count(), fields().count());
            Ok(Figure::Fraction { k: k as u64, n: n as u64 })
        }
        Operation::CorrelationShare => {
            let record = context
                .published
                .corpora
                .iter()
                .find(|record| record.measure == "toolcall_correlation_matched_of_calls");
            let counts = record.and_then(|record| Some((record.lo?, record.hi?)));
            let (matched, calls) =
                counts.ok_or_else(|| Failure::Absent("the counts were not released".into()))?;
            divide(matched, calls, "no calls").map(Figure::Number)
        }
        Operation::OurRun { instrument, over, method } => {
            our_run(context.boards, *instrument, over, method)
        }
        other => Err(misplaced(other)),
    }
}

/// Over the latest scoreboard of the instrument that has such rows.
fn our_run(
    boards: &[Scoreboard],
    instrument: Instrument,
    over: &Group,
    method: &Method,
) -> Result<Figure, Failure> {
    let mut fitting: Vec<&Scoreboard> = boards
        .iter()
        .filter(|board| board.provenance.instrument == instrument)
        .filter(|board| board.rows.iter().any(|row| over.contains(row)))
        .collect();
    fitting.sort_by_key(|board| (board.provenance.date, board.id.as_str()));
    let board = fitting.pop().ok_or_else(|| {
        Failure::Absent(format!("no scoreboard of {instrument} has rows of {over}; give a folder"))
    })?;
    let mut spec = AggregateSpec::new("claim", method.clone());
    spec.over = over.clone();
    let outcome = aggregate(&board.rows, &spec).map_err(|e| Failure::Unusable(e.to_string()))?;
    let undefined = || Failure::Undefined("the rows determine no value".to_owned());
    outcome.value.decimal().map(Figure::Number).ok_or_else(undefined)
}
