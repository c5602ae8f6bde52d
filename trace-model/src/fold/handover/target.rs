//! What a call is aimed at: two calls of a tool with the same target try the same thing.

use super::feed::IssuedWork;
use crate::event::ToolRole;
use crate::ids::Digest64;

/// The tool and the target of a call, as a digest.
pub(super) type Target = Digest64;

/// The target of a call: the files, if its tool reads or writes files; the command, if it has one; else its
/// whole input.
pub(super) fn of(issued: &IssuedWork<'_>) -> Target {
    let names_file = matches!(issued.role, ToolRole::Reader | ToolRole::Writer);
    let mut paths = issued.input.files(issued.paths).peekable();
    if names_file && paths.peek().is_some() {
        let files = Digest64::of_parts(&[issued.tool, "file"]);
        return paths.fold(files, |all, path| all.with(Digest64::of(path).0));
    }
    match issued.input.command() {
        Some(command) => Digest64::of_parts(&[issued.tool, "command", bare(&command)]),
        None => Digest64::of_parts(&[issued.tool, "input"]).with(issued.input.digest.0),
    }
}

/// A command without the `cd` that it begins with: where it runs is the same for most.
fn bare(command: &str) -> &str {
    let mut bare = command.trim();
    while let Some(rest) = bare.strip_prefix("cd ").and_then(after_folder) {
        bare = rest.trim_start();
    }
    bare
}

/// What follows the folder and `&&` or `;`.
fn after_folder(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let rest = match text.chars().next()? {
        quote @ ('"' | '\'') => text[1..].split_once(quote)?.1,
        _ => &text[text.find([' ', ';', '\n'])?..],
    };
    let rest = rest.trim_start();
    rest.strip_prefix("&&").or_else(|| rest.strip_prefix(';'))
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn the_folder_that_a_command_runs_in_is_left_out() {
        let same = ["make x", "cd /a && make x", "cd \"/a b\" && cd c; make x", " cd '/a';make x"];
        for command in same {
            assert_eq!(bare(command), "make x", "{command}");
        }
        for whole in ["cd /a", "cd /a || make", "cdx && make", "cd \"/a && make"] {
            assert_eq!(bare(whole), whole);
        }
    }
}
