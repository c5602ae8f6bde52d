//! What a model's calls took and gave, and how steady its answers are.

use scoreboards::Table;
use scoreboards::measures::AggregateKey;
use scoreboards::measures::comprehend as names;
use scoreboards::measures::comprehend::{What, pass_hat};

use super::board::{AnsweredBoard, of_cell};
use crate::comprehend::rule_sets::headline;

/// The calls of the model about some inputs; none if no model answers.
pub(super) fn table(board: &AnsweredBoard<'_>, inputs: &str) -> Option<Table> {
    let model = board.model?;
    let group = |condition: &str| of_cell(What::Call, inputs, (model, condition));
    let found = &board.aggregates;
    let title = format!(
        "Calls of {model} over {inputs} runs; tokens are the endpoint's own count; ratios with BCa \
         bootstrap intervals over transcripts"
    );
    let mut table = Table::of_numbers(title, "calls", board.condition_names());
    for key in [
        &names::CALLS,
        &names::FAILED_CALLS,
        &names::ALL_RETRIES,
        &names::PARSE_FAILURES,
        &names::REFUSALS,
        &names::EMPTY_REPLIES,
        &names::REPLIES_CUT_SHORT,
        &names::MEAN_INPUT_TOKENS,
        &names::MEAN_OUTPUT_TOKENS,
    ] {
        table.rows.push(board.by_condition(key, |it| found.rounded(key, &group(it), 0)));
    }
    let dollars = &names::ALL_DOLLARS;
    table.rows.push(board.by_condition(dollars, |it| found.dollars(dollars, &group(it))));
    for key in [&names::INPUT_RATIO, &names::DOLLAR_RATIO] {
        table.rows.push(board.by_condition(key, |it| found.estimate(key, &group(it), 3)));
    }
    Some(table)
}

/// How steady the model's answers about a pack are; none where calls were not repeated.
pub(super) fn repeats(board: &AnsweredBoard<'_>, inputs: &str, pack: &str) -> Option<Table> {
    let model = board.model?;
    let found = &board.aggregates;
    let group = |condition: &str| {
        of_cell(What::Repeats, inputs, (model, condition)).and(&names::PACK, pack)
    };
    let first = board.conditions.first().map(|it| group(it))?;
    let strict = headline(&board.rule_sets);
    let is_there = |key: &AggregateKey| found.get(key, &first).is_some();
    let mut keys: Vec<AggregateKey> =
        (1..=u32::MAX).map(|k| pass_hat(k).by(strict)).take_while(is_there).collect();
    keys.extend(Some(names::FLIP_RATE.by(strict)).filter(is_there));
    if keys.is_empty() {
        return None;
    }
    let title = format!(
        "{pack} over {inputs} runs: pass^k, the chance that k repeats are all right; flip rate, the \
         share of questions whose repeats do not agree"
    );
    let mut table = Table::of_numbers(title, "repeats", board.condition_names());
    let row = |key| board.by_condition(key, |it| found.rounded(key, &group(it), 3));
    table.rows.extend(keys.iter().map(row));
    Some(table)
}
