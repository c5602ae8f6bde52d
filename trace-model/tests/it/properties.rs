//! What holds for every transcript, sensible or not.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use trace_model::adapter::{AdapterRef, FileRole};
use trace_model::derived::Dependency;
use trace_model::fold::{FoldConfig, NameSource, RunState};
use trace_model::reader::{ReadStats, ResumeToken, TranscriptReader};
use trace_model::run::{Folder, Run, RunChange};
use trace_model::view::flatlog::FlatLog;

use crate::common::{Script, fold, fold_in_pieces, four, pieces};

/// A small choice of everything that stands in transcripts.
fn snippets() -> Vec<String> {
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let agent = json!({"agentId": "a1", "isSidechain": true});
    let call = |s: Script, id: &str, tool: &str| {
        s.call(id, tool, json!({"file_path": format!("{id}.txt"), "n": 1}))
    };
    let script =
        Script::new().prompt("go").prompt("go on \u{1f600}").interruption().says("I see\u{2028}");
    let script = call(call(call(script, "t1", "Read"), "t2", "Bash"), "t3", "Task");
    let script = call(script, "t2", "Bash").with(agent.clone());
    let script = script
        .result("t1", "x = 1\ny = 2.5\n     3\tz = -1")
        .result("t1", "x = 7")
        .fails("t2", "no such file")
        .result("t3", "done")
        .result("t9", "orphan")
        .with(agent)
        .answer("m1", "r1", text("a"), crate::common::usage(1, 2, 3, 4))
        .answer("m1", "r1", text("b"), crate::common::usage(4, 3, 2, 1))
        .with(json!({"message": {"model": "claude-opus-4-5", "usage": {"iterations": [
            {"type": "advisor_message", "model": "claude-haiku-4-5", "output_tokens": 5}]}}}))
        .answer("m1", "r2", text("c"), crate::common::usage(9, 9, 9, 9))
        .with(json!({"isSidechain": true}))
        .record(json!({"type": "system", "subtype": "compact_boundary"}))
        .record(json!({"type": "system", "subtype": "api_error"}))
        .record(json!({"type": "progress", "parentToolUseID": "t3", "data": {
            "type": "agent_progress", "agentId": "a2", "message": {"type": "assistant",
            "message": {"id": "m5", "content": [{"type": "tool_use", "id": "t5", "name": "Bash"}]}}}}))
        .record(json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": "and"}}))
        .record(json!({"type": "ai-title", "aiTitle": "A title"}))
        .record(json!({"type": "future-thing"}))
        .record(json!({"type": "result", "total_cost_usd": 0.5, "modelUsage": {
            "claude-opus-4-5[1m]": {"inputTokens": 50, "outputTokens": 7, "webSearchRequests": 1},
            "glm-4.6": {"outputTokens": 3}}}))
        .answer("m7", "r7", json!([{"type": "thinking", "thinking": "", "signature": "x".repeat(900)},
            {"type": "text", "text": "A long answer of which the start is stated."}]),
            crate::common::usage(1, 1, 0, 0))
        .record(json!({"type": 7, "uuid": [], "message": "text", "timestamp": 1_893_553_209_250_i64}))
        .record(json!({"type": "user", "message": {"content": [3, "s", {"type": []}]}}))
        .answer("x", "y", json!(12), json!("lots"))
        .with(json!({"isApiErrorMessage": true}));
    // What goes on in the background, what is taken back, what was typed as a command.
    let notice =
        "<task-notification><task-id>b1</task-id><status>failed</status></task-notification>";
    let script = call(call(script, "t6", "Bash"), "t7", "Agent");
    let script = script
        .result("t6", "Command running in background with ID: b1. Output: x")
        .result("t7", "launched")
        .with(json!({"toolUseResult": {"status": "async_launched", "agentId": "a2"}}))
        .result("t3", "back")
        .with(json!({"toolUseResult": {"status": "completed", "agentId": "a1"}}))
        .prompt(notice)
        .record(json!({"type": "queue-operation", "content": notice.replace("b1", "a2")}))
        .call("k1", "TaskStop", json!({"task_id": "b1"}))
        .result("k1", "stopped")
        .call("t8", "Bash", json!({}))
        .fails("t8", "<tool_use_error>Sibling tool call errored</tool_use_error>")
        .prompt("again")
        .with(json!({"parentUuid": "u0001"}))
        .prompt("anew")
        .with(json!({"parentUuid": null}))
        .prompt("back")
        .with(json!({"parentUuid": "u0002", "permissionMode": "plan", "cwd": "/a"}))
        .says("linked")
        .with(json!({"parentUuid": "u0002", "cwd": "/b"}))
        .prompt("<command-name>/do</command-name><command-args>it</command-args>")
        .with(json!({"parentUuid": "u0002"}))
        .user(json!([{"type": "text", "text": "Do it."}]))
        .with(json!({"isMeta": true}))
        .says("of an agent")
        .with(json!({"parent_tool_use_id": "t7"}));
    handed_over(script).lines()
}

/// What a handover and the names used last are made of.
fn handed_over(script: Script) -> Script {
    let todo = |status: &str| json!({"todos": [{"content": "mend it", "status": status}]});
    let command = |text: &str| json!({ "command": text });
    script
        .prompt("Never push to main. See #12 and https://example.org/a/pull/5")
        .call("w1", "TodoWrite", todo("pending"))
        .result("w1", "ok")
        .call("w2", "TodoWrite", todo("completed"))
        .result("w2", "ok")
        .call(
            "h1",
            "Bash",
            command("cd /a && git switch fix/it && run_all src/a.rs abc1234 | tail -3"),
        )
        .fails("h1", "--- FAIL: TestIt (0.1s)\nsrc/b/c.rs:3: parseLine")
        .call("h2", "Bash", command("run_all src/a.rs abc1234\nmore"))
        .result("h2", "[fix/it 1a2b3c4] done\nOn branch main")
        .call("h3", "Bash", command("run_all src/a.rs abc1234"))
        .result("h3", "ok")
        .call("h4", "Edit", json!({"file_path": "/a/b.rs", "old_string": "x", "new_string": "y"}))
        .result("h4", "ok")
        .call("h5", "ExitPlanMode", json!({"plan": "Mend it, then go."}))
        .result("h5", "User has approved your plan.")
        .call("h6", "Bash", command("rm -r build_dir"))
        .fails(
            "h6",
            "The user doesn't want to proceed with this tool use. The tool use was rejected.",
        )
        .says("I see that readAll of src/d/e.rs is wrong, as abc1234 says")
}

/// Bytes as a transcript might hold them: whole records, torn ones, glued ones, and other noise.
fn transcript_like() -> impl Strategy<Value = Vec<u8>> {
    let lines = snippets();
    let noise: Vec<&'static [u8]> = vec![
        b"\n",
        b"\r\n",
        b"\r",
        b" ",
        b"\xEF\xBB\xBF",
        b"\xff\xfe",
        b"\0",
        b"{",
        b"}",
        b"[",
        b"]",
        b"\"",
        b"\\",
        b"\\ud83d",
        b"null",
        b"12",
        b"1e999",
        b"{}",
        b"[]\n",
        b"\xe2\x80\xa8",
        b"not json\n",
        b"{\"type\":\"user\",\"message\":{\"content\":\"\\ud83d\"}}\n",
        b"{\"type\":\"mode\",\"n\":1e999}\n",
    ];
    let line = prop::sample::select(lines);
    let piece = prop_oneof![
        8 => line.clone().prop_map(|line| (line + "\n").into_bytes()),
        1 => line.clone().prop_map(|line| (line + "\r\n").into_bytes()),
        2 => line.clone().prop_map(String::into_bytes),
        2 => (line, any::<prop::sample::Index>(), any::<bool>()).prop_map(|(line, at, head)| {
            let bytes = line.into_bytes();
            let (head_part, tail_part) = bytes.split_at(at.index(bytes.len()));
            if head { head_part } else { tail_part }.to_vec()
        }),
        2 => prop::sample::select(noise).prop_map(<[u8]>::to_vec),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..400),
        // Bytes that JSON is made of meet one another more often.
        1 => prop::collection::vec(prop::sample::select(b"{}[]\":,\\\n\r tyepusr019ud8-e".to_vec()), 0..300),
        4 => transcript_like(),
    ]
}

