//! What another program prints: a line of JSON for each session file that it was given.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Value;

use super::error::{AgainstError, Batch};

/// One line, as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// The session file, exactly as the program was given it.
    run: PathBuf,
    /// The program's name and version.
    #[serde(default)]
    by: Option<String>,
    #[serde(default)]
    fields: Option<BTreeMap<String, Value>>,
    /// Tolerance of a field where the program rounds.
    #[serde(default)]
    tolerances: BTreeMap<String, Decimal>,
    /// A count's parts by the id of what they belong to.
    #[serde(default)]
    places: BTreeMap<String, BTreeMap<String, i64>>,
    /// Why there are no fields.
    #[serde(default)]
    skipped: Option<String>,
}

/// What the program says of a session.
#[derive(Debug, Clone)]
pub(super) struct SessionReply {
    pub(super) by: Option<String>,
    pub(super) said: ReplyContent,
}

#[derive(Debug, Clone)]
pub(super) enum ReplyContent {
    /// It cannot read it, and why.
    Skipped(String),
    Fields(StatedFields),
}

/// Its fields.
#[derive(Debug, Clone, Default)]
pub(super) struct StatedFields {
    pub(super) fields: BTreeMap<String, Value>,
    /// Tolerance of a field where the program rounds.
    pub(super) tolerances: BTreeMap<String, Decimal>,
    /// A count's parts by the id of what they belong to: an API message, a call, a record.
    pub(super) places: BTreeMap<String, BTreeMap<String, i64>>,
}

/// The replies to a batch of sessions, in the sessions' order. Blank lines are passed over.
pub(super) fn read(
    program: &Path,
    sessions: &[PathBuf],
    printed: &[u8],
) -> Result<Vec<SessionReply>, AgainstError> {
    let mut said: BTreeMap<&Path, SessionReply> = BTreeMap::new();
    let lines = printed.split(|byte| *byte == b'\n').enumerate();
    for (at, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
        let not_a_reply = |why| AgainstError::NotAReply {
            program: program.to_owned(),
            batch: Batch::of(sessions),
            line: at + 1,
            why,
        };
        let (run, statement) = statement(line, sessions).map_err(not_a_reply)?;
        if said.contains_key(run) {
            return Err(not_a_reply(format!("{} has a reply already", run.display())));
        }
        said.insert(run, statement);
    }
    let of = |session: &PathBuf| {
        said.remove(session.as_path()).ok_or_else(|| AgainstError::NoReply {
            program: program.to_owned(),
            run: session.clone(),
            batch: Batch::of(sessions),
        })
    };
    sessions.iter().map(of).collect()
}

fn statement<'a>(line: &[u8], sessions: &'a [PathBuf]) -> Result<(&'a Path, SessionReply), String> {
    let line: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let run = sessions.iter().find(|session| **session == line.run).ok_or_else(|| {
        format!("\"run\" is {}, which is not among the paths it was given", line.run.display())
    })?;
    if line.tolerances.values().any(Decimal::is_sign_negative) {
        return Err("a tolerance is below zero".to_owned());
    }
    let said = match (line.fields, line.skipped) {
        (Some(fields), None) => ReplyContent::Fields(StatedFields {
            fields,
            tolerances: line.tolerances,
            places: line.places,
        }),
        (None, Some(reason)) => ReplyContent::Skipped(reason),
        _ => return Err("it needs either \"fields\" or \"skipped\"".to_owned()),
    };
    Ok((run, SessionReply { by: line.by, said }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_of(printed: &str) -> Result<Vec<SessionReply>, String> {
        let sessions = [PathBuf::from("a"), PathBuf::from("b")];
        read(Path::new("stub"), &sessions, printed.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn replies_come_in_any_order_and_are_given_in_that_of_the_sessions() {
        let said = read_of("{\"run\":\"b\",\"skipped\":\"no\"}\n\n{\"run\":\"a\",\"fields\":{}}\n")
            .unwrap();
        assert!(matches!(said[0].said, ReplyContent::Fields(_)));
        assert!(matches!(&said[1].said, ReplyContent::Skipped(reason) if reason == "no"));
    }

    #[test]
    fn what_is_no_reply_is_refused_with_its_line() {
        let cases = [
            (
                "hello\n",
                "line 1 of what stub printed for a and 1 other session file is not a reply",
            ),
            ("{\"run\":\"a\"}", "either \"fields\" or \"skipped\""),
            ("{\"run\":\"a\",\"fields\":{},\"skipped\":\"x\"}", "either \"fields\" or \"skipped\""),
            ("\n{\"run\":\"c\",\"fields\":{}}", "line 2 of what"),
            (
                "{\"run\":\"a\",\"fields\":{}}\n{\"run\":\"a\",\"fields\":{}}",
                "a has a reply already",
            ),
            ("{\"run\":\"a\",\"fields\":{},\"cost\":1}", "unknown field `cost`"),
            (
                "{\"run\":\"a\",\"fields\":{},\"tolerances\":{\"dollars\":\"-1\"}}",
                "a tolerance is below zero",
            ),
            ("{\"run\":\"a\",\"fields\":{}}", "printed no reply for b"),
        ];
        for (printed, message) in cases {
            let error = read_of(printed).unwrap_err();
            assert!(error.contains(message), "{printed}: {error}");
        }
    }
}
