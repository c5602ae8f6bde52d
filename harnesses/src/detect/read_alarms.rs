//! People's verdicts on the alarms over real sessions: the table behind precision on real runs. It names a
//! session by its digest and a record by its line, and holds none of their content.

use std::collections::BTreeMap;

use anyhow::Context as _;
use serde::Deserialize;

use super::alarms::Alarm;

/// The table that comes with the program.
const BUILT_IN: &str = include_str!("../../data/read-alarms.json");

/// What reading the records around an alarm showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum HumanVerdict {
    /// What the alarm says was so.
    True,
    /// It was not so.
    False,
    /// The records do not show it.
    CannotTell,
}

impl HumanVerdict {
    /// Its name in rows.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::CannotTell => "cannot_tell",
        }
    }
}

/// Where an alarm is about: the session by the name that its digest gives it, the kind, and the file and
/// line of the record with which it began.
type AlarmKey = (String, String, u64, u64);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[allow(dead_code, reason = "for people who open the file")]
    about: String,
    alarms: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    session: String,
    kind: String,
    file: u64,
    line: u64,
    verdict: HumanVerdict,
    #[allow(dead_code, reason = "for people who open the file")]
    because: String,
}

/// The verdicts so far.
#[derive(Debug)]
pub(super) struct ReadAlarms(BTreeMap<AlarmKey, HumanVerdict>);

impl ReadAlarms {
    /// The table that comes with the program.
    pub(super) fn built_in() -> anyhow::Result<Self> {
        let table: Table = serde_json::from_str(BUILT_IN)
            .context("the built-in table of alarms that were read")?;
        let mut read = BTreeMap::new();
        for entry in table.alarms {
            let key = (entry.session, entry.kind, entry.file, entry.line);
            let text = format!("{key:?}");
            let known = read.insert(key, entry.verdict);
            anyhow::ensure!(known.is_none(), "{text} stands twice in the table of alarms");
        }
        Ok(Self(read))
    }

    /// How an alarm of a session was judged; none if it was not.
    pub(super) fn verdict(&self, session: &str, alarm: &Alarm) -> Option<HumanVerdict> {
        let kind = alarm.kind.name().to_owned();
        let key = (session.to_owned(), kind, alarm.first.file as u64, alarm.first.line);
        self.0.get(&key).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_can_be_read_and_names_each_alarm_once() {
        assert!(ReadAlarms::built_in().is_ok_and(|read| !read.0.is_empty()));
    }
}
