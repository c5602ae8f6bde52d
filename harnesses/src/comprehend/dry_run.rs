//! `--dry-run`: the number of questions, and how much readers would be shown.

use std::collections::BTreeMap;

use serde_json::json;

use super::conditions::CHARS_PER_TOKEN;
use super::prepare::PreparedRun;

/// A corpus's totals under one condition.
#[derive(Default)]
struct Size {
    runs: u64,
    questions: u64,
    left_out: u64,
    /// Characters of the contexts, once per run.
    chars: u64,
    /// The same, once per question.
    chars_asked: u64,
}

/// The sizes by corpus, pack and condition: as a table, or as JSON.
pub(super) fn describe(runs: &[PreparedRun], as_json: bool) -> anyhow::Result<String> {
    let mut sizes: BTreeMap<(&str, &str, &str), Size> = BTreeMap::new();
    for run in runs {
        for set in &run.sets {
            let (questions, left_out) = (set.questions.len() as u64, set.left_out.len() as u64);
            for context in &run.conditions {
                let key = (run.corpus.as_str(), set.pack.as_str(), context.condition.as_str());
                let size = sizes.entry(key).or_default();
                size.runs += 1;
                size.questions += questions;
                size.left_out += left_out;
                size.chars += context.chars;
                size.chars_asked += questions * context.chars;
            }
        }
    }
    if as_json {
        let object = |((corpus, pack, condition), size): (&(&str, &str, &str), &Size)| {
            json!({
                "corpus": corpus, "pack": pack, "condition": condition, "runs": size.runs,
                "questions": size.questions, "left_out": size.left_out, "characters": size.chars,
                "characters_once_a_question": size.chars_asked,
                "estimated_tokens": size.chars.div_ceil(CHARS_PER_TOKEN),
            })
        };
        let all: Vec<_> = sizes.iter().map(object).collect();
        return Ok(serde_json::to_string_pretty(&json!({ "dry_run": all }))? + "\n");
    }
    let header = [
        "corpus, pack, condition",
        "runs",
        "questions",
        "left out",
        "characters",
        "once a question",
        "tokens (estimated)",
    ];
    let rows = sizes.iter().map(|((corpus, pack, condition), size)| {
        let tokens = size.chars.div_ceil(CHARS_PER_TOKEN);
        let numbers =
            [size.runs, size.questions, size.left_out, size.chars, size.chars_asked, tokens];
        let name = format!("{corpus}, {pack}, {condition}");
        [name].into_iter().chain(numbers.map(|number| number.to_string())).collect()
    });
    let table = scoreboards::table(&header, &[1, 2, 3, 4, 5, 6], rows.collect());
    Ok(format!(
        "{}\ncharacters: of the contexts, one a run. Tokens are characters / {CHARS_PER_TOKEN}: no \
         tokenizer was run.\nNothing was answered and nothing was written: the readers at hand call \
         no model.\n",
        table.trim_end()
    ))
}
