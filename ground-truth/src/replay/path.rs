//! Path form, and what a file name is.

/// The fewest characters of a path.
const SHORTEST: usize = 3;

/// The most characters of a path.
const LONGEST: usize = 400;

/// A run's folder, to which paths are relative: in normal form, without trailing `/`; none if nothing is left.
pub(super) fn run_folder(stated: Option<&str>) -> Option<String> {
    let folder = super::normal::normal_form(stated?);
    let folder = folder.trim_matches(' ').trim_end_matches('/');
    (!folder.is_empty()).then(|| folder.to_owned())
}

/// A path in path form; none if it is no entity.
pub(super) fn path_form(path: &str, folder: Option<&str>) -> Option<String> {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("./") {
        path = rest;
    }
    let path = path.trim_end_matches('/');
    let inside = |folder| path.strip_prefix(folder)?.strip_prefix('/');
    let path = folder.and_then(inside).unwrap_or(path);
    let is_above = folder.is_some_and(|folder| {
        folder == path || folder.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
    });
    let length = path.chars().count();
    (!is_above && (SHORTEST..=LONGEST).contains(&length)).then(|| path.to_owned())
}

/// "A file name: no `/`, and behind its last `.` 1 to 5 of `[a-z0-9]`, the first a letter, and before that at least
/// one character."
pub(super) fn is_file_name(word: &str) -> bool {
    let Some((stem, ending)) = word.rsplit_once('.') else { return false };
    !word.contains('/')
        && !stem.is_empty()
        && (1..=5).contains(&ending.len())
        && ending.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
        && ending.starts_with(|it: char| it.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_from_the_folder_of_the_run() {
        let form = |path| path_form(path, Some("/w/run"));
        for (path, expected) in [
            ("/w/run/src/a.rs", Some("src/a.rs")),
            ("././src//", Some("src")),
            ("/w/runner/a", Some("/w/runner/a")),
            ("/w/run", None),
            ("/w/run/", None),
            ("/w", None),
            ("/w/run/ab", None),
            ("/w/r", Some("/w/r")),
            ("../x", Some("../x")),
            ("ééé", Some("ééé")),
            ("", None),
            ("///", None),
        ] {
            assert_eq!(form(path).as_deref(), expected, "{path}");
        }
        assert_eq!(path_form(&"a".repeat(400), None).map(|it| it.len()), Some(400));
        assert_eq!(path_form(&"a".repeat(401), None), None);
        assert_eq!(run_folder(Some("/")), None);
        assert_eq!(run_folder(Some("/w/run/")).as_deref(), Some("/w/run"));
    }

    #[test]
    fn a_file_name_has_a_short_ending() {
        for name in ["a.rs", "a.b.mp4", "x_y.html", "..a", "e.g"] {
            assert!(is_file_name(name), "{name}");
        }
        for other in ["a", ".env", "a.RS", "a.4mp", "a.method", "d/a.rs", "1.2.3", "a."] {
            assert!(!is_file_name(other), "{other}");
        }
    }
}
