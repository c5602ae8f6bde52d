//! Path form, and what counts as a file name.

/// The fewest and the most characters of a path.
const LENGTH: std::ops::RangeInclusive<usize> = 3..=400;

/// The run's folder; none if no record states it.
#[derive(Clone, Debug, Default)]
pub(in crate::continuation::replay) struct Folder(Option<String>);

impl Folder {
    /// This folder.
    pub(in crate::continuation::replay) fn new(path: &str) -> Self {
        let path = path.trim_end_matches('/');
        Self((!path.is_empty()).then(|| path.to_owned()))
    }

    /// Whether it is known.
    pub(in crate::continuation::replay) fn is_known(&self) -> bool {
        self.0.is_some()
    }

    /// A path in path form; none if it is then no entity.
    pub(super) fn path_form(&self, path: &str) -> Option<String> {
        let mut path = path;
        while let Some(rest) = path.strip_prefix("./") {
            path = rest;
        }
        path = path.trim_end_matches('/');
        if let Some(folder) = self.0.as_deref() {
            let leads =
                |path: &str| folder.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
            match path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')) {
                Some(within) => path = within,
                None if path == folder || leads(path) => return None,
                None => {}
            }
            if path == folder || leads(path) {
                return None;
            }
        }
        LENGTH.contains(&path.chars().count()).then(|| path.to_owned())
    }
}

/// Whether a word without `/` is the name of a file.
pub(super) fn is_file_name(word: &str) -> bool {
    let Some((name, ending)) = word.rsplit_once('.') else { return false };
    !word.contains('/')
        && !name.is_empty()
        && (1..=5).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        && ending.starts_with(|first: char| first.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_brought_to_path_form() {
        let folder = Folder::new("/home/ada/engine/");
        let form = |path: &str| folder.path_form(path);
        assert_eq!(form("/home/ada/engine/src/a.rs").as_deref(), Some("src/a.rs"));
        assert_eq!(form("././src/").as_deref(), Some("src"));
        assert_eq!(form("src//").as_deref(), Some("src"));
        assert_eq!(form("/home/ada/engines/x").as_deref(), Some("/home/ada/engines/x"));
        for none in ["/home/ada/engine", "/home/ada", "/home/", "./", "ab", "", "/"] {
            assert_eq!(form(none), None, "{none}");
        }
        assert_eq!(form(&"x".repeat(400)).map(|path| path.len()), Some(400));
        assert_eq!(form(&"x".repeat(401)), None);
        assert_eq!(Folder::default().path_form("/home").as_deref(), Some("/home"));
    }

    #[test]
    fn a_file_name_has_a_short_lower_case_ending() {
        for name in ["a.rs", "Makefile.in", "x.tar.gz", "a.h5", "..c"] {
            assert!(is_file_name(name), "{name}");
        }
        for none in [".rs", "a.", "a.RS", "v1.2", "a.toolong", "a/b.rs", "plain"] {
            assert!(!is_file_name(none), "{none}");
        }
    }
}
