//! Background commands: the receipts that launch them, and everything that says how they stand.

use super::notices::Notice;
use super::stage::Stage;
use crate::json;
use crate::session::tools::Input;
use crate::text::names::{hex, kebab, verb};
use crate::text::prose;
use crate::transcript::results::text_json;
use crate::truth::background::{TaskKind, TaskState};

/// A command in the background.
#[derive(Debug)]
struct Task {
    id: String,
    call: String,
    command: String,
}

/// The form of a receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Receipt {
    Field,
    ByUser,
    Words,
}

impl Task {
    fn notice(&self, status: &'static str, how: &str) -> Notice {
        let summary = format!("Background command \"{}\" {how}", self.command);
        Notice { task: self.id.clone(), call: self.call.clone(), status, summary }
    }
}

impl Stage {
    fn launch_command(&mut self, receipt: Receipt) -> Task {
        let text = &mut self.worker.text;
        let command = format!("make {}-{}", verb(text), kebab(text));
        let id = format!("b{}", hex(text, 7));
        let mut input = Input::default().s("command", &command).s("description", "Runs a target");
        if receipt != Receipt::ByUser {
            input = input.raw("run_in_background", b"true".to_vec());
        }
        let pending = self.call("Bash", input);
        let output = format!("/tmp/tasks/{id}.output");
        let words = match receipt {
            Receipt::ByUser => format!(
                "Command was manually backgrounded by user with ID: {id}. Output is being written to: {output}"
            ),
            _ => format!(
                "Command running in background with ID: {id}. Output is being written to: {output}"
            ),
        };
        let extra = match receipt {
            Receipt::Words => text_json(&words),
            _ => json::built(|o| {
                o.s("stdout", "");
                o.s("stderr", "");
                o.b("interrupted", false);
                o.s("backgroundTaskId", &id);
                if receipt == Receipt::ByUser {
                    o.b("backgroundedByUser", true);
                }
            }),
        };
        self.says(&pending, &words, extra);
        self.worker.rec.tally.receipt(&pending.id, &id, TaskKind::Command);
        Task { id, call: pending.id, command }
    }

    pub(crate) fn command_done(&mut self) {
        self.ask();
        let task = self.launch_command(Receipt::Field);
        self.work(2);
        self.notify(&[task.notice("completed", "completed (exit code 0)")]);
        self.conclude();
    }

    pub(crate) fn command_failed(&mut self) {
        self.ask();
        let task = self.launch_command(Receipt::Field);
        self.conclude();
        let code = self.worker.draw.between(1, 140);
        self.notify(&[task.notice("failed", &format!("failed with exit code {code}"))]);
        self.conclude();
    }

    /// The agent asks how a command stands: it runs, then it has ended.
    pub(crate) fn command_asked_for(&mut self) {
        self.ask();
        let task = self.launch_command(Receipt::Field);
        self.work(1);
        for status in ["running", "completed"] {
            let input = Input::default()
                .s("task_id", &task.id)
                .raw("block", b"true".to_vec())
                .n("timeout", if status == "running" { 5000 } else { 600_000 });
            let pending = self.call("TaskOutput", input);
            let output = prose::line(&mut self.worker.text);
            let waited = if status == "running" { "timeout" } else { "success" };
            let text = format!(
                "<retrieval_status>{waited}</retrieval_status>\n\n<task_id>{}</task_id>\n\n<status>{status}</status>\n\n<output>\n{output}\n</output>",
                task.id
            );
            let extra = json::built(|o| {
                o.s("retrieval_status", waited);
                o.obj("task", |o| {
                    o.s("task_id", &task.id);
                    o.s("task_type", "local_bash");
                    o.s("status", status);
                    o.s("description", &task.command);
                    o.s("output", &output);
                });
            });
            self.says(&pending, &text, extra);
        }
        self.worker.rec.tally.task_says(&task.id, TaskState::Completed, "");
        self.conclude();
    }

    /// The agent stops a command by a tool whose input names it under `key`.
    pub(crate) fn command_stopped(&mut self, tool: &'static str, key: &'static str) {
        self.ask();
        let task = self.launch_command(Receipt::Field);
        self.work(1);
        let pending = self.call(tool, Input::default().s(key, &task.id));
        let text = format!("Successfully stopped task: {} ({})", task.id, task.command);
        let extra = json::built(|o| {
            o.s("message", &text);
            o.s(key, &task.id);
        });
        self.says(&pending, &text, extra);
        self.worker.rec.tally.task_says(&task.id, TaskState::Stopped, "");
        self.conclude();
    }

    pub(crate) fn put_in_the_background(&mut self) {
        self.ask();
        let task = self.launch_command(Receipt::ByUser);
        self.work(1);
        self.notify_queued(&task.notice("killed", "was stopped"));
        self.conclude();
    }

    /// Only the words of the result tell that it is a receipt.
    pub(crate) fn receipt_in_words(&mut self) {
        self.ask();
        let task = self.launch_command(Receipt::Words);
        self.work(1);
        if self.worker.draw.chance(1, 2) {
            self.notify(&[task.notice("completed", "completed (exit code 0)")]);
        }
        self.conclude();
    }

    /// A notice of a task that no call of the run launched says nothing.
    pub(crate) fn notice_of_nothing(&mut self) {
        self.ask();
        self.work(1);
        let text = &mut self.worker.text;
        let task = Task {
            id: format!("b{}", hex(text, 7)),
            call: format!("toolu_01{}", hex(text, 22)),
            command: format!("make {}", kebab(text)),
        };
        self.notify(&[task.notice("failed", "failed with exit code 3")]);
        self.conclude();
    }

    pub(crate) fn command_still_running(&mut self) {
        self.ask();
        self.launch_command(Receipt::Field);
        self.conclude();
    }
}
