//! COMPREHEND cells from `comprehend.csv` and `comprehend_intervals.csv`.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::error::PublishedError;
use super::records::{AnswersRecord, IntervalRecord};
use crate::cell::{ComprehendCell, QuestionType, Source, StatedInterval};

/// The one type whose ground truth some transcripts lack: what is missing from a full set of
/// questions is missing there. (The released per-type accuracies are multiples of 1/10 for this type
/// alone, and 70 of 72 questions were asked.)
const INCOMPLETE: &str = "last_error";

pub(super) fn cells(
    records: &[AnswersRecord],
    intervals: &[IntervalRecord],
) -> Result<Vec<ComprehendCell>, PublishedError> {
    records.iter().map(|record| cell(record, intervals)).collect()
}

fn cell(
    record: &AnswersRecord,
    intervals: &[IntervalRecord],
) -> Result<ComprehendCell, PublishedError> {
    let reader = reader(&record.reader);
    let stated = intervals.iter().find(|interval| {
        interval.corpus == record.corpus
            && interval.condition == record.condition
            && interval.reader == reader
    });
    Ok(ComprehendCell {
        source: Source::Published,
        corpus: record.corpus.clone(),
        reader: reader.to_owned(),
        condition: record.condition.clone(),
        pack: "the paper's six".to_owned(),
        grader: "the paper's".to_owned(),
        renderer: "not stated".to_owned(),
        questions: questions(record)?,
        stated_accuracy: Some(record.accuracy),
        clusters: None,
        transcripts: record.n_transcripts,
        stated: stated.map(|i| StatedInterval { mean: i.mean, lo: i.lo, hi: i.hi }),
        input_tokens: Some(record.input_tokens),
        dollars: Some(record.cost_usd),
        provenance: format!("comprehend.csv {}", record.run_key),
    })
}

/// The model's line, as the intervals name it.
fn reader(model: &str) -> &str {
    ["sonnet", "haiku"].into_iter().find(|line| model.contains(line)).unwrap_or(model)
}

fn questions(record: &AnswersRecord) -> Result<BTreeMap<String, QuestionType>, PublishedError> {
    let each = record.n_transcripts;
    let asked = |name: &str| {
        if name == INCOMPLETE { record.n_questions.checked_sub(5 * each) } else { Some(each) }
    };
    let types = [
        ("latest_ask", record.latest_ask),
        ("n_turns", record.n_turns),
        ("top_tool", record.top_tool),
        ("files", record.files),
        ("last_error", record.last_error),
        ("dangling", record.dangling),
    ];
    types
        .into_iter()
        .map(|(name, accuracy)| {
            let n = asked(name).filter(|n| *n <= each).ok_or_else(|| {
                let reason = format!(
                    "{} has {} questions of {} transcripts, which six types cannot give",
                    record.run_key, record.n_questions, each
                );
                PublishedError::Malformed { file: "comprehend.csv", reason }
            })?;
            let sum = accuracy * Decimal::from(n);
            Ok((name.to_owned(), QuestionType { n, sum, ..QuestionType::default() }))
        })
        .collect()
}
