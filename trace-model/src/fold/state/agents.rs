//! Subagents: which call launched each, and which of them are over.

use super::RunState;
use crate::detect::Observation;
use crate::event::{Body, Record, Thread};
use crate::fold::thread::{Launcher, MAIN, SIDECHAIN};
use crate::ids::{Digest64, Seq};

impl RunState {
    pub(super) fn thread(&mut self, record: &Record<'_>, seq: Seq) -> u32 {
        let name = match &record.thread {
            Thread::Main => return MAIN,
            Thread::Agent(id) => id.as_ref(),
            Thread::Sidechain => SIDECHAIN,
        };
        let known = self.threads.len();
        let thread = self.threads.intern(name);
        let is_new = self.threads.len() > known;
        if let Some(call) = &record.launched_by {
            self.link(thread, Launcher { call: Digest64::of(call), stated: true }, seq);
        }
        if is_new {
            if let Some(call) = self.named_launches.get(&Digest64::of(name)).copied() {
                self.link(thread, Launcher { call, stated: false }, seq);
            }
            self.settle(vec![thread], seq);
        }
        thread
    }

    /// Notes which call launched a thread's agent. What was known first holds, but what a result
    /// says gives way to what the agent's own records say.
    fn link(&mut self, thread: u32, launcher: Launcher, seq: Seq) {
        match self.launched_by.get(&thread) {
            Some(known) if known.stated || !launcher.stated => return,
            Some(known) => {
                let call = known.call;
                if let Some(threads) = self.launched.get_mut(&call) {
                    threads.remove(&thread);
                }
            }
            None => {}
        }
        self.launched_by.insert(thread, launcher);
        self.launched.entry(launcher.call).or_default().insert(thread);
        self.stop_if_launcher_was_stopped(thread, seq);
        self.settle(vec![thread], seq);
    }

    /// Closes the calls in flight in a thread because of an interruption or a prompt at `closed_at`; `seq` is
    /// where the ledger is now.
    pub(super) fn stop_threads(&mut self, thread: u32, closed_at: Seq, seq: Seq) {
        let mut threads = vec![thread];
        let mut launched = Vec::new();
        while let Some(thread) = threads.pop() {
            let closed = self.calls.interrupt(thread, closed_at);
            if thread == MAIN {
                self.handover.interrupt(&closed, closed_at);
            }
            for call in closed {
                self.detectors.observe(&Observation::Closed { seq: seq.0, thread, call: call.0 });
                let below = self.launched_by_call(call);
                threads.extend(&below);
                launched.extend(below);
            }
        }
        self.settle(launched, seq);
    }

    /// The threads of the agents that a call launched.
    pub(super) fn launched_by_call(&self, call: Digest64) -> Vec<u32> {
        let threads = self.launched.get(&call).into_iter().flatten();
        threads.copied().filter(|thread| *thread != MAIN).collect()
    }

    /// Closes a call of an agent that had been stopped before the call was read: subagents' files
    /// are read after their parent's.
    pub(super) fn stop_if_launcher_was_stopped(&mut self, thread: u32, seq: Seq) {
        let launcher = self.launched_by.get(&thread);
        let stopped_at = launcher.and_then(|launcher| self.calls.stopped_at(launcher.call));
        if let Some(stopped_at) = stopped_at {
            self.stop_threads(thread, stopped_at, seq);
        }
    }

    /// Rechecks whether the agents of these threads are over, and if so, those they launched. What an agent
    /// that is over has in flight is abandoned, and nothing is wrong with its silence.
    pub(super) fn settle(&mut self, mut threads: Vec<u32>, seq: Seq) {
        while let Some(thread) = threads.pop() {
            let over = self.is_over(thread);
            let Some(calls) = self.calls.set_over(thread, over) else { continue };
            for call in calls {
                threads.extend(self.launched_by_call(call));
                if over {
                    let call = call.0;
                    self.detectors.observe(&Observation::Closed { seq: seq.0, thread, call });
                }
            }
            if over {
                self.detectors.observe(&Observation::ThreadEnded { seq: seq.0, thread });
            }
        }
    }

    /// As [`RunState::settle`], of the threads that a background task may be: by its id, and by the
    /// calls that launched it.
    pub(super) fn settle_task(&mut self, id: &str, seq: Seq) {
        let calls = self.tasks.calls_of(id).into_iter();
        let mut threads: Vec<u32> = calls.flat_map(|call| self.launched_by_call(call)).collect();
        threads.extend(self.threads.place(id).filter(|thread| *thread != MAIN));
        self.settle(threads, seq);
    }

    /// Whether nothing can answer a thread's calls any more.
    fn is_over(&self, thread: u32) -> bool {
        let mut thread = thread;
        // Launching calls form chains; a longer one than there are threads goes round in a circle.
        for _ in 0..self.threads.len() {
            if thread == MAIN {
                return false;
            }
            let launcher = self.launched_by.get(&thread).map(|launcher| launcher.call);
            let by_call = || launcher.and_then(|call| self.tasks.of_call(call));
            if let Some(task) = self.tasks.get(self.threads.get(thread)).or_else(by_call) {
                return !task.is_running();
            }
            let Some(launcher) = launcher else { return false };
            if self.calls.is_answered(launcher) {
                return true;
            }
            match self.calls.open(launcher) {
                None => return false,
                Some(call) if call.interrupted => return true,
                Some(call) => thread = call.thread,
            }
        }
        false
    }

    /// The record's result names the agent that its call launched.
    pub(super) fn name_launch(&mut self, record: &Record<'_>, seq: Seq) {
        let Some(agent) = &record.background.launched_agent else { return };
        let call = record.events.iter().find_map(|event| match &event.body {
            Body::ToolResult { call_id: Some(id), .. } => Some(Digest64::of(id)),
            _ => None,
        });
        let Some(call) = call else { return };
        let name = Digest64::of(agent);
        if self.named_launches.contains_key(&name) {
            return;
        }
        self.named_launches.insert(name, call);
        if let Some(thread) = self.threads.place(agent).filter(|thread| *thread != MAIN) {
            self.link(thread, Launcher { call, stated: false }, seq);
        }
    }
}
