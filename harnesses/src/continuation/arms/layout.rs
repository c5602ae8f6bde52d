//! How segments are laid out in messages: one message that is rewritten each step, or turns that are only ever
//! appended to.

use super::super::context::{Message, Prompt, Role, Segment};
use super::super::history::{History, Step};

/// Instructions for all, and one message with the task, whatever else there is, and these steps.
pub(super) fn flat<'a>(
    history: &'a History,
    before: impl IntoIterator<Item = &'a Segment>,
    steps: &'a [Step],
) -> Prompt {
    let steps = steps.iter().flat_map(|step| [&step.action, &step.observation]);
    one_message(history, before.into_iter().chain(steps))
}

/// The same with any segments after the task.
pub(super) fn one_message<'a>(
    history: &'a History,
    segments: impl IntoIterator<Item = &'a Segment>,
) -> Prompt {
    let segments = [&history.task].into_iter().chain(segments).cloned().collect();
    Prompt {
        messages: vec![
            Message::new(Role::System, vec![history.instructions.clone()]),
            Message::new(Role::User, segments),
        ],
    }
}

/// Instructions, a first turn with the task and whatever else there is, and these steps as turns,
/// with breakpoints at the end of the first turn and of the last.
pub(super) fn turns<'a>(
    history: &'a History,
    first: impl IntoIterator<Item = &'a Segment>,
    steps: &'a [Step],
) -> Prompt {
    let first = [&history.task].into_iter().chain(first).cloned().collect();
    let mut messages = vec![
        Message::new(Role::System, vec![history.instructions.clone()]),
        Message::new(Role::User, first).cached(),
    ];
    for step in steps {
        messages.push(Message::new(Role::Assistant, vec![step.action.clone()]));
        messages.push(Message::new(Role::User, vec![step.observation.clone()]));
    }
    if let Some(last) = messages.last_mut() {
        last.breakpoint = true;
    }
    Prompt { messages }
}
