//! Attributes for tests that need what is not part of the repository: transcripts, shared cases, a browser.
//! Where it is absent, the test is reported as ignored, with the reason. Used by the tests of every crate.
//!
//! An attribute stands above `#[test]`, which has to see what it adds:
//!
//! ```text
//! #[test_needs::transcripts]
//! #[test]
//! fn every_session_folds() {
//!     let folder = test_needs::transcripts_dir!().join("claude-code");
//! ```
//!
//! With `TRACEFOLD_NEEDS_TRANSCRIPTS`, `TRACEFOLD_NEEDS_SHARED` or `TRACEFOLD_NEEDS_CHROMIUM` set, no such test
//! is ignored: it fails where its input is absent. What is there is decided when this crate is built, and a
//! test of its own fails once that is out of date.

use proc_macro::TokenStream;

#[cfg(test)]
mod find;

/// A test that reads real transcripts, in [`transcripts_dir!`].
#[proc_macro_attribute]
pub fn transcripts(_: TokenStream, test: TokenStream) -> TokenStream {
    ignored(option_env!("TEST_NEEDS_NO_TRANSCRIPTS"), test)
}

/// A test that reads shared cases, in [`shared_dir!`].
#[proc_macro_attribute]
pub fn shared(_: TokenStream, test: TokenStream) -> TokenStream {
    ignored(option_env!("TEST_NEEDS_NO_SHARED"), test)
}

/// A test that drives Chromium through chromedriver.
#[proc_macro_attribute]
pub fn chromium(_: TokenStream, test: TokenStream) -> TokenStream {
    ignored(option_env!("TEST_NEEDS_NO_CHROMIUM"), test)
}

/// The folder of real transcripts, one folder per agent, as a `&'static Path`.
#[proc_macro]
pub fn transcripts_dir(_: TokenStream) -> TokenStream {
    path(env!("TEST_NEEDS_TRANSCRIPTS"))
}

/// The folder that holds the shared `cases` and `quirks`, as a `&'static Path`.
#[proc_macro]
pub fn shared_dir(_: TokenStream) -> TokenStream {
    path(env!("TEST_NEEDS_SHARED"))
}

fn path(path: &str) -> TokenStream {
    tokens(&format!("::std::path::Path::new({path:?})"))
}

fn ignored(reason: Option<&str>, test: TokenStream) -> TokenStream {
    let Some(reason) = reason else { return test };
    let mut ignored = tokens(&format!("#[ignore = {reason:?}]"));
    ignored.extend(test);
    ignored
}

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("it is Rust")
}

#[cfg(test)]
mod tests {
    use super::find::needs;

    #[test]
    fn what_was_absent_at_build_time_is_still_absent() {
        let built = [
            option_env!("TEST_NEEDS_NO_TRANSCRIPTS"),
            option_env!("TEST_NEEDS_NO_SHARED"),
            option_env!("TEST_NEEDS_NO_CHROMIUM"),
        ];
        for (need, absent) in needs().iter().zip(built) {
            assert!(
                absent.is_none() || !need.is_there,
                "{} was absent and is there by now: `touch test-needs/build.rs` and build again",
                need.name
            );
        }
    }
}
