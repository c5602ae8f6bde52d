//! What each part of the handover view is worth: which part gives way to which when the budget is short.
//!
//! The worth of the lists is the share of their newest items that an agent's next calls needed, in thousandths,
//! as `tracefold continue replay` finds it over recorded runs (`docs/METHODOLOGY.md`, "Replay"); it falls to a half
//! at the rank `half`. What no call names and a reader must still know (the request, what is in
//! flight, what failed) has its worth from the questions of COMPREHEND, and from what follows if it is not
//! known: it is set so high that it comes first. The order of the rows is the order in which the view shows them.

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Worth {
    /// The name at the start of the part's heading.
    pub(super) name: &'static str,
    /// Its name where the view says that nothing of it is shown.
    pub(super) short: &'static str,
    /// What the first item is worth, if that is more than `later`: what must not be missing.
    pub(super) first: u64,
    /// What its items are worth, from the first one on.
    pub(super) later: u64,
    /// The rank at which an item is worth half as much.
    pub(super) half: u64,
    /// How many items are shown at most, whatever the budget.
    pub(super) cap: usize,
}

/// Names the rows, and lists them in order.
macro_rules! worths {
    ($($id:ident = $name:literal, $short:literal, $first:literal, $worth:literal, $half:literal, $cap:literal;)+) => {
        $(pub(super) static $id: Worth =
            Worth { name: $name, short: $short, first: $first, later: $worth, half: $half, cap: $cap };)+

        /// All rows, in the order in which the view shows the parts.
        pub(super) static ALL: &[&Worth] = &[$(&$id,)+];
    };
}

worths! {
    SESSION = "SESSION", "session", 4_000_000, 2_000, 1, 4;
    GOAL = "GOAL", "goal", 3_000_000, 3_000, 1, 3;
    LATEST = "LATEST REQUEST", "latest request", 3_500_000, 6_000, 1, 4;
    INSTRUCTIONS = "STANDING INSTRUCTIONS", "instructions", 0, 1_500, 4, 30;
    TODO = "TODO", "to-dos", 0, 1_000, 6, 40;
    PLAN = "PLAN", "plan", 0, 600, 1, 4;
    TAKEN_BACK = "TURNS TAKEN BACK", "taken back", 0, 1_000, 4, 8;
    ALERTS = "ALERTS", "alerts", 0, 1_000, 4, 20;
    UNANSWERED = "CALLS WITHOUT A RESULT", "open calls", 2_000_000, 20_000, 12, 40;
    BACKGROUND = "BACKGROUND TASKS", "tasks", 1_500_000, 3_000, 4, 40;
    // Where none of them is running any more.
    BACKGROUND_ENDED = "BACKGROUND TASKS", "tasks", 0, 1_200, 4, 40;
    LAST_ERROR = "LAST ERROR", "last error", 6_500, 2_000, 1, 4;
    OPEN_FAILURES = "FAILURES not mended since", "failures", 0, 600, 3, 6;
    REFUSED = "REFUSED CALLS", "refused calls", 7_000, 1_000, 2, 8;
    FILES = "FILES", "files", 0, 14_000, 15, 400;
    COMMANDS = "COMMANDS", "commands", 0, 9_600, 10, 120;
    NAMES_CALLED = "NAMES in calls", "names", 0, 3_400, 40, 200;
    NAMES_SAID = "NAMES in messages", "names", 0, 3_400, 160, 100;
    PATHS_SEEN = "PATHS mentioned", "paths", 0, 3_500, 7, 80;
    REFERENCES = "REFERENCES", "references", 0, 1_600, 90, 60;
    NAMES_SEEN = "NAMES in results", "names", 0, 1_600, 48, 160;
    ANSWER = "LAST ANSWER", "last answer", 5_000, 1_200, 1, 4;
    EVENTS = "LAST EVENTS of the main thread", "events", 0, 1_500, 4, 8;
    COUNTS = "COUNTS", "counts", 0, 7_000, 1, 1;
    TIME = "TIME", "time", 0, 5_000, 1, 1;
    TURNS = "TURNS", "turns", 0, 7_500, 8, 200;
    ASKED = "REQUESTS", "requests", 0, 4_500, 4, 200;
    AFTER_EDIT = "AFTER THE LAST EDIT", "after the last edit", 0, 5_500, 1, 1;
    FIRST_ERROR = "FIRST ERROR", "first error", 0, 5_000, 1, 3;
    SLOWEST = "SLOWEST CALL", "slowest call", 0, 7_000, 1, 1;
    SUBAGENTS = "SUBAGENTS", "subagents", 0, 2_500, 8, 60;
    TOOLS = "TOOLS", "tools", 0, 4_500, 1, 1;
    MODELS = "MODELS", "models", 0, 5_000, 1, 1;
    SPENT = "SPENT", "spent", 0, 200, 1, 1;
    MENDED_FAILURES = "FAILURES mended since", "mended", 0, 400, 3, 3;
    CLEARED_ALERTS = "ALERTS that are over", "old alerts", 0, 150, 3, 5;
    AGGREGATES = "AGGREGATES of facts", "aggregates", 0, 2_000, 20, 60;
    FACTS = "FACTS", "facts", 0, 900, 30, 120;
}
