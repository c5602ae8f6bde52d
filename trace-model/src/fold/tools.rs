//! What the fold has to know of a tool by its name. An unknown tool is an ordinary one: it neither
//! reads nor writes files, and its results may state facts.

use crate::detect::WaitsFor;

/// What a tool does that matters to the fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ToolRole {
    /// Shows a file.
    Reader,
    /// Changes a file.
    Writer,
    /// Lists or finds: its results repeat lines of files, so they state no facts of their own.
    Finder,
    /// Anything else.
    Other,
}

/// The role of the tool of this name.
pub(super) fn role(name: &str) -> ToolRole {
    match name {
        "Read" | "NotebookRead" | "read_file" | "view_file" => ToolRole::Reader,
        "Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "write_file" | "edit_file"
        | "str_replace_editor" => ToolRole::Writer,
        "Grep" | "Glob" | "LS" | "search" | "list_files" => ToolRole::Finder,
        _ => ToolRole::Other,
    }
}

/// Whether results of this tool may state facts.
pub(crate) fn may_state_facts(name: &str) -> bool {
    matches!(role(name), ToolRole::Reader | ToolRole::Other)
}

/// What a call of this tool may rightly be silent for.
pub(super) fn waits_for(name: &str) -> WaitsFor {
    match name {
        "AskUserQuestion" | "ExitPlanMode" | "EnterPlanMode" => WaitsFor::Person,
        "Task" | "Agent" => WaitsFor::Thread,
        _ => WaitsFor::Tool,
    }
}

/// Whether a call of this tool stops a background task.
pub(super) fn stops_tasks(name: &str) -> bool {
    matches!(name, "TaskStop" | "KillShell" | "KillBash")
}
