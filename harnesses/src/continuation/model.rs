//! Workers and helpers that are models behind an endpoint. Their cost follows the endpoint's counts.

use std::sync::Arc;

use anyhow::Context as _;
use corpus_gen::tasks::TaskSpec;
use tokio::runtime::Handle;
use trace_model::pricing::{Dollars, Priced};

use super::context::{Message, Prompt, Role};
use super::helper::{HelperModel, HelperReply};
use super::worker::{Reply, Worker, Workers};
use crate::model::{self, Block, CacheTtl, Called, Request, Runner};
use crate::usage::TokenUsage;

/// Workers that are one model.
pub struct ModelWorkers {
    client: Arc<ModelClient>,
    fallback: Option<Arc<ModelClient>>,
}

#[derive(Clone)]
struct ModelClient {
    runner: Runner,
    /// The model and its limits, before any request.
    request: Request,
    /// Where calls are made; replies are waited for on threads that are not its own.
    handle: Handle,
}

impl ModelWorkers {
    /// Workers that ask a runner. Must not be used on a thread of the runtime.
    #[must_use]
    pub fn new(runner: Runner, request: Request, handle: Handle) -> Self {
        Self { client: Arc::new(ModelClient { runner, request, handle }), fallback: None }
    }

    /// With another model that arms may ask about what the first refuses.
    #[must_use]
    pub fn with_fallback(self, model: &str) -> Self {
        let request = Request { model: model.to_owned(), ..self.client.request.clone() };
        let fallback = ModelClient { request, ..(*self.client).clone() };
        Self { fallback: Some(Arc::new(fallback)), ..self }
    }
}

impl Workers for ModelWorkers {
    fn worker(&self, _: TaskSpec) -> Box<dyn Worker + '_> {
        Box::new(ModelWorker { client: &self.client })
    }

    fn helper(&self) -> Option<Arc<dyn HelperModel>> {
        let helper: Arc<dyn HelperModel> = Arc::<ModelClient>::clone(&self.client);
        Some(helper)
    }

    fn fallback(&self) -> Option<Arc<dyn HelperModel>> {
        let fallback: Arc<dyn HelperModel> = Arc::<ModelClient>::clone(self.fallback.as_ref()?);
        Some(fallback)
    }
}

struct ModelWorker<'a> {
    client: &'a ModelClient,
}

impl Worker for ModelWorker<'_> {
    fn reply(&mut self, prompt: &Prompt, _: u64) -> anyhow::Result<Reply> {
        let request = request(&self.client.request, prompt);
        let called = self.client.call(&request)?;
        let (usage, dollars) = paid(&called);
        let Called { completion, .. } = called;
        Ok(Reply { text: completion.text, usage, dollars, model: completion.model_returned })
    }
}

impl ModelClient {
    fn call(&self, request: &Request) -> anyhow::Result<Called> {
        Ok(self.handle.block_on(self.runner.call(request, 0))?)
    }
}

impl HelperModel for ModelClient {
    fn ask(&self, instructions: &str, text: &str) -> anyhow::Result<HelperReply> {
        let request = self.request.clone().system(Block::new(instructions));
        let request = request.message(model::Message::user(text));
        let called = self.call(&request).context("the arm's own model")?;
        let (usage, dollars) = paid(&called);
        let refused = called.completion.is_refusal();
        Ok(HelperReply { text: called.completion.text, usage, dollars, refused })
    }
}

/// What a call used, and what that costs whether it was paid now or when it was recorded.
fn paid(called: &Called) -> (TokenUsage, Option<Dollars>) {
    let usage = called.completion.usage.unwrap_or_default();
    (usage, called.priced.as_ref().and_then(Priced::dollars))
}

/// A context as a request.
fn request(base: &Request, prompt: &Prompt) -> Request {
    let mut request = base.clone();
    for message in &prompt.messages {
        let block = block(message);
        match message.role {
            Role::System => request.system.push(block),
            Role::User => request.messages.push(turn(model::Role::User, block)),
            Role::Assistant => request.messages.push(turn(model::Role::Assistant, block)),
        }
    }
    request
}

fn turn(role: model::Role, block: Block) -> model::Message {
    model::Message { role, blocks: vec![block] }
}

fn block(message: &Message) -> Block {
    let text = message.text();
    // A turn of the model is what it wrote, without the header that says which step it is.
    let text = match message.role {
        Role::Assistant => {
            text.split_once("] ").map_or(text.as_str(), |(_, reply)| reply).trim_end()
        }
        Role::System | Role::User => text.as_str(),
    };
    Block { text: text.to_owned(), cache: message.breakpoint.then_some(CacheTtl::FiveMinutes) }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::continuation::context::Segment;

    #[test]
    fn turns_of_the_model_are_what_it_wrote() {
        let segment = |text: &str| vec![Segment::new(text.to_owned())];
        let prompt = Prompt {
            messages: vec![
                Message::new(Role::System, segment("[instructions]\nact")),
                Message::new(Role::User, segment("[task]\ngo")).cached(),
                Message::new(Role::Assistant, segment("[step 1] {\"tool\": \"done\"}")),
                Message::new(Role::User, segment("[observation 1]\nok")).cached(),
            ],
        };
        let request = request(&Request::new("m", NonZeroU32::MIN), &prompt);
        assert_eq!(request.system[0].text, "[instructions]\nact\n");
        let texts: Vec<&str> = request.messages.iter().map(|m| &*m.blocks[0].text).collect();
        assert_eq!(texts, ["[task]\ngo\n", "{\"tool\": \"done\"}", "[observation 1]\nok\n"]);
        let cached: Vec<bool> = request.blocks().map(|block| block.cache.is_some()).collect();
        assert_eq!(cached, [false, true, false, true]);
    }
}
