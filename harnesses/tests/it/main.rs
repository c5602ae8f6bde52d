//! The instruments as their callers see them.

mod commands;
mod comprehend;
mod comprehend_model;
mod comprehend_readers;
mod continuation;
mod continuation_arms;
mod continuation_model;
mod detect;
mod fidelity;
mod model;
mod support;
