use super::*;
use crate::event::{Body, EventKind, Outcome, Source, Thread, Turn};
use crate::ids::Sha256;
use crate::json::Scratch;

fn read_line(
    line: &str,
    at: RawRef,
    role: &FileRole,
    sink: &mut dyn FnMut(&Record<'_>),
) -> LineReport {
    json_lines::read_line(line, &mut Scratch::default(), &mut Taker { at, role, sink })
}

/// What a line gives: a word for each record, and the report.
fn read(line: &str, role: &FileRole) -> (Vec<String>, LineReport) {
    let mut records = Vec::new();
    let report = read_line(line, RawRef::default(), role, &mut |record| {
        let kinds: Vec<&str> = record.events.iter().map(|event| event.body.kind().name()).collect();
        records.push(kinds.join(" "));
    });
    (records, report)
}

fn with_record<T>(line: &str, look: impl Fn(&Record<'_>) -> T) -> T {
    let mut seen = None;
    read_line(line, RawRef::default(), &FileRole::default(), &mut |record| {
        seen = Some(look(record));
    });
    seen.unwrap()
}

#[test]
fn a_line_reports_what_it_held() {
    let role = FileRole::default();
    let (records, report) = read(r#"{"type":"mode"}{"type":"x"} 7"#, &role);
    assert_eq!(records, ["session_meta", "unknown"]);
    assert_eq!(report, LineReport { records: 2, known: 1, bad: true, repaired: false });
    let (records, report) = read(r#"{"type":"mode","cwd":"\ud800"}"#, &role);
    assert_eq!(records, ["session_meta"]);
    assert_eq!(report, LineReport { records: 1, known: 1, bad: false, repaired: true });
    assert_eq!(read("  ", &role), (vec![], LineReport::default()));
    let (records, report) = read(r#"{"type":"mode"}{"type":"us{"type":"mode"}"#, &role);
    assert_eq!((records.len(), report.bad), (2, true));
}

/// Braces without end, and quotes at every place, are read in one pass each.
#[test]
fn damage_of_any_length_takes_linear_time() {
    let role = FileRole::default();
    for text in [
        "{\"a\":".repeat(300_000),
        "}".repeat(1_000_000),
        "\"}".repeat(500_000),
        "\\".repeat(1_000_000) + "}",
        "{}".repeat(200_000) + "x}",
        r#"{"type":"us"#.repeat(100_000) + r#"{"type":"mode"}"#,
    ] {
        let (records, report) = read(&text, &role);
        assert!(report.bad && records.len() <= 200_000);
    }
}

#[test]
fn a_record_is_whose_it_says_before_whose_file_it_is_in() {
    let role =
        FileRole { launched_by: Some("call".to_owned()), ..FileRole::default().of_agent("file") };
    let thread = |line: &str, role: &FileRole| {
        let mut seen = None;
        read_line(line, RawRef::default(), role, &mut |record| {
            let name = match &record.thread {
                Thread::Main => "main".to_owned(),
                Thread::Sidechain => "side".to_owned(),
                Thread::Agent(id) => id.as_ref().to_owned(),
            };
            seen = Some((name, record.launched_by.as_deref().map(str::to_owned)));
        });
        seen.unwrap()
    };
    let call = Some("call".to_owned());
    assert_eq!(thread(r#"{"type":"user"}"#, &role), ("file".to_owned(), call));
    // What launched the file's agent did not launch another.
    assert_eq!(thread(r#"{"type":"user","agentId":"own"}"#, &role), ("own".to_owned(), None));
    let streamed = r#"{"type":"user","parent_tool_use_id":"t"}"#;
    assert_eq!(thread(streamed, &role), ("t".to_owned(), Some("t".to_owned())));
    let main = FileRole::default();
    assert_eq!(thread(r#"{"type":"user","agentId":""}"#, &main), ("main".to_owned(), None));
    assert_eq!(thread(r#"{"type":"user","isSidechain":true}"#, &main), ("side".to_owned(), None));
    let carried = r#"{"type":"progress","parentToolUseID":"t","data":{"type":"agent_progress","agentId":"in",
        "message":{"type":"user","agentId":"own","message":{"content":"x"}}}}"#;
    assert_eq!(thread(carried, &main), ("in".to_owned(), Some("t".to_owned())));
}

#[test]
fn events_have_their_source_and_payload() {
    let line = r#"{"type":"assistant","message":{"id":"m","content":[
        {"type":"tool_use","id":"t","name":"Read","input":{ "b":1, "a" : 2}}]}}"#;
    with_record(line, |record| {
        let event = &record.events[0];
        assert_eq!(
            (event.block, event.source, event.body.kind()),
            (0, Source::Agent, EventKind::ToolCall)
        );
        // As written, spacing and all.
        assert_eq!(event.body.text(), r#"{ "b":1, "a" : 2}"#);
        assert_eq!(event.sha256, Sha256::of(event.body.text()));
    });
    let line = r#"{"type":"user","message":{"content":[
        {"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"a"}],"is_error":true}]}}"#;
    with_record(line, |record| {
        let event = &record.events[0];
        assert_eq!((event.source, event.sha256), (Source::Tool, Sha256::of("a")));
        assert!(matches!(event.body, Body::ToolResult { outcome: Outcome::Failed, .. }));
        assert_eq!(record.turn, Turn::None);
    });
    for (line, source) in [
        (r#"{"type":"user","message":{"content":"typed"}}"#, Source::User),
        (r#"{"type":"user","isMeta":true,"message":{"content":"injected"}}"#, Source::Meta),
        (r#"{"type":"assistant","message":{"content":"said"}}"#, Source::Agent),
        (r#"{"type":"system","subtype":"info"}"#, Source::System),
        (
            r#"{"type":"assistant","isApiErrorMessage":true,"message":{"content":"e"}}"#,
            Source::System,
        ),
    ] {
        assert_eq!(with_record(line, |record| record.events[0].source), source, "{line}");
    }
}

/// An id such as `9b5357e69032` looks like a number beyond range to whoever counts quotes in a torn
/// line; mending it there broke the link of the record that was recovered.
#[test]
fn an_id_like_a_huge_number_survives_a_torn_line() {
    let whole = r#"{"type":"user","uuid":"u","parentUuid":"a-9b5357e69032-1","message":{"role":"user","content":"hi"}}"#;
    let line = format!(r#"{{"type":"mode","mode":"pl{whole}"#);
    let mut parents = Vec::new();
    let report = read_line(&line, RawRef::default(), &FileRole::default(), &mut |record| {
        parents.push(record.parent.as_deref().map(str::to_owned));
    });
    assert_eq!(parents, [Some("a-9b5357e69032-1".to_owned())]);
    assert!(report.bad && !report.repaired);
}
