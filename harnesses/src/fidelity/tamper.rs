//! Faults in the mechanisms: the probe folded with one thing wrong in the fold's input or settings (a record
//! lost, usage counted twice, a price changed), against the oracle's recount of the sound probe. Each must be
//! caught in the fields that it falsifies. Together they falsify every field.

use std::sync::Arc;

use anyhow::Context as _;
use serde_json::{Value, json};
use trace_model::fold::FoldConfig;
use trace_model::pricing::PriceTable;

use crate::inputs::Probe;

/// What a fold is made from.
pub(super) struct Subject {
    pub(super) probe: Probe,
    pub(super) config: FoldConfig,
}

/// One fault.
pub(super) struct Tampering {
    /// What is wrong with the fold.
    pub(super) name: &'static str,
    /// Puts the fault in.
    fault: fn(&mut Subject) -> anyhow::Result<()>,
    /// Fields that are wrong then.
    pub(super) falsifies: &'static [&'static str],
}

impl Tampering {
    /// The subject with the fault in it.
    pub(super) fn of(&self, config: &FoldConfig) -> anyhow::Result<Subject> {
        let mut subject = Subject { probe: Probe::default(), config: config.clone() };
        (self.fault)(&mut subject).with_context(|| format!("tampering: {}", self.name))?;
        Ok(subject)
    }
}

impl Subject {
    /// Position of the first record with this uuid.
    fn line(&self, uuid: &str) -> anyhow::Result<usize> {
        let id = format!("\"uuid\":\"{uuid}\"");
        let found = self.probe.session.iter().position(|line| line.contains(&id));
        found.with_context(|| format!("the probe has no record `{uuid}`"))
    }

    fn lose(&mut self, uuid: &str) -> anyhow::Result<()> {
        let at = self.line(uuid)?;
        self.probe.session.remove(at);
        Ok(())
    }

    /// Replaces a text in a record, which must be there, and in its repetition if it has one.
    fn replace(&mut self, uuid: &str, from: &str, to: &str) -> anyhow::Result<()> {
        let line = self.probe.session[self.line(uuid)?].clone();
        anyhow::ensure!(line.contains(from), "record `{uuid}` has no `{from}`");
        for same in self.probe.session.iter_mut().filter(|other| **other == line) {
            *same = line.replace(from, to);
        }
        Ok(())
    }

    /// Sets a field of a record, by JSON pointer to its object and by name.
    fn set(&mut self, uuid: &str, object: &str, name: &str, value: Value) -> anyhow::Result<()> {
        let at = self.line(uuid)?;
        let mut record: Value = serde_json::from_str(&self.probe.session[at])?;
        let object = record.pointer_mut(object).and_then(Value::as_object_mut);
        let object = object.with_context(|| format!("record `{uuid}` has no such object"))?;
        object.insert(name.to_owned(), value);
        self.probe.session[at] = record.to_string();
        Ok(())
    }

    /// Changes the price table as JSON.
    fn prices(&mut self, change: impl FnOnce(&mut Value)) -> anyhow::Result<()> {
        let mut table = serde_json::to_value(&*self.config.prices)?;
        change(&mut table);
        self.config.prices = Arc::new(PriceTable::from_json(&table.to_string())?);
        Ok(())
    }
}

const SONNET: &str = "claude-sonnet-4-5";

fn models(table: &mut Value) -> Option<&mut Vec<Value>> {
    table.get_mut("models")?.as_array_mut()
}

