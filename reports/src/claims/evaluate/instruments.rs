//! Operations over the released counts of DETECT and FIDELITY, and over runs of ours.

use rust_decimal::Decimal;
use scoreboards::{AggregateSpec, Group, Instrument, Method, Scoreboard, evaluate as aggregate};

use crate::claims::failure::{Failure, divide};
use crate::claims::figure::Figure;
use crate::published::{DetectRecord, Published};

fn detect(published: &Published, count: fn(&DetectRecord) -> u64) -> Decimal {
    published.detect.iter().map(|record| Decimal::from(count(record))).sum()
}

pub(super) fn detect_precision(published: &Published) -> Result<Figure, Failure> {
    let (found, alarms) = (detect(published, |r| r.tp), detect(published, |r| r.tp + r.fp));
    divide(found, alarms, "no alarms").map(Figure::Number)
}

pub(super) fn detect_recall(published: &Published) -> Result<Figure, Failure> {
    let (found, all) = (detect(published, |r| r.tp), detect(published, |r| r.tp + r.r#fn));
    divide(found, all, "no instances").map(Figure::Number)
}

pub(super) fn detect_instances(published: &Published) -> Figure {
    Figure::Number(detect(published, |r| r.tp + r.r#fn))
}

pub(super) fn fidelity_fields(published: &Published) -> Figure {
    let fields = || published.fidelity.iter().filter(|r| r.field != "overall");
    let (k, n) = (fields().filter(|r| r.mismatches == 0).count(), fields().count());
    Figure::Fraction { k: k as u64, n: n as u64 }
}

pub(super) fn correlation_share(published: &Published) -> Result<Figure, Failure> {
    let is_it = |measure: &str| measure == "toolcall_correlation_matched_of_calls";
    let record = published.corpora.iter().find(|record| is_it(&record.measure));
    let counts = record.and_then(|record| Some((record.lo?, record.hi?)));
    let (matched, calls) =
        counts.ok_or_else(|| Failure::Absent("the counts were not released".into()))?;
    divide(matched, calls, "no calls").map(Figure::Number)
}

/// Over the latest scoreboard of the instrument that has such rows.
pub(super) fn our_run(
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
