//! What a model's calls took, what became of them, and how steady its answers are.

use scoreboards::Group;

use super::{Tables, add, header};
use crate::comprehend::board::{
    CALLS, CUT_SHORT, DOLLAR_RATIO, DOLLARS, EMPTY, FAILED, FLIPS, INPUT_RATIO, INPUT_TOKENS,
    OUTPUT_TOKENS, PARSE_FAILURES, REFUSALS, RETRIES, by, pass_k,
};
use crate::comprehend::rows::headline;

impl Tables<'_> {
    pub(super) fn calls(&self, out: &mut String, inputs: &str) {
        let Some(model) = self.model else { return };
        let group = |condition: &str| {
            let group = Group::all().and("inputs", inputs).and("what", "call");
            group.and("reader", model).and("condition", condition)
        };
        let mut rows = Vec::new();
        for name in [
            CALLS,
            FAILED,
            RETRIES,
            PARSE_FAILURES,
            REFUSALS,
            EMPTY,
            CUT_SHORT,
            INPUT_TOKENS,
            OUTPUT_TOKENS,
        ] {
            let mut row = vec![name.to_owned()];
            row.extend(self.conditions.iter().map(|it| self.number(name, &group(it))));
            rows.push(row);
        }
        let mut row = vec![DOLLARS.to_owned()];
        row.extend(self.conditions.iter().map(|it| self.dollars(&group(it))));
        rows.push(row);
        for name in [INPUT_RATIO, DOLLAR_RATIO] {
            let mut row = vec![name.to_owned()];
            row.extend(self.conditions.iter().map(|it| self.estimate(name, &group(it))));
            rows.push(row);
        }
        let title = format!(
            "Calls of {model} over {inputs} runs; tokens are the endpoint's own count; ratios with BCa \
             bootstrap intervals over transcripts"
        );
        let conditions = self.conditions.iter().map(|&it| it.to_owned());
        add(out, &title, &header(&["calls"], conditions), rows);
    }

    /// The dollars of a condition's calls; a dash where no price is known for any of them.
    fn dollars(&self, group: &Group) -> String {
        let Some(found) = self.get(DOLLARS, group) else { return "-".to_owned() };
        match found.outcome.value.decimal() {
            Some(dollars) if found.outcome.n > 0 => format!("${:.4}", dollars.round_dp(4)),
            _ => "-".to_owned(),
        }
    }

    pub(super) fn repeats(&self, out: &mut String, inputs: &str, pack: &str) {
        let Some(model) = self.model else { return };
        let group = |condition: &str| {
            let group = Group::all().and("inputs", inputs).and("what", "repeats").and("pack", pack);
            group.and("reader", model).and("condition", condition)
        };
        let first = self.conditions.first().map(|it| group(it));
        let strict = headline(&self.rule_sets);
        let is_there = |name: &str| first.as_ref().is_some_and(|it| self.get(name, it).is_some());
        let mut names: Vec<String> =
            (1..=u32::MAX).map(|k| pass_k(strict, k)).take_while(|name| is_there(name)).collect();
        names.extend(Some(by(strict, FLIPS)).filter(|name| is_there(name)));
        if names.is_empty() {
            return;
        }
        let rows = names.iter().map(|name| {
            let mut row = vec![name.clone()];
            row.extend(self.conditions.iter().map(|it| self.value(name, &group(it))));
            row
        });
        let title = format!(
            "{pack} over {inputs} runs: pass^k, the chance that k repeats are all right; flip rate, the \
             share of questions whose repeats do not agree"
        );
        let conditions = self.conditions.iter().map(|&it| it.to_owned());
        add(out, &title, &header(&["repeats"], conditions), rows.collect());
    }
}
