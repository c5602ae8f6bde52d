//! The instruments as their callers see them.

mod commands;
mod detect;
mod fidelity;
mod support;
