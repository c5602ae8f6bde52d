//! Retrieval: past steps that have most words in common with the task and the last step.

use std::cmp::Reverse;

use super::super::context::Prompt;
use super::super::history::{History, Step, Words, words};
use super::layout::flat;
use super::policy::{Arm, Policy};

/// The `top` past steps most like the last one, in their order, and the last `keep` steps.
pub(super) struct Retrieval {
    top: usize,
    keep: usize,
    task: Option<Words>,
}

impl Retrieval {
    pub(super) fn new(policy: &Policy) -> Self {
        Self { top: policy.top_k, keep: policy.refresh_every, task: None }
    }
}

impl Arm for Retrieval {
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt> {
        let (past, recent) = history.steps.split_at(history.steps.len().saturating_sub(self.keep));
        let task = self.task.get_or_insert_with(|| words(history.task.text()));
        let Some(last) = recent.last() else { return Ok(flat(history, [], &[])) };
        let mut ranked: Vec<(usize, &Step)> =
            past.iter().map(|step| (common(&step.words, &last.words, task), step)).collect();
        ranked.sort_by_key(|(common, step)| (Reverse(*common), Reverse(step.number)));
        ranked.truncate(self.top);
        ranked.sort_by_key(|(_, step)| step.number);
        let found = ranked.iter().flat_map(|(_, step)| [&step.action, &step.observation]);
        Ok(flat(history, found, recent))
    }
}

/// Number of a step's words that also occur in the last step or the task.
fn common(step: &Words, last: &Words, task: &Words) -> usize {
    let (mut last, mut task) = (Cursor(last), Cursor(task));
    step.iter().filter(|word| last.has(**word) | task.has(**word)).count()
}

/// Looks ascending words up in an ascending list.
struct Cursor<'a>(&'a [u64]);

impl Cursor<'_> {
    fn has(&mut self, word: u64) -> bool {
        while let [first, rest @ ..] = self.0 {
            if *first >= word {
                return *first == word;
            }
            self.0 = rest;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_common_count_once() {
        let count = |step: &[u64], last: &[u64], task: &[u64]| {
            common(&step.to_vec(), &last.to_vec(), &task.to_vec())
        };
        assert_eq!(count(&[1, 2, 3, 9], &[2, 3, 4], &[3, 9]), 3);
        assert_eq!(count(&[1], &[], &[]), 0);
    }
}
