//! The tables of COMPREHEND: by reader and condition, by type of question, and where score is lost.

use rust_decimal::Decimal;
use scoreboards::measures::comprehend::{BASELINE, BLIND, ConditionLabel, MECHANICAL, NO_CONTEXT};
use scoreboards::{Column, Table};

use crate::cell::{Cells, ComprehendCell, QuestionType, Source, conditions};
use crate::measure::{self, Comparison, Settings, compare_answers, summarize_answers};

use super::model::{Section, number, table, text};
use super::values::{count, dollars, fixed, interval, p_value, share, signed};

/// Table 1.
pub(super) fn by_condition(cells: &Cells, settings: Settings) -> Section {
    let tables = vec![estimates(cells), pairs(cells, settings), sizes(cells)];
    Section { id: "1", title: "COMPREHEND by reader and condition", tables }
}

fn estimates(cells: &Cells) -> Table {
    let columns = [
        text("source"),
        text("corpus"),
        text("pack"),
        text("grader"),
        text("reader"),
        text("condition"),
        number("accuracy"),
        text("interval"),
        text("method"),
        number("score"),
        number("questions"),
        number("missing"),
        number("transcripts"),
        number("ceiling"),
        number("must fail"),
        number("input tokens"),
        number("$"),
        number("$ a point"),
        text("renderer"),
        text("provenance"),
    ];
    let mut table = table("1a-comprehend", "Accuracy", columns);
    for cell in &cells.answers {
        let summary = summarize_answers(cell);
        let per_point = cell.dollars.and_then(|d| d.checked_div(summary.sum));
        table.rows.push(vec![
            cell.source.to_string(),
            cell.corpus.clone(),
            cell.pack.clone(),
            cell.grader.clone(),
            cell.reader.clone(),
            cell.condition.clone(),
            share(summary.accuracy),
            interval(&summary.interval),
            summary.interval.kind().to_owned(),
            fixed(summary.sum, 2),
            summary.n.to_string(),
            summary.missing.to_string(),
            summary.clusters.to_string(),
            bound(cells, cell, MECHANICAL, &cell.condition),
            bound(cells, cell, BLIND, NO_CONTEXT),
            count(cell.input_tokens),
            dollars(cell.dollars),
            dollars(per_point),
            cell.renderer.clone(),
            cell.provenance.clone(),
        ]);
    }
    table.notes.push(
        "accuracy: mean score over questions; ceiling: the mechanical reader under the same \
         condition; must fail: the blind reader, which is shown nothing. Neither was published"
            .to_owned(),
    );
    if cells.answers.iter().any(|cell| cell.source == Source::Ours) {
        table.notes.push("ours: input tokens are estimates, characters / 4".to_owned());
    }
    table
}

/// The accuracy of another reader over the same questions, graded alike.
fn bound(cells: &Cells, cell: &ComprehendCell, reader: &str, condition: &str) -> String {
    share(cells.answers_beside(cell, reader, condition).and_then(ComprehendCell::accuracy))
}

fn pairs(cells: &Cells, settings: Settings) -> Table {
    let columns = [
        text("source"),
        text("corpus"),
        text("pack"),
        text("grader"),
        text("reader"),
        text("condition"),
        text("against"),
        number("pairs"),
        number("transcripts"),
        number("difference"),
        text("interval"),
        text("method"),
        number("p"),
        number("Holm p"),
        text("verdict"),
    ];
    let compared: Vec<(&ComprehendCell, &ComprehendCell)> = cells
        .answers
        .iter()
        .filter(|cell| cell.condition != BASELINE)
        .filter_map(|cell| Some((cell, cells.answers_beside(cell, &cell.reader, BASELINE)?)))
        .collect();
    let mut found: Vec<Option<Comparison>> =
        compared.iter().map(|(cell, raw)| compare_answers(raw, cell, settings)).collect();
    measure::adjust(&mut found.iter_mut().flatten().collect::<Vec<_>>(), settings);
    let mut table = table("1b-comprehend-pairs", "Accuracy against the raw tail", columns);
    for ((cell, raw), comparison) in compared.iter().zip(&found) {
        table.rows.push(pair_row(cell, raw, comparison.as_ref()));
    }
    table.notes.push(format!(
        "pairs share a question of a transcript; p is that of changes of sign by transcript, \
         adjusted by Holm over the {} rows that have one; tied: the interval lies within {} of 0",
        found.iter().flatten().count(),
        settings.margin.normalize(),
    ));
    table
}

fn pair_row(
    cell: &ComprehendCell,
    raw: &ComprehendCell,
    comparison: Option<&Comparison>,
) -> Vec<String> {
    let mut row = vec![
        cell.source.to_string(),
        cell.corpus.clone(),
        cell.pack.clone(),
        cell.grader.clone(),
        cell.reader.clone(),
        cell.condition.clone(),
        raw.condition.clone(),
    ];
    match comparison {
        Some(c) => row.extend([
            c.pairs.to_string(),
            c.clusters.to_string(),
            signed(c.difference),
            interval(&c.interval),
            c.interval.kind().to_owned(),
            p_value(c.p),
            p_value(c.p_holm),
            c.verdict.name().to_owned(),
        ]),
        None => {
            let difference = cell.accuracy().zip(raw.accuracy()).map(|(a, b)| a - b);
            row.extend([
                "0".to_owned(),
                cell.transcripts.to_string(),
                signed(difference),
                "not computable: scores per transcript were not released".to_owned(),
                String::new(),
                String::new(),
                String::new(),
                "unresolved".to_owned(),
            ]);
        }
    }
    row
}