/// Every fault, in the order in which they are listed.
pub(super) const TAMPERINGS: &[Tampering] = &[
    Tampering {
        name: "a failed result is lost",
        fault: |s| s.lose("failed"),
        falsifies: &[
            "dangling",
            "events",
            "events_by_kind",
            "failed_calls",
            "interrupted_calls",
            "last_error",
            "lines",
            "per_tool_failed",
            "records",
            "results",
        ],
    },
    Tampering {
        name: "a call's second record counts as another call",
        fault: |s| s.set("reads", "", "requestId", json!("q1b")),
        falsifies: &[
            "by_model.cache_creation",
            "by_model.cache_creation_1h",
            "by_model.cache_creation_5m",
            "by_model.cache_read",
            "by_model.calls",
            "by_model.input",
            "by_model.output",
            "calls",
            "deduplicated_tokens",
            "dollars",
            "priced_calls",
            "tokens.cache_creation",
            "tokens.cache_creation_1h",
            "tokens.cache_creation_5m",
            "tokens.cache_read",
            "tokens.input",
            "tokens.output",
        ],
    },
    Tampering {
        name: "a record's usage is doubled",
        fault: |s| {
            s.replace("said", "\"input_tokens\":3", "\"input_tokens\":6")?;
            s.replace("said", "\"output_tokens\":2", "\"output_tokens\":4")?;
            s.replace("said", "_read_input_tokens\":400", "_read_input_tokens\":800")?;
            s.replace("said", "_creation_input_tokens\":1000", "_creation_input_tokens\":2000")
        },
        falsifies: &[
            "naive_tokens",
            "naive_tokens.cache_creation",
            "naive_tokens.cache_read",
            "naive_tokens.input",
            "naive_tokens.output",
        ],
    },
    Tampering {
        name: "1-hour cache writes are taken for 5-minute ones",
        fault: |s| {
            let split = json!({"ephemeral_5m_input_tokens": 1000, "ephemeral_1h_input_tokens": 0});
            for record in ["said", "reads"] {
                s.set(record, "/message/usage", "cache_creation", split.clone())?;
            }
            Ok(())
        },
        falsifies: &["dollars", "tokens.cache_creation_1h", "tokens.cache_creation_5m"],
    },
    Tampering {
        name: "the largest value of a key is misread",
        fault: |s| s.replace("read", "alpha = 4", "alpha = 3"),
        falsifies: &["aggregates.alternating", "aggregates.max", "aggregates.sum", "facts"],
    },
    Tampering {
        name: "the smallest and last value of a key is misread",
        fault: |s| s.replace("read", "alpha = 0.25", "alpha = 0.5"),
        falsifies: &["aggregates.last", "aggregates.min", "aggregates.sum", "facts"],
    },
    Tampering {
        name: "a number is not taken for one",
        fault: |s| s.replace("read", "beta = 7", "beta = 7x"),
        falsifies: &["aggregates.numeric", "facts"],
    },
    Tampering {
        name: "facts beyond the first are dropped",
        fault: |s| {
            s.config.facts.tracked = 1;
            Ok(())
        },
        falsifies: &["aggregates.count", "facts"],
    },
    Tampering {
        name: "only count and sum are declared",
        fault: |s| {
            s.config.facts.statistics = trace_model::fold::FactConfig::default().statistics;
            Ok(())
        },
        falsifies: &[
            "aggregates.alternating",
            "aggregates.last",
            "aggregates.max",
            "aggregates.min",
        ],
    },
    Tampering {
        name: "web searches have the wrong price",
        fault: |s| s.prices(|table| table["web_search_per_1000"] = json!("5")),
        falsifies: &["dollars"],
    },
    Tampering {
        name: "a model has no price",
        fault: |s| {
            s.prices(|table| {
                if let Some(models) = models(table) {
                    models.retain(|model| model["name"] != SONNET);
                }
            })
        },
        falsifies: &["dollars", "priced_calls", "unpriced_calls", "unpriced_tokens"],
    },
    Tampering {
        name: "fast mode is not seen",
        fault: |s| s.set("writes", "/message/usage", "speed", json!("standard")),
        falsifies: &["dollars", "fast_calls"],
    },
    Tampering {
        name: "server tools are not seen",
        fault: |s| s.set("long", "/message/usage", "server_tool_use", Value::Null),
        falsifies: &["dollars", "web_fetch_requests", "web_search_requests"],
    },
    Tampering {
        name: "cache reads are left out of the context",
        fault: |s| s.set("long", "/message/usage", "cache_read_input_tokens", json!(0)),
        falsifies: &["over_200k_calls", "tokens.cache_read"],
    },
    Tampering {
        name: "the advisor's call is not counted",
        fault: |s| s.set("long", "/message/usage", "iterations", json!([])),
        falsifies: &["by_model.calls", "calls", "tokens.input"],
    },
    Tampering {
        name: "a torn line is passed over in silence",
        fault: |s| {
            s.probe.session.retain(|line| !line.ends_with("torn in the midd"));
            Ok(())
        },
        falsifies: &["bad_lines", "lines"],
    },
    Tampering {
        name: "the unfinished last line is not seen",
        fault: |s| {
            if let Some(last) = s.probe.session.last_mut() {
                last.clear();
            }
            Ok(())
        },
        falsifies: &["pending_partial_lines"],
    },
    Tampering {
        name: "the subagents' files are not read",
        fault: |s| {
            s.probe.agents.clear();
            Ok(())
        },
        falsifies: &["abandoned_calls", "by_model.calls", "subagents", "tool_calls"],
    },
    Tampering {
        name: "what launched a subagent is not known",
        fault: |s| {
            for agent in &mut s.probe.agents {
                agent.meta = String::from("{}");
            }
            Ok(())
        },
        falsifies: &["abandoned_calls", "open_call_ids", "open_tool_calls"],
    },
    Tampering {
        name: "a refusal is taken for a failure",
        fault: |s| {
            s.set("denied", "", "toolDenialKind", Value::Null)?;
            s.replace("denied", "The user doesn't want to proceed", "It did not proceed")
        },
        falsifies: &["denied_calls", "failed_calls"],
    },
    Tampering {
        name: "an interruption is not seen",
        fault: |s| s.set("stop", "", "type", json!("system")),
        falsifies: &["interruptions", "late_results"],
    },
    Tampering {
        name: "the first prompt is taken for the harness's",
        fault: |s| s.set("goal", "", "isMeta", json!(true)),
        falsifies: &["goal", "prompts"],
    },
    Tampering {
        name: "the last prompt is taken for the harness's",
        fault: |s| s.set("latest", "", "isMeta", json!(true)),
        falsifies: &["latest_request", "open_call_ids", "open_tool_calls", "prompts"],
    },
    Tampering {
        name: "a repeated record is taken for a new one",
        fault: |s| s.set("read", "", "uuid", json!("read2")),
        falsifies: &["duplicate_results", "duplicates", "events"],
    },
    Tampering {
        name: "a repeated call is taken for a new one",
        fault: |s| s.replace("again", "\"id\":\"t1\"", "\"id\":\"t1b\""),
        falsifies: &["duplicate_calls", "per_tool", "tool_calls"],
    },
    Tampering {
        name: "a call without an id is given one",
        fault: |s| s.set("nameless", "/message/content/0", "id", json!("t0")),
        falsifies: &["calls_without_id", "interrupted_calls"],
    },
    Tampering {
        name: "a result is matched to another call",
        fault: |s| s.replace("orphan", "\"t99\"", "\"t9\""),
        falsifies: &[
            "dangling",
            "open_call_ids",
            "open_tool_calls",
            "orphan_results",
            "succeeded_calls",
        ],
    },
    Tampering {
        name: "a path is cut",
        fault: |s| {
            s.replace("reads", "/probe/settings.ini", "/probe/settings")?;
            s.replace("writes", "/probe/report.md", "/probe/report")
        },
        falsifies: &["facts", "files_read", "files_written"],
    },
    Tampering {
        name: "a retry is not seen",
        fault: |s| s.set("retry", "", "subtype", json!("informational")),
        falsifies: &["retries"],
    },
    Tampering {
        name: "an endpoint's failure is taken for an answer",
        fault: |s| s.set("apierror", "", "isApiErrorMessage", json!(false)),
        falsifies: &["errors", "events_by_kind"],
    },
    Tampering {
        name: "a compaction is not seen",
        fault: |s| s.set("compacted", "", "subtype", json!("informational")),
        falsifies: &["compactions", "events_by_kind"],
    },
    Tampering {
        name: "an unknown record is taken for a known one",
        fault: |s| s.set("future", "", "type", json!("system")),
        falsifies: &["events_by_kind", "unknown"],
    },
    Tampering {
        name: "a lost parent is not noticed",
        fault: |s| s.set("pasted", "", "parentUuid", json!("goal")),
        falsifies: &["orphans"],
    },
    Tampering {
        name: "a rewind is not seen",
        fault: |s| s.set("rewound", "", "parentUuid", json!("detoured")),
        falsifies: &["facts", "files_read", "turns", "turns_taken_back"],
    },
    Tampering {
        name: "a command's expansion is taken for its output",
        fault: |s| {
            let output = "<local-command-stdout>Check the report.</local-command-stdout>";
            s.set("expands", "", "isMeta", Value::Null)?;
            s.set("expands", "/message", "content", json!(output))
        },
        falsifies: &["prompts", "turns"],
    },
    Tampering {
        name: "what was typed beside a result is taken for the harness's",
        fault: |s| s.replace("typed", "Sort them by name", "<system-reminder>Sort them by name"),
        falsifies: &["prompts", "turns"],
    },
    Tampering {
        name: "a cancellation is taken for a failure",
        fault: |s| s.replace("cancelled", "Sibling tool call errored", "The tool call errored"),
        falsifies: &["cancelled_calls", "failed_calls", "per_tool_failed"],
    },
    Tampering {
        name: "a receipt is taken for an ordinary result",
        fault: |s| s.set("sent", "/toolUseResult", "status", json!("completed")),
        falsifies: &["abandoned_calls", "background_tasks", "open_call_ids", "open_tool_calls"],
    },
    Tampering {
        name: "a notification is not seen",
        fault: |s| s.set("notified", "", "type", json!("system")),
        falsifies: &["background_tasks"],
    },
    Tampering {
        name: "a change of folder, branch and permission mode is not seen",
        fault: |s| {
            for name in ["cwd", "gitBranch", "permissionMode"] {
                s.set("rewound", "", name, Value::Null)?;
            }
            Ok(())
        },
        falsifies: &[
            "branch",
            "branch_changes",
            "branch_since",
            "cwd",
            "cwd_changes",
            "cwd_since",
            "permission_mode",
            "permission_mode_changes",
            "permission_mode_since",
        ],
    },
    Tampering {
        name: "the last answer is taken for an endpoint's failure",
        fault: |s| s.set("closes", "", "isApiErrorMessage", json!(true)),
        falsifies: &["by_model.calls", "errors", "model", "model_changes", "model_since"],
    },
    Tampering {
        name: "entries of iterations are not seen",
        fault: |s| {
            s.set("newer", "/message/usage", "iterations", Value::Null)?;
            s.set("uneven", "/message/usage", "iterations", Value::Null)
        },
        falsifies: &["unknown_iterations", "unreconciled_iterations"],
    },
    Tampering {
        name: "what a client states of its models is not seen",
        fault: |s| s.set("stated", "", "modelUsage", Value::Null),
        falsifies: &[
            "by_model.output",
            "dollars",
            "estimated_output_tokens",
            "estimated_usd",
            "tokens.output",
            "unattributed_tokens.cache_creation",
            "unattributed_tokens.cache_read",
            "unattributed_tokens.input",
            "unattributed_tokens.output",
            "unfinished_usage",
        ],
    },
    Tampering {
        name: "what a client states as its cost is not seen",
        fault: |s| s.set("stated", "", "total_cost_usd", Value::Null),
        falsifies: &["stated_cost_usd"],
    },
    Tampering {
        name: "the end of an answer is not seen",
        fault: |s| s.set("finished", "/message", "stop_reason", Value::Null),
        falsifies: &["estimated_output_tokens", "estimated_usd", "unfinished_usage"],
    },
    Tampering {
        name: "redacted thinking is taken for withheld",
        fault: |s| {
            s.set("hides", "/message/content/0", "type", json!("thinking"))?;
            s.set("hides", "/message/content/0", "signature", json!("c2ln"))
        },
        falsifies: &["estimate_is_lower_bound"],
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use ground_truth::oracle::{DOLLAR_FIELD_NAMES, ESTIMATE_FIELD_NAMES, FIELD_NAMES};

    use super::*;

    #[test]
    fn together_they_falsify_every_field() {
        let names = [FIELD_NAMES, DOLLAR_FIELD_NAMES, ESTIMATE_FIELD_NAMES];
        let all: BTreeSet<&str> = names.concat().into_iter().collect();
        let falsified: BTreeSet<&str> =
            TAMPERINGS.iter().flat_map(|t| t.falsifies).copied().collect();
        assert_eq!(all.difference(&falsified).collect::<Vec<_>>(), Vec::<&&str>::new());
        assert_eq!(falsified.difference(&all).collect::<Vec<_>>(), Vec::<&&str>::new());
    }

    #[test]
    fn a_record_that_is_not_there_is_an_error() {
        let mut subject = Subject { probe: Probe::default(), config: FoldConfig::default() };
        assert!(subject.lose("nowhere").is_err());
        assert!(subject.replace("goal", "no such text", "").is_err());
    }
}
