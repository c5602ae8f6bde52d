//! Running the command, and making transcripts for it.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The command, in surroundings that do not depend on the machine.
pub(crate) fn tracefold(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracefold"));
    // No settings of whoever runs the tests.
    command.env("TRACEFOLD_CONFIG", "").env("COLUMNS", "100").env_remove("RUST_BACKTRACE");
    command.args(arguments);
    command
}

/// What the command printed.
pub(crate) fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// What it said.
pub(crate) fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// The JSON objects that it printed, one a line.
pub(crate) fn json_lines(assert: &Assert) -> Vec<Value> {
    stdout(assert).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A folder of transcripts, removed at the end.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Writes a file, with the folders above it, and gives its path.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The same as text.
    pub(crate) fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// A text with this folder's path written as `DIR`.
    pub(crate) fn portable(&self, text: &str) -> String {
        text.replace(self.0.path().to_str().unwrap(), "DIR")
    }
}

/// Records of one transcript.
pub(crate) struct Transcript {
    session: &'static str,
    lines: Vec<String>,
}

impl Transcript {
    pub(crate) fn new(session: &'static str) -> Self {
        Self { session, lines: Vec::new() }
    }

    /// Adds a record, with the fields that all have.
    pub(crate) fn record(mut self, kind: &str, fields: &Value) -> Self {
        let number = self.lines.len();
        let mut record = json!({
            "type": kind,
            "uuid": format!("{}-{number}", self.session),
            "sessionId": self.session,
            "timestamp": format!("2026-03-01T10:{:02}:00.000Z", number % 60),
        });
        let all = record.as_object_mut().unwrap();
        all.extend(fields.as_object().unwrap().clone());
        self.lines.push(record.to_string());
        self
    }

    /// What a person wrote.
    pub(crate) fn prompt(self, text: &str) -> Self {
        self.record("user", &json!({"message": {"role": "user", "content": text}}))
    }

    /// A block of the model's answer `message`.
    pub(crate) fn answer(self, message: &str, block: &Value) -> Self {
        let fields = json!({
            "requestId": format!("request-{message}"),
            "message": {
                "id": message, "role": "assistant", "model": "claude-sonnet-4-5-20250929",
                "content": [block],
                "usage": {
                    "input_tokens": 100, "output_tokens": 50, "cache_read_input_tokens": 2000,
                    "cache_creation_input_tokens": 400,
                },
            },
        });
        self.record("assistant", &fields)
    }

    /// A tool's answer to `call`.
    pub(crate) fn result(self, call: &str, text: &str, is_error: bool) -> Self {
        let block = json!({
            "type": "tool_result", "tool_use_id": call, "content": text, "is_error": is_error,
        });
        self.record("user", &json!({"message": {"role": "user", "content": [block]}}))
    }

    /// A line as it is.
    pub(crate) fn raw(mut self, line: &str) -> Self {
        self.lines.push(line.to_owned());
        self
    }

    pub(crate) fn text(&self) -> String {
        self.lines.iter().fold(String::new(), |text, line| text + line + "\n")
    }
}

/// A call of a tool.
pub(crate) fn call(id: &str, tool: &str, input: &Value) -> Value {
    json!({"type": "tool_use", "id": id, "name": tool, "input": input})
}

/// Something the model said.
pub(crate) fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// A short run that holds some of everything.
pub(crate) fn session(name: &'static str) -> Transcript {
    Transcript::new(name)
        .record("summary", &json!({"summary": "Count the widgets"}))
        .prompt("Count the widgets in stock.txt.")
        .answer("m1", &text("I read the file first."))
        .answer("m1", &call("c1", "Read", &json!({"file_path": "/shop/stock.txt"})))
        .result("c1", "     1\u{2192}widgets = 12\n     2\u{2192}gears = 2.5", false)
        .answer("m2", &call("c2", "Bash", &json!({"command": "make count"})))
        .result("c2", "Exit code 2\nno rule to make count", true)
        .prompt("Then write the sum to total.txt.")
        .answer(
            "m3",
            &call("c3", "Write", &json!({"file_path": "/shop/total.txt", "content": "12"})),
        )
        .result("c3", "ok", false)
        .answer("m4", &call("c4", "Bash", &json!({"command": "make check"})))
}

/// A small session with one prompt.
pub(crate) fn small(name: &'static str) -> String {
    Transcript::new(name).prompt("hello").answer("m1", &text("hi")).text()
}

/// Runs the command and expects one line of error, which holds `expected`, and nothing printed.
#[track_caller]
pub(crate) fn refused(arguments: &[&str], expected: &str) {
    let assert = tracefold(arguments).assert().code(2);
    let said = stderr(&assert);
    assert_eq!(said.lines().count(), 1, "not one line: {said}");
    assert!(said.starts_with("error: ") && said.contains(expected), "{said}");
    assert_eq!(stdout(&assert), "");
}
