//! URLs and issues in a string.

use super::entity::{Entity, Kind};
use super::normal::in_w;

/// How a url starts.
const SCHEMES: [&str; 2] = ["http://", "https://"];

/// What ends a url, beside white space.
const ENDS: &str = "\"'<>()[]{}|\\`";

/// What a url does not end with.
const TRAILING: [char; 6] = ['.', ',', ';', ':', '!', '?'];

/// What stands before the number of an issue in a url.
const NUMBER_MARKS: [&str; 3] = ["/pull/", "/pulls/", "/issues/"];

/// The most digits of an issue.
const MOST_DIGITS: usize = 7;

/// Takes something out of a string's start: its length and the entities that it is.
type Taker = fn(&str) -> Option<(usize, Vec<Entity>)>;

/// The urls and issues of a string in normal form, and what is left of it.
pub(super) fn taken_out(string: &str) -> (Vec<Entity>, String) {
    let (mut entities, rest) = take(string, url);
    let (issues, rest) = take(&rest, sign);
    entities.extend(issues);
    (entities, rest)
}

/// Takes out what `taker` finds where no character of W stands before. It "counts as a space".
fn take(string: &str, taker: Taker) -> (Vec<Entity>, String) {
    let (mut entities, mut left) = (Vec::new(), String::new());
    let (mut rest, mut before) = (string, ' ');
    while let Some(character) = rest.chars().next() {
        if let Some((length, found)) = Some(rest).filter(|_| !in_w(before)).and_then(taker) {
            entities.extend(found);
            left.push(' ');
            before = rest[..length].chars().next_back().unwrap_or(' ');
            rest = &rest[length..];
        } else {
            left.push(character);
            before = character;
            rest = &rest[character.len_utf8()..];
        }
    }
    (entities, left)
}

/// The url that a string starts with, and the issue that it is too.
fn url(string: &str) -> Option<(usize, Vec<Entity>)> {
    SCHEMES.iter().find(|scheme| string.starts_with(**scheme))?;
    let ends = |it: char| it.is_ascii_whitespace() || ENDS.contains(it);
    let url = string.split(ends).next()?.trim_end_matches(TRAILING);
    let mut entities = vec![Entity::new(Kind::Url, url)];
    entities.extend(issue_in(url));
    Some((url.len(), entities))
}

/// "A url with `/pull/N`, `/pulls/N` or `/issues/N` [...] is also `issue` `#N`": the first such.
fn issue_in(url: &str) -> Option<Entity> {
    let at = |at: usize| {
        let number = NUMBER_MARKS.iter().find_map(|mark| url.get(at..)?.strip_prefix(mark))?;
        leading_number(number).map(issue)
    };
    (0..url.len()).find_map(at)
}

/// The `#N` that a string starts with.
fn sign(string: &str) -> Option<(usize, Vec<Entity>)> {
    let number = leading_number(string.strip_prefix('#')?)?;
    Some((1 + number.len(), vec![issue(number)]))
}

fn issue(number: &str) -> Entity {
    Entity::new(Kind::Issue, format!("#{number}"))
}

/// The 1 to 7 digits that a string starts with, if no character of W follows.
fn leading_number(string: &str) -> Option<&str> {
    let end = string.find(|it: char| !it.is_ascii_digit()).unwrap_or(string.len());
    let is_whole = !string[end..].starts_with(in_w);
    (is_whole && (1..=MOST_DIGITS).contains(&end)).then(|| &string[..end])
}

/// The issues of `gh pr VERB N` and `gh issue VERB N` in the normal form of a command text.
pub(super) fn told_to_gh(command: &str) -> Vec<Entity> {
    let parts: Vec<&str> = command.split(' ').collect();
    let is_number = |text: &str| leading_number(text).is_some_and(|number| number == text);
    let of = |four: &[&str]| match four {
        ["gh", "pr" | "issue", _, number] if is_number(number) => Some(issue(number)),
        _ => None,
    };
    parts.windows(4).filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(string: &str) -> (Vec<String>, String) {
        let (entities, left) = taken_out(string);
        (entities.into_iter().map(|it| format!("{} {}", it.kind.name(), it.text)).collect(), left)
    }

    fn entities(string: &str) -> Vec<String> {
        found(string).0
    }

    #[test]
    fn a_url_ends_where_no_url_goes_on() {
        assert_eq!(entities("http://a.b/c?d=é#e"), ["url http://a.b/c?d=é#e"]);
        assert_eq!(
            found("see (https://a.b/c), \"http://d\":x http://e.f/?!"),
            (
                vec!["url https://a.b/c".into(), "url http://d".into(), "url http://e.f/".into()],
                "see ( ), \" \":x  ?!".into()
            )
        );
        assert_eq!(entities("xhttp://a _https://b https?://c HTTP://d"), [""; 0]);
        assert_eq!(entities("éhttp://a http://"), ["url http://a", "url http://"]);
        assert_eq!(entities("http://a?u=http://b"), ["url http://a?u=http://b"]);
    }

    #[test]
    fn the_first_number_of_a_url_is_an_issue_too() {
        assert_eq!(
            entities("https://h/o/r/pull/12/files"),
            ["url https://h/o/r/pull/12/files", "issue #12"]
        );
        assert_eq!(entities("https://h/issues/x/pulls/3#issues/4")[1], "issue #3");
        assert_eq!(entities("https://h/pull/12345678/issues/9a").len(), 1);
        assert_eq!(entities("http://a/b#12"), ["url http://a/b#12"], "a url is taken out whole");
    }

    #[test]
    fn a_sign_with_up_to_7_digits_is_an_issue() {
        assert_eq!(
            found("(#12) fix #1234567."),
            (vec!["issue #12".into(), "issue #1234567".into()], "( ) fix  .".into())
        );
        assert_eq!(entities("##1 é#2é /#3"), ["issue #1", "issue #2", "issue #3"]);
        assert_eq!(entities("a#1 #12345678 #1a #_ # 1 #"), [""; 0]);
    }

    #[test]
    fn what_gh_is_told_to_look_at_is_an_issue() {
        let of = |command| told_to_gh(command).into_iter().map(|it| it.text).collect::<Vec<_>>();
        assert_eq!(of("x; gh pr view 12 --json a && gh issue close 3"), ["#12", "#3"]);
        for none in [
            "gh pr view",
            "gh pr 12",
            "gh run view 12",
            "gh pr view 12; x",
            "gh pr view -R 12",
            "xgh pr view 12",
        ] {
            assert_eq!(of(none), [""; 0], "{none}");
        }
    }
}
