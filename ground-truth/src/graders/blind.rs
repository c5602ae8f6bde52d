//! The floor: what one constant answer, given without looking at anything, scores.
//!
//! The best constant answer of a question type is looked for among candidates made from all truths, as
//! somebody would who knew the corpus but not which run is asked about:
//!
//! - each truth's own answer, every answer that ties with it, and for a name every name that the runs know;
//! - for integers also 0 to 100, and for numbers with a tolerance both ends of what is accepted;
//! - for sets also "none", all items together, the k most frequent items for each k, and the set that grows
//!   greedily by the item that gains most;
//! - for quotations also all texts together, the longest common starts of two of them, each letter and a few
//!   frequent words;
//! - for several parts, every combination of the parts' own candidates where these are few, else the truths
//!   improved one part after the other until nothing gains.
//!
//! The search is bounded, so what it finds is a lower bound on the best constant: a better one may exist.
//! Where two candidates score the same, the one found first stands.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::dispatch::grade_reply;
use super::reply::Reply;
use super::rules::RuleSet;
use super::score::Score;
use super::set::{self, World};
use super::strict2;
use crate::answers::{Answer, Part, Tolerance, Truth, fold};
use crate::questions::Question;

/// Maximum truths tried as they are.
const MOST_CANDIDATES: usize = 200;

/// Maximum combinations of parts to try exhaustively.
const MOST_COMBINATIONS: usize = 4096;

/// Maximum items for growing a set greedily.
const MOST_ITEMS: usize = 25;

/// Maximum texts to compare in pairs.
const MOST_PAIRED: usize = 40;

/// The shortest common start of two texts that is tried.
const SHORTEST_START: usize = 20;

/// The best constant answer that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BestConstant {
    /// The answer.
    pub answer: Answer,
    /// Its mean score over the questions of the type.
    pub mean: f64,
    /// How many questions there are.
    pub questions: usize,
    /// How many answers were tried.
    pub tried: usize,
}

/// The constant answer that scores best over the questions with an id (`pack/type`), or over those of a type,
/// by its name; none if there are no such questions.
#[must_use]
pub fn best_constant(questions: &[Question], rule_set: RuleSet, id: &str) -> Option<BestConstant> {
    let is_asked = |it: &&Question| it.id == id || it.question_type.as_str() == id;
    let asked: Vec<&Question> = questions.iter().filter(is_asked).collect();
    let truths: Vec<&Truth> = asked.iter().map(|question| &question.truth).collect();
    let prepared = asked.iter().map(|question| Prepared::of(rule_set, question)).collect();
    let mut search = Search { rule_set, truths: &truths, prepared, best: None, tried: 0 };
    search.run();
    let (units, answer) = search.best?;
    #[expect(clippy::cast_precision_loss, reason = "a mean for people to read")]
    let mean = units as f64 / 1e12 / truths.len() as f64;
    let tried = search.tried;
    Some(BestConstant { answer: Answer::Json(answer), mean, questions: truths.len(), tried })
}

/// A truth, with what is expensive to derive from it.
enum Prepared<'a> {
    Set(&'a [String], World<'a>),
    Set2(&'a [String], strict2::set::World<'a>),
    Other(&'a Question),
}

impl<'a> Prepared<'a> {
    fn of(rule_set: RuleSet, question: &'a Question) -> Self {
        match &question.truth {
            Truth::Set { items, known, item } if rule_set == RuleSet::Strict2 => {
                Self::Set2(items, strict2::set::World::of(items, known, *item))
            }
            Truth::Set { items, known, item } => Self::Set(items, World::of(items, known, *item)),
            _ => Self::Other(question),
        }
    }

    fn grade(&self, rule_set: RuleSet, reply: &Reply) -> Score {
        match (self, rule_set.rules()) {
            (Self::Set(items, world), Some(rules)) => set::grade(&rules, items, world, reply).score,
            (Self::Set2(items, world), _) => strict2::set::grade(items, world, reply).score,
            (Self::Other(question), _) => grade_reply(rule_set, question, reply).score,
            // A set is prepared for the rule set by which it is graded.
            (Self::Set(..), None) => Score::ZERO,
        }
    }
}