fn cuts() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<usize>(), 0..12)
}

/// Every record as it was handed on, and what reading came across, before and after the end.
fn read(pieces: &[&[u8]]) -> (Vec<String>, ReadStats, ResumeToken, ReadStats, ResumeToken) {
    let mut records = Vec::new();
    let mut reader = TranscriptReader::new(FileRole::default());
    for piece in pieces {
        reader.feed(piece, |record| records.push(format!("{record:?}")));
    }
    let (stats, token) = (reader.stats().clone(), reader.token());
    reader.finish(|record| records.push(format!("{record:?}")));
    (records, stats, token, reader.stats().clone(), reader.token())
}

fn append(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    /// Any chunking of any bytes gives the same records, statistics and token.
    #[test]
    fn reading_does_not_depend_on_chunks(bytes in any_bytes(), cuts in cuts()) {
        let whole = read(&[&bytes]);
        prop_assert_eq!(&whole, &read(&pieces(&bytes, &cuts)));
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        prop_assert_eq!(&whole, &read(&single));
        // Nothing is lost without a word: every byte was read or is pending.
        prop_assert_eq!(whole.1.bytes + whole.1.pending_bytes, bytes.len() as u64);
        prop_assert_eq!(whole.3.bytes + whole.3.pending_bytes, bytes.len() as u64);
    }

    /// Folding in two halves, the state written to JSON and read back between them, is folding.
    #[test]
    fn the_fold_is_incremental(bytes in transcript_like(), at in any::<usize>()) {
        let whole = fold(&bytes);
        prop_assert_eq!(&whole.state, &fold_in_pieces(&bytes, &[at]).state);
        let mut state = RunState::new(FoldConfig::default());
        let mut reader = TranscriptReader::new(FileRole::default());
        let halves = pieces(&bytes, &[at]);
        reader.feed(halves[0], |record| state.apply(record));
        let json = serde_json::to_string(&state).unwrap();
        let mut state: RunState = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(serde_json::to_string(&state).unwrap(), json);
        reader.feed(halves[1], |record| state.apply(record));
        reader.finish(|record| state.apply(record));
        prop_assert_eq!(serde_json::to_string(&state).unwrap(), whole.json());
        prop_assert_eq!(state, whole.state);
    }

    /// The views never panic, say the same of the same state, and say it after a restart.
    #[test]
    fn views_are_functions_of_the_state(bytes in any_bytes()) {
        let folded = fold(&bytes);
        let view = folded.view();
        prop_assert!(view.starts_with("# worker "));
        prop_assert_eq!(&view, &folded.view());
        prop_assert_eq!(&view, &fold(&bytes).view());
        let loaded: RunState = serde_json::from_str(&folded.json()).unwrap();
        let reading = folded.reading.clone();
        prop_assert_eq!(&view, &crate::common::Folded { state: loaded, reading }.view());
        let log = || {
            let mut log = FlatLog::default();
            Folder::of([(FileRole::default(), bytes.as_slice())], FoldConfig::default(), &mut log);
            log.finish()
        };
        prop_assert_eq!(log(), log());
        // Each line of either is a line of its own: nothing in a transcript can break out.
        prop_assert!(view.chars().chain(log().chars()).all(|c| c == '\n' || !c.is_control()));
    }

    /// Every call is in one state, whatever came in whichever order.
    #[test]
    fn calls_add_up(bytes in transcript_like()) {
        let folded = fold(&bytes);
        check_invariants(&folded.state)?;
    }
}

