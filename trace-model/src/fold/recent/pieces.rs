//! The addresses in a text, and what stands between them: an address is not split into words.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::references::follows_word;

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// What is no address.
    Text(&'t str),
    /// An address.
    Url(&'t str),
}

static HTTP: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("http"));

/// The pieces of a text, in order.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut starts = HTTP.find_iter(text.as_bytes());
    let (mut at, mut held) = (0, None);
    std::iter::from_fn(move || {
        if let Some(url) = held.take() {
            return Some(Piece::Url(url));
        }
        for start in starts.by_ref() {
            if start < at || follows_word(text, start) {
                continue;
            }
            let Some(url) = url(&text[start..]) else { continue };
            let before = &text[at..start];
            at = start + url.len();
            if before.is_empty() {
                return Some(Piece::Url(url));
            }
            held = Some(url);
            return Some(Piece::Text(before));
        }
        let rest = &text[at..];
        at = text.len();
        (!rest.is_empty()).then_some(Piece::Text(rest))
    })
}

/// The address that a text starts with.
fn url(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("http")?;
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    let rest = rest.strip_prefix("://")?;
    let ends = |c: char| c.is_ascii_whitespace() || "\"'<>()[]{}|\\`".contains(c);
    let length = rest.find(ends).unwrap_or(rest.len());
    let scheme = text.len() - rest.len();
    let url = text[..scheme + length].trim_end_matches(['.', ',', ';', ':', '!', '?']);
    (url.len() > scheme).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::Piece::{Text, Url};
    use super::*;

    #[test]
    fn addresses_are_told_from_what_stands_around_them() {
        let of = |text| pieces(text).collect::<Vec<_>>();
        assert_eq!(
            of("see (https://e.org/a#b), http://é.x."),
            [Text("see ("), Url("https://e.org/a#b"), Text("), "), Url("http://é.x"), Text(".")]
        );
        assert_eq!(of("https://e.org/?u=http://f.org"), [Url("https://e.org/?u=http://f.org")]);
        assert_eq!(of("xhttp://a http://, http"), [Text("xhttp://a http://, http")]);
        assert_eq!(of(""), []);
    }
}
