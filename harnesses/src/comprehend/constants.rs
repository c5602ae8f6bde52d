//! Reader `blind`: for each question type the one constant answer that scores best over the runs asked. It is
//! shown nothing, so its score is the floor for every other score.
//!
//! The constant is looked for over the generated runs together and over the named ones together, for each
//! rule set on its own.

use std::collections::{BTreeMap, BTreeSet};

use ground_truth::graders::{Answer, RuleSet, best_constant};
use ground_truth::questions::Question;

use super::prepare::PreparedRun;
use super::rule_sets::headline;
use cli_support::parallel;

/// The best constant answers, by what the runs are pooled with, question id and rule set.
#[derive(Debug, Default)]
pub(super) struct Constants(BTreeMap<(String, String, RuleSet), Answer>);

impl Constants {
    pub(super) fn find(
        runs: &[PreparedRun],
        rule_sets: &[RuleSet],
        jobs: usize,
    ) -> anyhow::Result<Self> {
        // The lenient answer is in every row, whatever it is graded by.
        let rule_sets = [headline(rule_sets), RuleSet::Paper1];
        let mut questions: BTreeMap<&str, Vec<Question>> = BTreeMap::new();
        for run in runs {
            questions.entry(run.inputs()).or_default().extend(run.questions().cloned());
        }
        let mut searches = Vec::new();
        for (inputs, asked) in &questions {
            let ids: BTreeSet<&str> = asked.iter().map(|question| question.id.as_str()).collect();
            let of_id = |id| rule_sets.map(|rule_set| (*inputs, asked, id, rule_set));
            searches.extend(ids.into_iter().flat_map(of_id));
        }
        let found = parallel::try_map(&searches, jobs, |(inputs, asked, id, rule_set)| {
            let best = best_constant(asked, *rule_set, id);
            let key = ((*inputs).to_owned(), (*id).to_owned(), *rule_set);
            Ok(best.map(|best| (key, best.answer)))
        })?;
        Ok(Self(found.into_iter().flatten().collect()))
    }

    /// The constant answer to a question of a run.
    pub(super) fn answer(
        &self,
        run: &PreparedRun,
        question: &Question,
        rule_set: RuleSet,
    ) -> Answer {
        let key = (run.inputs().to_owned(), question.id.clone(), rule_set);
        self.0.get(&key).cloned().unwrap_or(Answer::Json(serde_json::Value::Null))
    }
}
