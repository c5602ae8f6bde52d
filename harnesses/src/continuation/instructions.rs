//! What every worker is told before the task: how to act, which tools there are, what it is shown.

use std::fmt::Write as _;

use corpus_gen::tasks::Tool;

use super::arms::ArmSpec;
use super::context::Segment;
use crate::workbench::tool_help;

/// The instructions of an arm, over the tools that the bench offers.
pub(super) fn instructions(arm: &ArmSpec, tools: &[Tool]) -> Segment {
    let mut text = "[instructions]\n\
                    You work on a small set of files through tools, one call in each reply. Reply \
                    with one JSON object and nothing else: {\"tool\": NAME, \"args\": {...}}. The \
                    tools:\n"
        .to_owned();
    for tool in tools {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- {}", tool_help(*tool));
    }
    text.push_str(
        "A call may fail for no reason of yours: then call it again. You are shown the task and \
         what is kept of your earlier steps: [step N] is your reply, [observation N] what it led \
         to. Steps may be left out, and what stands in their place covers them.\n",
    );
    if arm.notes {
        text.push_str(
            "Add a field `note` to each reply: a short text with all that you need to go on from \
             here, since old observations may not be shown again. Each note replaces the last.\n",
        );
    }
    Segment::new(text)
}
