//! Agents that a thread launches, and what is said of how they stand.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tools::Tool;
use crate::event::{Background, Launch, Outcome, TaskKind, TaskReport, TaskState};

/// The element that says how an agent stands.
const NOTICE: [&str; 2] = ["<subagent_notification>", "</subagent_notification>"];

/// A call about agents that is not answered yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum AgentCall {
    /// It launches one.
    Spawn,
    /// It waits for some.
    Wait,
    /// It closes this one.
    Close(String),
}

/// The calls about agents in flight, by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct AgentCalls(BTreeMap<String, AgentCall>);

impl AgentCalls {
    /// Takes in a call and its input, if it is about agents.
    pub(super) fn issue(&mut self, id: &str, tool: &Tool<'_>, input: Option<&str>) {
        let call = if tool.is("spawn_agent") {
            AgentCall::Spawn
        } else if tool.is("wait_agent") || tool.is("wait") {
            AgentCall::Wait
        } else if tool.is("close_agent") {
            let input = input.and_then(|input| serde_json::from_str::<Value>(input).ok());
            let Some(target) = input.and_then(|input| name(&input, &["target", "id"])) else {
                return;
            };
            AgentCall::Close(target)
        } else {
            return;
        };
        self.0.entry(id.to_owned()).or_insert(call);
    }

    /// What the first result of a call says of agents.
    pub(super) fn answer(
        &mut self,
        id: &str,
        text: &str,
        outcome: Outcome,
    ) -> Option<Background<'static>> {
        let call = self.0.remove(id)?;
        let said: Value = serde_json::from_str(text).ok().filter(Value::is_object)?;
        let mut background = Background::default();
        match call {
            AgentCall::Spawn => {
                let id = name(&said, &["agent_id", "task_name"])?;
                if outcome != Outcome::Succeeded {
                    return None;
                }
                background.launched_agent = Some(Cow::Owned(id.clone()));
                background.launches =
                    vec![Launch { block: 0, id: Cow::Owned(id), kind: TaskKind::Agent }];
            }
            AgentCall::Wait => {
                let statuses = said.get("status").and_then(Value::as_object);
                let mut statuses: Vec<_> = statuses.into_iter().flatten().collect();
                statuses.sort_unstable_by_key(|(id, _)| id.as_bytes());
                background.reports =
                    statuses.into_iter().filter_map(|(id, status)| report(id, status)).collect();
            }
            AgentCall::Close(id) => {
                let status = said.get("previous_status").or_else(|| said.get("status"))?;
                let stops = matches!(word(status).0.as_deref(), Some("running" | "pending_init"));
                let stopped = || TaskReport {
                    id: Cow::Owned(id.clone()),
                    state: TaskState::Stopped,
                    summary: Cow::Borrowed(""),
                };
                let said = if stops { Some(stopped()) } else { report(&id, status) };
                background.reports.extend(said);
            }
        }
        Some(background)
    }
}

/// What a message in a person's place says of an agent.
pub(super) fn notice(text: &str) -> Option<TaskReport<'static>> {
    let rest = text.trim_start().strip_prefix(NOTICE[0])?;
    let (json, _) = rest.split_once(NOTICE[1])?;
    let said: Value = serde_json::from_str(json).ok()?;
    report(&name(&said, &["agent_path", "agent_id"])?, said.get("status")?)
}

/// How an agent stands, if the status says so.
fn report(id: &str, status: &Value) -> Option<TaskReport<'static>> {
    let (word, words) = word(status);
    let state = match word.as_deref()? {
        "completed" => TaskState::Completed,
        "errored" => TaskState::Failed,
        "shutdown" | "interrupted" => TaskState::Stopped,
        _ => return None,
    };
    let summary = match (state, words) {
        (TaskState::Failed, Some(Value::String(words))) => words.trim().to_owned(),
        _ => String::new(),
    };
    Some(TaskReport { id: Cow::Owned(id.to_owned()), state, summary: Cow::Owned(summary) })
}

/// A status's word, and what goes with it.
fn word(status: &Value) -> (Option<String>, Option<&Value>) {
    match status {
        Value::String(word) => (Some(word.clone()), None),
        Value::Object(map) => {
            // The order of a map is a build feature of the parser.
            let first = map.iter().min_by_key(|(key, _)| key.as_bytes());
            (first.map(|(key, _)| key.clone()), first.map(|(_, value)| value))
        }
        _ => (None, None),
    }
}

/// The first of the fields that is a string with something in it.
fn name(value: &Value, fields: &[&str]) -> Option<String> {
    let mut strings = fields.iter().filter_map(|field| value.get(field)?.as_str());
    strings.find(|text| !text.is_empty()).map(str::to_owned)
}
