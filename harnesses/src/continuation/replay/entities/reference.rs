//! URLs, and what names an issue or a pull request. Each is taken out of the text that it is found in.

use crate::continuation::replay::normal::is_w;

/// What ends a URL beside white space.
const ENDS: &[u8] = b"\"'<>()[]{}|\\`";
/// What stands before the number of an issue in a URL.
const NUMBERED: [&str; 3] = ["/pull/", "/pulls/", "/issues/"];

/// The URLs of a text in normal form.
pub(super) fn take_urls(text: &mut String) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = String::with_capacity(text.len());
    let (bytes, mut copied, mut at) = (text.as_bytes(), 0, 0);
    while let Some(next) = text[at..].find("http") {
        let start = at + next;
        let is_url = (text[start..].starts_with("http://")
            || text[start..].starts_with("https://"))
            && (start == 0 || !is_w(bytes[start - 1]));
        if !is_url {
            at = start + "http".len();
            continue;
        }
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || ENDS.contains(byte);
        let end = bytes[start..].iter().position(is_end).map_or(bytes.len(), |it| start + it);
        let url = text[start..end].trim_end_matches(['.', ',', ';', ':', '!', '?']);
        found.push(url.to_owned());
        rest.push_str(&text[copied..start]);
        rest.push(' ');
        copied = start + url.len();
        at = end;
    }
    rest.push_str(&text[copied..]);
    *text = rest;
    found
}

/// The issue or pull request that a URL leads to.
pub(super) fn issue_of_url(url: &str) -> Option<String> {
    let starts = (0..url.len()).filter(|at| url.as_bytes()[*at] == b'/');
    let numbers = starts.filter_map(|at| {
        let rest = &url[at..];
        NUMBERED.iter().find_map(|start| digits(rest.strip_prefix(start)?))
    });
    numbers.map(|number| format!("#{number}")).next()
}

/// The 1 to 7 digits that a text starts with, if nothing of W follows them.
fn digits(text: &str) -> Option<&str> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let after = text.as_bytes().get(end).copied();
    ((1..=7).contains(&end) && !after.is_some_and(is_w)).then(|| &text[..end])
}

/// What is written as `#N`.
pub(super) fn take_issues(text: &mut String) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = String::with_capacity(text.len());
    let (bytes, mut copied, mut at) = (text.as_bytes(), 0, 0);
    while let Some(next) = text[at..].find('#') {
        let start = at + next;
        at = start + 1;
        if start > 0 && is_w(bytes[start - 1]) {
            continue;
        }
        let Some(number) = digits(&text[at..]) else { continue };
        found.push(format!("#{number}"));
        rest.push_str(&text[copied..start]);
        rest.push(' ');
        at += number.len();
        copied = at;
    }
    rest.push_str(&text[copied..]);
    *text = rest;
    found
}

/// The issues that `gh pr VERB N` and `gh issue VERB N` name; they stay in the text.
pub(super) fn gh_issues(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split(' ').collect();
    let named = parts.windows(4).filter_map(|four| match four {
        ["gh", "pr" | "issue", _, number]
            if digits(number).is_some_and(|it| it.len() == number.len()) =>
        {
            Some(format!("#{number}"))
        }
        _ => None,
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<T>(text: &str, take: impl Fn(&mut String) -> T) -> (T, String) {
        let mut text = text.to_owned();
        let found = take(&mut text);
        (found, text)
    }

    #[test]
    fn urls_end_before_brackets_and_without_punctuation() {
        let (found, rest) =
            with("see (https://a.example/x?y=1#2). or http://b.example.", take_urls);
        assert_eq!(found, ["https://a.example/x?y=1#2", "http://b.example"]);
        assert_eq!(rest, "see ( ). or  .");
        assert_eq!(with("xhttp://a http:/b", take_urls).0, [""; 0]);
    }

    #[test]
    fn urls_of_issues_name_them() {
        let issue = |url| issue_of_url(url);
        assert_eq!(issue("https://x.example/o/r/pull/12/files").as_deref(), Some("#12"));
        assert_eq!(issue("https://x.example/issues/x/issues/7").as_deref(), Some("#7"));
        assert_eq!(issue("https://x.example/pulls/12345678"), None);
        assert_eq!(issue("https://x.example/issues/12a"), None);
    }

    #[test]
    fn issues_have_up_to_seven_digits_and_nothing_of_w_around() {
        let (found, rest) = with("fix #12, x#3 #45a #12345678 (#7)", take_issues);
        assert_eq!(found, ["#12", "#7"]);
        assert_eq!(rest, "fix  , x#3 #45a #12345678 ( )");
    }

    #[test]
    fn commands_of_gh_name_issues() {
        let found = gh_issues("gh pr view 12 --json x && gh issue close 3 && gh pr 4");
        assert_eq!(found, ["#12", "#3"]);
    }
}
