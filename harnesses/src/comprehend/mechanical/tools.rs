//! What tools do, by their names.

/// Whether it reads the file that it names.
pub(super) fn reads(tool: &str) -> bool {
    matches!(tool, "Read" | "NotebookRead" | "read_file" | "view_file")
}

/// Whether it writes the file that it names.
pub(super) fn writes(tool: &str) -> bool {
    matches!(
        tool,
        "Write"
            | "Edit"
            | "MultiEdit"
            | "NotebookEdit"
            | "write_file"
            | "edit_file"
            | "str_replace_editor"
    )
}

/// Whether it launches a subagent.
pub(super) fn launches(tool: &str) -> bool {
    matches!(tool, "Task" | "Agent")
}
