//! Turns taken back: a person continues from an earlier record.

use super::stage::Stage;
use crate::session::tools::{Action, Call, Input};
use crate::text::lines::Dialect;
use crate::truth::tally::Thread;
use crate::world::{self, Doc};

impl Stage {
    /// The last record, to go back to.
    fn mark(&self) -> Option<String> {
        let last = self.worker.rec.last_uuid();
        (!last.is_empty()).then(|| last.to_owned())
    }

    /// A file full of facts that no call has read.
    fn new_facts(&mut self) -> usize {
        let root = self.worker.rec.client.cwd.clone();
        let path = world::new_path(&mut self.worker.text, &root, Dialect::Config);
        let bytes = crate::rng::to_index(self.worker.draw.between(600, 2500));
        let mut doc = Doc::new(&mut self.worker.text, Dialect::Config, path, bytes);
        while doc.facts.len() < 3 {
            let path = doc.path.clone();
            doc = Doc::new(&mut self.worker.text, Dialect::Config, path, bytes + 400);
        }
        self.worker.docs.push(doc);
        self.worker.docs.len() - 1
    }

    /// The agent reads all of a file.
    fn read_whole(&mut self, doc: usize) {
        let input = Input::default().s("file_path", &self.worker.docs[doc].path);
        let action = Action::Read { doc, offset: None, limit: None };
        let pending = self.send(Thread::Main, vec![Call { tool: "Read", input, action, ms: 60 }]);
        self.worker.collect(Thread::Main, pending);
    }

    /// One or two turns, with a file read and its facts, are taken back.
    pub(crate) fn taken_back(&mut self) {
        self.turn();
        let mark = self.mark();
        self.ask();
        let doc = self.new_facts();
        self.read_whole(doc);
        self.conclude();
        if self.worker.draw.chance(1, 2) {
            self.turn();
        }
        self.worker.rec.go_back(mark);
        self.turn();
    }

    /// A person goes back to before the first prompt.
    pub(crate) fn back_to_the_start(&mut self) {
        self.ask();
        let doc = self.new_facts();
        self.read_whole(doc);
        self.conclude();
        self.worker.rec.go_back(None);
        self.turn();
    }

    /// A person edits the last message and sends it again.
    pub(crate) fn edited_and_sent_again(&mut self) {
        let mark = self.mark();
        let text = self.ask();
        self.work(1);
        self.worker.rec.go_back(mark);
        self.ask_for(&format!("{text} And say why."));
        self.work(1);
        self.conclude();
    }

    /// A person leaves a branch and comes back to it.
    pub(crate) fn returned(&mut self) {
        self.turn();
        let mark = self.mark();
        self.ask();
        let doc = self.new_facts();
        self.read_whole(doc);
        self.conclude();
        let leaf = self.mark();
        self.worker.rec.go_back(mark);
        self.ask();
        let other = self.new_facts();
        self.read_whole(other);
        self.conclude();
        self.worker.rec.go_back(leaf);
        self.turn();
    }

    /// A file is read, read again in a turn that is taken back (by then a value had changed), and at
    /// times read once more.
    pub(crate) fn read_again(&mut self) {
        self.ask();
        let doc = self.new_facts();
        self.read_whole(doc);
        self.conclude();
        let mark = self.mark();
        self.ask();
        let change = self.worker.docs[doc].change(&mut self.worker.text);
        self.worker.docs[doc].apply(change);
        self.read_whole(doc);
        self.conclude();
        self.worker.rec.go_back(mark);
        self.ask();
        self.work(1);
        if self.worker.draw.chance(2, 3) {
            self.read_whole(doc);
        }
        self.conclude();
    }
}
