//! What tools do, by their names: Claude Code's own, and those of the benchmarks' workers.

use crate::event::ToolRole;

/// The role of the tool of this name.
pub(super) fn role(name: &str) -> ToolRole {
    match name {
        "Read" | "NotebookRead" | "read_file" | "view_file" => ToolRole::Reader,
        "Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "write_file" | "edit_file"
        | "str_replace_editor" => ToolRole::Writer,
        "Grep" | "Glob" | "LS" | "search" | "list_files" => ToolRole::Finder,
        "AskUserQuestion" | "ExitPlanMode" | "EnterPlanMode" => ToolRole::Asker,
        "Task" | "Agent" => ToolRole::Launcher,
        "TaskStop" | "KillShell" | "KillBash" => ToolRole::Stopper,
        _ => ToolRole::Other,
    }
}
