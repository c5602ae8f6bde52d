//! Commands as an agent runs them again: without the folder before, redirections, and what only shortens the output.

use std::sync::LazyLock;

use memchr::memmem::Finder;

/// Characters kept of a command.
pub(super) const COMMAND_CHARS: usize = 200;

/// The first line of a command text, and how many lines follow.
pub(super) fn first_line(text: &str) -> (&str, u64) {
    let text = text.trim();
    let mut lines = text.split('\n');
    (lines.next().unwrap_or_default(), lines.count() as u64)
}

/// What is left of a command line; none if too little.
pub(super) fn stripped(line: &str) -> Option<String> {
    let spaced: Vec<&str> = line.split_ascii_whitespace().collect();
    let spaced = spaced.join(" ");
    let left = without_shorteners(&without_redirections(without_folders(&spaced)));
    (left.chars().count() >= 4).then_some(left)
}

/// Without `cd FOLDER &&` and `cd FOLDER ;` in front.
fn without_folders(mut line: &str) -> &str {
    while let Some(rest) = after_folder(line) {
        line = rest;
    }
    line
}

fn after_folder(line: &str) -> Option<&str> {
    let folder = line.strip_prefix("cd ")?;
    let after = match folder.as_bytes().first()? {
        quote @ (b'"' | b'\'') => {
            let quote = char::from(*quote);
            folder.get(1..)?.split_once(quote)?.1
        }
        _ => &folder[folder.find([' ', ';', '&'])?..],
    };
    let after = after.trim_start();
    let rest = after.strip_prefix("&&").or_else(|| after.strip_prefix(';'))?;
    Some(rest.trim_start())
}

/// How a part of a command line redirects.
enum Redirection {
    /// In itself.
    Alone,
    /// To or from the part after it.
    WithNext,
}

fn redirection(part: &str) -> Option<Redirection> {
    let output = part.strip_prefix(|c: char| c.is_ascii_digit() || c == '&').unwrap_or(part);
    let target = match output.strip_prefix(">>").or_else(|| output.strip_prefix('>')) {
        Some(target) => target,
        None => part.strip_prefix('<')?,
    };
    let mut rest = target.chars();
    match (rest.next(), rest.next(), rest.next()) {
        (None, ..) => Some(Redirection::WithNext),
        (Some('&'), Some(stream), None) if stream.is_ascii_digit() || stream == '-' => {
            Some(Redirection::Alone)
        }
        (Some('&' | '<' | '(' | '>'), ..) => None,
        _ => Some(Redirection::Alone),
    }
}

fn without_redirections(line: &str) -> String {
    let mut kept = Vec::new();
    let mut parts = line.split(' ');
    while let Some(part) = parts.next() {
        match redirection(part) {
            None => kept.push(part),
            Some(Redirection::Alone) => {}
            Some(Redirection::WithNext) => drop(parts.next()),
        }
    }
    kept.join(" ")
}

/// Without `| tail ...` and `| head ...` at the end.
fn without_shorteners(line: &str) -> String {
    let mut line = line;
    while let Some((before, last)) = line.rsplit_once(" | ") {
        if !matches!(last.split(' ').next(), Some("tail" | "head")) {
            break;
        }
        line = before;
    }
    line.trim().to_owned()
}

/// The branches that `git` is told to go to, join or send.
pub(super) fn branches(text: &str) -> Vec<&str> {
    let pieces = text.split(['\n', ';', '|']).flat_map(|piece| piece.split("&&"));
    pieces.flat_map(branches_of_piece).collect()
}

fn branches_of_piece(piece: &str) -> Vec<&str> {
    let mut parts = piece.split_whitespace();
    if parts.next() != Some("git") {
        return Vec::new();
    }
    let mut what = parts.next();
    if what == Some("-C") {
        what = parts.nth(1);
    }
    let of_branches = ["checkout", "switch", "merge", "rebase", "push", "pull", "branch"];
    if what.is_none_or(|what| !of_branches.contains(&what)) {
        return Vec::new();
    }
    parts.filter(|part| is_branch(part)).collect()
}

