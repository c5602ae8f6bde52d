//! Notifications of background tasks, in each of the records that carry one.

use super::stage::Stage;
use crate::json;
use crate::transcript::client::Layout;
use crate::transcript::recorder::Parent;
use crate::truth::background::TaskState;
use crate::truth::tally::{Kind, Thread};

/// What is notified.
#[derive(Debug, Clone)]
pub(crate) struct Notice {
    pub(crate) task: String,
    /// The call that launched it.
    pub(crate) call: String,
    pub(crate) status: &'static str,
    pub(crate) summary: String,
}

impl Notice {
    fn text(&self, result: &str) -> String {
        let Self { task, call, status, summary } = self;
        format!(
            "<task-notification>\n<task-id>{task}</task-id>\n<tool-use-id>{call}</tool-use-id>\n<status>{status}</status>\n<summary>{summary}</summary>\n<result>{result}</result>\n</task-notification>"
        )
    }

    fn state(&self) -> TaskState {
        match self.status {
            "completed" => TaskState::Completed,
            "failed" => TaskState::Failed,
            _ => TaskState::Stopped,
        }
    }
}

impl Stage {
    /// A user record that notifies, after the queue record that current clients write of it.
    pub(crate) fn notify(&mut self, notices: &[Notice]) {
        let texts: Vec<String> = notices.iter().map(|notice| self.noticed(notice)).collect();
        let text = texts.join("\n");
        if self.worker.rec.client.layout == Layout::Current {
            self.enqueue(&text);
        }
        let content = json::built(|o| {
            o.s("role", "user");
            o.s("content", &text);
        });
        let after = json::built(|o| {
            if self.worker.rec.client.layout == Layout::Current {
                o.obj("origin", |o| o.s("kind", "task-notification"));
            }
        });
        self.worker.rec.tally.event(Kind::Message);
        self.worker.rec.user(Thread::Main, &content, &after, Parent::Last);
        self.tell(notices);
    }

    /// An attachment that notifies: the notice waited while the agent worked.
    pub(crate) fn notify_queued(&mut self, notice: &Notice) {
        let text = self.noticed(notice);
        self.worker.rec.attachment(|o| {
            o.s("type", "queued_command");
            o.s("prompt", &text);
            o.s("commandMode", "task-notification");
            o.obj("origin", |o| o.s("kind", "task-notification"));
        });
        self.tell(std::slice::from_ref(notice));
    }

    /// Only the queue's own record notifies.
    pub(crate) fn notify_queue_only(&mut self, notice: &Notice) {
        let text = self.noticed(notice);
        self.enqueue(&text);
        self.tell(std::slice::from_ref(notice));
    }

    fn enqueue(&mut self, text: &str) {
        let time = self.worker.rec.time();
        self.worker.rec.note("queue-operation", |o| {
            o.s("operation", "enqueue");
            o.s("timestamp", &time);
            o.s("content", text);
        });
    }

    fn noticed(&mut self, notice: &Notice) -> String {
        let pause = self.worker.draw.between(2000, 60_000);
        self.worker.rec.pass(pause);
        notice.text(&crate::text::prose::line(&mut self.worker.text))
    }

    fn tell(&mut self, notices: &[Notice]) {
        for notice in notices {
            let tally = &mut self.worker.rec.tally;
            tally.task_says(&notice.task, notice.state(), &notice.summary);
        }
    }
}
