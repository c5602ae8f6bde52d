//! The verdict on an end state: exact, from the files alone.

use std::collections::BTreeMap;
use std::sync::Arc;

use corpus_gen::tasks::{ANSWER_KEY, Check, Repair};

type Files = BTreeMap<String, Arc<str>>;

/// Partial credit: 0 for an untouched start state. For a chain it is the length of the prefix whose statistic
/// the answer is; for the others, the lines that are right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partial {
    /// Done.
    pub num: u64,
    /// Of.
    pub den: u64,
}

/// Whether a task was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// All of it, exactly.
    pub success: bool,
    /// How much of it, which no failure of another kind takes back.
    pub partial: Partial,
    /// What is wrong, or that nothing is: a sentence without content of the worker's beyond numbers and
    /// paths of the task.
    pub why: String,
}

impl Verdict {
    fn new(success: bool, num: usize, den: usize, why: impl Into<String>) -> Self {
        let partial = Partial { num: num as u64, den: den as u64 };
        Self { success, partial, why: why.into() }
    }
}

pub(super) fn verdict(check: &Check, files: &Files) -> Verdict {
    match check {
        Check::Total { path, prefixes } => total(files.get(path).map(|t| &**t), path, prefixes),
        Check::Lines { path, lines } => collected(files.get(path).map(|t| &**t), path, lines),
        Check::State { files: expected, repairs } => state(files, expected, repairs),
    }
}

fn total(answer: Option<&str>, path: &str, prefixes: &[i64]) -> Verdict {
    let of = prefixes.len();
    let Some(answer) = answer else {
        return Verdict::new(false, 0, of, format!("{path} was not written"));
    };
    let lines: Vec<&str> = answer.lines().filter(|line| !line.trim().is_empty()).collect();
    let [line] = lines[..] else {
        let why = format!("{path} holds {} lines, not one", lines.len());
        return Verdict::new(false, 0, of, why);
    };
    let Some(stated) = assignment(line)
        .filter(|(key, _)| *key == ANSWER_KEY)
        .and_then(|(_, value)| value.parse::<i64>().ok())
    else {
        let why = format!("{path} does not state a number as `{ANSWER_KEY} = N`");
        return Verdict::new(false, 0, of, why);
    };
    match prefixes.iter().position(|sum| *sum == stated) {
        Some(at) if at + 1 == of => Verdict::new(true, of, of, format!("{stated} is right")),
        Some(at) => {
            let why = format!("{stated} is the total of the first {} of {of} links", at + 1);
            Verdict::new(false, at + 1, of, why)
        }
        None => Verdict::new(false, 0, of, format!("{stated} is the total of no prefix")),
    }
}

fn collected(text: Option<&str>, path: &str, expected: &BTreeMap<String, String>) -> Verdict {
    let of = expected.len();
    let Some(text) = text else {
        return Verdict::new(false, 0, of, format!("{path} was not written"));
    };
    let mut stated: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut others = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match assignment(line) {
            Some((key, value)) if expected.contains_key(key) => {
                stated.entry(key).or_default().push(value);
            }
            _ => others += 1,
        }
    }
    let right = stated.iter().filter(|(key, values)| {
        values.iter().all(|value| expected.get(**key).is_some_and(|right| right == value))
    });
    let right = right.count();
    let repeated = stated.values().filter(|values| values.len() > 1).count();
    let wrong = stated.len() - right;
    let why = format!(
        "{right} of {of} lines are right, {wrong} wrong, {repeated} repeated, {others} others"
    );
    Verdict::new(right == of && repeated == 0 && others == 0, right, of, why)
}

fn state(files: &Files, expected: &BTreeMap<String, String>, repairs: &[Repair]) -> Verdict {
    let same = |path: &String, text: &String| {
        files.get(path).is_some_and(|is| is.trim_end() == text.trim_end())
    };
    let done = repairs.iter().filter(|repair| {
        let stated = files.get(&repair.path).map(|text| values(text, &repair.key));
        stated.is_some_and(|values| values == [repair.value.as_str()])
    });
    let done = done.count();
    let to_repair = |path: &String| repairs.iter().any(|repair| repair.path == *path);
    let different = expected.iter().filter(|(path, text)| !same(path, text));
    let (broken, spoilt): (Vec<_>, Vec<_>) = different.partition(|(path, _)| to_repair(path));
    let made = files.keys().filter(|path| !expected.contains_key(*path)).count();
    let why = format!(
        "{done} of {} violations are repaired; {} files to repair are not as they should be, {} good \
         files were changed, {made} files were made",
        repairs.len(),
        broken.len(),
        spoilt.len()
    );
    let success = broken.is_empty() && spoilt.is_empty() && made == 0;
    Verdict::new(success, done, repairs.len(), why)
}

/// The values that a text gives to a key.
fn values<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    text.lines().filter_map(assignment).filter(|(k, _)| *k == key).map(|(_, v)| v).collect()
}

fn assignment(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once('=')?;
    Some((key.trim(), value.trim()))
}
