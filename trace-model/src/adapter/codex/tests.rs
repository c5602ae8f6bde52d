//! What rollouts' records mean, one after the other.

#![allow(clippy::needless_pass_by_value, reason = "`json!` values are made to be given away")]

use serde_json::{Value, json};

use super::*;
use crate::event::{Body, EventKind, Outcome, Source, Thread, Turn};

/// A rollout, record after record.
#[derive(Default)]
struct Rollout {
    lines: Vec<String>,
}

impl Rollout {
    fn record(mut self, kind: &str, payload: Value) -> Self {
        let time = format!("2030-01-01T00:{:02}:00.000Z", self.lines.len());
        self.lines.push(json!({"timestamp": time, "type": kind, "payload": payload}).to_string());
        self
    }

    fn event(self, kind: &str, mut fields: Value) -> Self {
        fields["type"] = kind.into();
        self.record("event_msg", fields)
    }

    fn item(self, kind: &str, mut fields: Value) -> Self {
        fields["type"] = kind.into();
        self.record("response_item", fields)
    }

    /// What `look` sees of each record.
    fn each<T>(&self, role: &FileRole, look: impl Fn(&Record<'_>) -> T) -> Vec<T> {
        let mut reader = RolloutReader::default();
        let mut seen = Vec::new();
        for line in &self.lines {
            // A reader that resumes after each line reads the same.
            let state = reader.state().unwrap();
            let mut resumed = RolloutReader::default();
            resumed.restore(&state);
            let mut take = |record: &Record<'_>| seen.push(look(record));
            resumed.read_line(line, RawRef::default(), role, &mut take);
            reader = resumed;
        }
        seen
    }

    fn of_main<T>(&self, look: impl Fn(&Record<'_>) -> T) -> Vec<T> {
        self.each(&FileRole::session(crate::adapter::AdapterRef(&Codex)), look)
    }

    /// The kinds of each record's events.
    fn kinds(&self) -> Vec<String> {
        self.of_main(|record| {
            let kinds = record.events.iter().map(|event| event.body.kind().name());
            kinds.collect::<Vec<_>>().join(" ")
        })
    }
}

#[test]
fn every_record_gives_an_event_of_its_kind() {
    let rollout = Rollout::default()
        .record("session_meta", json!({"id": "c1"}))
        .record("turn_context", json!({"model": "gpt-demo"}))
        .event("user_message", json!({"message": "hi"}))
        .item("reasoning", json!({"summary": [{"type": "summary_text", "text": "hm"}]}))
        .item("function_call", json!({"name": "exec_command", "arguments": "{}", "call_id": "k1"}))
        .item("function_call_output", json!({"call_id": "k1", "output": "x"}))
        .item("web_search_call", json!({"status": "completed"}))
        .record("compacted", json!({"message": "", "replacement_history": [{}]}))
        .event("context_compacted", json!({}))
        .event("error", json!({"message": "overloaded"}))
        .event("exec_something_new", json!({}))
        .event("brand_new", json!({}))
        .item("brand_new", json!({}))
        .record("brand_new", json!({}))
        .record("world_state", json!({}))
        .record("event_msg", json!("text"))
        .item(
            "message",
            json!({"role": "assistant", "content": [
            {"type": "output_text", "text": "a"}, {"type": "input_image"}, {"type": "x"}, 7]}),
        );
    let kinds = rollout.kinds();
    let expected = [
        "session_meta",
        "session_meta",
        "message",
        "thinking",
        "tool_call",
        "tool_result",
        "tool_call",
        "compaction",
        "session_meta",
        "error",
        "session_meta",
        "unknown",
        "unknown",
        "unknown",
        "session_meta",
        "unknown",
        "message attachment unknown unknown",
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn what_is_said_twice_is_one_message_whichever_way_comes_first() {
    let said = |text: &str| json!({"role": "assistant", "content": [{"type": "output_text", "text": text}]});
    let shown = |text: &str| json!({"message": text});
    let rollout = Rollout::default()
        .event("agent_message", shown("a"))
        .event("agent_message", shown("b"))
        .item("message", said("a"))
        .item("message", said("b"))
        .item("message", said("a"))
        .event("agent_message", shown("a"))
        .event("agent_message", shown("c"))
        .event("user_message", shown("c"))
        .item("message", said("c"))
        .item("message", json!({"role": "user", "content": [{"type": "input_text", "text": "c"}]}));
    let (m, s) = ("message", "session_meta");
    assert_eq!(rollout.kinds(), [m, m, s, s, m, s, m, m, m, s]);
}

#[test]
fn calls_have_their_input_as_json_and_know_their_files() {
    let rollout = Rollout::default()
        .item(
            "function_call",
            json!({"name": "exec_command", "arguments": " {\"cmd\": \"ls\"}", "call_id": "k1"}),
        )
        .item("function_call", json!({"name": "exec_command", "arguments": "{", "call_id": ""}))
        .item(
            "custom_tool_call",
            json!({"name": "apply_patch", "call_id": "k2",
            "input": "*** Begin Patch\n*** Add File: a\n*** Delete File: b\n"}),
        )
        .item("local_shell_call", json!({"id": "k3", "action": {"command": ["ls"]}}))
        .item("function_call", json!({"name": "do", "namespace": "mcp__x", "arguments": {"a": 1}}));
    let calls = rollout.of_main(|record| match &record.events[0].body {
        Body::ToolCall { id, name, input, paths, .. } => {
            let id = id.as_deref().unwrap_or("-");
            let input = input.as_deref().map_or("-", serde_json::value::RawValue::get);
            format!("{id} {name} {input} {}", paths.join("+"))
        }
        _ => String::new(),
    });
    assert_eq!(calls[0], "k1 exec_command {\"cmd\": \"ls\"} ");
    assert_eq!(calls[1], "- exec_command \"{\" ");
    assert!(calls[2].ends_with(" a+b"), "{}", calls[2]);
    assert_eq!(calls[3], "k3 local_shell {\"command\":[\"ls\"]} ");
    assert_eq!(calls[4], "- mcp__x.do {\"a\":1} ");
}

#[test]
fn an_event_before_a_result_says_how_the_call_ended() {
    let rollout = Rollout::default()
        .event("mcp_tool_call_end", json!({"call_id": "k1", "result": {"Err": "gone"}}))
        .item("function_call_output", json!({"call_id": "k1", "output": "gone"}))
        .item("function_call_output", json!({"call_id": "k1", "output": "gone"}));
    let outcomes = rollout.of_main(|record| match &record.events[0].body {
        Body::ToolResult { outcome, .. } => Some(*outcome),
        _ => None,
    });
    assert_eq!(outcomes, [None, Some(Outcome::Failed), Some(Outcome::Succeeded)]);
}

#[test]
fn a_spawned_agent_is_launched_by_its_call_and_reported_later() {
    let id = "019d7d09-b449-7180-ae04-3b7cfb51b201";
    let notice = format!(
        "<subagent_notification>\n{{\"agent_path\":\"{id}\",\"status\":{{\"errored\":\" no \"}}}}\n</subagent_notification>"
    );
    let call = |name: &str, id: &str, arguments: &str| json!({"name": name, "call_id": id, "arguments": arguments});
    let rollout = Rollout::default()
        .item("function_call", call("spawn_agent", "k1", "{}"))
        .item("function_call_output", json!({"call_id": "k1",
            "output": json!({"agent_id": id, "nickname": "Ohm"}).to_string()}))
        .item("message", json!({"role": "user", "content": [{"type": "input_text", "text": notice}]}))
        .item("function_call", call("wait_agent", "k2", "{}"))
        .item("function_call_output", json!({"call_id": "k2",
            "output": json!({"status": {"b": "running", id: {"completed": "x"}}, "timed_out": false}).to_string()}))
        .item("function_call", call("close_agent", "k3", &json!({"target": id}).to_string()))
        .item("function_call_output", json!({"call_id": "k3",
            "output": "{\"previous_status\":\"running\"}"}));
    let said = rollout.of_main(|record| {
        let launches = record.background.launches.iter().map(|launch| format!("+{}", launch.id));
        let reports = record.background.reports.iter();
        let reports = reports
            .map(|report| format!("{} {} {}", report.id, report.state.name(), report.summary));
        launches.chain(reports).collect::<Vec<_>>().join(", ")
    });
    let of = |text: &str| text.replace("ID", id);
    assert_eq!(
        said,
        ["", &of("+ID"), &of("ID failed no"), "", &of("ID completed "), "", &of("ID stopped ")]
    );
}

#[test]
fn a_prompt_is_what_a_person_typed_in_the_main_thread() {
    let rollout = Rollout::default()
        .record("session_meta", json!({"id": "c1"}))
        .event("user_message", json!({"message": "<environment_context>x"}))
        .event("user_message", json!({"message": " hi "}))
        .event("user_message", json!({"message": "", "images": ["data:"]}))
        .event(
            "item_completed",
            json!({"item": {"type": "UserMessage", "content": [{"type": "text", "text": "go"}]}}),
        )
        .event("turn_aborted", json!({"reason": "interrupted"}));
    let turns = |record: &Record<'_>| match &record.turn {
        Turn::Prompt(text) => text.to_string(),
        Turn::Interruption => "stopped".to_owned(),
        Turn::None => String::new(),
    };
    assert_eq!(rollout.of_main(turns), ["", "", "hi", "[image]", "go", "stopped"]);
    let agent = FileRole::session(crate::adapter::AdapterRef(&Codex)).of_agent("c1");
    assert_eq!(rollout.each(&agent, turns), ["", "", "", "", "", "stopped"]);
    let sources = rollout.of_main(|record| record.events[0].source);
    assert_eq!(sources[1..3], [Source::Meta, Source::User]);
    assert!(
        rollout.each(&agent, |r| r.thread == Thread::Agent("c1".into())).iter().all(|own| *own)
    );
}

#[test]
fn what_a_fork_repeats_is_bookkeeping_but_its_totals_are_the_base() {
    let usage = |input: u64| {
        json!({"info": {"total_token_usage": {"input_tokens": input},
        "last_token_usage": {"input_tokens": input}}})
    };
    // Records of a rollout here are a minute apart, so its own part begins by itself.
    let rollout = Rollout::default()
        .record(
            "session_meta",
            json!({"id": "019d7e3a-8c28-7662-aaba-a2d9ed140081", "forked_from_id": "x"}),
        )
        .record(
            "turn_context",
            json!({"model": "gpt-old", "turn_id": "019d7d08-46c9-7f73-affe-4e6ca9852d56"}),
        )
        .event("user_message", json!({"message": "theirs"}))
        .event("token_count", usage(100))
        .record("turn_context", json!({"turn_id": "019d7e3a-8c28-7662-aaba-a2d9ed140081"}))
        .event("token_count", usage(130));
    // The first replayed record would be taken for an own one by the pause before it.
    let mut rollout = rollout;
    for line in &mut rollout.lines {
        *line = line.replace("2030-01-01T00:0", "2030-01-01T00:00:0").replace(":00.000Z", ".000Z");
    }
    let calls = rollout.of_main(|record| {
        record.api.as_ref().map(|api| (api.usage.input, api.model.as_deref().map(str::to_owned)))
    });
    let own = Some((30, Some("gpt-old".to_owned())));
    assert_eq!(calls, [None, None, None, None, None, own]);
    assert_eq!(rollout.kinds()[2], EventKind::SessionMeta.name());
}

#[test]
fn a_torn_record_loses_only_itself() {
    let whole = json!({"type": "event_msg", "payload": {"type": "user_message", "message": "hi"}})
        .to_string();
    let line = format!("{{\"type\":\"response_item\",\"payload\":{{\"type\":\"mes{whole}");
    let mut reader = RolloutReader::default();
    let mut seen = 0;
    let role = FileRole::session(crate::adapter::AdapterRef(&Codex));
    let report = reader.read_line(&line, RawRef::default(), &role, &mut |_| seen += 1);
    assert_eq!((seen, report.records, report.bad), (1, 1, true));
    assert!(reader.is_whole(&whole) && !reader.is_whole(&line) && !reader.is_whole("7"));
}
