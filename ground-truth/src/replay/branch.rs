//! The branches that a command text names.

use std::collections::BTreeSet;

use super::path::is_file_name;

/// The commands of git that take branches.
const TAKERS: [&str; 7] = ["checkout", "switch", "merge", "rebase", "push", "pull", "branch"];

/// What is no branch, though it looks like one.
const NO_BRANCHES: [&str; 3] = ["origin", "upstream", "HEAD"];

/// The branches of a command text.
pub(super) fn branches(command: &str) -> BTreeSet<String> {
    pieces(command).iter().flat_map(|piece| of_piece(piece)).collect()
}

/// "Split at `&&`, `||`, `;`, `|` and line feeds."
fn pieces(command: &str) -> Vec<String> {
    let one_mark = command.replace("&&", "\n").replace(['|', ';'], "\n");
    one_mark.split('\n').map(str::to_owned).collect()
}

fn of_piece(piece: &str) -> Vec<String> {
    let mut parts = piece.split_ascii_whitespace().peekable();
    if parts.next() != Some("git") {
        return Vec::new();
    }
    if parts.peek() == Some(&"-C") {
        parts.next();
        parts.next();
    }
    if !parts.next().is_some_and(|verb| TAKERS.contains(&verb)) {
        return Vec::new();
    }
    parts.filter(|part| is_branch(part)).map(str::to_owned).collect()
}

fn is_branch(part: &str) -> bool {
    let last = part.rsplit('/').next().unwrap_or(part);
    part.len() >= 3
        && part.chars().all(|it| it.is_ascii_alphanumeric() || "_./-".contains(it))
        && !part.starts_with(['-', '.'])
        && !part.ends_with(['/', '.'])
        && part.contains(|it: char| it.is_ascii_alphabetic())
        && !NO_BRANCHES.contains(&part)
        && !is_file_name(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(command: &str) -> Vec<String> {
        branches(command).into_iter().collect()
    }

    #[test]
    fn what_git_is_told_to_go_to_is_a_branch() {
        assert_eq!(of("git checkout -b feat/x-1"), ["feat/x-1"]);
        assert_eq!(
            of("cd a&&git -C \"d\" push -u origin main;git merge v1.2.3|cat"),
            ["main", "v1.2.3"]
        );
        assert_eq!(of("git add .\n  git rebase upstream/main || true"), ["upstream/main"]);
        assert_eq!(of("git switch\tone two"), ["one", "two"]);
    }

    #[test]
    fn what_is_no_branch_is_left_out() {
        for command in [
            "git log main",
            "echo git push main",
            "git --no-pager branch main",
            "git -C d -C e branch main",
            "git push origin HEAD 2>&1",
            "git checkout -- src/a.rs",
            "git checkout 12345",
            "git checkout 'main' ab .hid x/ x. main:main é-main",
            "git",
            "git -C",
        ] {
            assert_eq!(of(command), [""; 0], "{command}");
        }
    }
}
