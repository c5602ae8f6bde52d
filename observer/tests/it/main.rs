//! Pages in a real browser, and the server as a browser sees it.

// Helpers of tests are tests too, but the lint sees only functions marked as such.
#![allow(clippy::unwrap_used)]

mod browser;
mod fleet;
mod handover;
mod hostile;
mod live;
mod pages;
mod server;
mod terminal;
mod transcript;
