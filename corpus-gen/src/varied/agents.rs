//! Background agents: launched by a receipt, at work in their own thread, and how they end.

use super::notices::Notice;
use super::stage::Stage;
use crate::json;
use crate::session::answers::Pending;
use crate::session::subagent::blocks;
use crate::session::tools::Input;
use crate::truth::background::TaskKind;
use crate::truth::tally::Thread;

/// An agent in the background.
#[derive(Debug)]
struct Agent {
    thread: Thread,
    id: String,
    call: String,
    short: String,
}

impl Agent {
    fn notice(&self, status: &'static str, summary: String) -> Notice {
        Notice { task: self.id.clone(), call: self.call.clone(), status, summary }
    }

    fn completed(&self) -> Notice {
        self.notice("completed", format!("Agent \"{}\" completed", self.short))
    }
}

impl Stage {
    /// Launches an agent that works by itself for a while.
    fn send_off(&mut self) -> Agent {
        self.fill(1);
        let (pending, thread, short) = self.worker.launch(true);
        let id = self.worker.agent_id(&thread);
        let receipt = self.worker.launched(&thread, &pending.id);
        self.worker.rec.result(Thread::Main, receipt, &pending.asked);
        self.worker.rec.tally.receipt(&pending.id, &id, TaskKind::Agent);
        let calls = self.worker.draw.between(2, 5);
        self.work_of(thread, calls);
        Agent { thread, id, call: pending.id, short }
    }

    /// The agent says in the end what it found.
    fn finish(&mut self, agent: &Agent) {
        self.fill(0);
        self.worker.conclude(agent.thread);
    }

    pub(crate) fn agent_notified(&mut self) {
        self.ask();
        let (first, second) = (self.send_off(), self.send_off());
        self.conclude();
        self.finish(&first);
        self.finish(&second);
        // Both notices stand in one record.
        self.notify(&[first.completed(), second.completed()]);
        self.work(1);
        self.conclude();
    }

    pub(crate) fn agent_queued(&mut self) {
        self.ask();
        let agent = self.send_off();
        self.work(2);
        self.finish(&agent);
        self.notify_queued(&agent.completed());
        self.work(1);
        self.conclude();
    }

    pub(crate) fn agent_queue_only(&mut self) {
        self.ask();
        let agent = self.send_off();
        self.finish(&agent);
        self.notify_queue_only(&agent.completed());
        self.conclude();
    }

    /// The agent ends with a call unanswered.
    pub(crate) fn agent_ends_badly(&mut self, status: &'static str) {
        self.ask();
        let agent = self.send_off();
        self.conclude();
        self.fill(1);
        self.worker.ask_for(agent.thread, 1);
        let minutes = self.worker.draw.between(2, 50);
        let summary = match status {
            "failed" => {
                format!("Agent \"{}\" failed: timed out after {minutes} minutes", agent.short)
            }
            _ => format!("Agent \"{}\" was stopped by the user", agent.short),
        };
        self.notify(&[agent.notice(status, summary)]);
        self.conclude();
    }

    /// The agent ends, is sent off again, and ends again or not.
    pub(crate) fn agent_resumed(&mut self) {
        self.ask();
        let agent = self.send_off();
        self.finish(&agent);
        self.notify(&[agent.completed()]);
        let wish = crate::text::prompts::request(&mut self.worker.text);
        let input = Input::default().s("to", &agent.id).s("message", &wish);
        let pending = self.call("SendMessage", input);
        self.resume(&agent, &pending);
        self.work_of(agent.thread, 2);
        if self.worker.draw.chance(1, 2) {
            self.finish(&agent);
            self.notify_queued(&agent.completed());
        }
        self.conclude();
    }

    fn resume(&mut self, agent: &Agent, pending: &Pending) {
        let text = format!(
            "Agent \"{}\" was resumed in the background.\nagentId: {}",
            agent.short, agent.id
        );
        let extra = json::built(|o| {
            o.b("isAsync", true);
            o.s("status", "async_launched");
            o.s("agentId", &agent.id);
        });
        let answer = blocks(&pending.id, vec![text], extra);
        self.worker.rec.result(Thread::Main, answer, &pending.asked);
        self.worker.rec.tally.receipt(&pending.id, &agent.id, TaskKind::Agent);
    }

    pub(crate) fn agent_still_at_it(&mut self) {
        self.ask();
        let agent = self.send_off();
        self.fill(1);
        self.worker.ask_for(agent.thread, 1);
        self.conclude();
    }
}
