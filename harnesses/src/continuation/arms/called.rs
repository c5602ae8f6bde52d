//! A step's call as a command: how arms that list calls write one.

use corpus_gen::tasks::Tool;
use serde_json::Value;

use super::super::history::Step;
use super::super::reply::object;
use crate::workbench::Action;

/// The command that a step ran. The bench has no shell: one of its calls is written as the tool with its main
/// argument. A recorded call is a command if it has one among its arguments.
pub(super) fn command(step: &Step) -> Option<String> {
    let reply = object(step.reply())?;
    let args = reply.get("args").unwrap_or(&Value::Null);
    let recorded = ["command", "cmd"].into_iter().find_map(|name| args.get(name));
    if let Some(command) = recorded.and_then(in_words) {
        return Some(command);
    }
    let tool = reply.get("tool").and_then(Value::as_str).and_then(Tool::of_name)?;
    let argument = match step.call.as_ref()? {
        Action::ReadFile { path } | Action::WriteFile { path, .. } => path,
        Action::Search { pattern } => pattern,
        Action::Tally { name, .. } => name,
        Action::ListFiles | Action::Done => return Some(tool.name().to_owned()),
    };
    Some(format!("{} {argument}", tool.name()))
}

/// A command as a string or as a list of them.
fn in_words(command: &Value) -> Option<String> {
    let words = match command {
        Value::String(text) => text.clone(),
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
        _ => return None,
    };
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}

/// The file that a step read or wrote, whether or not the call succeeded.
pub(super) fn path(step: &Step) -> Option<&str> {
    match step.call.as_ref()? {
        Action::ReadFile { path } | Action::WriteFile { path, .. } => Some(path),
        Action::ListFiles | Action::Search { .. } | Action::Tally { .. } | Action::Done => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::workbench::{CallOutcome, Observation};

    use super::*;

    fn step(reply: &str, call: Option<Action>) -> Step {
        let seen = Observation {
            text: "x".into(),
            outcome: CallOutcome::Ok,
            done: false,
            call_index: None,
        };
        Step::called(1, reply, call, &seen)
    }

    #[test]
    fn a_call_is_written_as_its_command_or_as_its_tool_with_its_main_argument() {
        let read = Action::ReadFile { path: "a/b".to_owned() };
        let bench = step(&read.to_json().to_string(), Some(read));
        assert_eq!(command(&bench).as_deref(), Some("read_file a/b"));
        assert_eq!(path(&bench), Some("a/b"));
        let shell = step("so\n{\"tool\":\"Bash\",\"args\":{\"command\":\"make\\n test\"}}", None);
        assert_eq!((command(&shell).as_deref(), path(&shell)), (Some("make test"), None));
        let recorded = Action::ReadFile { path: "c".to_owned() };
        let recorded = step("{\"tool\":\"Read\",\"args\":{\"file_path\":\"c\"}}", Some(recorded));
        assert_eq!((command(&recorded), path(&recorded)), (None, Some("c")));
        assert_eq!(command(&step("nothing", None)), None);
    }
}
