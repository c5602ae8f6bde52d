//! Records of a rollout file, and which of them are written again from a parent's file.
//!
//! `docs/formats/codex.md`, "Records".

use jiff::Timestamp;

use super::super::json::Node;
use super::super::lines::{Object, read_lines};
use super::super::parse::{Json, Kind};

/// The known record types.
const TYPES: [&str; 9] = [
    "session_meta",
    "turn_context",
    "compacted",
    "event_msg",
    "response_item",
    "world_state",
    "token_usage_record",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
];

/// "Replays are written in one go": a longer pause, in milliseconds, ends one.
const REPLAY_PAUSE: i128 = 2_000;

/// One record of the run.
#[derive(Debug, Clone)]
pub(super) struct Record {
    text: String,
    value: Json,
    /// The position of the record's file in the run.
    pub(super) file: usize,
    /// None for the main thread.
    pub(super) agent: Option<String>,
    /// Whether it was written again from the parent's file.
    pub(super) is_replayed: bool,
}

/// Whether an object looks like a record: "its type is one of these and its `payload` is an object".
pub(crate) fn is_record(object: &Json) -> bool {
    let is_known = object.field("type").and_then(Json::text).is_some_and(|it| TYPES.contains(&it));
    let payload = object.field("payload");
    is_known && payload.is_some_and(|payload| matches!(payload.kind, Kind::Object(_)))
}

impl Record {
    pub(super) fn node(&self) -> Node<'_> {
        Node::new(&self.text, &self.value)
    }

    /// The `payload`, if it is an object.
    pub(super) fn payload(&self) -> Option<Node<'_>> {
        self.node().get("payload").filter(Node::is_object)
    }

    /// A string field of the payload.
    pub(super) fn string(&self, key: &str) -> Option<String> {
        self.payload()?.string(key)
    }

    /// An id in the payload: none if it is empty.
    pub(super) fn id(&self, key: &str) -> Option<String> {
        self.payload()?.id(key)
    }

    pub(super) fn kind(&self) -> String {
        self.node().string("type").unwrap_or_default()
    }

    /// The type of the payload.
    pub(super) fn payload_kind(&self) -> String {
        self.string("type").unwrap_or_default()
    }

    /// Whether it is a record of type `kind` with a payload of type `payload_kind`.
    pub(super) fn is(&self, kind: &str, payload_kind: &str) -> bool {
        self.kind() == kind && self.payload_kind() == payload_kind
    }

    pub(super) fn is_own(&self) -> bool {
        !self.is_replayed
    }

    pub(super) fn in_main(&self) -> bool {
        self.agent.is_none()
    }

    pub(super) fn timestamp(&self) -> Option<String> {
        self.node().string("timestamp")
    }

    pub(super) fn time(&self) -> Option<Timestamp> {
        self.timestamp()?.parse().ok()
    }

    /// Whether it may begin a turn: "a `turn_context` or `event_msg/task_started`".
    fn begins_turn(&self) -> bool {
        self.kind() == "turn_context" || self.is("event_msg", "task_started")
    }
}

/// What a file holds, before it is told what is replayed.
#[derive(Debug, Default)]
pub(super) struct FileRecords {
    pub(super) lines: u64,
    pub(super) bad_lines: u64,
    pub(super) pending: bool,
    pub(super) records: Vec<Record>,
}

/// Reads a file; `agent` is that of its thread.
pub(super) fn read(bytes: &[u8], file: usize, agent: Option<&str>) -> FileRecords {
    let lines = read_lines(bytes, is_record);
    let record = |Object { text, value }| Record {
        text,
        value,
        file,
        agent: agent.map(str::to_owned),
        is_replayed: false,
    };
    let mut records: Vec<Record> = lines.objects.into_iter().map(record).collect();
    mark_replayed(&mut records);
    FileRecords { lines: lines.lines, bad_lines: lines.bad_lines, pending: lines.pending, records }
}

/// The thread id of a file with these records: "`id` of its first `session_meta` that has one that is not empty".
pub(super) fn id_of(records: &[Record]) -> Option<String> {
    let mut metas = records.iter().filter(|record| record.kind() == "session_meta");
    metas.find_map(|record| record.id("id"))
}

/// "In a fork every record is replayed except the first `session_meta`, until its own part begins."
fn mark_replayed(records: &mut [Record]) {
    let thread = id_of(records);
    let is_meta = |record: &Record| record.kind() == "session_meta";
    let Some(first) = records.iter().position(is_meta) else { return };
    let start = records[first].payload().and_then(|it| it.stated_count(START));
    let mut is_fork = records[first].id("forked_from_id").is_some() || start.is_some();
    let mut replayed = Replayed {
        thread_time: thread.as_deref().and_then(version_7_time),
        start,
        has_turn: false,
        latest: records[first].time(),
    };
    for record in &mut records[first + 1..] {
        let foreign = || record.id("id").is_some_and(|id| Some(&id) != thread.as_ref());
        is_fork |= is_meta(record) && foreign();
        if is_fork {
            if replayed.ends_before(record) {
                return;
            }
            record.is_replayed = true;
            let has_turn = |id: String| version_7_time(&id).is_some();
            replayed.has_turn |= record.begins_turn() && record.id("turn_id").is_some_and(has_turn);
        }
        replayed.latest = replayed.latest.max(record.time());
    }
}

