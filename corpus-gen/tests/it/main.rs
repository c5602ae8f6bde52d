//! The tests of corpus-gen, as one binary.

#![allow(clippy::unwrap_used)] // in helpers of tests too, a panic is a failed test

mod any_seed;
mod cli;
mod default_corpus;
mod reader;
mod varied;
