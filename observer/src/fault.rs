//! A panic is our fault, and must cost no more than one page or one row: pages are compiled and sessions are
//! read behind [`caught`].

use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a page says of a panic. Its message, which may hold a transcript's text, goes to the terminal alone.
pub(crate) const FAULT: &str = "an internal error of tracefold; its terminal says more";

/// Something panicked; the panic's hook has said what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Panicked;

/// Does something that may panic. What it was changing must not be relied on then.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Panicked)
}

/// What a text has to hold for [`inject`] to panic.
#[cfg(test)]
pub(crate) const INJECTED: &str = "a fault is injected here";

/// Panics over a marked text in this crate's own tests, and does nothing otherwise.
pub(crate) fn inject(text: &str) {
    #[cfg(test)]
    assert!(!text.contains(INJECTED), "{INJECTED}");
    let _ = text;
}
