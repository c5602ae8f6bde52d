//! What the SDK prints as stream-json: placeholders for tokens, subagents inline, and in the end a
//! `result` record with the sums of the process.

use std::collections::BTreeMap;

use super::stage::Stage;
use crate::json;
use crate::session::worker::{Ends, Worker};
use crate::text::prose;
use crate::transcript::client::Layout;
use crate::truth::Tokens;
use crate::truth::tally::{Kind, Thread};
use crate::truth::tracked::Tracked;

/// A model that no message names: titles are made by it.
const BEHIND: &str = "claude-3-5-haiku-20241022";
/// The agents' model.
const AGENTS: &str = "claude-haiku-4-5-20251001";

/// Scenes of the shapes that such output can hold.
const SCENES: [fn(&mut Stage); 6] = [
    Stage::cut_off,
    Stage::sibling_errored,
    Stage::receipt_in_words,
    Stage::unknown_records,
    Stage::half_a_surrogate,
    Stage::last_fits,
];

/// Plays an SDK session. Number 0 ends with one result and has no prompt on record, number 1 has
/// several results, number 2 is cut off before any.
pub(crate) fn play(seed: u64, number: usize) -> Stage {
    let mut stage = Stage::new(seed, Layout::Stream);
    stage.worker.ends = if number == 2 { Ends::Never } else { Ends::Later };
    stage.worker.says_least = 400;
    stage.asks = number != 0;
    stage.init();
    let mut hidden = BTreeMap::new();
    let parts = if number == 1 { 3 } else { 1 };
    for part in 0..parts {
        stage.turn();
        let mut scenes = SCENES;
        stage.worker.draw.shuffle(&mut scenes);
        for play in scenes {
            play(&mut stage);
            stage.delegate();
            // One part alone is longer.
            for _ in 0..if parts == 1 { 4 } else { 1 } {
                stage.turn();
            }
        }
        if number != 2 {
            stage.result(part, &mut hidden);
        }
    }
    if number == 1 {
        // The process continues after its last result.
        stage.turn();
    }
    stage
}

impl Stage {
    fn init(&mut self) {
        let rec = &mut self.worker.rec;
        rec.tally.state(Tracked::Folder, &rec.client.cwd);
        rec.tally.state(Tracked::PermissionMode, rec.client.mode);
        let (cwd, mode, version) = (rec.client.cwd.clone(), rec.client.mode, rec.client.version);
        let model = self.worker.models[0].clone();
        self.worker.rec.system("init", |o| {
            o.s("cwd", &cwd);
            o.strings("tools", &["Task", "Bash", "Read", "Edit", "Grep", "Glob", "Write"]);
            o.raw("mcp_servers", b"[]");
            o.s("model", &model);
            o.s("permissionMode", mode);
            o.strings("slash_commands", &["compact", "cost", "review"]);
            o.s("apiKeySource", "none");
            o.s("claude_code_version", version);
        });
    }

    /// A foreground agent that ends well.
    fn delegate(&mut self) {
        self.fill(1);
        let (pending, thread, _) = self.worker.launch(false);
        self.work_of(thread, 3);
        self.fill(0);
        let report = self.worker.conclude(thread);
        let answer = self.worker.reported(&thread, &pending.id, &report, 3, 40_000);
        self.worker.rec.result(Thread::Main, answer, &pending.asked);
    }

    /// The `result` record of the process so far. `hidden` is what no message states.
    fn result(&mut self, part: u64, hidden: &mut BTreeMap<String, Tokens>) {
        let mut models: Vec<String> = vec![self.worker.models[0].clone(), AGENTS.to_owned()];
        models.push(BEHIND.to_owned());
        models.sort();
        models.dedup();
        let mut used = Vec::new();
        for model in models {
            let more = Tokens {
                input: self.worker.draw.below(400),
                output: self.worker.draw.between(900, 30_000),
                cache_creation: self.worker.draw.below(3000),
                cache_read: self.worker.draw.below(9000),
            };
            let sum = hidden.entry(model.clone()).or_default();
            sum.add(more);
            let mut stated = self.worker.rec.tally.of_model(&model);
            stated.add(*sum);
            self.worker.rec.tally.stated_model(&model, stated);
            // The name states a long context.
            let long = model == self.worker.models[0] && part == 1;
            used.push((if long { format!("{model}[1m]") } else { model }, stated));
        }
        // No zeros at the end: a client writes none.
        let (high, low) = (self.worker.draw.below(100_000), self.worker.draw.between(1, 9));
        let cost = format!("{}.{high:05}{low}", part + 1);
        self.worker.rec.tally.stated_cost(&cost);
        let (text, spent) =
            (prose::line(&mut self.worker.text), self.worker.draw.between(9000, 900_000));
        self.worker.rec.tally.event(Kind::SessionMeta);
        let (id, session) = (self.worker.rec.uuid(), self.worker.rec.client.session.clone());
        let turns = self.worker.draw.between(5, 60);
        self.worker.rec.bare(|o| {
            o.s("type", "result");
            o.s("subtype", "success");
            o.b("is_error", false);
            o.n("duration_ms", spent);
            o.n("duration_api_ms", spent * 3 / 4);
            o.n("num_turns", turns);
            o.s("result", &text);
            o.s("session_id", &session);
            o.raw("total_cost_usd", cost.as_bytes());
            o.obj("usage", |o| {
                o.n("input_tokens", used[0].1.input);
                o.n("output_tokens", used[0].1.output);
            });
            o.obj("modelUsage", |o| {
                for (model, stated) in &used {
                    o.obj(model, |o| {
                        o.n("inputTokens", stated.input);
                        o.n("outputTokens", stated.output);
                        o.n("cacheReadInputTokens", stated.cache_read);
                        o.n("cacheCreationInputTokens", stated.cache_creation);
                        o.n("webSearchRequests", 0);
                        o.raw("costUSD", b"0.25");
                    });
                }
            });
            o.raw("permission_denials", b"[]");
            o.s("uuid", &id);
        });
    }
}

impl Worker {
    /// A record of the stream beside the conversation; about the call `call` where one is running.
    pub(crate) fn stream_note(&mut self, call: Option<&str>) {
        let (id, session) = (self.rec.uuid(), self.rec.client.session.clone());
        let number = self.draw.between(1, 60);
        let fill: (&str, Vec<u8>) = match (call, self.draw.below(3)) {
            (Some(call), _) => (
                "tool_progress",
                json::built(|o| {
                    o.s("tool_use_id", call);
                    o.n("elapsed_time_seconds", number);
                }),
            ),
            (None, 0) => (
                "rate_limit_event",
                json::built(|o| {
                    o.obj("rate_limit_info", |o| o.s("status", "allowed"));
                }),
            ),
            (None, 1) => (
                "tool_use_summary",
                json::built(|o| {
                    o.s("summary", &prose::line(&mut self.text));
                }),
            ),
            (None, _) => (
                "stream_event",
                json::built(|o| {
                    o.obj("event", |o| {
                        o.s("type", "content_block_stop");
                        o.n("index", number);
                    });
                }),
            ),
        };
        let (kind, body) = fill;
        self.rec.tally.event(Kind::SessionMeta);
        self.rec.bare(|o| {
            o.s("type", kind);
            o.fields(&body);
            o.s("session_id", &session);
            o.s("uuid", &id);
        });
    }
}
