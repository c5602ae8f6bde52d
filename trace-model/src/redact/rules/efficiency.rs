//! How well a secret reads: prose is made of few long tokens and of words, a random secret of many short tokens.

use std::collections::HashSet;
use std::sync::LazyLock;

use tiktoken_rs::{CoreBPE, cl100k_base};

/// English words, in lower case.
const BUNDLED: &str = include_str!("../../../data/betterleaks/words.txt");

static TOKENIZER: LazyLock<Option<CoreBPE>> = LazyLock::new(|| cl100k_base().ok());

struct Words {
    all: HashSet<&'static str>,
    longest: usize,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| Words {
    all: BUNDLED.lines().collect(),
    longest: BUNDLED.lines().map(str::len).max().unwrap_or_default(),
});

/// The bytes a token; none without tokens.
pub(super) fn ratio(secret: &str) -> Option<f64> {
    Some(measured(secret)?.1)
}

/// Whether it reads too well to be a secret.
pub(super) fn reads_well(secret: &str) -> bool {
    let Some((text, ratio)) = measured(secret) else { return false };
    if has_word(&text, 5) {
        return true;
    }
    let least = if text.len() < 12 && has_word(&text, 4) { 2.1 } else { 2.5 };
    ratio >= least
}

/// The text that is measured, and its bytes a token. A short secret is measured without line breaks.
#[expect(clippy::cast_precision_loss, reason = "no secret has that many bytes")]
fn measured(secret: &str) -> Option<(String, f64)> {
    let breaks = ['\n', '\r'];
    let text = if secret.len() < 20 { secret.replace(breaks, "") } else { secret.to_owned() };
    let tokens = TOKENIZER.as_ref()?.encode_ordinary(&text).len();
    let ratio = text.len() as f64 / tokens as f64;
    (tokens > 0).then_some((text, ratio))
}

/// Whether it holds a word of this many bytes or more.
fn has_word(text: &str, shortest: usize) -> bool {
    let lower = text.to_lowercase();
    (0..lower.len()).any(|start| {
        let ends = start + shortest..=lower.len().min(start + WORDS.longest);
        ends.into_iter().any(|end| lower.get(start..end).is_some_and(|it| WORDS.all.contains(it)))
    })
}
