//! The shapes, and which session plays which.

use super::Role;

/// A shape that a scene is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    AgentNotified,
    AgentQueued,
    AgentQueueOnly,
    AgentFailed,
    AgentKilled,
    AgentResumed,
    AgentStillAtIt,
    CommandDone,
    CommandFailed,
    CommandAskedFor,
    CommandStopped,
    ShellKilled,
    PutInTheBackground,
    ReceiptInWords,
    NoticeOfNothing,
    CommandStillRunning,
    CutOff,
    CutOffTwice,
    TakenBack,
    BackToTheStart,
    EditedAndSentAgain,
    Returned,
    ReadAgain,
    CommandWithArguments,
    CommandAlone,
    CommandWithoutExpansion,
    ClientCommand,
    ClientCommandAsSystem,
    ClientCommandFails,
    Skill,
    SiblingErrored,
    ParallelCancelled,
    StreamFellBack,
    HookStopped,
    Worktree,
    OtherBranch,
    OtherModel,
    OtherMode,
    Compacted,
    Advised,
    FellBack,
    SumFits,
    LastFits,
    NothingFits,
    UnknownEntry,
    WithheldThinking,
    RedactedThinking,
    StartOnly,
    GrownUnended,
    RightUnended,
    UnknownRecords,
    HalfASurrogate,
}

impl Shape {
    /// All of them. Their places decide which sessions play them: new ones come last.
    pub(crate) const ALL: [Shape; 52] = [
        Shape::AgentNotified,
        Shape::AgentQueued,
        Shape::AgentQueueOnly,
        Shape::AgentFailed,
        Shape::AgentKilled,
        Shape::AgentResumed,
        Shape::AgentStillAtIt,
        Shape::CommandDone,
        Shape::CommandFailed,
        Shape::CommandAskedFor,
        Shape::CommandStopped,
        Shape::ShellKilled,
        Shape::PutInTheBackground,
        Shape::ReceiptInWords,
        Shape::NoticeOfNothing,
        Shape::CommandStillRunning,
        Shape::CutOff,
        Shape::CutOffTwice,
        Shape::TakenBack,
        Shape::BackToTheStart,
        Shape::EditedAndSentAgain,
        Shape::Returned,
        Shape::ReadAgain,
        Shape::CommandWithArguments,
        Shape::CommandAlone,
        Shape::CommandWithoutExpansion,
        Shape::ClientCommand,
        Shape::ClientCommandAsSystem,
        Shape::ClientCommandFails,
        Shape::Skill,
        Shape::SiblingErrored,
        Shape::ParallelCancelled,
        Shape::StreamFellBack,
        Shape::HookStopped,
        Shape::Worktree,
        Shape::OtherBranch,
        Shape::OtherModel,
        Shape::OtherMode,
        Shape::Compacted,
        Shape::Advised,
        Shape::FellBack,
        Shape::SumFits,
        Shape::LastFits,
        Shape::NothingFits,
        Shape::UnknownEntry,
        Shape::WithheldThinking,
        Shape::RedactedThinking,
        Shape::StartOnly,
        Shape::GrownUnended,
        Shape::RightUnended,
        Shape::UnknownRecords,
        Shape::HalfASurrogate,
    ];

    /// Whether a session ends with it: what is still going on then.
    pub(crate) fn is_last(self) -> bool {
        matches!(self, Shape::AgentStillAtIt | Shape::CommandStillRunning)
    }
}

/// Of nine clients' sessions, those that play a shape, counted from its own place.
const TURNS: [usize; 4] = [0, 2, 3, 7];

/// Whether client number `number` (of nine) plays the shape at place `at`.
pub(crate) fn plays(number: usize, at: usize) -> bool {
    TURNS.contains(&((number + 9 - at % 9) % 9))
}

/// Three seeds of any twelve in a row are the SDK's, nine a client's.
pub(crate) fn role(seed: u64) -> Role {
    let of_twelve = crate::rng::to_index(seed % 12);
    if of_twelve % 4 == 1 {
        Role::Stream(of_twelve / 4)
    } else {
        Role::Client(of_twelve - (of_twelve + 2) / 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn any_twelve_seeds_in_a_row_have_every_role_and_play_every_shape_four_times() {
        for first in [0, 201, u64::MAX - 11] {
            let roles: Vec<Role> = (0..12).map(|n| role(first + n)).collect();
            let numbers: BTreeSet<usize> = roles
                .iter()
                .filter_map(|role| if let Role::Client(n) = role { Some(*n) } else { None })
                .collect();
            assert_eq!(numbers.into_iter().collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
        }
        for at in 0..Shape::ALL.len() {
            assert_eq!((0..9).filter(|number| plays(*number, at)).count(), 4);
        }
        for number in 0..9 {
            assert!((0..Shape::ALL.len()).filter(|at| plays(number, *at)).count() > 20);
        }
    }
}
