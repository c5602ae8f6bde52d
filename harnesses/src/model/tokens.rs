//! Estimates of a text's tokens, for plans made before anything is sent. What a run reports afterwards is what
//! the provider counted.

/// The encoding behind estimates; name it beside every estimate.
pub const ENCODING: &str = "o200k_base";

/// How many tokens the text has in [`ENCODING`], OpenAI's encoding since GPT-4o; other models' own
/// tokenizers count differently. The encoding is loaded once, at the first call.
#[must_use]
pub fn estimate(text: &str) -> u64 {
    tiktoken_rs::o200k_base_singleton().count_ordinary(text) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_counts_as_the_encoding_does() {
        // Published for the encoding: this phrase has six tokens.
        assert_eq!(estimate("tiktoken is great!"), 6);
        assert_eq!(estimate(""), 0);
        // What would be a special token elsewhere is plain text in a transcript.
        assert!(estimate("<|endoftext|>") > 1);
    }
}
