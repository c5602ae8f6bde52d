//! What is true of a run, and how right an answer about it is.
//!
//! [`oracle`] recounts a run from its raw JSON, [`questions`] asks about it, [`graders`] grade answers,
//! [`forms`] test the graders, [`replay`] says what a run went on to use of its past, and [`stats`] holds the statistics that instruments report. The crate shares no
//! code with the fold or the generators, whose results are checked against it.

mod answers;
pub mod forms;
pub mod graders;
pub mod oracle;
pub mod questions;
pub mod replay;
pub mod stats;
