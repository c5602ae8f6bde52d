//! The varied sessions: every shape stands in at least three of the default seeds, and the truth about
//! them is what a naive reading of the raw JSON counts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use corpus_gen::{GeneratedRun, Profile, Seeds, TrackedValue, session, sessions};
use serde_json::Value;

/// A session with its records: those of the session file first, then its agents'.
struct Read {
    run: GeneratedRun,
    main: Vec<Value>,
    agents: Vec<Value>,
}

fn corpus() -> &'static [Read] {
    static CORPUS: OnceLock<Vec<Read>> = OnceLock::new();
    CORPUS.get_or_init(|| (201..=212).map(|seed| read(session(Profile::Varied, seed))).collect())
}

fn read(run: GeneratedRun) -> Read {
    let (mut main, mut agents) = (Vec::new(), Vec::new());
    for (path, bytes) in run.files.iter().filter(|(path, _)| path.contains(".jsonl")) {
        // serde_json refuses half a surrogate pair; it reads as U+FFFD.
        let text = std::str::from_utf8(bytes).unwrap().replace("\\ud83d", "\\ufffd");
        let of_main = *path == run.transcript;
        for line in text.lines() {
            let record = serde_json::from_str(line).unwrap();
            if of_main { main.push(record) } else { agents.push(record) }
        }
    }
    Read { run, main, agents }
}

impl Read {
    fn all(&self) -> impl Iterator<Item = &Value> {
        self.main.iter().chain(&self.agents)
    }

    /// Records of all threads, unwrapped from progress records.
    fn inner(&self) -> impl Iterator<Item = &Value> {
        self.all().map(|record| match record["data"]["type"].as_str() {
            Some("agent_progress") => &record["data"]["message"],
            _ => record,
        })
    }

    fn has(&self, found: impl Fn(&Value) -> bool) -> bool {
        self.all().any(found)
    }
}

fn blocks(record: &Value) -> &[Value] {
    record["message"]["content"].as_array().map_or(&[], Vec::as_slice)
}

