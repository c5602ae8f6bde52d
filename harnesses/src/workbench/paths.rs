//! Paths of the workbench: relative to its root, in one spelling each.

/// A path in its one spelling: empty parts and `.` go. Nothing where it leads out of the root, names
/// nothing, or holds a character that no file name should.
pub(super) fn normalized(path: &str) -> Option<String> {
    if path.chars().any(|c| c.is_control() || c == '\\') {
        return None;
    }
    let parts: Vec<&str> =
        path.trim().split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    (!parts.is_empty() && !parts.contains(&"..")).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::normalized;

    #[test]
    fn one_file_has_one_spelling_and_nothing_is_outside() {
        for path in ["a/b.txt", "./a/b.txt", "/a//b.txt", " a/./b.txt "] {
            assert_eq!(normalized(path).as_deref(), Some("a/b.txt"), "{path}");
        }
        for path in ["", "/", ".", "..", "a/../b", "../a", "a\\b", "a\nb", "a\0"] {
            assert_eq!(normalized(path), None, "{path:?}");
        }
        assert_eq!(normalized("a/..b").as_deref(), Some("a/..b"));
    }
}