/// The field of the first `session_meta` that says where the own part begins.
const START: &str = "subagent_history_start_ordinal";

/// What is known of a fork while its records are read.
struct Replayed {
    /// The time in the thread id, if it is a UUID of version 7.
    thread_time: Option<u64>,
    start: Option<u64>,
    /// Whether a replayed record that begins a turn had an id that is a UUID of version 7.
    has_turn: bool,
    /// The latest time of the records before.
    latest: Option<Timestamp>,
}

impl Replayed {
    /// Whether the own part begins with a record: the three rules.
    fn ends_before(&self, record: &Record) -> bool {
        if let (Some(start), Some(ordinal)) = (self.start, record.node().stated_count("ordinal")) {
            return ordinal >= start;
        }
        let turn_id = record.id("turn_id").filter(|_| record.begins_turn());
        let turn_time = turn_id.and_then(|id| version_7_time(&id));
        if let (Some(turn), Some(thread)) = (turn_time, self.thread_time)
            && turn >= thread
        {
            return true;
        }
        let pause = |(now, before): (Timestamp, Timestamp)| now.duration_since(before).as_millis();
        let is_late = record.time().zip(self.latest).map(pause).is_some_and(|it| it > REPLAY_PAUSE);
        (self.thread_time.is_none() || !self.has_turn) && is_late
    }
}

/// The first 48 bits of a UUID of version 7; none of anything else.
fn version_7_time(id: &str) -> Option<u64> {
    let groups: Vec<&str> = id.split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    let digits = groups.concat();
    let is_uuid = lengths == [8, 4, 4, 4, 12] && digits.bytes().all(|it| it.is_ascii_hexdigit());
    let is_version_7 = is_uuid && digits.as_bytes().get(12) == Some(&b'7');
    u64::from_str_radix(digits.get(..12).filter(|_| is_version_7)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replayed(lines: &[&str]) -> Vec<bool> {
        let text = lines.join("\n") + "\n";
        let records = read(text.as_bytes(), 0, None).records;
        records.iter().map(|record| record.is_replayed).collect()
    }

    const PARENT: &str =
        r#"{"type":"session_meta","timestamp":"2030-01-01T00:00:00Z","payload":{"id":"p"}}"#;
    const LATER: &str =
        r#"{"type":"event_msg","timestamp":"2030-01-01T00:00:09Z","payload":{"type":"x"}}"#;

    #[test]
    fn a_pause_ends_the_replay_of_a_thread_without_times_in_its_id() {
        let fork = r#"{"type":"session_meta","timestamp":"2030-01-01T00:00:00Z","payload":{"id":"c","forked_from_id":"p"}}"#;
        let soon = LATER.replace(":09Z", ":02Z");
        assert_eq!(
            replayed(&[fork, PARENT, &soon, LATER, PARENT]),
            [false, true, true, false, false]
        );
        assert_eq!(replayed(&[PARENT, &soon, LATER]), [false; 3]);
    }

    #[test]
    fn the_time_in_a_turns_id_ends_the_replay() {
        let id = |time: &str| format!("{time}-7000-8000-000000000000");
        let fork = format!(
            r#"{{"type":"session_meta","timestamp":"2030-01-01T00:00:00Z","payload":{{"id":"{}","forked_from_id":"p"}}}}"#,
            id("019d7e3a-8c28")
        );
        let turn = |time: &str| {
            format!(
                r#"{{"type":"turn_context","timestamp":"2030-01-01T00:01:00Z","payload":{{"turn_id":"{}"}}}}"#,
                id(time)
            )
        };
        let (old, new) = (turn("019d7d08-46c9"), turn("019d7e3a-8c28"));
        assert_eq!(replayed(&[&fork, &new, LATER]), [false; 3]);
        assert_eq!(replayed(&[&fork, PARENT, &new]), [false, true, false]);
        let plain = LATER.replace(":09Z", ":00Z");
        let replay = turn("019d7d08-46c9").replace("00:01:00", "00:00:00");
        assert_eq!(
            replayed(&[&fork, &replay, &plain, LATER, &new]),
            [false, true, true, true, false]
        );
        assert_eq!(replayed(&[&fork, &old]), [false, false], "a pause before any turn");
    }

    #[test]
    fn an_ordinal_ends_the_replay() {
        let fork = r#"{"type":"session_meta","ordinal":0,"payload":{"id":"c","subagent_history_start_ordinal":2}}"#;
        let at =
            |ordinal: u8| format!(r#"{{"type":"event_msg","ordinal":{ordinal},"payload":{{}}}}"#);
        assert_eq!(replayed(&[fork, &at(1), &at(2), &at(1)]), [false, true, false, false]);
    }

    #[test]
    fn only_a_uuid_of_version_7_has_a_time() {
        assert_eq!(version_7_time("019d7e3a-8c28-7662-aaba-a2d9ed140081"), Some(0x019d_7e3a_8c28));
        for id in
            ["", "c1", "019d7e3a-8c28-4662-aaba-a2d9ed140081", "019d7e3a8c287662aabaa2d9ed140081"]
        {
            assert_eq!(version_7_time(id), None, "{id}");
        }
    }
}