/// All that is said in a record of type `user`, results left out.
fn text(record: &Value) -> String {
    if record["type"] != "user" {
        return String::new();
    }
    if let Some(text) = record["message"]["content"].as_str() {
        return text.to_owned();
    }
    let texts = blocks(record).iter().filter_map(|block| block["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn result_text(record: &Value) -> String {
    let block = blocks(record).iter().find(|block| block["type"] == "tool_result");
    block.map_or(String::new(), |block| match &block["content"] {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter_map(|block| block["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    })
}

fn calls_tool(record: &Value, tool: &str) -> bool {
    blocks(record).iter().any(|block| block["type"] == "tool_use" && block["name"] == tool)
}

fn notice(status: &str, text: &str) -> bool {
    text.starts_with("<task-notification>") && text.contains(&format!("<status>{status}</status>"))
}

fn entry_types(record: &Value) -> Vec<&str> {
    let entries = record["message"]["usage"]["iterations"].as_array();
    entries.into_iter().flatten().filter_map(|entry| entry["type"].as_str()).collect()
}

type Detector = (&'static str, Box<dyn Fn(&Read) -> bool>);

/// A detector that looks for one record.
fn record(name: &'static str, found: impl Fn(&Value) -> bool + 'static) -> Detector {
    (name, Box::new(move |read| read.has(&found)))
}

/// A detector that looks at the whole session.
fn whole(name: &'static str, found: impl Fn(&Read) -> bool + 'static) -> Detector {
    (name, Box::new(found))
}

/// A detector that looks at what the truth says.
fn truth(name: &'static str, found: impl Fn(&corpus_gen::Truth) -> bool + 'static) -> Detector {
    (name, Box::new(move |read| found(&read.run.truth)))
}

fn background() -> Vec<Detector> {
    let task = |state: &'static str| {
        truth(state, move |truth| truth.shapes.background_tasks.values().any(|task| task == state))
    };
    vec![
        record("async launch", |one| one["toolUseResult"]["status"] == "async_launched"),
        whole("an agent's own file", |read: &Read| !read.agents.is_empty()),
        record("notified by a user record", |one| notice("completed", &text(one))),
        record("two notices in a record", |one| {
            text(one).matches("<task-notification>").count() == 2
        }),
        record("notified by an attachment", |one| {
            let prompt = one["attachment"]["prompt"].as_str().unwrap_or("");
            notice("completed", prompt) && prompt.contains("<task-id>")
        }),
        record("notified by the queue", |one| {
            one["type"] == "queue-operation"
                && notice("completed", one["content"].as_str().unwrap_or(""))
        }),
        record("failed", |one| notice("failed", &text(one))),
        record("killed", |one| notice("killed", &text(one))),
        record("resumed", |one| calls_tool(one, "SendMessage")),
        task("agent completed"),
        task("agent failed"),
        task("agent stopped"),
        task("agent running"),
        task("command completed"),
        task("command failed"),
        task("command stopped"),
        task("command running"),
        record("background command", |one| one["toolUseResult"]["backgroundTaskId"].is_string()),
        record("put in the background", |one| one["toolUseResult"]["backgroundedByUser"] == true),
        record("receipt in words", |one| {
            result_text(one).starts_with("Command running in background with ID: ")
                && !one["toolUseResult"].is_object()
        }),
        record("asked how it stands", |one| one["toolUseResult"]["task"]["status"] == "completed"),
        record("TaskStop", |one| calls_tool(one, "TaskStop")),
        record("KillShell", |one| calls_tool(one, "KillShell")),
    ]
}

fn turns_and_commands() -> Vec<Detector> {
    let command = |name, args: bool| {
        whole(name, move |read: &Read| {
            let tells = |at: usize| prompt(&read.main[at], &read.main[at + 1..]);
            let told = (0..read.main.len()).filter(|at| tells(*at).is_some_and(|later| later > 0));
            let mut texts = told.map(|at| text(&read.main[at]));
            texts.any(|text| {
                let none = text.contains("<command-args></command-args>");
                (text.contains("<command-args>") && !none) == args
            })
        })
    };
    vec![
        truth("abandoned", |truth| truth.shapes.abandoned_calls > 0),
        whole("an agent's agent", |read: &Read| {
            let of_agent = |one: &&Value| calls_tool(one, "Task");
            let inline = read.main.iter().filter(|one| one["data"]["type"] == "agent_progress");
            read.agents
                .iter()
                .chain(inline.map(|one| &one["data"]["message"]))
                .any(|one| of_agent(&one))
        }),
        truth("taken back", |truth| truth.shapes.turns_taken_back > 0),
        whole("back to the start", |read: &Read| {
            let mut asked = read
                .main
                .iter()
                .filter(|one| one["permissionMode"].is_string() && one["type"] == "user");
            asked.next();
            asked.any(|one| one["parentUuid"].is_null() && one["isReplay"].is_null())
        }),
        record("edited and sent again", |one| text(one).ends_with(" And say why.")),
        truth("returned to", |truth| {
            // Two turns go on from one, and the next from the first of them.
            let parents: Vec<usize> = truth.shapes.turns.iter().map(|turn| parent(turn)).collect();
            let (of, back) = (&parents, &truth.shapes.turns);
            (2..of.len()).any(|at| {
                of[at - 1] == of[at - 2] && of[at] == at - 1 && back[at - 1].ends_with("taken back")
            })
        }),
        whole("read again", |read: &Read| {
            let mut seen = BTreeSet::new();
            let calls = read.main.iter().flat_map(blocks).filter(|block| block["name"] == "Read");
            let whole = calls.filter(|block| block["input"]["offset"].is_null());
            let mut paths = whole.filter_map(|block| block["input"]["file_path"].as_str());
            paths.any(|path| path.contains(".ini") && !seen.insert(path))
                && read.run.truth.shapes.turns_taken_back > 0
        }),
        whole("a command without an expansion", |read: &Read| {
            let next = |at: usize| &read.main[at + 1..];
            let later = |at: usize| prompt(&read.main[at], next(at)).filter(|later| *later > 0);
            let tells = |at: usize| later(at).map(|later| &read.main[at + later]);
            (0..read.main.len()).filter_map(tells).any(|one| one["type"] == "assistant")
        }),
        command("a command with arguments", true),
        command("a command alone", false),
        record("an expansion", |one| {
            one["isMeta"] == true && one["sourceToolUseID"].is_null() && blocks(one).len() == 1
        }),
        record("local output", |one| text(one).starts_with("<local-command-stdout>")),
        record("caveat", |one| text(one).starts_with("<local-command-caveat>")),
        record("local output as a system record", |one| one["subtype"] == "local_command"),
        record("a command that fails", |one| text(one).starts_with("<local-command-stderr>")),
        record("what a skill adds", |one| one["sourceToolUseID"].is_string()),
        record("stopped by a hook", |one| text(one).starts_with("Operation stopped by hook")),
    ]
}

fn calls_and_places() -> Vec<Detector> {
    let cancelled =
        |name, words: &'static str| record(name, move |one| result_text(one).contains(words));
    let changes = |name, of: fn(&corpus_gen::Shapes) -> &Option<TrackedValue>| {
        truth(name, move |truth| of(&truth.shapes).as_ref().is_some_and(|held| held.changes > 0))
    };
    vec![
        cancelled("a sibling errored", "Sibling tool call errored"),
        cancelled("parallel calls cancelled", "Cancelled: parallel tool call"),
        cancelled("the stream fell back", "Error: Streaming fallback - tool execution discarded"),
        changes("other folders", |shapes| &shapes.cwd),
        changes("other branches", |shapes| &shapes.branch),
        changes("other models", |shapes| &shapes.model),
        changes("other modes", |shapes| &shapes.permission_mode),
        record("a worktree", |one| calls_tool(one, "EnterWorktree")),
    ]
}

fn usage() -> Vec<Detector> {
    let entry = |kind: &'static str| record(kind, move |one| entry_types(one).contains(&kind));
    let messages = |name, last_is_top: bool| {
        record(name, move |one| {
            let entries = &one["message"]["usage"]["iterations"];
            let last = |key: &str| entries[1][key] == one["message"]["usage"][key];
            entry_types(one) == ["message", "message"]
                && entries[0]["model"].is_string() == last_is_top
                && last("input_tokens") == last_is_top
        })
    };
    vec![
        entry("compaction"),
        entry("advisor_message"),
        entry("fallback_message"),
        messages("the last fits", true),
        messages("a sum, or nothing that fits", false),
        truth("unreconciled", |truth| truth.shapes.unreconciled_iterations > 0),
        truth("unknown entries", |truth| !truth.shapes.unknown_iterations.is_empty()),
        truth("unfinished", |truth| truth.shapes.unfinished_usage.is_some_and(|n| n > 0)),
        truth("finished", |truth| truth.shapes.unfinished_usage == Some(0)),
        whole("a client that never writes an end", |read: &Read| {
            let mut of_main = read.main.iter().filter(|one| one["type"] == "assistant");
            of_main.all(|one| one["message"]["stop_reason"].is_null())
        }),
        whole("grown and right without an end", |read: &Read| {
            let outputs = |one: &Value| one["message"]["usage"]["output_tokens"].as_u64();
            let large = |one: &&Value| one["type"] == "assistant" && outputs(one) >= Some(500);
            let mut ends: BTreeMap<String, bool> = BTreeMap::new();
            for one in read.main.iter().filter(large) {
                let id = one["message"]["id"].to_string();
                *ends.entry(id).or_default() |= one["message"]["stop_reason"].is_string();
            }
            ends.values().any(|ended| !ended)
        }),
        record("withheld thinking", |one| {
            blocks(one).iter().any(|block| {
                block["thinking"] == ""
                    && block["signature"].as_str().is_some_and(|text| text.len() > 300)
            })
        }),
        record("redacted thinking", |one| {
            blocks(one).iter().any(|block| block["type"] == "redacted_thinking")
        }),
        truth("unknown records", |truth| {
            truth.events_by_kind.get("unknown").is_some_and(|n| *n > 1) && truth.duplicates > 0
        }),
        whole("half a surrogate", |read: &Read| {
            let file = String::from_utf8_lossy(read.run.session_file());
            file.contains("\\ud83d") && !file.contains('\u{fffd}')
        }),
        record("the SDK's records", |one| {
            one["session_id"].is_string() && one["parent_tool_use_id"].is_string()
        }),
    ]
}

#[test]
fn every_shape_stands_in_three_seeds() {
    let detectors = [background(), turns_and_commands(), calls_and_places(), usage()].concat_all();
    let few: Vec<String> = detectors
        .iter()
        .map(|(name, found)| (name, corpus().iter().filter(|read| found(read)).count()))
        .filter(|(_, count)| *count < 3)
        .map(|(name, count)| format!("{name}: {count}"))
        .collect();
    assert!(few.is_empty(), "{few:#?}");
    for read in corpus() {
        let held = detectors.iter().filter(|(_, found)| found(read)).count();
        assert!(held >= 8, "{} holds {held} shapes", read.run.name);
    }
}

/// Flattens lists of detectors, which cannot be copied.
trait ConcatAll {
    fn concat_all(self) -> Vec<Detector>;
}

impl<const N: usize> ConcatAll for [Vec<Detector>; N] {
    fn concat_all(self) -> Vec<Detector> {
        self.into_iter().flatten().collect()
    }
}

#[test]
fn the_sdks_output_states_its_sums() {
    let streams: Vec<&Read> =
        corpus().iter().filter(|read| read.has(|one| one["subtype"] == "init")).collect();
    let mut results: Vec<usize> = Vec::new();
    for read in &streams {
        let shapes = &read.run.truth.shapes;
        let found: Vec<&Value> = read.main.iter().filter(|one| one["type"] == "result").collect();
        results.push(found.len());
        let cost = found.last().map(|one| one["total_cost_usd"].to_string());
        assert_eq!(cost.is_some(), shapes.stated_cost_usd.is_some());
        // Printed as the file has it; serde_json drops zeros at the end.
        if let Some(text) = &shapes.stated_cost_usd {
            let file = String::from_utf8_lossy(read.run.session_file()).into_owned();
            assert!(file.contains(&format!("\"total_cost_usd\":{text},")));
            assert!(shapes.unattributed_tokens.output > 0);
        }
    }
    results.sort_unstable();
    assert_eq!(results, [0, 1, 3]);
}

#[test]
fn sizes_are_moderate() {
    for read in corpus() {
        let bytes = read.run.transcript_bytes();
        assert!((300_000..=1_500_000).contains(&bytes), "{}: {bytes}", read.run.name);
    }
    for run in sessions(Profile::Varied, &Seeds::from(vec![0, 1, 999, u64::MAX])) {
        assert!((200_000..=2_000_000).contains(&run.transcript_bytes()), "{}", run.name);
    }
}

fn parent(turn: &str) -> usize {
    turn.split(' ').nth(2).unwrap().parse().unwrap()
}

/// Number of events that a record gives.
fn events(record: &Value) -> u64 {
    let inner = match record["data"]["type"].as_str() {
        Some("agent_progress") => &record["data"]["message"],
        _ => record,
    };
    match inner["type"].as_str() {
        Some("assistant") if inner["isApiErrorMessage"] == true => 1,
        Some("user" | "assistant") => (blocks(inner).len() as u64).max(1),
        _ => 1,
    }
}

/// Whether a record is a prompt, for the shapes that the generator writes; `next` are the records
/// behind it. Gives where the prompt begins: at the record, or at the one that tells a command.
fn prompt(record: &Value, next: &[Value]) -> Option<usize> {
    if record["attachment"]["type"] == "queued_command" {
        return (record["attachment"]["commandMode"] == "prompt").then_some(0);
    }
    let result = blocks(record).iter().any(|block| block["type"] == "tool_result");
    let person = record["type"] == "user"
        && !result
        && record["isMeta"] != true
        && record["sourceToolUseID"].is_null()
        && record["parent_tool_use_id"].is_null()
        && record["origin"]["kind"].as_str().is_none_or(|kind| kind == "human");
    if !person {
        return None;
    }
    let text = text(record);
    if !text.starts_with('<') && !text.starts_with('[') && !text.starts_with("Operation stopped") {
        return Some(0);
    }
    if !text.contains("<command-name>") {
        return None;
    }
    let tells = |one: &Value| {
        matches!(one["type"].as_str(), Some("user" | "assistant"))
            || one["subtype"] == "local_command"
    };
    let at = next.iter().position(tells)?;
    let expansion = next[at]["isMeta"] == true && !self::text(&next[at]).contains("Caveat:");
    (expansion || next[at]["type"] == "assistant").then_some(at + 1)
}

#[test]
fn turns_are_those_of_a_naive_reading() {
    for read in corpus() {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut parents, mut begins) = (vec![0], BTreeMap::new());
        let mut linked = false;
        for (at, record) in read.main.iter().enumerate() {
            if let Some(later) = prompt(record, &read.main[at + 1..]) {
                begins.insert(at + later, at);
            }
            if let Some(from) = begins.get(&at) {
                let before = parents.len() - 1;
                let above = match read.main[*from]["parentUuid"].as_str() {
                    Some(uuid) => places.get(uuid).copied().unwrap_or(before),
                    None if linked => 0,
                    None => before,
                };
                parents.push(above);
            } else if parents.len() > 1 && record["type"] == "assistant" {
                linked |= record["parentUuid"].is_string();
            }
            if let Some(uuid) = record["uuid"].as_str() {
                places.entry(uuid).or_insert(parents.len() - 1);
            }
        }
        let mut in_force = BTreeSet::from([0]);
        let mut turn = parents.len() - 1;
        while in_force.insert(turn) {
            turn = parents[turn];
        }
        let listed: Vec<String> = (1..parents.len())
            .map(|turn| {
                let back = if in_force.contains(&turn) { "" } else { " taken back" };
                format!("{turn} parent {}{back}", parents[turn])
            })
            .collect();
        let truth = &read.run.truth;
        assert_eq!(listed, truth.shapes.turns, "{}", read.run.name);
        assert_eq!(truth.prompts, listed.len() as u64, "{}", read.run.name);
        let back = listed.iter().filter(|turn| turn.ends_with("taken back")).count() as u64;
        assert_eq!(back, truth.shapes.turns_taken_back, "{}", read.run.name);
    }
}

#[test]
fn what_holds_is_that_of_a_naive_reading() {
    for read in corpus() {
        let mut held: [Option<TrackedValue>; 4] = [const { None }; 4];
        let mut at = 0;
        for record in &read.main {
            let own = record["data"]["type"] != "agent_progress"
                && record["isSidechain"] != true
                && record["parent_tool_use_id"].is_null();
            let model = &record["message"]["model"];
            let model = if record["isApiErrorMessage"] == true { &Value::Null } else { model };
            let stated = [&record["cwd"], &record["gitBranch"], model, &record["permissionMode"]];
            for (known, value) in held.iter_mut().zip(stated) {
                let Some(value) = value.as_str().filter(|_| own) else { continue };
                if known.as_ref().is_none_or(|known| known.value != value) {
                    let changes = known.as_ref().map_or(0, |known| known.changes + 1);
                    *known = Some(TrackedValue { value: value.to_owned(), since: at, changes });
                }
            }
            at += events(record);
        }
        let shapes = &read.run.truth.shapes;
        let known = [&shapes.cwd, &shapes.branch, &shapes.model, &shapes.permission_mode];
        for (naive, known) in held.iter().zip(known) {
            assert_eq!(naive, known, "{}", read.run.name);
        }
    }
}

#[test]
fn calls_and_tasks_are_those_of_a_naive_reading() {
    for read in corpus() {
        let (name, truth) = (&read.run.name, &read.run.truth);
        let (mut calls, mut cancelled) = (0, 0);
        let (mut tasks, mut naive_output) = (BTreeSet::new(), 0);
        for one in read.inner() {
            for block in blocks(one) {
                calls += u64::from(block["type"] == "tool_use");
            }
            let said = result_text(one);
            let bare = said.trim_start_matches("<tool_use_error>");
            let given_up =
                ["Sibling tool call errored", "Cancelled: parallel", "Error: Streaming fallback"];
            cancelled += u64::from(given_up.iter().any(|text| bare.starts_with(text)));
            let result = &one["toolUseResult"];
            if result["status"] == "async_launched" {
                tasks.insert(result["agentId"].as_str().unwrap().to_owned());
            }
            if let Some(rest) =
                said.strip_prefix("Command ").and_then(|rest| rest.split_once("ID: "))
            {
                tasks.insert(rest.1.split(['.', ' ']).next().unwrap().to_owned());
            }
            if one["type"] == "assistant" && one["isApiErrorMessage"] != true {
                naive_output += one["message"]["usage"]["output_tokens"].as_u64().unwrap();
            }
        }
        let shapes = &truth.shapes;
        assert_eq!(calls, truth.tool_calls, "{name}");
        assert_eq!(cancelled, shapes.cancelled_calls, "{name}");
        assert_eq!(tasks, shapes.background_tasks.keys().cloned().collect(), "{name}");
        assert_eq!(naive_output, truth.naive_tokens.output, "{name}");
        let states = truth.succeeded_calls
            + truth.failed_calls
            + truth.denied_calls
            + truth.interrupted_calls
            + shapes.cancelled_calls
            + shapes.abandoned_calls
            + truth.open_tool_calls;
        assert_eq!(states, calls, "{name}");
    }
}

#[test]
fn unfinished_calls_are_those_that_say_a_few_tokens_and_no_end() {
    for read in corpus() {
        // Per message: whether it ended, the outputs it states, the bytes of its blocks.
        let mut seen: BTreeMap<String, (bool, BTreeSet<u64>, usize)> = BTreeMap::new();
        for one in read.inner().filter(|one| one["type"] == "assistant") {
            let message = &one["message"];
            let call = seen.entry(message["id"].to_string()).or_default();
            call.0 |= message["stop_reason"].is_string();
            call.1.insert(message["usage"]["output_tokens"].as_u64().unwrap());
            let visible = |block: &Value| {
                block["text"].as_str().map_or(0, str::len)
                    + block["thinking"].as_str().map_or(0, str::len)
                    + if block["type"] == "tool_use" { 200 } else { 0 }
            };
            call.2 += blocks(one).iter().map(visible).sum::<usize>();
        }
        let results = read.has(|one| one["type"] == "result");
        let open = seen.values().filter(|(ended, _, _)| !ended && !results);
        let (few, many): (Vec<_>, Vec<_>) = open
            .filter(|(_, outputs, _)| outputs.len() == 1)
            .partition(|(_, outputs, _)| outputs.iter().all(|output| *output < 10));
        // Nothing in between, whatever the scale: 9 tokens beside 200 bytes, 2000 beside 300.
        assert!(few.iter().all(|(_, _, bytes)| *bytes >= 200), "{}", read.run.name);
        assert!(
            many.iter()
                .all(|(_, outputs, bytes)| outputs.iter().all(|n| *n >= 2000) && *bytes < 400),
            "{}",
            read.run.name
        );
        let known = read.run.truth.shapes.unfinished_usage;
        assert_eq!(known, Some(few.len() as u64), "{}", read.run.name);
    }
}

#[test]
fn the_file_beside_a_varied_session_tells_its_shapes() {
    let read = &corpus()[0];
    let file = read.run.files.iter().find(|(path, _)| path.ends_with(".truth.json")).unwrap();
    let told: corpus_gen::Shapes = serde_json::from_slice(&file.1).unwrap();
    assert_eq!(told, read.run.truth.shapes);
    let old = session(Profile::Paper, 206);
    let file = old.files.iter().find(|(path, _)| path.ends_with(".truth.json")).unwrap();
    assert!(!String::from_utf8_lossy(&file.1).contains("background_tasks"));
}