fn check_invariants(state: &RunState) -> Result<(), TestCaseError> {
    let all = state.tool_totals();
    let ended =
        all.succeeded + all.failed + all.denied + all.interrupted + all.cancelled + all.abandoned;
    prop_assert!(ended + state.in_flight_count() <= all.calls);
    prop_assert_eq!(state.in_flight().len() as u64, state.in_flight_count());
    prop_assert!(state.in_flight().iter().all(|call| !call.interrupted));
    prop_assert!(state.dangling().len() as u64 <= all.calls - state.results());
    // A result that comes before its call is of a call that is not known yet.
    prop_assert!(state.failures().len() as u64 <= state.failure_count());
    prop_assert_eq!(state.abandoned().len() as u64, state.abandoned_count());
    let tasks = state.background_counts();
    let ended = tasks.completed + tasks.failed + tasks.stopped;
    prop_assert_eq!(tasks.launched, tasks.running + ended);
    prop_assert_eq!(
        state.kinds().values().sum::<u64>() + state.duplicates(),
        state.observed().events
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Saved, loaded and read on, whatever the file had grown to when it was saved, a run ends as
    /// one that was never interrupted: state, what reading came across, and the ledger's bytes.
    #[test]
    fn snapshot_load_and_go_on_equals_one_run(bytes in any_bytes(), cuts in cuts()) {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let (session, snapshot) = (at("s1.jsonl"), at("snapshot"));
        let mut run = Run::new(AdapterRef::GENERATED, &session, FoldConfig::default()).with_ledger(&at("grown")).unwrap();
        for piece in pieces(&bytes, &cuts) {
            append(&session, piece);
            let read = run.poll().unwrap();
            prop_assert!(matches!(read, RunChange::Read(_)), "{:?}", read);
            run.save(&snapshot).unwrap();
            drop(run);
            let resumed = Run::resume(&snapshot, Some(&at("grown"))).unwrap();
            prop_assert_eq!(resumed.1, None);
            run = resumed.0;
        }
        run.poll().unwrap();
        run.finish();
        run.save(&snapshot).unwrap();
        let mut once = Run::new(AdapterRef::GENERATED, &session, FoldConfig::default()).with_ledger(&at("once")).unwrap();
        once.poll().unwrap();
        once.finish();
        once.save(&at("snapshot once")).unwrap();
        prop_assert_eq!(run.state(), once.state());
        prop_assert_eq!(run.reading(), once.reading());
        prop_assert_eq!(fs::read(at("grown")).unwrap(), fs::read(at("once")).unwrap());
        prop_assert_eq!(fs::read(&snapshot).unwrap(), fs::read(at("snapshot once")).unwrap());
        prop_assert_eq!(once.state(), &fold(&bytes).state);
    }
}

/// Something that happens to calls; ids and threads are few, so that they meet.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Call { id: u8, agent: bool },
    Result { id: u8, outcome: u8 },
    Prompt,
    Interruption { agent: bool },
    Repeat,
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let happening = prop_oneof![
        6 => (0_u8..8, any::<bool>()).prop_map(|(id, agent)| Happening::Call { id, agent }),
        6 => (0_u8..8, 0_u8..4).prop_map(|(id, outcome)| Happening::Result { id, outcome }),
        1 => Just(Happening::Prompt),
        1 => any::<bool>().prop_map(|agent| Happening::Interruption { agent }),
        1 => Just(Happening::Repeat),
    ];
    prop::collection::vec(happening, 0..40)
}

