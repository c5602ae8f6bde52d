//! What a person wrote, and from which turn it goes on.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// What stands before the request in a message that an editor has put its context into.
const REQUEST: &str = "## My request for Codex:";
/// What a text starts with that the client wrote in a person's place.
const INJECTED: [&str; 5] = [
    "<environment_context>",
    "<user_instructions>",
    "<turn_aborted>",
    "<subagent_notification>",
    "# AGENTS.md instructions",
];

/// What a person wrote of a message, if it is theirs.
pub(super) fn typed(message: &str, has_image: bool) -> Option<Cow<'_, str>> {
    let text = message.split_once(REQUEST).map_or(message, |(_, request)| request).trim();
    if text.is_empty() {
        return has_image.then_some(Cow::Borrowed("[image]"));
    }
    let injected = INJECTED.iter().any(|start| text.starts_with(start));
    (!injected).then_some(Cow::Borrowed(text))
}

/// The prompts of a file, as far as a rollback needs them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Prompts {
    /// How many there were.
    count: u64,
    /// The numbers of those in force, in order.
    in_force: Vec<u64>,
    /// Whether a record that is no prompt stands before the first.
    rooted: bool,
}

/// The links of a prompt's record.
pub(super) struct Links {
    /// Its own id.
    pub(super) own: String,
    /// The id of the record that it goes on from.
    pub(super) parent: Option<String>,
}

impl Prompts {
    /// The id of the record that stands before the first prompt, if this is the one: the file's first.
    pub(super) fn root(&mut self) -> Option<String> {
        let is_first = self.count == 0 && !self.rooted;
        self.rooted = true;
        is_first.then(|| id(0))
    }

    /// The next prompt.
    pub(super) fn next(&mut self) -> Links {
        let root = self.rooted.then_some(0);
        let parent = self.in_force.last().copied().or(root).map(id);
        self.count += 1;
        self.in_force.push(self.count);
        Links { own: id(self.count), parent }
    }

    /// The newest turns in force are no longer, so many of them.
    pub(super) fn roll_back(&mut self, turns: u64) {
        let turns = usize::try_from(turns).unwrap_or(usize::MAX);
        self.in_force.truncate(self.in_force.len().saturating_sub(turns));
    }
}

fn id(prompt: u64) -> String {
    format!("prompt {prompt}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_wrote_is_not_typed() {
        assert_eq!(typed(" hi\n", false).as_deref(), Some("hi"));
        let editor =
            "# Context from my IDE setup:\n## Open tabs:\n\n## My request for Codex:\nfix it\n";
        assert_eq!(typed(editor, false).as_deref(), Some("fix it"));
        assert_eq!(typed("  ", false), None);
        assert_eq!(typed("  ", true).as_deref(), Some("[image]"));
        assert_eq!(typed("<environment_context>\n</environment_context>", true), None);
        assert_eq!(typed("# AGENTS.md instructions for /w", false), None);
    }

    #[test]
    fn a_rollback_makes_the_next_prompt_go_on_from_an_earlier_one() {
        let mut prompts = Prompts::default();
        assert!(prompts.root().is_some());
        let parents: Vec<Option<String>> = (0..3).map(|_| prompts.next().parent).collect();
        let of = |number| Some(id(number));
        assert_eq!(parents, [of(0), of(1), of(2)]);
        prompts.roll_back(2);
        assert_eq!(prompts.next().parent, of(1));
        prompts.roll_back(9);
        assert_eq!(prompts.next().parent, of(0));
        assert_eq!(prompts.root(), None);
    }
}
