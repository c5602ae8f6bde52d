//! End-to-end tests: each runs the built command, as a person would.

mod bad_input;
mod fold;
mod help;
mod instruments;
mod pipes;
mod real;
mod scoreboard;
mod support;
mod terminal;
mod uses;
mod views;
