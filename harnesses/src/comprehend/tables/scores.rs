//! What each reader scores under each condition, question type by question type.

use scoreboards::Group;

use super::{Tables, add, cell, header, types};
use crate::comprehend::args::{BLIND, MECHANICAL};
use crate::comprehend::board::{ACCURACY, CHARACTERS, LEFT_OUT, MACRO, RATIO, by};
use crate::comprehend::rows::NO_CONTEXT;

impl Tables<'_> {
    pub(super) fn scores(&self, out: &mut String, inputs: &str, pack: &str) {
        let Some(&shown) = self.rule_sets.first() else { return };
        let mut rows = Vec::new();
        for question in types(pack) {
            let name = by(shown, ACCURACY);
            let of_type = |at| cell(inputs, pack, at).and("question", &question);
            let asked = self.get(&name, &of_type((BLIND, NO_CONTEXT)));
            let left_out = Group::all().and("inputs", inputs).and("pack", pack);
            let left_out = left_out.and("what", "left_out").and("question", &question);
            let left_out = self.get(LEFT_OUT, &left_out).map_or(0, |found| found.outcome.n);
            let asked = asked.map_or(0, |found| found.outcome.n);
            let mut row = vec![question.clone(), asked.to_string(), left_out.to_string()];
            row.extend(self.cells().into_iter().map(|at| self.value(&name, &of_type(at))));
            rows.push(row);
        }
        rows.extend(self.sums(inputs, pack));
        if self.mechanical || self.model.is_some() {
            rows.extend(self.sizes(inputs));
        }
        let readers = match self.model {
            Some(model) => format!("what {MECHANICAL} and the model {model} score"),
            None => format!("what {MECHANICAL} scores"),
        };
        let title = format!(
            "{pack} over {inputs} runs, by {shown}: {readers} from each condition; {BLIND} is the floor"
        );
        add(out, &title, &header(&["question", "asked", "left out"], self.headings()), rows);
    }

    /// Macro average and accuracy by each rule set.
    fn sums(&self, inputs: &str, pack: &str) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        for (at, &rule_set) in self.rule_sets.iter().enumerate() {
            for (title, name) in [("macro average", MACRO), ("all questions", ACCURACY)] {
                let title =
                    if at == 0 { title.to_owned() } else { format!("{title} by {rule_set}") };
                let mut row = header(&[&title, "", ""], []);
                let name = by(rule_set, name);
                let value = |at| self.value(&name, &cell(inputs, pack, at));
                row.extend(self.cells().into_iter().map(value));
                rows.push(row);
            }
        }
        rows
    }

    /// How much is shown.
    fn sizes(&self, inputs: &str) -> Vec<Vec<String>> {
        let group = |condition: &str| {
            let group = Group::all().and("inputs", inputs).and("what", "context");
            group.and("condition", condition)
        };
        let of = |name: &str, value: &dyn Fn(&Group) -> String| {
            let mut row = header(&[name, "", ""], []);
            for (reader, condition) in self.cells() {
                let shown = if reader == BLIND { "0".to_owned() } else { value(&group(condition)) };
                row.push(shown);
            }
            row
        };
        vec![
            of(CHARACTERS, &|group| self.number(CHARACTERS, group)),
            of(RATIO, &|group| self.value(RATIO, group)),
        ]
    }
}
