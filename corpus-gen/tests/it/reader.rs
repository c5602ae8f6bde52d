//! A strict reader, on purpose the most naive one: every line is parsed as a `serde_json::Value`, and a
//! few truths are counted again from it. It shares nothing with the generator.

use std::collections::BTreeMap;

use corpus_gen::{GeneratedRun, Profile, Set, session, trace};
use serde_json::Value;

/// All records of a run's transcripts, with the ones that are wrapped in progress records unwrapped.
/// Lines that are no JSON object give what `serde_json` can read before the first error.
fn records(run: &GeneratedRun) -> Vec<(bool, Value)> {
    let mut records = Vec::new();
    let mut files: Vec<_> = run.files.iter().filter(|(path, _)| path.contains(".jsonl")).collect();
    files.sort_by_key(|(path, _)| *path != run.transcript);
    for (path, bytes) in files {
        let main = *path == run.transcript;
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            for value in complete_values(line) {
                let inner = &value["data"]["message"];
                if value["data"]["type"] == "agent_progress" {
                    records.push((false, inner.clone()));
                } else {
                    records.push((main, value));
                }
            }
        }
    }
    records
}

fn complete_values(line: &[u8]) -> Vec<Value> {
    let values: Vec<Value> =
        serde_json::Deserializer::from_slice(line).into_iter().map_while(Result::ok).collect();
    if !values.is_empty() {
        return values;
    }
    // A torn record: one that is glued to its end is complete.
    let text = std::str::from_utf8(line).unwrap();
    let glued = text.match_indices('{').find_map(|(at, _)| serde_json::from_str(&text[at..]).ok());
    glued.into_iter().filter(|value: &Value| value["type"].is_string()).collect()
}

fn kinds(record: &Value) -> Vec<&'static str> {
    let of_block = |block: &Value| match block["type"].as_str().unwrap() {
        "text" => "message",
        "thinking" | "redacted_thinking" => "thinking",
        "tool_use" => "tool_call",
        "tool_result" => "tool_result",
        "image" => "attachment",
        other => panic!("no real transcript has a block of type {other}"),
    };
    match record["type"].as_str().unwrap() {
        "assistant" if record["isApiErrorMessage"] == true => vec!["error"],
        "user" | "assistant" => match &record["message"]["content"] {
            Value::String(_) => vec!["message"],
            Value::Array(blocks) => blocks.iter().map(of_block).collect(),
            other => panic!("content is {other}"),
        },
        "attachment" => vec!["attachment"],
        "system" if record["subtype"] == "compact_boundary" => vec!["compaction"],
        _ => vec!["session_meta"],
    }
}

fn check(run: &GeneratedRun) {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let (mut models, mut prompts) = (BTreeMap::<String, BTreeMap<String, u64>>::new(), 0);
    let mut before = Value::Null;
    for (main, record) in records(run) {
        let repeated = record["uuid"].is_string() && record["uuid"] == before["uuid"];
        before = record.clone();
        if repeated {
            continue;
        }
        for kind in kinds(&record) {
            *counts.entry(kind.to_owned()).or_default() += 1;
        }
        prompts += u64::from(main && is_prompt(&record));
        let message = &record["message"];
        if record["type"] == "assistant" && record["isApiErrorMessage"] != true {
            if record["isSidechain"] == true && main {
                continue;
            }
            let model = models.entry(message["model"].as_str().unwrap().to_owned()).or_default();
            let output = model.entry(message["id"].as_str().unwrap().to_owned()).or_default();
            *output = (*output).max(message["usage"]["output_tokens"].as_u64().unwrap());
        }
    }
    let truth = &run.truth;
    assert_eq!(counts, truth.events_by_kind, "{}", run.name);
    assert_eq!(counts["tool_call"], truth.tool_calls, "{}", run.name);
    assert_eq!(prompts, truth.prompts, "{}", run.name);
    for (model, calls) in models {
        let counted: u64 = calls.values().sum();
        let known = truth.by_model[&model].output;
        // An advisor's tokens are beside the message's own.
        assert!(
            known == counted || model.contains("opus") && known > counted,
            "{}: {model}",
            run.name
        );
    }
}

/// A prompt, for the shapes that the generator writes.
fn is_prompt(record: &Value) -> bool {
    if record["attachment"]["type"] == "queued_command" {
        return record["attachment"]["commandMode"] == "prompt";
    }
    if record["type"] != "user" || record["isMeta"] == true || record["isCompactSummary"] == true {
        return false;
    }
    let harness = |text: &str| {
        text.starts_with('<') && text.ends_with('>') || text.starts_with("[Request interrupted")
    };
    match &record["message"]["content"] {
        Value::String(text) => !harness(text),
        Value::Array(blocks) => blocks
            .iter()
            .any(|block| block["type"] == "text" && !harness(block["text"].as_str().unwrap())),
        _ => false,
    }
}

#[test]
fn paper_sessions_read_as_their_truth_says() {
    for seed in 201..=212 {
        check(&session(Profile::Paper, seed));
    }
}

#[test]
fn realistic_sessions_read_as_their_truth_says() {
    for seed in [206, 209, 211] {
        check(&session(Profile::Realistic, seed));
    }
}

#[test]
fn pathology_traces_read_as_their_truth_says() {
    for seed in [304, 311, 315] {
        check(&trace(Set::Default, seed));
    }
    for seed in [401, 404] {
        check(&trace(Set::Hard, seed));
    }
}

#[test]
fn files_end_lines_with_line_feeds_alone() {
    for run in [session(Profile::Paper, 203), session(Profile::Paper, 204), trace(Set::Hard, 402)] {
        for (path, bytes) in &run.files {
            assert!(!bytes.contains(&b'\r'), "{path}");
            assert!(std::str::from_utf8(bytes).is_ok(), "{path}");
        }
        let feeds = run.session_file().split(|byte| *byte == b'\n').count() as u64 - 1;
        let unended = u64::from(run.session_file().last() != Some(&b'\n'));
        assert_eq!(feeds + unended, run.lines, "{}", run.name);
    }
}
