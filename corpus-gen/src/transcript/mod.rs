//! Writing Claude Code transcripts: records in the recorded client's shapes and field order, and the
//! tally of what they are. Sessions and pathology traces are both written through [`recorder`].

pub(crate) mod client;
pub(crate) mod meta;
pub(crate) mod recorder;
pub(crate) mod reply;
pub(crate) mod results;
pub(crate) mod users;