/// A search over the truths of one question type.
struct Search<'a> {
    rule_set: RuleSet,
    truths: &'a [&'a Truth],
    prepared: Vec<Prepared<'a>>,
    best: Option<(u128, Value)>,
    tried: usize,
}

impl Search<'_> {
    fn run(&mut self) {
        for candidate in candidates(self.truths) {
            self.attempt(candidate);
        }
        self.grow_set();
        self.combine_parts();
    }

    /// Scores a candidate, and keeps it if it is better than all before. Its sum in exact units.
    fn attempt(&mut self, candidate: Value) -> u128 {
        let reply = Reply::of(&Answer::Json(candidate.clone()));
        let sum =
            self.prepared.iter().map(|truth| truth.grade(self.rule_set, &reply).units()).sum();
        self.tried += 1;
        if self.best.as_ref().is_none_or(|(best, _)| sum > *best) {
            self.best = Some((sum, candidate));
        }
        sum
    }

    fn grow_set(&mut self) {
        let sets = self.truths.iter().filter_map(|truth| match truth {
            Truth::Set { items, .. } => Some(items),
            _ => None,
        });
        let items = by_frequency(sets.flatten().cloned());
        let frequent: Vec<String> = items.iter().take(MOST_ITEMS).cloned().collect();
        for length in 1..=frequent.len() {
            self.attempt(json!(frequent[..length]));
        }
        if !items.is_empty() {
            self.attempt(json!(items));
        }
        let mut set: Vec<String> = Vec::new();
        let mut score = 0;
        while let Some((better, item)) = self.best_addition(&set, &frequent) {
            if better <= score {
                break;
            }
            score = better;
            set.push(item);
        }
    }

    fn best_addition(&mut self, set: &[String], items: &[String]) -> Option<(u128, String)> {
        let mut best: Option<(u128, String)> = None;
        for item in items.iter().filter(|item| !set.contains(item)) {
            let mut larger = set.to_vec();
            larger.push(item.clone());
            let score = self.attempt(json!(larger));
            if best.as_ref().is_none_or(|(known, _)| score > *known) {
                best = Some((score, item.clone()));
            }
        }
        best
    }

    fn combine_parts(&mut self) {
        let rows: Vec<&Vec<Part>> = self
            .truths
            .iter()
            .filter_map(|truth| if let Truth::Each { parts } = truth { Some(parts) } else { None })
            .collect();
        let width = rows.iter().map(|parts| parts.len()).max().unwrap_or(0);
        let column = |at: usize| {
            let truths: Vec<&Truth> =
                rows.iter().filter_map(|parts| parts.get(at)).map(|part| &part.truth).collect();
            distinct(truths.iter().map(|truth| truth.answer()))
        };
        let columns: Vec<Vec<Value>> = (0..width).map(column).collect();
        let combinations =
            columns.iter().fold(1_usize, |all, column| all.saturating_mul(column.len()));
        if combinations <= MOST_COMBINATIONS {
            for row in product(&columns) {
                self.attempt(Value::Array(row));
            }
            return;
        }
        for start in distinct(self.truths.iter().map(|truth| truth.answer())) {
            if let Value::Array(row) = start {
                self.improve(row, &columns);
            }
        }
    }

    /// Changes one part after the other as long as that gains something.
    fn improve(&mut self, mut row: Vec<Value>, columns: &[Vec<Value>]) {
        let mut score = self.attempt(Value::Array(row.clone()));
        loop {
            let before = score;
            for (at, column) in columns.iter().enumerate().take(row.len()) {
                for value in column {
                    let mut changed = row.clone();
                    changed[at] = value.clone();
                    let better = self.attempt(Value::Array(changed.clone()));
                    if better > score {
                        (score, row) = (better, changed);
                    }
                }
            }
            if score == before {
                return;
            }
        }
    }
}

