//! A model's name without what gateways and clients add to it, and what they say of its place.

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

/// Where a model was served, as far as its name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Platform {
    /// The vendor's own, or one that does not show in the name.
    Vendor,
    /// Amazon Bedrock, by an inference profile that routes worldwide (`global.anthropic.`).
    BedrockGlobal,
    /// Amazon Bedrock, in a geography (`us.anthropic.`) or in one region (`anthropic.`).
    BedrockRegional,
    /// A partner's, whose endpoint does not show in the name (Vertex).
    Partner,
}

/// A name as it is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// Lower case, undecorated, version numbers joined by dashes.
    pub(crate) bare: String,
    /// Where it was served.
    pub(super) platform: Platform,
}

/// Takes off gateway, region and vendor prefixes, and version, date, context-window and `latest`
/// suffixes. What is left is compared as a whole: no name matches by its beginning.
pub(crate) fn normalise(written: &str) -> Name {
    let lower = written.trim().to_ascii_lowercase();
    let (rest, mut platform) = strip_prefixes(&lower);
    let mut bare = rest;
    while let Some(shorter) = strip_suffix(bare) {
        let partner = bare.contains('@') || is_platform_version(bare, shorter);
        if partner && platform == Platform::Vendor {
            platform = Platform::Partner;
        }
        bare = shorter;
    }
    Name { bare: join_version(bare), platform }
}

/// A model's name without what gateways, platforms and clients add to it.
pub(crate) fn bare_name(written: &str) -> String {
    normalise(written).bare
}

fn strip_prefixes(name: &str) -> (&str, Platform) {
    let mut platform = Platform::Vendor;
    let mut rest = name;
    while let Some((prefix, shorter)) =
        GATEWAYS.iter().find_map(|p| rest.strip_prefix(p).map(|s| (*p, s)))
    {
        if matches!(prefix, "bedrock/" | "vertex_ai/" | "vertex/" | "google-vertex/")
            || prefix.starts_with("publishers/")
        {
            platform = Platform::Partner;
        }
        rest = shorter;
    }
    match bedrock(rest) {
        Some((shorter, platform)) => (shorter, platform),
        None => (rest, platform),
    }
}

/// A model's name on Bedrock without its prefixes: the vendor, the inference profile, and the path or ARN that
/// names the profile.
fn bedrock(name: &str) -> Option<(&str, Platform)> {
    const VENDOR: &str = "anthropic.";
    let starts = |at: usize| at == 0 || matches!(name.as_bytes()[at - 1], b'.' | b'/');
    let at = name.rmatch_indices(VENDOR).map(|(at, _)| at).find(|at| starts(*at))?;
    let (before, vendor) = name.split_at(at);
    let profile = before.rsplit('/').next().unwrap_or(before);
    let platform =
        if profile == "global." { Platform::BedrockGlobal } else { Platform::BedrockRegional };
    Some((&vendor[VENDOR.len()..], platform))
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
        use Platform::{BedrockGlobal, BedrockRegional, Partner, Vendor};
        for (written, bare, platform) in [
            ("claude-opus-4-5-20251101", "claude-opus-4-5", Vendor),
            ("claude-opus-4-5@20251101", "claude-opus-4-5", Partner),
            ("claude-opus-4-6[1m]", "claude-opus-4-6", Vendor),
            ("claude-3-5-sonnet-latest", "claude-3-5-sonnet", Vendor),
            ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5", BedrockRegional),
            (
                "us.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]",
                "claude-sonnet-4-5",
                BedrockRegional,
            ),
            ("us-gov.anthropic.claude-sonnet-4-6", "claude-sonnet-4-6", BedrockRegional),
            ("new.anthropic.claude-sonnet-4-6", "claude-sonnet-4-6", BedrockRegional),
            ("global.anthropic.claude-opus-4-6-v1", "claude-opus-4-6", BedrockGlobal),
            ("eu.anthropic.claude-3-haiku-20240307-v1:0", "claude-3-haiku", BedrockRegional),
            ("anthropic.claude-3-sonnet-20240229-v1:0:200k", "claude-3-sonnet", BedrockRegional),
            ("bedrock/us-east-1/anthropic.claude-opus-4-6", "claude-opus-4-6", BedrockRegional),
            ("bedrock/converse/global.anthropic.claude-opus-4-6", "claude-opus-4-6", BedrockGlobal),
            (
                "arn:aws:bedrock:us-east-1:123456789012:inference-profile/global.anthropic.claude-opus-4-6-v1",
                "claude-opus-4-6",
                BedrockGlobal,
            ),
            (
                "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-4-6-v1",
                "claude-opus-4-6",
                BedrockRegional,
            ),
            ("claude-3-5-sonnet-v2@20241022", "claude-3-5-sonnet", Partner),
            ("anthropic/claude-haiku-4.5", "claude-haiku-4-5", Vendor),
            ("openrouter/anthropic/claude-sonnet-4", "claude-sonnet-4", Vendor),
            ("vertex_ai/claude-opus-4-1@20250805", "claude-opus-4-1", Partner),
            (" Claude-Opus-4 ", "claude-opus-4", Vendor),
        ] {
            assert_eq!(normalise(written), Name { bare: bare.into(), platform }, "{written}");
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
            "myanthropic.claude-opus-4",
            "my-proxy/claude-opus-4",
            "claude-opus-4:thinking",
            "[1m]",
            "",
        ] {
            assert_eq!(normalise(name).bare, name);
        }
    }
}
