//! The end of the flat log over the session's own transcript.

use trace_model::reader::TranscriptReader;
use trace_model::view::flatlog::FlatLog;

use super::{Caps, Context, Subject};

pub(super) fn compile(subject: &Subject<'_>, caps: &Caps) -> Context {
    let mut log = FlatLog::default();
    let mut reader = TranscriptReader::new(subject.role().clone());
    reader.feed(subject.session(), |record| log.push(record));
    reader.finish(|record| log.push(record));
    Context::tail(&log.finish(), caps.flatlog_chars)
}
