//! The shapes: a scene for each.

use super::stage::Stage;

/// A shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// Plays its scene.
    pub(crate) play: fn(&mut Stage),
    pub(crate) place: Place,
}

/// Where in a session a shape may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Anywhere,
    /// Near the start: it takes back everything before it, which should be little.
    Early,
    /// At the end: it leaves something unfinished.
    End,
}

/// All shapes. Their positions decide which sessions play them: new ones come last.
pub(crate) const SHAPES: [Shape; 52] = [
    anywhere(Stage::agent_notified),
    anywhere(Stage::agent_queued),
    anywhere(Stage::agent_queue_only),
    anywhere(|stage| stage.agent_ends_badly("failed")),
    anywhere(|stage| stage.agent_ends_badly("killed")),
    anywhere(Stage::agent_resumed),
    at_the_end(Stage::agent_still_at_it),
    anywhere(Stage::command_done),
    anywhere(Stage::command_failed),
    anywhere(Stage::command_asked_for),
    anywhere(|stage| stage.command_stopped("TaskStop", "task_id")),
    anywhere(|stage| stage.command_stopped("KillShell", "shell_id")),
    anywhere(Stage::put_in_the_background),
    anywhere(Stage::receipt_in_words),
    anywhere(Stage::notice_of_nothing),
    at_the_end(Stage::command_still_running),
    anywhere(Stage::cut_off),
    anywhere(Stage::cut_off_twice),
    anywhere(Stage::taken_back),
    early(Stage::back_to_the_start),
    anywhere(Stage::edited_and_sent_again),
    anywhere(Stage::returned),
    anywhere(Stage::read_again),
    anywhere(Stage::command_with_arguments),
    anywhere(Stage::command_alone),
    anywhere(Stage::command_without_expansion),
    anywhere(Stage::client_command),
    anywhere(Stage::client_command_as_system),
    anywhere(Stage::client_command_fails),
    anywhere(Stage::skill),
    anywhere(Stage::sibling_errored),
    anywhere(Stage::parallel_cancelled),
    anywhere(Stage::stream_fell_back),
    anywhere(Stage::hook_stopped),
    anywhere(Stage::worktree),
    anywhere(Stage::other_branch),
    anywhere(Stage::other_model),
    anywhere(Stage::other_mode),
    anywhere(Stage::compacted),
    anywhere(Stage::advised),
    anywhere(Stage::fell_back),
    anywhere(Stage::sum_fits),
    anywhere(Stage::last_fits),
    anywhere(Stage::nothing_fits),
    anywhere(Stage::unknown_entry),
    anywhere(Stage::withheld_thinking),
    anywhere(Stage::redacted_thinking),
    anywhere(Stage::start_only),
    anywhere(Stage::grown_unended),
    anywhere(Stage::right_unended),
    anywhere(Stage::unknown_records),
    anywhere(Stage::half_a_surrogate),
];

const fn anywhere(play: fn(&mut Stage)) -> Shape {
    Shape { play, place: Place::Anywhere }
}

const fn early(play: fn(&mut Stage)) -> Shape {
    Shape { play, place: Place::Early }
}

const fn at_the_end(play: fn(&mut Stage)) -> Shape {
    Shape { play, place: Place::End }
}
