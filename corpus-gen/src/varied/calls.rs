//! Calls that the client cancelled, and turns that a hook stopped.

use super::stage::Stage;
use crate::session::answers::refused;
use crate::text::names::kebab;
use crate::text::prose;
use crate::truth::tally::{CallOutcome, Thread};

impl Stage {
    pub(crate) fn sibling_errored(&mut self) {
        let wrapped = "<tool_use_error>Sibling tool call errored</tool_use_error>".to_owned();
        let bare = "Sibling tool call errored".to_owned();
        let text = if self.worker.draw.chance(2, 3) { wrapped } else { bare };
        self.cancelled(&text, true);
    }

    pub(crate) fn parallel_cancelled(&mut self) {
        let name = kebab(&mut self.worker.text);
        let text = format!(
            "<tool_use_error>Cancelled: parallel tool call Bash(make {name}) errored</tool_use_error>"
        );
        self.cancelled(&text, true);
    }

    pub(crate) fn stream_fell_back(&mut self) {
        let text =
            "<tool_use_error>Error: Streaming fallback - tool execution discarded</tool_use_error>";
        self.cancelled(text, false);
    }

    /// Several calls of one message: the first fails where `fails` says so, the others are given up.
    fn cancelled(&mut self, text: &str, fails: bool) {
        self.ask();
        let count = self.worker.draw.between(2, 4);
        let calls = (0..count).map(|_| self.worker.shell(600)).collect();
        let mut pending = self.send(Thread::Main, calls);
        if fails {
            let mut first = pending.remove(0);
            first.call.action = self.worker.failure("Bash", None);
            self.worker.answer(Thread::Main, first);
        }
        for one in pending {
            let answer = refused(one.id, CallOutcome::Cancelled, text.to_owned(), None);
            self.worker.rec.result(Thread::Main, answer, &one.asked);
        }
        self.work(1);
        self.conclude();
    }

    /// A hook stops the turn: the client says so in the person's name.
    pub(crate) fn hook_stopped(&mut self) {
        self.ask();
        self.work(1);
        let why = prose::line(&mut self.worker.text);
        self.worker.rec.pass(300);
        self.worker.rec.harness(&format!("Operation stopped by hook: {why}"), false);
    }
}
