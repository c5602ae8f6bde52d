//! End-to-end tests: each runs the built command, as a person would.

// Helpers of tests are tests too, but the lint sees only functions marked as such.
#![allow(clippy::unwrap_used)]

mod against;
mod bad_input;
mod continuation;
mod docs;
mod figures;
mod fold;
mod help;
mod instruments;
mod observer;
mod parallel;
mod pipes;
mod real;
mod report;
mod scoreboard;
mod settings;
mod support;
mod terminal;
mod uses;
mod views;
