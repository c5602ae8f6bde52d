//! What benchmarks read: Claude Code transcripts, invented ones or, where `TRACEFOLD_TRANSCRIPTS` names a folder,
//! real ones. It uses no crate of the workspace, so that any of them may have it:
//! `#[path = "../../benches/inputs/mod.rs"] mod inputs;`
#![allow(dead_code, reason = "each program that has this module uses a part of it")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A million bytes.
pub(crate) const MB: usize = 1_000_000;

/// Bytes of the invented transcript that stands in for real ones.
const INVENTED: usize = 16 * MB;
/// Calls between two requests of a person.
const CALLS_A_TURN: usize = 40;

/// The transcripts that benchmarks of reading read.
pub(crate) fn transcripts() -> Vec<Vec<u8>> {
    let folder = std::env::var_os("TRACEFOLD_TRANSCRIPTS").map(PathBuf::from);
    let mut paths = Vec::new();
    if let Some(folder) = folder {
        // A folder with one of each agent, or one of Claude Code's transcripts.
        let own = folder.join("claude-code");
        json_lines(if own.is_dir() { &own } else { &folder }, &mut paths);
    }
    if paths.is_empty() {
        return vec![transcript(INVENTED)];
    }
    let read = |path: &PathBuf| fs::read(path).expect("a transcript can be read");
    paths.iter().map(read).collect()
}

fn json_lines(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the folder of transcripts can be read");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            json_lines(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
}

/// A transcript of at least so many bytes: a request every forty calls, otherwise a call and its result of
/// some 2 or 8 kB. All ids are distinct, so that nothing is a duplicate.
pub(crate) fn transcript(bytes: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes + 16 * 1024);
    let mut at = 0;
    while out.len() < bytes {
        out.extend_from_slice(step(at).as_bytes());
        at += 1;
    }
    out
}

/// A transcript of so many calls with short results.
pub(crate) fn short_calls(calls: usize) -> Vec<u8> {
    (0..calls)
        .map(|at| if at.is_multiple_of(CALLS_A_TURN) { request(at) } else { command(at) })
        .collect::<String>()
        .into_bytes()
}

/// The records of a step: a request, or a call and its result.
pub(crate) fn step(at: usize) -> String {
    if at.is_multiple_of(CALLS_A_TURN) { request(at) } else { call(at) }
}

/// The records of a call and its result.
pub(crate) fn call(at: usize) -> String {
    let mut result = String::new();
    let lines = if at.is_multiple_of(3) { 220 } else { 60 };
    for line in 0..lines {
        let _ =
            write!(result, "   {line}\\tlet value_{line} = compute({}, \\\"unit\\\");\\n", at % 97);
    }
    answered(at, "Read", &format!(r#"{{"file_path":"/repo/src/f{}.rs"}}"#, at % 50), &result)
}

/// The record of a request.
pub(crate) fn request(at: usize) -> String {
    let (head, before) = (head(at), before(at));
    format!(
        r#"{{"type":"user","uuid":"u{at}","parentUuid":{before},{head},"message":{{"role":"user","content":"Request {at}: make the tests of module {} pass, and say why they failed."}}}}
"#,
        at % 9
    )
}

/// The records of a call of a tool, and of what it said.
fn answered(at: usize, tool: &str, input: &str, result: &str) -> String {
    let (head, before) = (head(at), before(at));
    format!(
        r#"{{"type":"assistant","uuid":"a{at}","parentUuid":{before},{head},"requestId":"r{at}","message":{{"id":"m{at}","role":"assistant","model":"claude-sonnet-4-5","content":[{{"type":"text","text":"I look at step {at} next."}},{{"type":"tool_use","id":"t{at}","name":"{tool}","input":{input}}}],"usage":{{"input_tokens":3,"output_tokens":80,"cache_read_input_tokens":9000}}}}}}
{{"type":"user","uuid":"u{at}","parentUuid":"a{at}",{head},"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{at}","content":"{result}"}}]}}}}
"#
    )
}

/// The last record of the step before.
fn before(at: usize) -> String {
    at.checked_sub(1).map_or_else(|| "null".to_owned(), |before| format!("\"u{before}\""))
}

/// The fields that all records have.
fn head(at: usize) -> String {
    let (days, hours, minutes, seconds) =
        (1 + at / 86_400 % 28, at / 3600 % 24, at / 60 % 60, at % 60);
    format!(
        r#""timestamp":"2030-01-{days:02}T{hours:02}:{minutes:02}:{seconds:02}.000Z","sessionId":"s","cwd":"/work""#
    )
}

/// A session of so many turns whose results state so many facts, beside reading, editing and running commands,
/// some of which fail.
pub(crate) fn facts_and_turns(facts: usize, turns: usize) -> Vec<u8> {
    let mut out = String::new();
    let mut at = 0;
    let mut stated = 0;
    for turn in 0..turns {
        out.push_str(&request(at));
        at += 1;
        for n in 0..12 {
            out.push_str(&match n % 4 {
                0 => call(at),
                1 => edit(at),
                2 => command(at),
                _ => {
                    // Spread evenly over the turns' three such calls.
                    let upto = facts * (3 * turn + n / 4 + 1) / (3 * turns);
                    let said = (stated..upto).fold(String::new(), |mut said, fact| {
                        let _ = write!(said, "metric_{fact} = {}\\n", 1000 + 7 * fact);
                        said
                    });
                    stated = upto;
                    let input = format!(r#"{{"command":"./measure --step {at}"}}"#);
                    answered(at, "Bash", &input, &said)
                }
            });
            at += 1;
        }
    }
    out.into_bytes()
}

fn edit(at: usize) -> String {
    let input = format!(
        r#"{{"file_path":"/repo/src/module_{}/part.rs","old_string":"let a = {at};","new_string":"let b = {at};"}}"#,
        at % 60
    );
    answered(at, "Edit", &input, "The file has been updated.")
}

fn command(at: usize) -> String {
    let input = format!(
        r#"{{"command":"cargo test -p crate_{} case_{} 2>&1 | tail -5","description":"Run tests"}}"#,
        at % 7,
        at % 40
    );
    let failed = at.is_multiple_of(5);
    let result =
        if failed { "test result: FAILED. 1 failed" } else { "test result: ok. 12 passed" };
    let records = answered(at, "Bash", &input, result);
    if failed {
        records.replace("\"content\":\"test", "\"is_error\":true,\"content\":\"test")
    } else {
        records
    }
}
