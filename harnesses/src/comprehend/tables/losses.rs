//! Where answers are lost: by the representation, which does not hold them, and by the reader, who does not
//! find what it is shown.

use scoreboards::Table;
use scoreboards::measures::comprehend as names;
use scoreboards::measures::comprehend::MECHANICAL;

use super::board::{AnsweredBoard, answers, types};

/// The losses over a pack; none without reader `mechanical`.
pub(super) fn table(board: &AnsweredBoard<'_>, inputs: &str, pack: &str) -> Option<Table> {
    let &shown = board.rule_sets.first().filter(|_| board.mechanical)?;
    let readers = [(MECHANICAL, &names::REPRESENTATION_LOSS, "repr.")];
    let model = board.model.map(|model| (model, &names::READER_LOSS, "reader"));
    let columns: Vec<_> = readers
        .into_iter()
        .chain(model)
        .flat_map(|column| board.conditions.iter().map(move |it| (column, *it)))
        .collect();
    let headings = columns.iter().map(|((_, _, short), condition)| match board.model {
        Some(_) => format!("{short} {condition}"),
        None => (*condition).to_owned(),
    });
    let reader_loss = match board.model {
        Some(_) => format!("; reader loss, {MECHANICAL} - model (below 0: the model found more)"),
        None => String::new(),
    };
    let title = format!(
        "{pack} over {inputs} runs, by {shown}: representation loss, 1 - {MECHANICAL}{reader_loss}"
    );
    let mut table = Table::of_numbers(title, "question", headings);
    let row = |title: &str, question: Option<&str>| {
        let values = columns.iter().map(|((reader, loss, _), condition)| {
            let all = answers(inputs, pack, (reader, condition));
            let group = match question {
                Some(question) => all.and(&names::QUESTION, question),
                None => all,
            };
            board.aggregates.rounded(&loss.by(shown), &group, 3)
        });
        [title.to_owned()].into_iter().chain(values).collect()
    };
    table.rows.extend(types(pack).into_iter().map(|it| row(it, Some(it))));
    table.rows.push(row("all questions", None));
    Some(table)
}
