//! What results say besides their texts: the id of a step that was added to the todo list, and what the
//! person said when they refused a call. Used by the conversion of records.

use crate::event::{Body, Event, Outcome, Remark, RemarkKind};

/// What stands before the person's words in the result of a call that they refused.
const SAID: &str = "the user said:\n";
/// What the client writes behind them.
const AFTERWORD: &str = "\n\nNote: The user's next message may contain";

/// What the results among a record's events say.
pub(super) fn of_results(events: &[Event<'_>]) -> Vec<Remark> {
    let remark = |event: &Event<'_>| {
        let Body::ToolResult { outcome, text, .. } = &event.body else { return None };
        let kind = match outcome {
            Outcome::Succeeded => RemarkKind::Step(step(text)?.to_owned()),
            Outcome::Denied | Outcome::Interrupted => RemarkKind::Reason(reason(text)?.to_owned()),
            Outcome::Failed | Outcome::Cancelled => return None,
        };
        Some(Remark { block: event.block, kind })
    };
    events.iter().filter_map(remark).collect()
}

/// The id in `Task #3 created successfully: …`.
fn step(text: &str) -> Option<&str> {
    let (id, rest) = text.strip_prefix("Task #")?.split_once(' ')?;
    (rest.starts_with("created") && !id.is_empty()).then_some(id)
}

/// What the person said.
fn reason(text: &str) -> Option<&str> {
    let (_, said) = text.split_once(SAID)?;
    let said = said.split_once(AFTERWORD).map_or(said, |(said, _)| said).trim();
    (!said.is_empty()).then_some(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_reasons_are_told_from_the_clients_words() {
        assert_eq!(step("Task #12 created successfully: x"), Some("12"));
        assert_eq!(step("Task #12 updated"), None);
        assert_eq!(step("Updated task #1 status"), None);
        let refused = |rest: &str| format!("The user doesn't want to proceed. {rest}");
        let said = refused("To tell you how to proceed, the user said:\nuse\n\nthe other one\n");
        assert_eq!(reason(&said), Some("use\n\nthe other one"));
        let noted = said + "\n\nNote: The user's next message may contain a correction";
        assert_eq!(reason(&noted), Some("use\n\nthe other one"));
        assert_eq!(reason(&refused("STOP what you are doing.")), None);
        assert_eq!(reason(&refused("To tell you how to proceed, the user said:\n")), None);
    }
}
