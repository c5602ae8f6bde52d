//! Subagents: the call that launches one, its own thread, and what comes back.

use super::answers::Pending;
use super::plan::AgentPlan;
use super::tools::{Action, Call, Input};
use super::worker::Worker;
use crate::json;
use crate::transcript::results::{Answer, Content};
use crate::truth::background::TaskKind;
use crate::truth::tally::{CallOutcome, Thread};

/// Kinds of subagents.
const KINDS: [&str; 3] = ["Explore", "general-purpose", "Plan"];

impl Worker {
    /// Launches a subagent, lets it work, and takes its answer.
    pub(crate) fn delegate(&mut self, plan: AgentPlan) {
        let (pending, thread, short) = self.launch(plan.background);
        if plan.background {
            let note = self.launched(&thread, &pending.id);
            self.rec.result(Thread::Main, note, &pending.asked);
            let task = self.agent_id(&thread);
            self.rec.tally.receipt(&pending.id, &task, TaskKind::Agent);
            self.work(thread, plan.calls);
            self.notification(&format!("Agent \"{short}\""));
        } else {
            let began = self.rec.now;
            let report = self.work(thread, plan.calls);
            let spent = self.rec.now - began;
            let answer = self.reported(&thread, &pending.id, &report, plan.calls, spent);
            self.rec.result(Thread::Main, answer, &pending.asked);
        }
    }

    /// Launches a subagent whose last call gets no answer. The launching call is still open.
    pub(crate) fn delegate_open(&mut self) {
        let (_, thread, _) = self.launch(false);
        self.step(thread, 1);
        self.ask_for(thread, 1);
        if self.draw.chance(1, 2) {
            self.rec.interruption(thread, true);
        }
    }

    pub(crate) fn launch(&mut self, background: bool) -> (Pending, Thread, String) {
        let (short, task) = self.errand();
        let kind = *self.draw.pick(&KINDS);
        let mut input =
            Input::default().s("description", &short).s("prompt", &task).s("subagent_type", kind);
        if background {
            input = input.raw("run_in_background", b"true".to_vec());
        }
        let action = Action::Picture(0); // answered by whoever launched it
        let call = Call { tool: "Task", input, action, ms: 0 };
        let mut pending = self.send(Thread::Main, vec![call]);
        let pending = pending.remove(0);
        let agent = self.rec.add_agent(&pending.id, kind, &task);
        let thread = Thread::Agent(agent);
        self.rec.pass(300);
        self.budget.messages = self.budget.messages.saturating_sub(1);
        self.rec.task(thread, &task);
        (pending, thread, short)
    }

    pub(crate) fn work(&mut self, thread: Thread, calls: u64) -> String {
        let mut left = calls;
        while left > 0 {
            let n = self.draw.between(1, 3).min(left);
            self.step(thread, n);
            left -= n;
        }
        self.conclude(thread)
    }

    pub(crate) fn agent_id(&self, thread: &Thread) -> String {
        match thread {
            Thread::Agent(agent) => self.rec.agents[*agent].id.clone(),
            Thread::Main => String::new(),
        }
    }

    pub(crate) fn launched(&mut self, thread: &Thread, call: &str) -> Answer {
        let id = self.agent_id(thread);
        let text = format!(
            "Async agent launched successfully.\nagentId: {id} (internal ID - do not mention to user.)\nThe agent is working in the background. You will be notified automatically when it completes."
        );
        let extra = json::built(|o| {
            o.b("isAsync", true);
            o.s("status", "async_launched");
            o.s("agentId", &id);
        });
        blocks(call, vec![text], extra)
    }

    pub(crate) fn reported(
        &mut self,
        thread: &Thread,
        call: &str,
        report: &str,
        calls: u64,
        ms: u64,
    ) -> Answer {
        let id = self.agent_id(thread);
        let tokens = self.draw.between(9000, 60_000);
        let extra = json::built(|o| {
            o.s("status", "completed");
            o.s("agentId", &id);
            o.one("content", |o| {
                o.s("type", "text");
                o.s("text", report);
            });
            o.n("totalDurationMs", ms);
            o.n("totalTokens", tokens);
            o.n("totalToolUseCount", calls);
            // Repeats what the subagent's own records report.
            o.obj("usage", |o| {
                o.n("input_tokens", 4);
                o.n("cache_read_input_tokens", tokens - 4);
                o.n("output_tokens", 200);
            });
        });
        let resume =
            format!("agentId: {id} (for resuming to continue this agent's work if needed)");
        blocks(call, vec![report.to_owned(), resume], extra)
    }
}

pub(crate) fn blocks(call: &str, texts: Vec<String>, extra: Vec<u8>) -> Answer {
    Answer {
        call: call.to_owned(),
        outcome: CallOutcome::Succeeded,
        content: Content::Blocks(texts),
        extra,
        denial: None,
        reading: None,
        says_ok: false,
    }
}
