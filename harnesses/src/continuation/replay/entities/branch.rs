//! Branches that a git command names.

use super::path::is_file_name;

/// The commands of git that name branches.
const COMMANDS: [&str; 7] = ["checkout", "switch", "merge", "rebase", "push", "pull", "branch"];

/// The branches in a command text, as written.
pub(super) fn branches(command: &str) -> Vec<String> {
    let mut found = Vec::new();
    for piece in command.split(['\n', ';', '|']).flat_map(|piece| piece.split("&&")) {
        let mut parts = piece.split_whitespace();
        if parts.next() != Some("git") {
            continue;
        }
        let mut next = parts.next();
        if next == Some("-C") {
            parts.next();
            next = parts.next();
        }
        if next.is_some_and(|command| COMMANDS.contains(&command)) {
            found.extend(parts.filter(|part| is_branch(part)).map(str::to_owned));
        }
    }
    found
}

fn is_branch(part: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte);
    part.len() >= 3
        && part.bytes().all(allowed)
        && !part.starts_with(['-', '.'])
        && !part.ends_with(['/', '.'])
        && part.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !matches!(part, "origin" | "upstream" | "HEAD")
        && !is_file_name(part.rsplit('/').next().unwrap_or(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_are_the_later_parts_of_certain_git_commands() {
        assert_eq!(
            branches("git checkout -b fix/loop && git push -u origin fix/loop"),
            ["fix/loop", "fix/loop"]
        );
        assert_eq!(branches("git -C /tmp/x switch main; git status main"), ["main"]);
        assert_eq!(branches("echo git checkout main"), [""; 0]);
        assert_eq!(branches("git checkout src/a.rs HEAD .x x/ ab 123 v1.2 'q'"), ["v1.2"]);
        assert_eq!(
            branches("a | git merge release-2\ngit rebase origin/main"),
            ["release-2", "origin/main"]
        );
    }
}
