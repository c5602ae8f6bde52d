//! What records state of the end of a message, and thinking that is not shown.

use super::stage::Stage;
use crate::rng::to_index;
use crate::text::prose;
use crate::transcript::reply::Block;
use crate::truth::tally::Thread;

impl Stage {
    /// A message with only the signature of its thinking, as long as the thinking makes it.
    pub(crate) fn withheld_thinking(&mut self) {
        self.ask();
        self.work(1);
        let letters = to_index(self.worker.draw.between(400, 9000));
        let signature = self.worker.base64(letters);
        self.thoughtful(Block::Thinking { text: "", signature: &signature });
    }

    pub(crate) fn redacted_thinking(&mut self) {
        self.ask();
        self.work(1);
        let letters = to_index(self.worker.draw.between(300, 4000));
        let data = self.worker.base64(letters);
        self.thoughtful(Block::Redacted(&data));
    }

    fn thoughtful(&mut self, thinking: Block<'_>) {
        let text = self.worker.saying(900);
        let mut reply = self.worker.reply(Thread::Main, 2);
        self.worker.rec.block(&mut reply, thinking, "end_turn");
        self.worker.rec.block(&mut reply, Block::Text(&text), "end_turn");
    }

    /// Neither an end nor its numbers: a few tokens beside a long text.
    pub(crate) fn start_only(&mut self) {
        self.ask();
        self.work(1);
        let bytes = to_index(self.worker.draw.between(900, 4000));
        let text = prose::paragraphs(&mut self.worker.text, bytes);
        self.message_of(&text, |worker, reply| {
            reply.ends = false;
            reply.grows = false;
            reply.unfinished = true;
            reply.usage.output = worker.draw.between(1, 9);
        });
    }

    /// No end, but a number that grew from record to record.
    pub(crate) fn grown_unended(&mut self) {
        self.ask();
        self.work(1);
        let texts: Vec<String> =
            (0..3).map(|_| prose::paragraphs(&mut self.worker.text, 500)).collect();
        let mut reply = self.worker.reply(Thread::Main, 3);
        reply.ends = false;
        reply.grows = true;
        reply.unfinished = false;
        reply.usage.output = self.worker.draw.between(700, 1500);
        for text in &texts {
            self.worker.rec.block(&mut reply, Block::Text(text), "end_turn");
        }
    }

    /// No end, but as many tokens as such a text can have.
    pub(crate) fn right_unended(&mut self) {
        self.ask();
        self.work(1);
        let text = prose::line(&mut self.worker.text);
        self.message_of(&text, |worker, reply| {
            reply.ends = false;
            reply.grows = false;
            reply.unfinished = false;
            reply.usage.output = worker.draw.between(2000, 4000);
        });
    }
}
