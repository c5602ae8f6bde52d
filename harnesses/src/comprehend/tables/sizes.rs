//! What a text is worth at its length: all conditions of a scoreboard in one table, the shortest text first.

use scoreboards::measures::AggregateKey;
use scoreboards::measures::comprehend as names;
use scoreboards::measures::comprehend::{MECHANICAL, What};
use scoreboards::{Group, Table};

use super::board::{AnsweredBoard, answers};

/// The conditions over some inputs by size; none where no reader is shown them.
pub(super) fn table(board: &AnsweredBoard<'_>, inputs: &str) -> Option<Table> {
    let &shown = board.rule_sets.first()?;
    let readers: Vec<&str> =
        board.mechanical.then_some(MECHANICAL).into_iter().chain(board.model).collect();
    let packs: Vec<&str> =
        board.parts.iter().filter(|part| part.0 == inputs).map(|part| part.1).collect();
    if readers.is_empty() {
        return None;
    }
    let title = format!(
        "Accuracy by {shown} and size of what is shown over {inputs} runs, the shortest first; tokens are \
         estimates, characters / 4"
    );
    let scores: Vec<(&str, &str)> =
        packs.iter().flat_map(|pack| readers.iter().map(move |reader| (*pack, *reader))).collect();
    let heading = |(pack, reader): &(&str, &str)| match readers.len() {
        1 => (*pack).to_owned(),
        _ => format!("{pack}, {reader}"),
    };
    let sizes = ["runs", "left out", "mean characters", "mean tokens"].map(str::to_owned);
    let columns = sizes.into_iter().chain(scores.iter().map(heading));
    let mut table = Table::of_numbers(title, "condition", columns);
    let accuracy = names::ACCURACY.by(shown);
    let found = &board.aggregates;
    for condition in by_size(board, inputs) {
        let context = about(What::Context, inputs, condition);
        let left_out = about(What::NotShown, inputs, condition);
        let left_out = found.get(&names::LEFT_OUT, &left_out).map_or(0, |it| it.outcome.n);
        let number = |key: &AggregateKey| found.rounded(key, &context, 0);
        let [runs, characters, tokens] =
            [&names::TRANSCRIPTS, &names::MEAN_CHARACTERS, &names::MEAN_ESTIMATED_TOKENS]
                .map(number);
        let score = |(pack, reader): &(&str, &str)| {
            found.rounded(&accuracy, &answers(inputs, pack, (reader, condition)), 3)
        };
        let row =
            [condition.to_owned(), runs, left_out.to_string(), characters, tokens].into_iter();
        table.rows.push(row.chain(scores.iter().map(score)).collect());
    }
    Some(table)
}

fn about(what: What, inputs: &str, condition: &str) -> Group {
    what.rows().and(&names::INPUTS, inputs).and(&names::CONDITION, condition)
}

/// The conditions that show something, the smallest first.
fn by_size<'a>(board: &AnsweredBoard<'a>, inputs: &str) -> Vec<&'a str> {
    let size = |condition: &str| {
        let context = about(What::Context, inputs, condition);
        board.aggregates.decimal(&names::MEAN_CHARACTERS, &context)
    };
    let sized = board.conditions.iter().filter_map(|it| Some((size(it)?, *it)));
    let mut sized: Vec<_> = sized.collect();
    sized.sort_by_key(|(size, _)| *size);
    sized.into_iter().map(|(_, condition)| condition).collect()
}
