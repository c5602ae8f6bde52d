//! Whether a text holds an entity.

use super::entity::{Entity, Kind};
use super::normal::in_w;

/// How an issue is written, and what stands for its `#` in an address.
const ISSUE_MARKS: [&str; 3] = ["/pull/", "/pulls/", "/issues/"];

/// Whether a text in normal form holds an entity. (A command is also held by a text that holds its whole form: that
/// is asked as a [`Kind::WholeCommand`].)
#[must_use]
pub fn holds(normal: &str, entity: &Entity) -> bool {
    match entity.kind {
        Kind::Identifier
        | Kind::Test
        | Kind::Hash
        | Kind::Number
        | Kind::Url
        | Kind::Command
        | Kind::WholeCommand => stands_as_word(normal, &entity.text),
        Kind::Path | Kind::Branch => stands_as_path(normal, &entity.text),
        Kind::Issue => stands_as_issue(normal, &entity.text),
    }
}

fn stands_as_word(normal: &str, text: &str) -> bool {
    let starts_in_w = text.starts_with(in_w);
    let ends_in_w = text.ends_with(in_w);
    places(normal, text).any(|(before, after)| {
        let goes_on_before = starts_in_w && before.ends_with(in_w);
        let goes_on_after = ends_in_w && after.starts_with(in_w);
        !goes_on_before && !goes_on_after
    })
}

fn stands_as_path(normal: &str, text: &str) -> bool {
    places(normal, text).any(|(before, after)| {
        let goes_on = after.strip_prefix('.').is_some_and(|rest| rest.starts_with(in_w));
        !before.ends_with(|it| in_w(it) || it == '-' || it == '.')
            && !after.starts_with(|it| in_w(it) || it == '-')
            && !goes_on
    })
}

fn stands_as_issue(normal: &str, text: &str) -> bool {
    let number = text.trim_start_matches('#');
    let ends = |after: &str| !after.starts_with(in_w);
    places(normal, text).any(|(before, after)| !before.ends_with(in_w) && ends(after))
        || ISSUE_MARKS
            .iter()
            .any(|mark| places(normal, &format!("{mark}{number}")).any(|(_, after)| ends(after)))
}

/// What stands before and after each place where a text contains another, also where places overlap.
fn places<'a>(normal: &'a str, text: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let text = text.to_owned();
    let mut from = 0;
    std::iter::from_fn(move || {
        let first = text.chars().next()?;
        let at = from + normal.get(from..)?.find(&text)?;
        from = at + first.len_utf8();
        Some((&normal[..at], &normal[at + text.len()..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(kind: Kind, text: &str, by: &str) -> bool {
        holds(by, &Entity::new(kind, text))
    }

    #[test]
    fn a_name_is_held_where_it_stands_alone() {
        for kind in [Kind::Identifier, Kind::Test, Kind::Hash, Kind::Number] {
            for by in ["ab_cd", "x.ab_cd(", "-ab_cd-", "éab_cdé", "ab_cdx ab_cd"] {
                assert!(held(kind, "ab_cd", by), "{by}");
            }
            for by in ["", "xab_cd", "ab_cd1", "_ab_cd", "AB_CD"] {
                assert!(!held(kind, "ab_cd", by), "{by}");
            }
        }
    }

    #[test]
    fn only_an_end_in_w_needs_an_end() {
        assert!(held(Kind::Command, "./go --x=", "cd a; x./go --x=1"));
        assert!(!held(Kind::Command, "make test", "make tests"));
        assert!(!held(Kind::Command, "make test", "cmake test"));
        assert!(held(Kind::WholeCommand, "make test", "(make test)"));
        assert!(held(Kind::Url, "http://a.b/c/", "http://a.b/c/d"));
        assert!(!held(Kind::Url, "http://a.b/c", "http://a.b/cd"));
    }

    #[test]
    fn overlapping_places_are_all_looked_at() {
        assert!(held(Kind::Command, "a_a a_a", "xa_a a_a a_a"));
    }

    #[test]
    fn a_path_is_held_at_the_end_of_a_longer_one_and_not_inside_a_name() {
        for kind in [Kind::Path, Kind::Branch] {
            for by in ["src/a.rs", "/x/src/a.rs:3", "(src/a.rs).", "~src/a.rs/", "src/a.rs. X"] {
                assert!(held(kind, "src/a.rs", by), "{by}");
            }
            for by in
                ["xsrc/a.rs", "-src/a.rs", ".src/a.rs", "src/a.rs-x", "src/a.rsx", "src/a.rs.x"]
            {
                assert!(!held(kind, "src/a.rs", by), "{by}");
            }
        }
    }

    #[test]
    fn an_issue_is_held_as_a_sign_or_in_an_address() {
        for by in
            ["#12", "(#12)", "a#1 #12.", "x/pull/12", "/pulls/12/files", "issues /issues/12#x"]
        {
            assert!(held(Kind::Issue, "#12", by), "{by}");
        }
        for by in ["a#12", "#123", "#12a", "/pull/123", "pull/12", "12"] {
            assert!(!held(Kind::Issue, "#12", by), "{by}");
        }
    }
}
