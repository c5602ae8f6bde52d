//! Small transcripts, written as an agent's client writes them.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use trace_model::ids::Millis;

/// Lines of a transcript under way.
pub(crate) struct Lines {
    session: String,
    folder: &'static str,
    branch: &'static str,
    clock: i64,
    number: usize,
    text: String,
}

impl Lines {
    /// A session whose first record is written at this time; each further one a second later.
    pub(crate) fn new(session: &str, start: Millis) -> Self {
        Self {
            session: session.to_owned(),
            folder: "/home/dev/shop",
            branch: "main",
            clock: start.0,
            number: 0,
            text: String::new(),
        }
    }

    /// A session on a fixed day.
    pub(crate) fn fixed(session: &str) -> Self {
        Self::new(session, Millis::parse("2026-03-01T10:00:00Z").unwrap())
    }

    pub(crate) fn record(&mut self, kind: &str, fields: &Value) -> &mut Self {
        self.number += 1;
        let time = jiff_time(self.clock);
        self.clock += 1000;
        let mut record = json!({
            "type": kind, "sessionId": self.session, "uuid": format!("{}-{}", self.session, self.number),
            "parentUuid": (self.number > 1).then(|| format!("{}-{}", self.session, self.number - 1)),
            "timestamp": time, "cwd": self.folder, "gitBranch": self.branch, "version": "2.1.0",
        });
        record.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.text += &record.to_string();
        self.text.push('\n');
        self
    }

    pub(crate) fn prompt(&mut self, text: &str) -> &mut Self {
        self.record("user", &json!({"message": {"role": "user", "content": text}}))
    }

    pub(crate) fn title(&mut self, text: &str) -> &mut Self {
        self.record("summary", &json!({"summary": text}))
    }

    fn answer(&mut self, block: &Value) -> &mut Self {
        self.answer_of("claude-sonnet-4-5-20250929", block)
    }

    pub(crate) fn answer_of(&mut self, model: &str, block: &Value) -> &mut Self {
        let id = format!("m{}", self.number);
        let fields = json!({"requestId": format!("r{id}"), "message": {
            "id": id, "role": "assistant", "model": model, "content": [block],
            "usage": {"input_tokens": 100, "output_tokens": 50, "cache_read_input_tokens": 2000,
                      "cache_creation_input_tokens": 400},
        }});
        self.record("assistant", &fields)
    }

    pub(crate) fn say(&mut self, text: &str) -> &mut Self {
        self.answer(&json!({"type": "text", "text": text}))
    }

    pub(crate) fn call(&mut self, id: &str, tool: &str, input: &Value) -> &mut Self {
        self.answer(&json!({"type": "tool_use", "id": id, "name": tool, "input": input}))
    }

    pub(crate) fn result(&mut self, call: &str, text: &str, is_error: bool) -> &mut Self {
        let block = json!({"type": "tool_result", "tool_use_id": call, "content": text, "is_error": is_error});
        self.record("user", &json!({"message": {"role": "user", "content": [block]}}))
    }

    /// A tool's answer that is the receipt of an agent or command that goes on in the background.
    pub(crate) fn launched(&mut self, call: &str, receipt: &Value) -> &mut Self {
        let block = json!({"type": "tool_result", "tool_use_id": call, "content": "launched"});
        let message = json!({"role": "user", "content": [block]});
        self.record("user", &json!({"message": message, "toolUseResult": receipt}))
    }

    /// The client says how a background task ended.
    pub(crate) fn notified(&mut self, task: &str, status: &str, summary: &str) -> &mut Self {
        self.prompt(&format!(
            "<task-notification>\n<task-id>{task}</task-id>\n<status>{status}</status>\n\
             <summary>{summary}</summary>\n</task-notification>"
        ))
    }

    /// The records from here on are written in another folder, on another branch.
    pub(crate) fn moves(&mut self, folder: &'static str, branch: &'static str) -> &mut Self {
        (self.folder, self.branch) = (folder, branch);
        self
    }

    /// The id of the last record.
    pub(crate) fn last(&self) -> String {
        format!("{}-{}", self.session, self.number)
    }

