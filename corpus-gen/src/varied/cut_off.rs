//! Foreground agents that were cut off: their call is answered, a call of theirs never is.

use super::stage::Stage;
use crate::session::answers::Pending;
use crate::session::tools::{Action, Call, Input};
use crate::truth::tally::Thread;

impl Stage {
    pub(crate) fn cut_off(&mut self) {
        self.ask();
        self.fill(1);
        let (pending, thread, _) = self.worker.launch(false);
        self.work_of(thread, 2);
        self.fill(2);
        self.worker.ask_for(thread, 2);
        self.cut(thread, &pending);
    }

    /// The agent that is cut off had launched another one.
    pub(crate) fn cut_off_twice(&mut self) {
        self.ask();
        self.fill(1);
        let (pending, outer, _) = self.worker.launch(false);
        self.work_of(outer, 1);
        let (short, task) = self.worker.errand();
        let input = Input::default()
            .s("description", &short)
            .s("prompt", &task)
            .s("subagent_type", "Explore");
        let call = Call { tool: "Task", input, action: Action::Picture(0), ms: 0 };
        let inner_call = self.send(outer, vec![call]).remove(0);
        let agent = self.worker.rec.add_agent(&inner_call.id, "Explore", &task);
        let inner = Thread::Agent(agent);
        self.worker.rec.task(inner, &task);
        self.work_of(inner, 1);
        self.fill(1);
        self.worker.ask_for(inner, 1);
        self.cut(outer, &pending);
    }

    fn cut(&mut self, thread: Thread, pending: &Pending) {
        let said = self.worker.saying(400);
        let answer = self.worker.reported(&thread, &pending.id, &said, 2, 90_000);
        self.worker.rec.result(Thread::Main, answer, &pending.asked);
        self.work(1);
        self.conclude();
    }
}