fn script(happenings: &[Happening]) -> Script {
    let in_agent = |script: Script, agent: bool| {
        if agent { script.with(json!({"agentId": "a1", "isSidechain": true})) } else { script }
    };
    happenings.iter().fold(Script::new(), |script, happening| match *happening {
        Happening::Call { id, agent } => {
            in_agent(script.call(&format!("t{id}"), "Bash", json!({"n": id})), agent)
        }
        Happening::Result { id, outcome } => {
            let text =
                ["ok", "broken", "refused", "[Request interrupted by user]"][usize::from(outcome)];
            let script = script.fails(&format!("t{id}"), text);
            match outcome {
                0 => script.with(json!({"message": {"content": [
                    {"type": "tool_result", "tool_use_id": format!("t{id}"), "content": text}]}})),
                2 => script.with(json!({"toolDenialKind": "user-rejected"})),
                _ => script,
            }
        }
        Happening::Prompt => script.prompt("next"),
        Happening::Interruption { agent } => in_agent(script.interruption(), agent),
        Happening::Repeat => script.again(),
    })
}

/// What becomes of calls, told the slow way.
#[derive(Debug, Default, PartialEq)]
struct Tale {
    calls: u64,
    duplicate_calls: u64,
    matched: u64,
    duplicate_results: u64,
    orphans: u64,
    late: u64,
    in_flight: u64,
    /// Succeeded, failed, denied, interrupted.
    ended: [u64; 4],
}

fn tale(happenings: &[Happening]) -> Tale {
    struct Call {
        agent: bool,
        closed: bool,
        answer: Option<u8>,
    }
    let mut tale = Tale::default();
    let mut calls: BTreeMap<u8, Call> = BTreeMap::new();
    let mut early: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
    for happening in happenings {
        match *happening {
            Happening::Call { id, .. } if calls.contains_key(&id) => tale.duplicate_calls += 1,
            Happening::Call { id, agent } => {
                let answers = early.remove(&id).unwrap_or_default();
                tale.duplicate_results += (answers.len() as u64).saturating_sub(1);
                calls.insert(id, Call { agent, closed: false, answer: answers.first().copied() });
            }
            Happening::Result { id, outcome } => match calls.get_mut(&id) {
                None => early.entry(id).or_default().push(outcome),
                Some(call) if call.answer.is_some() => tale.duplicate_results += 1,
                Some(call) => {
                    call.answer = Some(outcome);
                    tale.late += u64::from(call.closed);
                }
            },
            Happening::Prompt | Happening::Interruption { .. } => {
                let stopped = matches!(*happening, Happening::Interruption { agent: true });
                for call in calls.values_mut().filter(|c| c.agent == stopped && c.answer.is_none())
                {
                    call.closed = true;
                }
            }
            Happening::Repeat => {}
        }
    }
    tale.calls = calls.len() as u64;
    tale.orphans = early.values().map(|results| results.len() as u64).sum();
    for call in calls.values() {
        match call.answer {
            Some(outcome) => {
                tale.matched += 1;
                tale.ended[usize::from(outcome)] += 1;
            }
            None if call.closed => tale.ended[3] += 1,
            None => tale.in_flight += 1,
        }
    }
    tale
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Calls in flight are the calls less the matched results less those interrupted without one;
    /// and every other count of calls is that of a slow retelling.
    #[test]
    fn calls_in_flight_are_calls_less_matched_results(happenings in happenings()) {
        let folded = script(&happenings).fold();
        let (totals, state) = (folded.totals(), &folded.state);
        let told = tale(&happenings);
        let actual = Tale {
            calls: totals.tool_calls,
            duplicate_calls: totals.duplicate_calls,
            matched: totals.results,
            duplicate_results: totals.duplicate_results,
            orphans: totals.orphan_results,
            late: totals.late_results,
            in_flight: totals.open_tool_calls,
            ended: [
                totals.succeeded_calls,
                totals.failed_calls,
                totals.denied_calls,
                totals.interrupted_calls,
            ],
        };
        prop_assert_eq!(&actual, &told);
        prop_assert_eq!(
            totals.open_tool_calls + totals.succeeded_calls + totals.failed_calls
                + totals.denied_calls + totals.interrupted_calls,
            totals.tool_calls
        );
        check_invariants(state)?;
    }
}

