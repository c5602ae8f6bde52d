//! Which records of a file are its own: a forked thread begins with its parent's, written again.

use serde::{Deserialize, Serialize};

use super::shape::{Envelope, Payload};
use crate::ids::Millis;

/// Records of a replay are written closer to one another than this.
const BURST: Millis = Millis(2000);

/// Which part of a file is being read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Part {
    /// That of a thread that repeats nothing.
    #[default]
    Only,
    /// What another thread's file holds too.
    Replayed,
    /// What follows that.
    Own,
}

/// How far a file has come from its parent's records to its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fork {
    /// The thread's id.
    thread: Option<String>,
    /// Whether the first `session_meta` was read.
    begun: bool,
    /// The place of the first record of its own, where stated.
    start: Option<u64>,
    part: Part,
    /// Whether a replayed turn has an id that tells its time.
    dated_turns: bool,
    /// The latest time of a record.
    latest: Option<Millis>,
}

impl Fork {
    /// The thread's id.
    pub(super) fn thread(&self) -> Option<&str> {
        self.thread.as_deref()
    }

    /// Takes in the next record; returns whether it is a replayed one.
    pub(super) fn take(&mut self, envelope: &Envelope<'_>) -> bool {
        let is_meta = envelope.kind.value.as_deref() == Some("session_meta");
        let time = envelope.time.value.map(|time| time.0);
        let replayed = if is_meta && !self.begun {
            self.begin(envelope.payload.value.as_deref());
            false
        } else {
            if is_meta {
                self.meet(envelope.payload.value.as_deref());
            }
            self.part == Part::Replayed && !self.begins_own(envelope, time)
        };
        self.latest = self.latest.max(time);
        replayed
    }

    fn begin(&mut self, payload: Option<&Payload<'_>>) {
        self.begun = true;
        let Some(payload) = payload else { return };
        self.thread = stated(payload.id.value.as_deref()).map(str::to_owned);
        self.start = payload.history_start.value.map(|start| start.0);
        if self.start.is_some() || stated(payload.forked_from.value.as_deref()).is_some() {
            self.part = Part::Replayed;
        }
    }

    /// Another thread's description tells that its records follow.
    fn meet(&mut self, payload: Option<&Payload<'_>>) {
        let Some(id) = payload.and_then(|payload| stated(payload.id.value.as_deref())) else {
            return;
        };
        match &self.thread {
            None => self.thread = Some(id.to_owned()),
            Some(own) if own != id && self.part == Part::Only => self.part = Part::Replayed,
            Some(_) => {}
        }
    }

    fn begins_own(&mut self, envelope: &Envelope<'_>, time: Option<Millis>) -> bool {
        if let (Some(start), Some(ordinal)) = (self.start, envelope.ordinal.value) {
            return self.go_on_if(ordinal.0 >= start);
        }
        let thread = self.thread.as_deref().and_then(born);
        let turn = turn_id(envelope).and_then(born);
        let late = || matches!((time, self.latest), (Some(now), Some(last)) if now.0.saturating_sub(last.0) > BURST.0);
        let own = match (thread, turn) {
            (Some(thread), Some(turn)) if turn >= thread => true,
            (Some(_), _) if self.dated_turns => false,
            _ => late(),
        };
        self.dated_turns |= turn.is_some();
        self.go_on_if(own)
    }

    fn go_on_if(&mut self, own: bool) -> bool {
        if own {
            self.part = Part::Own;
        }
        own
    }
}

fn stated(id: Option<&str>) -> Option<&str> {
    id.filter(|id| !id.is_empty())
}

/// The turn that a record begins.
fn turn_id<'e>(envelope: &'e Envelope<'_>) -> Option<&'e str> {
    let payload = envelope.payload.value.as_deref()?;
    let begins = match envelope.kind.value.as_deref()? {
        "turn_context" => true,
        "event_msg" => payload.kind.value.as_deref() == Some("task_started"),
        _ => false,
    };
    payload.turn.value.as_deref().filter(|_| begins)
}

