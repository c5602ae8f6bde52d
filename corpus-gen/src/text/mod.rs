//! Plausible text from word lists: names, prose, lines of files, logs, error messages. Used by
//! everything that fills a record. Lines that state a `key = value` fact say so to their caller, so
//! that the truth about facts is known while the text is made.

pub(crate) mod failures;
pub(crate) mod lines;
pub(crate) mod names;
pub(crate) mod prompts;
pub(crate) mod prose;
pub(crate) mod put;
pub(crate) mod shell;
pub(crate) mod words;