fn is_branch(part: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte);
    part.len() >= 3
        && part.bytes().all(allowed)
        && !part.starts_with(['-', '.'])
        && !part.ends_with(['/', '.'])
        && part.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !matches!(part, "origin" | "upstream" | "HEAD")
        && !super::shapes::is_file_name(part.rsplit('/').next().unwrap_or(part))
}

static FAIL: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("FAIL"));

/// Names of failing tests kept of a result.
const FAILING: usize = 8;
/// Characters of a result that are searched for them.
const FAILING_CHARS: usize = 20_000;

/// The tests that a result says have failed: `--- FAIL: Name`, `FAILED path::name`, `test name ... FAILED`,
/// `FAIL path`, `FAIL: name (class)`, `FAIL [ 0.005s] crate name`.
pub(super) fn failing_tests(text: &str) -> Vec<String> {
    let text = crate::text::head(text, FAILING_CHARS);
    let mut found: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(place) = FAIL.find(&text.as_bytes()[at..]).map(|place| at + place) {
        let start = text[..place].rfind('\n').map_or(0, |feed| feed + 1);
        let end = text[place..].find('\n').map_or(text.len(), |feed| place + feed);
        if let Some(name) = failing_test(text[start..end].trim())
            && !found.iter().any(|known| known == name)
        {
            found.push(crate::text::head(name, COMMAND_CHARS).to_owned());
            if found.len() == FAILING {
                break;
            }
        }
        at = end;
    }
    found
}

fn failing_test(line: &str) -> Option<&str> {
    let name = if let Some(rest) =
        line.strip_prefix("--- FAIL: ").or_else(|| line.strip_prefix("FAIL: "))
    {
        rest.split(' ').next()?
    } else if let Some(rest) = line.strip_prefix("FAIL [") {
        rest.split_once("] ")?.1.rsplit(' ').next()?
    } else if let Some(rest) = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("FAIL ")) {
        rest.trim_start().split([' ', '\t']).next()?
    } else if let Some(rest) = line.strip_prefix("FAIL\t") {
        rest.split(['\t', ' ']).next()?
    } else {
        line.strip_prefix("test ")?.strip_suffix(" ... FAILED")?
    };
    // `FAILED (failures=1)` counts, and names none.
    (name.len() > 2 && !name.starts_with(['(', '['])).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_left_without_what_changes_from_run_to_run() {
        let left = |line| stripped(line).unwrap_or_default();
        assert_eq!(left("cd /a/b && go test ./... 2>&1 | tail -20"), "go test ./...");
        assert_eq!(left("cd \"a b\"; cd c && make  all >out.log 2> err.log"), "make all");
        assert_eq!(left("grep -n x f | head -3 | sort | head -5"), "grep -n x f | head -3 | sort");
        assert_eq!(left("sort < in.txt <(ls) | wc"), "sort <(ls) | wc");
        assert_eq!(stripped("cd /a && ls"), None, "two letters say little");
        assert_eq!(left("echo a &>/dev/null && ls -la"), "echo a && ls -la");
    }

    #[test]
    fn branches_are_what_git_is_told() {
        assert_eq!(
            branches(
                "git checkout -b fix/a && git push -u origin fix/a; git -C x merge dev main.go"
            ),
            ["fix/a", "fix/a", "dev"]
        );
        assert_eq!(branches("git log topic | git status"), [""; 0]);
    }

    #[test]
    fn tests_that_failed_are_named() {
        let text = "--- FAIL: TestA (0.1s)\nFAILED tests/x.py::test_b - assert\ntest c::d ... FAILED\n\
                    FAIL\tpkg/e\t0.2s\nFAIL\nno FAILURES\n--- FAIL: TestA (0.1s)";
        assert_eq!(failing_tests(text), ["TestA", "tests/x.py::test_b", "c::d", "pkg/e"]);
        let text = "FAIL: test_x (m.C)\nFAILED (failures=1)\n    FAIL [   0.005s] some-crate it::y\n\
                    FAIL [   0.1s] (3/4) some-crate it::z\nFAIL src/a.test.js";
        assert_eq!(failing_tests(text), ["test_x", "it::y", "it::z", "src/a.test.js"]);
    }
}
