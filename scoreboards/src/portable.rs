//! Keeps machine paths out of scoreboards: shortens the paths of a command line, finds the rest.

/// A command line without absolute paths: the program by its name, and `/a/b/file.jsonl` as
/// `<path>/file.jsonl`. A directory (a last part without an extension) becomes `<path>` alone, since
/// its name may be a user's.
pub fn portable_command<S: AsRef<str>>(args: impl IntoIterator<Item = S>) -> Vec<String> {
    args.into_iter()
        .enumerate()
        .map(|(i, arg)| if i == 0 { program(arg.as_ref()) } else { portable_arg(arg.as_ref()) })
        .collect()
}

fn program(path: &str) -> String {
    last_part(path).trim_end_matches(".exe").to_owned()
}

fn portable_arg(arg: &str) -> String {
    match arg.split_once('=') {
        Some((flag, value)) if flag.starts_with('-') => format!("{flag}={}", portable_path(value)),
        _ => portable_path(arg),
    }
}

fn portable_path(text: &str) -> String {
    if !is_absolute(text) {
        return text.to_owned();
    }
    let name = last_part(text);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => format!("<path>/{name}"),
        _ => "<path>".to_owned(),
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Whether a text is an absolute path of Unix, of Windows, or of a home directory.
fn is_absolute(text: &str) -> bool {
    let mut chars = text.chars();
    let (first, second, third) = (chars.next(), chars.next(), chars.next());
    match (first, second) {
        (Some('/'), Some(c)) => c.is_alphanumeric() || matches!(c, '.' | '_' | '/'),
        (Some('~'), Some('/')) | (Some('\\'), Some('\\')) => true,
        (Some(drive), Some(':')) => {
            drive.is_ascii_alphabetic() && matches!(third, Some('\\' | '/'))
        }
        _ => false,
    }
}

/// The first absolute path among a text's words, if any.
pub(crate) fn absolute_path_in(text: &str) -> Option<&str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '=' | '"' | '\'' | '(' | '`' | ','))
        .find(|word| is_absolute(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shortened_and_the_rest_is_kept() {
        let args = [
            "/usr/local/bin/tracefold",
            "detect",
            "--out",
            "/home/somebody",
            "--corpus=/home/somebody/c/manifest.json",
            "C:\\Users\\somebody\\a.jsonl",
            "runs/a.jsonl",
            "--seed=7",
        ];
        let expected = [
            "tracefold",
            "detect",
            "--out",
            "<path>",
            "--corpus=<path>/manifest.json",
            "<path>/a.jsonl",
            "runs/a.jsonl",
            "--seed=7",
        ];
        assert_eq!(portable_command(args), expected);
    }

    #[test]
    fn leftovers_are_found_and_fractions_are_not() {
        assert_eq!(absolute_path_in("skipped (/root/x is absent)"), Some("/root/x"));
        assert_eq!(absolute_path_in("dir=~/y"), Some("~/y"));
        assert_eq!(absolute_path_in("and/or 1/2 strict/1 a / b"), None);
    }
}
