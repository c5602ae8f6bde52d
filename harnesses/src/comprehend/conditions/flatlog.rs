//! The end of the flat log over the session's own transcript.

use trace_model::event::Record;
use trace_model::fold::{FoldConfig, RunState};
use trace_model::reader::TranscriptReader;
use trace_model::view::flatlog::FlatLog;

use super::{Caps, Context, Subject};

pub(super) fn compile(subject: &Subject<'_>, caps: &Caps) -> Context {
    let mut log = FlatLog::default();
    let mut reader = TranscriptReader::new(subject.role().clone());
    let mut state = RunState::new(FoldConfig::default());
    let mut take = |record: &Record<'_>| {
        state.apply(record);
        log.push(record, &state);
    };
    reader.feed(subject.session(), &mut take);
    reader.finish(&mut take);
    Context::tail(&log.finish(), caps.flatlog_chars)
}
