//! COMPREHEND scoreboards: one row an answer, and one a text that was shown.

use std::collections::BTreeMap;

use ground_truth::graders::RuleSet;
use ground_truth::stats::ClusterSum;
use rust_decimal::Decimal;
use scoreboards::measures::comprehend::{self as names, ConditionLabel, GradedMeasures, What};
use scoreboards::{Measure, Row, Scoreboard};

use super::origin::{provenance, renderer};
use crate::cell::{ComprehendCell, QuestionType, Source};
use crate::measure::float;

/// Corpus, pack, reader, condition, grader, renderer.
type Key = (String, String, String, String, String, String);

pub(super) fn cells(board: &Scoreboard) -> (Vec<ComprehendCell>, Vec<String>) {
    let rule_sets = rule_sets(board);
    let mut found: BTreeMap<Key, ComprehendCell> = BTreeMap::new();
    let mut skipped = 0_usize;
    for row in board.rows.iter().filter(|row| row.is(&names::WHAT, What::Answer)) {
        let mut used = false;
        for &rule_set in &rule_sets {
            used |= add(board, row, rule_set, &mut found).is_some();
        }
        skipped += usize::from(!used);
    }
    let mut cells: Vec<ComprehendCell> = found.into_values().collect();
    cells.sort_by(|one, other| place(one).cmp(&place(other)));
    for cell in &mut cells {
        close(board, cell);
    }
    let note = (skipped > 0)
        .then(|| format!("{}: {skipped} answers lack a label or a score", provenance(board)));
    (cells, note.into_iter().collect())
}

/// Where tables show a cell.
fn place(cell: &ComprehendCell) -> impl Ord + '_ {
    let ComprehendCell { corpus, pack, reader, condition, .. } = cell;
    (corpus, pack, reader, ConditionLabel::place(condition))
}

/// The rule sets that graded the answers.
fn rule_sets(board: &Scoreboard) -> Vec<RuleSet> {
    let graders = &board.provenance.graders;
    let graded = |it: &RuleSet| {
        let by = graders.get(GradedMeasures::of(*it).score.name());
        by.is_some_and(|rules| rules == it.name())
    };
    RuleSet::ALL.into_iter().filter(graded).collect()
}

fn add(
    board: &Scoreboard,
    row: &Row,
    rule_set: RuleSet,
    found: &mut BTreeMap<Key, ComprehendCell>,
) -> Option<()> {
    let (corpus, pack) = (row.label_of(&names::CORPUS)?, row.label_of(&names::PACK)?);
    let (reader, condition) = (row.label_of(&names::READER)?, row.label_of(&names::CONDITION)?);
    let (question, run) = (row.label_of(&names::QUESTION)?, row.label_of(&names::RUN)?);
    let score = row.held(&GradedMeasures::of(rule_set).score)?;
    let rules = rule_set.name();
    let made_by = renderer(board, row);
    let key = [corpus, pack, reader, condition, rules, &made_by].map(str::to_owned);
    let key: Key = key.into();
    let cell = found.entry(key).or_insert_with(|| ComprehendCell {
        source: Source::Ours,
        corpus: corpus.to_owned(),
        reader: reader.to_owned(),
        condition: condition.to_owned(),
        pack: pack.to_owned(),
        grader: rules.to_owned(),
        renderer: made_by,
        questions: BTreeMap::new(),
        stated_accuracy: None,
        clusters: None,
        transcripts: 0,
        stated: None,
        input_tokens: None,
        dollars: None,
        provenance: provenance(board),
    });
    cell.questions.entry(question.to_owned()).or_default().add(run, score);
    Some(())
}

impl QuestionType {
    fn add(&mut self, run: &str, score: &Measure) {
        let Some(score) = score.number() else {
            self.missing += 1;
            return;
        };
        self.n += 1;
        self.sum += score;
        let mut place = (run.to_owned(), 0);
        while self.scores.contains_key(&place) {
            place.1 += 1;
        }
        self.scores.insert(place, score);
    }
}

/// Sums by transcript, and what its texts held.
fn close(board: &Scoreboard, cell: &mut ComprehendCell) {
    let mut sums: BTreeMap<&str, (Decimal, f64)> = BTreeMap::new();
    for question in cell.questions.values() {
        for ((run, _), score) in &question.scores {
            let sum = sums.entry(run).or_default();
            sum.0 += score;
            sum.1 += 1.0;
        }
    }
    cell.transcripts = sums.len() as u64;
    let clusters = sums
        .into_iter()
        .map(|(run, (num, den))| (run.to_owned(), ClusterSum { num: float(num), den }));
    cell.clusters = Some(clusters.collect());
    cell.input_tokens = shown_tokens(board, cell);
    let spent = board.provenance.spend.dollars;
    let free = board.provenance.spend.calls == 0;
    cell.dollars = free.then_some(spent);
}

/// Estimated tokens of all texts of a condition, each once; nothing is shown under none.
fn shown_tokens(board: &Scoreboard, cell: &ComprehendCell) -> Option<u64> {
    let mut shown = board
        .rows
        .iter()
        .filter(|row| row.is(&names::WHAT, What::Context))
        .filter(|row| row.is(&names::CORPUS, &cell.corpus))
        .filter(|row| row.is(&names::CONDITION, &cell.condition))
        .peekable();
    shown.peek()?;
    shown.map(|row| row.value(&names::ESTIMATED_TOKENS)).sum()
}