/// What a text is worth at its length: the data of the figure of accuracy by tokens.
fn sizes(cells: &Cells) -> Table {
    let labels = ["source", "corpus", "pack", "grader", "reader", "condition"].map(text);
    let numbers =
        [number("mean tokens"), number("accuracy"), text("interval"), number("questions")];
    let columns = labels.into_iter().chain(numbers);
    let mut table = table("1c-comprehend-sizes", "Accuracy by size of what is shown", columns);
    let mut sized: Vec<(Decimal, &ComprehendCell)> = cells
        .answers
        .iter()
        .filter(|cell| cell.reader != BLIND)
        .filter_map(|cell| Some((cell.mean_tokens()?, cell)))
        .collect();
    sized.sort_by(|one, other| {
        let by_size = (one.0, condition(one.1)).cmp(&(other.0, condition(other.1)));
        group(one.1).cmp(&group(other.1)).then(by_size)
    });
    for (size, cell) in sized {
        let summary = summarize_answers(cell);
        table.rows.push(vec![
            cell.source.to_string(),
            cell.corpus.clone(),
            cell.pack.clone(),
            cell.grader.clone(),
            cell.reader.clone(),
            cell.condition.clone(),
            fixed(size, 0),
            share(summary.accuracy),
            interval(&summary.interval),
            summary.n.to_string(),
        ]);
    }
    table.notes.push(
        "mean tokens: input tokens over transcripts, the shortest first; ours are estimates, characters / 4"
            .to_owned(),
    );
    table
}

/// What cells have in common that differ in their condition.
fn group(cell: &ComprehendCell) -> impl Ord + '_ {
    let ComprehendCell { source, corpus, pack, grader, reader, .. } = cell;
    (source, corpus, pack, grader, reader)
}

fn condition(cell: &ComprehendCell) -> impl Ord + '_ {
    ConditionLabel::place(&cell.condition)
}

/// The per-question table: types of question by condition.
pub(super) fn by_question(cells: &Cells) -> Section {
    let conditions = conditions(&cells.answers);
    let labels = ["source", "corpus", "pack", "grader", "reader", "question"].map(text);
    let scores = conditions.iter().map(|name| Column::number((*name).to_owned()));
    let columns = labels.into_iter().chain([number("questions")]).chain(scores);
    let columns = columns.chain([number("nothing")]);
    let mut table = table("6-questions", "Mean score by type of question", columns);
    for (group, questions) in groups(cells) {
        for question in questions {
            let shown = |condition: &str| {
                let cell = cells.answers_beside(group, &group.reader, condition);
                share(cell.and_then(|c| c.questions.get(question)?.mean()))
            };
            let n = group.questions.get(question).map_or(0, |q| q.n);
            let mut row = vec![
                group.source.to_string(),
                group.corpus.clone(),
                group.pack.clone(),
                group.grader.clone(),
                group.reader.clone(),
                question.clone(),
                n.to_string(),
            ];
            row.extend(conditions.iter().map(|condition| shown(condition)));
            row.push(shown(NO_CONTEXT));
            table.rows.push(row);
        }
    }
    Section { id: "6", title: "By type of question", tables: vec![table.without_empty_columns()] }
}

/// One cell of each reader over each set of questions, with the types of question of all of its
/// conditions.
fn groups(cells: &Cells) -> Vec<(&ComprehendCell, Vec<&String>)> {
    let mut found: Vec<(&ComprehendCell, Vec<&String>)> = Vec::new();
    for cell in &cells.answers {
        let at = found.iter().position(|(g, _)| g.is_comparable(cell) && g.reader == cell.reader);
        let at = at.unwrap_or_else(|| {
            found.push((cell, Vec::new()));
            found.len() - 1
        });
        let types = &mut found[at].1;
        types.extend(cell.questions.keys());
        types.sort();
        types.dedup();
    }
    found
}

/// The loss table: what the text did not hold, and what the reader did not find in it.
pub(super) fn losses(cells: &Cells) -> Section {
    let columns = [
        text("source"),
        text("corpus"),
        text("pack"),
        text("grader"),
        text("reader"),
        text("condition"),
        text("question"),
        number("questions"),
        number("score"),
        number("lost by the text"),
        number("lost by the reader"),
    ];
    let mut table = table("7-losses", "Score lost by the text and by the reader", columns);
    let mut without = 0;
    for cell in cells.answers.iter().filter(|cell| cell.reader != BLIND) {
        let mechanical = cells.answers_beside(cell, MECHANICAL, &cell.condition);
        let Some(mechanical) = mechanical else {
            without += 1;
            continue;
        };
        loss_rows(cell, mechanical, &mut table);
    }
    table.notes.push(
        "lost by the text: 1 - mechanical; lost by the reader: mechanical - reader (0 for the \
         mechanical reader itself)"
            .to_owned(),
    );
    if without > 0 {
        table.notes.push(format!(
            "{without} cells have no mechanical reader over the same questions, so their loss cannot \
             be split (none was published)"
        ));
    }
    Section { id: "7", title: "Where score is lost", tables: vec![table] }
}

fn loss_rows(cell: &ComprehendCell, mechanical: &ComprehendCell, table: &mut Table) {
    let one = Decimal::ONE;
    let mut line = |question: &str, n: u64, score: Option<Decimal>, held: Option<Decimal>| {
        table.rows.push(vec![
            cell.source.to_string(),
            cell.corpus.clone(),
            cell.pack.clone(),
            cell.grader.clone(),
            cell.reader.clone(),
            cell.condition.clone(),
            question.to_owned(),
            n.to_string(),
            share(score),
            share(held.map(|held| one - held)),
            share(score.zip(held).map(|(score, held)| held - score)),
        ]);
    };
    line("all", cell.n(), cell.accuracy(), mechanical.accuracy());
    for (name, question) in &cell.questions {
        let held = mechanical.questions.get(name).and_then(QuestionType::mean);
        line(name, question.n, question.mean(), held);
    }
}