/// A record of an API call: which message and request, its numbers, whether in a side chain.
#[derive(Clone, Debug)]
struct Partial {
    message: u8,
    request: u8,
    sidechain: bool,
    usage: [u64; 8],
    entries: Vec<Entry>,
}

fn partials() -> impl Strategy<Value = Vec<Partial>> {
    let numbers =
        prop::array::uniform8(prop_oneof![Just(0_u64), 0_u64..5, Just(150_000), 0_u64..1_000_000]);
    let entry = (0_u8..6, 0_u8..3, prop::array::uniform4(prop::option::of(0_u64..4)))
        .prop_map(|(kind, model, numbers)| Entry { kind, model, numbers });
    let entries = prop_oneof![
        2 => Just(Vec::new()),
        1 => prop::collection::vec(entry, 1..4),
    ];
    let partial = (0_u8..4, 0_u8..3, prop::bool::weighted(0.3), numbers, entries, 0_u8..3)
        .prop_map(|(message, request, sidechain, mut usage, entries, fits)| {
            // Of some, the call's own numbers fit the list: its sum, or the last of it.
            let answer = || entries.iter().filter(|entry| entry.is_of_answer());
            for (at, own) in usage.iter_mut().enumerate().take(4) {
                let number = |entry: &Entry| entry.numbers[at].unwrap_or(0);
                match (fits, answer().next_back()) {
                    (1, Some(_)) => *own = answer().map(number).sum(),
                    (2, Some(last)) => *own = number(last),
                    _ => {}
                }
            }
            Partial { message, request, sidechain, usage, entries }
        });
    prop::collection::vec(partial, 0..14)
}

const MODELS: [&str; 4] = ["claude-opus-4-5", "claude-sonnet-4-5", "claude-opus-4-6", "glm-4.6"];

fn bill(partials: &[Partial]) -> Script {
    partials.iter().fold(Script::new(), |script, partial| {
        let [input, output, reads, writes, five, hour, searches, fetches] = partial.usage;
        let mut usage = json!({
            "input_tokens": input,
            "output_tokens": output,
            "cache_read_input_tokens": reads,
            "cache_creation_input_tokens": writes,
            "cache_creation": {"ephemeral_5m_input_tokens": five, "ephemeral_1h_input_tokens": hour},
            "server_tool_use": {"web_search_requests": searches, "web_fetch_requests": fetches},
        });
        let model = MODELS[usize::from(partial.message)];
        if !partial.entries.is_empty() {
            usage["iterations"] = partial.entries.iter().map(|entry| entry.json(model)).collect();
        }
        let content = json!([{"type": "text", "text": "x"}]);
        let (message, request) = (format!("m{}", partial.message), format!("r{}", partial.request));
        script.answer(&message, &request, content, usage).with(json!({
            "isSidechain": partial.sidechain,
            "timestamp": "2026-01-15T12:00:00Z",
            "message": {"model": model},
        }))
    })
}

/// An entry of a list of requests; its types and models are few, so that they meet.
#[derive(Clone, Debug)]
struct Entry {
    kind: u8,
    /// None, the call's, another.
    model: u8,
    /// Input, output, cache reads, cache writes, where stated.
    numbers: [Option<u64>; 4],
}

const KINDS: [&str; 6] =
    ["message", "message", "fallback_message", "compaction", "advisor_message", "novelty"];

impl Entry {
    fn json(&self, call_model: &str) -> Value {
        let mut json = json!({"type": KINDS[usize::from(self.kind)]});
        match self.model {
            0 => {}
            1 => json["model"] = json!(call_model),
            _ => json["model"] = json!("claude-haiku-4-5"),
        }
        let names = [
            "input_tokens",
            "output_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
        ];
        for (name, number) in names.iter().zip(self.numbers) {
            if let Some(number) = number {
                json[name] = json!(number);
            }
        }
        json
    }

    fn is_of_answer(&self) -> bool {
        !matches!(KINDS[usize::from(self.kind)], "compaction" | "advisor_message") && self.model < 2
    }
}

