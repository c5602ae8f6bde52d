//! Arms that show steps as they were: all of them, or all without the content of old observations.

use super::super::context::{Message, Prompt, Role, Segment};
use super::super::history::{History, Step};
use super::layout::{flat, one_message, turns};
use super::policy::Arm;

/// Every step, in one message.
pub(super) struct Full;

impl Arm for Full {
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt> {
        Ok(flat(history, [], &history.steps))
    }
}

/// Every step, as turns that are appended to.
pub(super) struct Turns;

impl Arm for Turns {
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt> {
        Ok(turns(history, [], &history.steps))
    }
}

/// Every step, in one block that is rebuilt each time and has the only breakpoint: a cache written
/// and never read.
pub(super) struct OneBlock;

impl Arm for OneBlock {
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt> {
        let whole = Segment::new(flat(history, [], &history.steps).text());
        Ok(Prompt { messages: vec![Message::new(Role::User, vec![whole]).cached()] })
    }
}

/// Every action; observations but the last `keep` without their content.
pub(super) struct Mask {
    keep: usize,
}

impl Mask {
    pub(super) fn new(keep: usize) -> Self {
        Self { keep }
    }
}

impl Arm for Mask {
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt> {
        Ok(one_message(history, masked(&history.steps, self.keep)))
    }
}

/// The segments of steps, the observations but the last `keep` elided.
pub(super) fn masked(steps: &[Step], keep: usize) -> impl Iterator<Item = &Segment> {
    let old = steps.len().saturating_sub(keep);
    (0..).zip(steps).flat_map(move |(at, step)| {
        let observation = if at < old { &step.elided } else { &step.observation };
        [&step.action, observation]
    })
}
