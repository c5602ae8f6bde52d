//! A model's name without what gateways and clients add to it.

/// Path prefixes of gateways in front of the vendor's own name.
const GATEWAYS: [&str; 8] = [
    "openrouter/",
    "litellm_proxy/",
    "bedrock/",
    "vertex_ai/",
    "vertex/",
    "google-vertex/",
    "publishers/anthropic/models/",
    "anthropic/",
];

/// Amazon Bedrock's inference profiles: a region, then the vendor.
const REGIONS: [&str; 8] = ["us.", "eu.", "apac.", "global.", "us-gov.", "au.", "jp.", "ca."];

/// A name as it is looked up.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Name {
    /// Lower case, undecorated, version numbers joined by dashes.
    pub(super) bare: String,
    /// It was served by a partner's platform (Bedrock, Vertex), which sets its own prices.
    pub(super) partner: bool,
}

/// Takes off gateway, region and vendor prefixes, and version, date, context-window and `latest`
/// suffixes. What is left is compared as a whole: no name matches by its beginning.
pub(super) fn normalise(written: &str) -> Name {
    let lower = written.trim().to_ascii_lowercase();
    let (rest, mut partner) = strip_prefixes(&lower);
    let mut bare = rest;
    while let Some(shorter) = strip_suffix(bare) {
        partner |= bare.contains('@') || is_platform_version(bare, shorter);
        bare = shorter;
    }
    Name { bare: join_version(bare), partner }
}

/// A model's name without what gateways, platforms and clients add to it.
pub(crate) fn bare_name(written: &str) -> String {
    normalise(written).bare
}

fn strip_prefixes(name: &str) -> (&str, bool) {
    let mut partner = false;
    let mut rest = name;
    while let Some((prefix, shorter)) =
        GATEWAYS.iter().find_map(|p| rest.strip_prefix(p).map(|s| (*p, s)))
    {
        partner |= matches!(prefix, "bedrock/" | "vertex_ai/" | "vertex/" | "google-vertex/")
            || prefix.starts_with("publishers/");
        rest = shorter;
    }
    let vendor = REGIONS.iter().find_map(|r| rest.strip_prefix(r)).unwrap_or(rest);
    match vendor.strip_prefix("anthropic.") {
        Some(shorter) => (shorter, true),
        None => (rest, partner),
    }
}

/// One decoration less, if there is one.
fn strip_suffix(name: &str) -> Option<&str> {
    name.strip_suffix("[1m]")
        .or_else(|| name.strip_suffix("-latest"))
        .or_else(|| strip_platform_version(name))
        .or_else(|| {
            let (head, tail) = name.rsplit_once('@')?;
            (is_date(tail) || matches!(tail, "latest" | "default")).then_some(head)
        })
        .or_else(|| {
            let (head, tail) = name.rsplit_once('-')?;
            is_date(tail).then_some(head)
        })
        .filter(|shorter| !shorter.is_empty())
}

/// `-v1:0`, `-v2`, `-v1:0:200k`.
fn strip_platform_version(name: &str) -> Option<&str> {
    let (head, tail) = name.rsplit_once("-v")?;
    let mut parts = tail.split(':');
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let version = parts.next().is_some_and(digits);
    (version && parts.all(|p| digits(p.strip_suffix('k').unwrap_or(p)))).then_some(head)
}

fn is_platform_version(name: &str, shorter: &str) -> bool {
    name[shorter.len()..].starts_with("-v")
}

/// `20251101`.
fn is_date(text: &str) -> bool {
    text.len() == 8 && text.starts_with("20") && text.bytes().all(|b| b.is_ascii_digit())
}

/// `4.5` as `4-5`.
fn join_version(name: &str) -> String {
    let bytes = name.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    name.char_indices()
        .map(|(i, c)| if c == '.' && i > 0 && digit(i - 1) && digit(i + 1) { '-' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decorations_come_off() {
        for (written, bare, partner) in [
            ("claude-opus-4-5-20251101", "claude-opus-4-5", false),
            ("claude-opus-4-5@20251101", "claude-opus-4-5", true),
            ("claude-opus-4-6[1m]", "claude-opus-4-6", false),
            ("claude-3-5-sonnet-latest", "claude-3-5-sonnet", false),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5", true),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]", "claude-sonnet-4-5", true),
            ("global.anthropic.claude-opus-4-6-v1", "claude-opus-4-6", true),
            ("eu.anthropic.claude-3-haiku-20240307-v1:0", "claude-3-haiku", true),
            ("anthropic.claude-3-sonnet-20240229-v1:0:200k", "claude-3-sonnet", true),
            ("claude-3-5-sonnet-v2@20241022", "claude-3-5-sonnet", true),
            ("anthropic/claude-haiku-4.5", "claude-haiku-4-5", false),
            ("openrouter/anthropic/claude-sonnet-4", "claude-sonnet-4", false),
            ("vertex_ai/claude-opus-4-1@20250805", "claude-opus-4-1", true),
            (" Claude-Opus-4 ", "claude-opus-4", false),
        ] {
            assert_eq!(normalise(written), Name { bare: bare.into(), partner }, "{written}");
        }
    }

    #[test]
    fn other_names_stay_whole() {
        for name in [
            "claude-opus-4-1",
            "claude-opus-4",
            "claude-opus-4-fast",
            "glm-4-20250",
            "kimi-k2-7-code",
            "us.claude-opus-4",
            "my-proxy/claude-opus-4",
            "claude-opus-4:thinking",
            "[1m]",
            "",
        ] {
            assert_eq!(normalise(name).bare, name);
        }
    }
}