/// When a UUID of version 7 was made, in milliseconds since 1970.
fn born(id: &str) -> Option<u64> {
    let bytes = id.as_bytes();
    let is_uuid = bytes.len() == 36
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    if !is_uuid || bytes[14] != b'7' {
        return None;
    }
    u64::from_str_radix(&format!("{}{}", &id[..8], &id[9..13]), 16).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::adapter::codex::shape::read_text;

    const PARENT: &str = "019d7d08-46c9-7f73-affe-4e6ca9852d56";
    const CHILD: &str = "019d7e3a-8c28-7662-aaba-a2d9ed140081";

    fn record(second: f64, kind: &str, payload: &Value) -> String {
        let time = format!("2030-01-01T00:00:{second:06.3}Z");
        json!({"timestamp": time, "type": kind, "payload": payload}).to_string()
    }

    /// Which records are replayed.
    fn replayed(records: &[String]) -> Vec<bool> {
        let mut fork = Fork::default();
        records.iter().map(|json| fork.take(&read_text(json).unwrap())).collect()
    }

    fn meta(id: &str, forked_from: Option<&str>) -> Value {
        json!({"id": id, "forked_from_id": forked_from})
    }

    #[test]
    fn a_turn_begun_after_the_thread_is_its_own() {
        let turn = |id: &str| json!({"type": "task_started", "turn_id": id});
        let message = json!({"type": "user_message", "message": "x"});
        let records = [
            record(0.0, "session_meta", &meta(CHILD, Some(PARENT))),
            record(0.0, "session_meta", &meta(PARENT, None)),
            record(0.1, "event_msg", &turn("019d7d09-0000-7000-8000-000000000000")),
            // A slow disk makes a gap, and it says nothing: turns tell their time here.
            record(9.0, "event_msg", &message),
            record(9.1, "event_msg", &turn(CHILD)),
            record(9.1, "event_msg", &message),
            record(9.2, "event_msg", &turn("019d7d09-0000-7000-8000-000000000000")),
        ];
        assert_eq!(replayed(&records), [false, true, true, true, false, false, false]);
    }

    #[test]
    fn without_such_ids_a_pause_tells() {
        let message = json!({"type": "user_message", "message": "x"});
        for (child, parent) in [("c2", "c1"), (CHILD, PARENT)] {
            let records = [
                record(10.0, "session_meta", &meta(child, Some(parent))),
                record(10.0, "session_meta", &meta(parent, None)),
                record(11.7, "event_msg", &message),
                record(13.7, "event_msg", &message),
                record(15.8, "event_msg", &message),
                record(15.9, "session_meta", &meta(parent, None)),
            ];
            assert_eq!(replayed(&records), [false, true, true, true, false, false]);
        }
    }

    #[test]
    fn a_stated_place_tells_before_all_else() {
        let line = |ordinal: u64, second: f64| {
            let record = record(second, "event_msg", &json!({"type": "user_message"}));
            record.replacen('{', &format!("{{\"ordinal\":{ordinal},"), 1)
        };
        let meta = json!({"id": CHILD, "subagent_history_start_ordinal": 3});
        let records =
            [record(0.0, "session_meta", &meta), line(1, 0.0), line(2, 30.0), line(3, 30.0)];
        assert_eq!(replayed(&records), [false, true, true, false]);
    }

    #[test]
    fn a_thread_that_names_itself_again_is_no_fork() {
        let records = [
            record(0.0, "session_meta", &meta("c1", None)),
            record(0.0, "session_meta", &meta("c1", None)),
            record(0.1, "event_msg", &json!({"type": "user_message"})),
            record(0.2, "session_meta", &meta("c0", None)),
            record(0.3, "event_msg", &json!({"type": "user_message"})),
        ];
        assert_eq!(replayed(&records), [false, false, false, true, true]);
    }

    #[test]
    fn only_uuids_of_version_7_tell_a_time() {
        assert_eq!(born("019d7e3a-8c28-7662-aaba-a2d9ed140081"), Some(0x019d_7e3a_8c28));
        assert_eq!(born("019d7e3a-8c28-4662-aaba-a2d9ed140081"), None);
        assert_eq!(born("019d7e3a8c287662aabaa2d9ed140081"), None);
        assert_eq!(born("c1"), None);
        assert_eq!(born("é19d7e3a-8c28-7662-aaba-a2d9ed14008"), None);
    }
}