/// What the list of a call comes to: its further calls with their tokens (input, output, writes,
/// reads), whether it fits, and its entries of an unknown type. The entry of each place is the same in
/// all records but for its numbers.
fn listed(top: [u64; 8], lists: &[&Vec<Entry>]) -> (u64, [u64; 4], u64, u64) {
    let mut all: Vec<Entry> = Vec::new();
    for list in lists {
        for (at, entry) in list.iter().enumerate() {
            match all.get_mut(at) {
                None => all.push(entry.clone()),
                Some(known) => {
                    for (known, stated) in known.numbers.iter_mut().zip(entry.numbers) {
                        *known = (*known).max(stated);
                    }
                }
            }
        }
    }
    let answer: Vec<&Entry> = all.iter().filter(|entry| entry.is_of_answer()).collect();
    let fits = |numbers: &dyn Fn(usize) -> u64| {
        (0..4).all(|at| answer.iter().all(|e| e.numbers[at].is_none()) || numbers(at) == top[at])
    };
    let sum = fits(&|at| answer.iter().map(|e| e.numbers[at].unwrap_or(0)).sum());
    let last = fits(&|at| answer.last().map_or(0, |e| e.numbers[at].unwrap_or(0)));
    let mut further: Vec<&Entry> = all.iter().filter(|entry| !entry.is_of_answer()).collect();
    if !sum && last {
        further.extend(&answer[..answer.len() - 1]);
    }
    further.retain(|entry| entry.numbers.iter().flatten().any(|number| *number > 0));
    let tokens = |at: usize| further.iter().map(|entry| entry.numbers[at].unwrap_or(0)).sum();
    let unknown = all.iter().filter(|entry| KINDS[usize::from(entry.kind)] == "novelty").count();
    let unfit = !answer.is_empty() && !sum && !last;
    (
        further.len() as u64,
        [tokens(0), tokens(1), tokens(3), tokens(2)],
        unfit.into(),
        unknown as u64,
    )
}

fn max(usages: impl Iterator<Item = [u64; 8]>) -> [u64; 8] {
    usages.fold([0; 8], |most, usage| std::array::from_fn(|at| most[at].max(usage[at])))
}

/// Calls, tokens (input, output, writes, reads), searches, fetches, lists that do not fit and entries of
/// an unknown type, counted call by call.
fn recount(partials: &[Partial]) -> (u64, [u64; 4], [u64; 4]) {
    let mut calls: BTreeMap<(u8, u8), Vec<&Partial>> = BTreeMap::new();
    for partial in partials {
        calls.entry((partial.message, partial.request)).or_default().push(partial);
    }
    let outside = |message: u8| partials.iter().any(|p| p.message == message && !p.sidechain);
    let mut total = (0, [0; 4], [0; 4]);
    for ((message, _), records) in calls {
        if outside(message) && records.iter().all(|record| record.sidechain) {
            continue;
        }
        let top = max(records.iter().map(|record| record.usage));
        let [input, output, reads, writes, five, hour, searches, fetches] = top;
        let lists: Vec<&Vec<Entry>> = records.iter().map(|record| &record.entries).collect();
        let (further, more, unfit, unknown) = listed(top, &lists);
        let tokens = [input, output, writes.max(five + hour), reads];
        total.0 += 1 + further;
        total.1 = std::array::from_fn(|at| total.1[at] + tokens[at] + more[at]);
        let others = [searches, fetches, unfit, unknown];
        total.2 = std::array::from_fn(|at| total.2[at] + others[at]);
    }
    total
}