/// All rows with one value of each column; none of no columns.
fn product(columns: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let rows = columns.iter().fold(vec![Vec::new()], |rows: Vec<Vec<Value>>, column| {
        let extended = rows.iter().flat_map(|row| {
            column.iter().map(|value| {
                let mut row = row.clone();
                row.push(value.clone());
                row
            })
        });
        extended.collect()
    });
    rows.into_iter().filter(|row| !row.is_empty()).collect()
}

/// The candidates that need no score to be made.
fn candidates(truths: &[&Truth]) -> Vec<Value> {
    let mut all: Vec<Value> = distinct(truths.iter().map(|truth| truth.answer()));
    all.truncate(MOST_CANDIDATES);
    let mut texts = Vec::new();
    for truth in truths {
        match truth {
            Truth::Integer { value, tolerance } => all.extend(near(*value, *tolerance, 1)),
            Truth::Duration { seconds, unit, tolerance } => {
                all.extend(near(*seconds, *tolerance, unit.seconds()));
            }
            Truth::Name { accepted, known } => {
                all.extend(accepted.iter().chain(known).map(|it| json!(it)));
            }
            Truth::Path { accepted, .. } => all.extend(accepted.iter().map(|it| json!(it))),
            Truth::Quotation { accepted, .. } => texts.extend(accepted.iter().cloned()),
            Truth::Set { .. } => all.push(json!("none")),
            Truth::YesNo { .. } => all.extend([json!("yes"), json!("no")]),
            Truth::NotStated | Truth::Each { .. } => all.push(json!("not stated")),
        }
    }
    if truths.iter().any(|truth| matches!(truth, Truth::Integer { .. } | Truth::Duration { .. })) {
        all.extend((0..=100).map(|number| json!(number)));
    }
    if truths.iter().any(|truth| matches!(truth, Truth::Name { .. })) {
        let names = distinct(all.clone().into_iter());
        all.push(Value::Array(names));
    }
    if !texts.is_empty() {
        all.extend(of_texts(texts));
    }
    distinct(all.into_iter())
}

/// A number and both ends of what is accepted for it.
fn near(value: u64, tolerance: Tolerance, unit: u64) -> Vec<Value> {
    let percent = u128::from(value) * u128::from(tolerance.percent) / 100;
    let most = u64::try_from(percent).unwrap_or(u64::MAX).max(tolerance.absolute);
    let ends = [value, value.saturating_sub(most), value.saturating_add(most)];
    ends.into_iter().map(|end| json!(end / unit)).collect()
}

fn of_texts(texts: Vec<String>) -> Vec<Value> {
    let texts = by_frequency(texts);
    let mut all: Vec<String> = texts.iter().take(MOST_CANDIDATES).cloned().collect();
    let paired = &texts[..texts.len().min(MOST_PAIRED)];
    for (at, left) in paired.iter().enumerate() {
        for right in &paired[at + 1..] {
            let start = common_start(left, right);
            if start.chars().count() >= SHORTEST_START {
                all.push(start);
            }
        }
    }
    all.push(texts.join("\n"));
    all.extend(('a'..='z').map(String::from));
    all.extend(["the", "error", ".", " . "].map(str::to_owned));
    all.into_iter().map(|text| json!(text)).collect()
}

/// What two texts start with, folded.
fn common_start(left: &str, right: &str) -> String {
    let pairs = fold(left).chars().zip(fold(right).chars()).collect::<Vec<_>>();
    pairs.into_iter().take_while(|(left, right)| left == right).map(|(char, _)| char).collect()
}

/// The texts, each once, the most frequent first and then in order.
fn by_frequency(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_insert(0) += 1;
    }
    let mut texts: Vec<_> = counts.into_iter().collect();
    texts.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    texts.into_iter().map(|(text, _)| text).collect()
}

/// The values, each once, in their order.
fn distinct(values: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut seen = std::collections::BTreeSet::new();
    values.filter(|value| seen.insert(value.to_string())).collect()
}
