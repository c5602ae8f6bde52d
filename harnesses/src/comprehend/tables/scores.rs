//! What each reader scores under each condition, question type by question type.

use scoreboards::measures::AggregateKey;
use scoreboards::measures::comprehend as names;
use scoreboards::measures::comprehend::{BLIND, MECHANICAL, NO_CONTEXT, What};
use scoreboards::{Group, Table};

use super::board::{AnsweredBoard, Cell, answers, types};

/// The scores over a pack; none where no rule set of this version graded.
pub(super) fn table(board: &AnsweredBoard<'_>, inputs: &str, pack: &str) -> Option<Table> {
    let &shown = board.rule_sets.first()?;
    let readers = match board.model {
        Some(model) => format!("what {MECHANICAL} and the model {model} score"),
        None => format!("what {MECHANICAL} scores"),
    };
    let title = format!(
        "{pack} over {inputs} runs, by {shown}: {readers} from each condition; {BLIND} is the floor"
    );
    let columns = ["asked", "left out"].map(str::to_owned).into_iter().chain(board.headings());
    let mut table = Table::of_numbers(title, "question", columns);
    let accuracy = names::ACCURACY.by(shown);
    let rows_of = |key: &AggregateKey, group: &Group| {
        board.aggregates.get(key, group).map_or(0, |it| it.outcome.n)
    };
    for question in types(pack) {
        let of_type = |at: Cell<'_>| answers(inputs, pack, at).and(&names::QUESTION, question);
        let left_out = What::LeftOut.rows().and(&names::INPUTS, inputs);
        let left_out = left_out.and(&names::PACK, pack).and(&names::QUESTION, question);
        let asked = rows_of(&accuracy, &of_type((BLIND, NO_CONTEXT)));
        let counts = [asked, rows_of(&names::LEFT_OUT, &left_out)];
        let value = |at: Cell<'_>| board.aggregates.rounded(&accuracy, &of_type(at), 3);
        table.rows.push(row(board, question, counts.map(|it| it.to_string()), value));
    }
    sums(board, inputs, pack, &mut table);
    if board.mechanical || board.model.is_some() {
        sizes(board, inputs, &mut table);
    }
    Some(table)
}

fn row(
    board: &AnsweredBoard<'_>,
    title: &str,
    counts: [String; 2],
    value: impl Fn(Cell<'_>) -> String,
) -> Vec<String> {
    let values = board.cells().into_iter().map(value);
    [title.to_owned()].into_iter().chain(counts).chain(values).collect()
}

/// Macro average and accuracy by each rule set.
fn sums(board: &AnsweredBoard<'_>, inputs: &str, pack: &str, table: &mut Table) {
    for (at, &rule_set) in board.rule_sets.iter().enumerate() {
        let sums = [("macro average", &names::MACRO_AVERAGE), ("all questions", &names::ACCURACY)];
        for (title, key) in sums {
            let title = if at == 0 { title.to_owned() } else { format!("{title} by {rule_set}") };
            let key = key.by(rule_set);
            let value =
                |at: Cell<'_>| board.aggregates.rounded(&key, &answers(inputs, pack, at), 3);
            table.rows.push(row(board, &title, Default::default(), value));
        }
    }
}

/// How much is shown.
fn sizes(board: &AnsweredBoard<'_>, inputs: &str, table: &mut Table) {
    let mut add = |key: &AggregateKey, places| {
        let value = |(reader, condition): Cell<'_>| {
            let group = What::Context.rows().and(&names::INPUTS, inputs);
            let group = group.and(&names::CONDITION, condition);
            if reader == BLIND {
                "0".to_owned()
            } else {
                board.aggregates.rounded(key, &group, places)
            }
        };
        table.rows.push(row(board, key.name(), Default::default(), value));
    };
    add(&names::MEAN_CHARACTERS, 0);
    add(&names::CHARACTER_RATIO, 3);
}