/// Lists whose entry at a place has one type and one model in all records of a call: which of several
/// stands would depend on the order.
fn alike(mut partials: Vec<Partial>) -> Vec<Partial> {
    let mut first: BTreeMap<(u8, u8, usize), (u8, u8)> = BTreeMap::new();
    for partial in &mut partials {
        for (at, entry) in partial.entries.iter_mut().enumerate() {
            let place = (partial.message, partial.request, at);
            let (kind, model) = first.entry(place).or_insert((entry.kind, entry.model));
            (entry.kind, entry.model) = (*kind, *model);
        }
    }
    partials
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Totals are those of a recount call by call; they depend neither on the order of the records
    /// nor on how often they are repeated, and dollars come out the same to the last digit.
    #[test]
    fn usage_does_not_depend_on_order_or_repetition(
        (records, shuffled) in partials().prop_map(alike).prop_flat_map(|records| {
            let twice = [records.clone(), records.clone()].concat();
            let repeated = prop::sample::subsequence(twice.clone(), records.len()..=twice.len());
            (Just(records.clone()), repeated.prop_shuffle().prop_map(move |some| {
                // All of them at least once.
                [some, records.clone()].concat()
            }).prop_shuffle())
        }),
    ) {
        let (first, second) = (bill(&records).fold().totals(), bill(&shuffled).fold().totals());
        let counted = |totals: &trace_model::totals::Totals| {
            let unknown = totals.unknown_iterations.values().sum();
            let others = [
                totals.web_search_requests,
                totals.web_fetch_requests,
                totals.unreconciled_iterations,
                unknown,
            ];
            (totals.calls, four(totals.tokens), others)
        };
        prop_assert_eq!(counted(&first), recount(&records));
        prop_assert_eq!(counted(&second), recount(&records));
        prop_assert_eq!(first.cost_usd, second.cost_usd);
        prop_assert_eq!(&first.unpriced, &second.unpriced);
        prop_assert_eq!(&first.by_model, &second.by_model);
        prop_assert_eq!(first.cost_in_input_price_units, second.cost_in_input_price_units);
        prop_assert_eq!(first.over_200k_calls, second.over_200k_calls);
        let inflation = |of: &trace_model::totals::Totals| of.naive_inflation.is_some();
        prop_assert_eq!(inflation(&first), inflation(&second));
        // The naive sum is one over records, so it does depend on repetition.
        let naive = |records: &[Partial]| records.iter().map(|r| r.usage[0] + r.usage[1]).sum::<u64>();
        prop_assert_eq!(second.naive_tokens.input + second.naive_tokens.output, naive(&shuffled));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// What clients state in the end is a floor of each model's sums, wherever it stands; what is
    /// unattributed is in the totals once, and the fold does not depend on where it is cut.
    #[test]
    fn stated_sums_are_a_floor_right_after_every_record(
        records in partials().prop_map(alike),
        stated in prop::collection::vec(
            (any::<prop::sample::Index>(), 0_u8..4, any::<bool>(),
                prop::array::uniform4(prop_oneof![0_u64..9, 0_u64..2_000_000])),
            0..4,
        ),
    ) {
        let calls = bill(&records).lines();
        let mut lines = calls.clone();
        for (at, model, marked, [input, output, reads, writes]) in stated {
            let name = format!("{}{}", MODELS[usize::from(model)], if marked { "[1m]" } else { "" });
            let record = json!({"type": "result", "timestamp": "2026-01-15T12:00:00Z",
                "modelUsage": {name: {"inputTokens": input, "outputTokens": output,
                    "cacheReadInputTokens": reads, "cacheCreationInputTokens": writes}}});
            lines.insert(at.index(lines.len() + 1), record.to_string());
        }
        for end in 0..=lines.len() {
            let prefix = &lines[..end];
            let totals = fold(prefix.join("\n").as_bytes()).totals();
            let reports: Vec<&String> = prefix.iter().filter(|line| calls.contains(line)).collect();
            let counted = fold(reports.iter().map(|line| line.as_str()).collect::<Vec<_>>()
                .join("\n").as_bytes()).totals();
            let mut missing = [0_u64; 4];
            for model in MODELS {
                let has = counted.by_model.get(model).map_or([0; 4], |tokens| four(*tokens));
                let mut most = [0_u64; 4];
                for line in prefix.iter().filter(|line| !calls.contains(line)) {
                    let record: Value = serde_json::from_str(line).unwrap();
                    for (name, used) in record["modelUsage"].as_object().unwrap() {
                        if name.trim_end_matches("[1m]") == model {
                            let numbers = ["inputTokens", "outputTokens",
                                "cacheCreationInputTokens", "cacheReadInputTokens"];
                            for (most, number) in most.iter_mut().zip(numbers) {
                                *most = (*most).max(used[number].as_u64().unwrap());
                            }
                        }
                    }
                }
                for at in 0..4 {
                    missing[at] += most[at].saturating_sub(has[at]);
                }
            }
            let expected: Vec<u64> =
                four(counted.tokens).iter().zip(missing).map(|(has, more)| has + more).collect();
            prop_assert_eq!(four(totals.tokens).to_vec(), expected);
            prop_assert_eq!(four(totals.unattributed_tokens), missing);
            prop_assert_eq!(totals.calls, counted.calls);
            let by_model: u64 = totals.by_model.values().map(|t| four(*t).iter().sum::<u64>()).sum();
            prop_assert_eq!(by_model, four(totals.tokens).iter().sum::<u64>());
        }
    }
}

/// The generator of transcripts reaches what it is meant to reach.
#[test]
fn the_snippets_hold_something_of_everything() {
    let bytes = snippets().join("\n").into_bytes();
    let totals = fold(&bytes).totals();
    let kinds = &totals.events_by_kind;
    for kind in
        ["message", "tool_call", "tool_result", "attachment", "compaction", "error", "unknown"]
    {
        assert!(kinds[kind] > 0, "{kind}");
    }
    let [facts, retries, subagents] = [totals.facts, totals.retries, totals.subagents];
    assert_eq!([facts, retries, subagents, totals.bad_lines], [3, 1, 3, 0]);
    assert_eq!((totals.background_tasks.launched, totals.background_tasks.stopped), (2, 1));
    assert!(totals.turns_taken_back > 0 && totals.cancelled_calls + totals.abandoned_calls > 0);
    assert!(
        totals.duplicate_results > 0 && totals.orphan_results > 0 && totals.degraded_fields > 0
    );
    let state = fold(&bytes).state;
    let (work, recent) = (state.handover(), state.recent());
    assert!(!work.instructions().is_empty() && work.plan().is_some() && !work.todos().is_empty());
    assert!(work.first_failure().is_some() && work.refusal_count() > 0 && work.answer_count() > 0);
    assert!(work.after_last_edit().is_some());
    assert!(recent.commands().iter().any(|it| it.failed > 0 && !it.failing.is_empty()));
    assert!(recent.commands().iter().any(|it| it.runs > 1));
    for source in [NameSource::Call, NameSource::Said, NameSource::Result] {
        assert!(!recent.names(source).is_empty(), "{source:?}");
    }
    assert!(!recent.paths().is_empty() && !recent.mentioned_paths().is_empty());
    assert!(recent.references().len() > 6);
    let first: Value = serde_json::from_str(&snippets()[0]).unwrap();
    assert_eq!(first["type"], "user");
}

/// Turns that each go on from another; number 0 is the start.
fn branching(parents: &[usize]) -> Script {
    let mut script = Script::new();
    for (at, parent) in parents.iter().enumerate() {
        // Of the turns so far, each of three records; the start has no record to name.
        let parent = parent % (at + 1);
        let from = if parent == 0 { Value::Null } else { json!(format!("u{:04}", 3 * parent)) };
        let record = 3 * at + 1;
        script = script
            .prompt(&format!("turn {}", at + 1))
            .with(json!({"parentUuid": from}))
            .call(&format!("c{at}"), "Read", json!({"file_path": format!("{at}.cfg")}))
            .with(json!({"parentUuid": format!("u{record:04}")}))
            .result(&format!("c{at}"), &format!("k{at} = {at}"))
            .with(json!({"parentUuid": format!("u{:04}", record + 1)}));
    }
    script
}

proptest! {
    /// Whichever turn each prompt goes on from: in force are the newest and what leads to it, and so
    /// are their facts, the files they read and their episodes, each resting on the one before.
    #[test]
    fn what_is_in_force_is_what_leads_to_the_newest_turn(
        parents in prop::collection::vec(0_usize..9, 1..9)
    ) {
        let mut in_force = vec![false; parents.len() + 1];
        let mut next = parents.len();
        while next > 0 {
            in_force[next] = true;
            next = parents[next - 1] % next;
        }
        let folded = branching(&parents).fold();
        let state = &folded.state;
        let turns: Vec<bool> = state.turns().iter().map(trace_model::fold::RunTurn::is_in_force).collect();
        prop_assert_eq!(&turns, &in_force[1..]);
        let count = turns.iter().filter(|turn| **turn).count();
        prop_assert_eq!(state.turns_taken_back(), (turns.len() - count) as u64);
        prop_assert_eq!((state.fact_count(), state.facts_in_force().len()), (count, count));
        prop_assert_eq!((state.shown_facts().len(), state.aggregates().len()), (count, count));
        prop_assert_eq!(state.files().values().filter(|file| file.reads() > 0).count(), count);
        let goal = state.conversation().goal().unwrap();
        let first = 1 + turns.iter().position(|turn| *turn).unwrap();
        prop_assert_eq!(&goal.text.text, &format!("turn {first}"));
        let store = state.episodes();
        for (turn, node) in state.turns().iter().zip(store.nodes()) {
            let live = store.live(node);
            prop_assert_eq!(live.is_some(), turn.is_in_force());
            let Some((_, version)) = live else { continue };
            prop_assert_eq!(version.dependencies.len(), usize::from(turn.parent > 0));
            for dependency in &version.dependencies {
                let Dependency::Pinned(on) = dependency else { panic!("unpinned") };
                prop_assert_eq!(store.get(on).unwrap().content.number, turn.parent);
                prop_assert_eq!(store.live(&on.node).map(|(live, _)| live), Some(on.clone()));
            }
        }
        let bytes = branching(&parents).bytes();
        let restored: RunState = serde_json::from_str(&folded.json()).unwrap();
        prop_assert_eq!(&restored, state);
        let cuts: Vec<usize> = (0..bytes.len()).step_by(97).collect();
        prop_assert_eq!(&fold_in_pieces(&bytes, &cuts).state, state);
    }
}
