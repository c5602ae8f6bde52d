//! Records of types that nobody knows, and text that was cut inside a character.

use super::stage::Stage;
use crate::session::answers::refused;
use crate::text::names::{kebab, noun};
use crate::text::prompts;
use crate::truth::tally::{CallOutcome, Kind, Thread};

impl Stage {
    /// Two different records of an unknown type under one uuid, and the first of them again; two
    /// different records of the client's own under another.
    pub(crate) fn unknown_records(&mut self) {
        self.ask();
        self.work(1);
        let (id, other) = (self.worker.rec.uuid(), self.worker.rec.uuid());
        let kind = format!("x-{}", kebab(&mut self.worker.text));
        let (first, second) = (noun(&mut self.worker.text), kebab(&mut self.worker.text));
        for (text, known) in [(first, false), (second.as_str(), false), (first, true)] {
            if known {
                self.worker.rec.tally.duplicate();
            } else {
                self.worker.rec.tally.event(Kind::Unknown);
            }
            self.worker.rec.bare(|o| {
                o.s("type", &kind);
                o.s("value", text);
                o.s("uuid", &id);
            });
        }
        for text in [first, second.as_str()] {
            self.worker.rec.tally.event(Kind::SessionMeta);
            self.worker.rec.bare(|o| {
                o.s("type", "tag");
                o.s("tag", text);
                o.s("uuid", &other);
            });
        }
        self.conclude();
    }

    /// A prompt and a failed result that end in half a surrogate pair.
    pub(crate) fn half_a_surrogate(&mut self) {
        let text = format!("{} \u{fffd}", prompts::request(&mut self.worker.text));
        self.worker.rec.halves = true;
        self.ask_for(&text);
        self.worker.rec.halves = false;
        let call = self.worker.shell(400);
        let pending = self.send(Thread::Main, vec![call]).remove(0);
        let name = kebab(&mut self.worker.text);
        let answer = refused(
            pending.id,
            CallOutcome::Failed,
            format!("Exit code 1\n{name} \u{fffd} failed"),
            None,
        );
        self.worker.rec.halves = true;
        self.worker.rec.result(Thread::Main, answer, &pending.asked);
        self.worker.rec.halves = false;
        self.conclude();
    }
}