    /// A prompt that goes on from an earlier record.
    pub(crate) fn prompt_after(&mut self, parent: &str, text: &str) -> &mut Self {
        let message = json!({"role": "user", "content": text});
        self.record("user", &json!({"parentUuid": parent, "message": message}))
    }

    /// A line as it is.
    pub(crate) fn raw(&mut self, line: &str) -> &mut Self {
        self.text += line;
        self.text.push('\n');
        self
    }

    /// The lines so far; the next ones follow them.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// Appends the lines so far to a file.
    pub(crate) fn append_to(&mut self, path: &Path) {
        append(path, &self.take());
    }
}

/// Appends text to a file.
pub(crate) fn append(path: &Path, text: &str) {
    let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

/// A time with milliseconds, as clients write it.
fn jiff_time(millis: i64) -> String {
    let whole = Millis(millis).to_string();
    whole.replace('Z', &format!(".{:03}Z", millis.rem_euclid(1000)))
}

/// A small run that has a bit of everything.
pub(crate) fn sample() -> String {
    let mut lines = Lines::fixed("s1");
    lines.title("Count the widgets").prompt("Count the widgets in stock.txt.\nThen report.");
    lines.say("I read the file first.");
    lines.call("c1", "Read", &json!({"file_path": "/shop/stock.txt"}));
    lines.result("c1", "     1\u{2192}widgets = 12\n     2\u{2192}gears = 2.5", false);
    lines.call("c2", "Bash", &json!({"command": "make count"}));
    lines.result("c2", "Exit code 2\nno rule to make count", true);
    lines.call("c3", "Bash", &json!({"command": "sleep 600"}));
    lines.prompt("Leave that. Write the sum to total.txt.");
    lines.call("c4", "Write", &json!({"file_path": "/shop/total.txt", "content": "12"}));
    lines.result("c4", "ok", false).result("c3", "slept", false);
    lines.answer_of("unheard-of-1", &json!({"type": "text", "text": "Written."}));
    lines.record("strange-new-type", &json!({})).raw("{\"type\":\"user\",\"broken");
    // Nobody is asked: silence is a stall.
    let check = json!({"role": "user", "content": "Check it."});
    lines.record("user", &json!({"permissionMode": "bypassPermissions", "message": check}));
    lines.call("c5", "Bash", &json!({"command": "make check"}));
    lines.take()
}

/// The first part of a run of which a turn will be taken back, and the record before that turn.
pub(crate) fn before_rewind(lines: &mut Lines) -> String {
    lines.prompt("Draw up the rota for the harbour ferry.");
    lines.call("r1", "Read", &json!({"file_path": "/ferry/crew.txt"}));
    lines.result("r1", "captains = 3", false).say("Three captains, so three shifts.");
    let fork = lines.last();
    lines.prompt("Give all night shifts to Ines.");
    lines.call("r2", "Read", &json!({"file_path": "/ferry/nights.txt"}));
    lines.result("r2", "nights = 14", false).say("Ines has all fourteen nights.");
    fork
}

/// Agents and commands in the background: one that runs, one that failed, one that ended well, one
/// that was stopped.
pub(crate) fn with_background(lines: &mut Lines) {
    lines.prompt("Survey the reef while I sort the maps.");
    for (call, tool, id) in [("b1", "Agent", "a71f"), ("b2", "Agent", "a72e")] {
        let input = json!({"prompt": format!("survey part {id}"), "run_in_background": true});
        lines.call(call, tool, &input);
        lines.launched(call, &json!({"status": "async_launched", "agentId": id}));
    }
    for (call, id) in [("b3", "sh4"), ("b4", "sh5")] {
        lines.call(call, "Bash", &json!({"command": format!("sonar --log {id}.txt")}));
        lines.launched(call, &json!({"backgroundTaskId": id}));
    }
    lines.notified("a72e", "failed", "The agent <b>a72e</b> hit a rock: exit 3");
    lines.notified("sh4", "completed", "sonar ended with exit code 0");
    lines.notified("sh5", "killed", "sonar was stopped");
    lines.say("One part is surveyed; one agent still works.");
}
