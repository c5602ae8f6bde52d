//! What conditions work on and make: a run, the caps, the text that a reader is shown.

use trace_model::adapter::FileRole;
use trace_model::event::{Body, Record, Thread};
use trace_model::fold::{FoldConfig, RunState};
use trace_model::run::{FoldObserver, Folder};
use trace_model::view::Budget;
use trace_model::view::flatlog::FlatLog;
use trace_model::view::worker::WorkerViewConfig;

/// The characters that a token is taken to have where no tokenizer is run.
pub(in crate::comprehend) const CHARS_PER_TOKEN: u64 = 4;

/// Caps on what a condition shows. All of them are recorded in the scoreboard's protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caps {
    /// Characters of the transcript's end.
    pub raw_chars: usize,
    /// Characters of the flat log's end.
    pub flatlog_chars: usize,
    /// Caps of the lists of the view behind the paper's figures.
    pub view: WorkerViewConfig,
    /// The handover view's budget.
    pub handover: Budget,
}

impl Caps {
    /// The caps with which a condition without a renderer of its own is stamped.
    pub(super) fn probing() -> Self {
        let (view, handover) = (WorkerViewConfig::default(), Budget::Caps);
        Self { raw_chars: 3000, flatlog_chars: 3000, view, handover }
    }

    /// The same for a condition that shows at most so many characters.
    pub(super) fn within(&self, most: u32) -> Self {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let handover = Budget::Chars(most);
        Self { raw_chars: most, flatlog_chars: most, handover, ..self.clone() }
    }
}

/// A condition's text of a run, or why there is none: the run is then left out under that condition.
pub type Compiled = Result<Context, &'static str>;

/// A run, as conditions see it.
#[derive(Debug)]
pub struct Subject<'a> {
    session: &'a [u8],
    state: RunState,
    flat_log: String,
    summary: Option<String>,
}

impl<'a> Subject<'a> {
    /// A run by its transcripts, the session's own first. Each is read once, for the state and the log.
    pub(crate) fn of(transcripts: Vec<(FileRole, &'a [u8])>) -> Self {
        let session = transcripts.first().map(|(_, session)| *session).unwrap_or_default();
        let mut seen = Onlooker::default();
        let folder = Folder::of(transcripts, FoldConfig::default(), &mut seen);
        let Onlooker { log, summary } = seen;
        Self { session, state: folder.into_state(), flat_log: log.finish(), summary }
    }

    /// The session's own transcript.
    #[must_use]
    pub fn session(&self) -> &'a [u8] {
        self.session
    }

    /// The state of the run with its subagents.
    #[must_use]
    pub fn state(&self) -> &RunState {
        &self.state
    }

    /// The flat log of the session's own transcript.
    #[must_use]
    pub fn flat_log(&self) -> &str {
        &self.flat_log
    }

    /// The client's summary at the last compaction of the main thread.
    #[must_use]
    pub fn summary(&self) -> Option<&str> {
        self.summary.as_deref()
    }
}

/// What conditions need of the run's records and the fold does not keep.
#[derive(Debug, Default)]
struct Onlooker {
    log: FlatLog,
    summary: Option<String>,
}

impl FoldObserver for Onlooker {
    fn before(&mut self, state: &RunState, record: &Record<'_>, file: u32) {
        self.log.before(state, record, file);
    }

    fn after(&mut self, state: &RunState, record: &Record<'_>, file: u32) {
        self.log.after(state, record, file);
        if !record.summarises || record.thread != Thread::Main || file != 0 {
            return;
        }
        let texts = record.events.iter().filter_map(|event| match &event.body {
            Body::Message(text) => Some(text.as_ref()),
            _ => None,
        });
        let summary = texts.collect::<Vec<_>>().join("\n");
        if !summary.is_empty() {
            self.summary = Some(summary);
        }
    }
}

/// What a reader is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// The text.
    pub text: String,
    /// Characters of the whole text before the cut.
    pub of_chars: u64,
}

impl Context {
    /// A text that nothing was cut from.
    #[must_use]
    pub fn whole(text: String) -> Self {
        let of_chars = chars(&text);
        Self { text, of_chars }
    }

    /// The last `most` characters of a text.
    #[must_use]
    pub fn tail(text: &str, most: usize) -> Self {
        Self { text: last(text, most).to_owned(), of_chars: chars(text) }
    }

    /// Its length in characters.
    #[must_use]
    pub fn chars(&self) -> u64 {
        chars(&self.text)
    }
}

pub(super) fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}

/// The last `most` characters.
fn last(text: &str, most: usize) -> &str {
    let from_end = most.checked_sub(1).map(|at| text.char_indices().rev().nth(at));
    match from_end {
        None => "",
        Some(start) => start.map_or(text, |(at, _)| &text[at..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_is_cut_between_characters_and_knows_its_whole() {
        let tail = |most| Context::tail("aé→b", most).text;
        assert_eq!([0, 1, 2, 3, 4, 5].map(tail), ["", "b", "→b", "é→b", "aé→b", "aé→b"]);
        assert_eq!(Context::tail("aé→b", 2).of_chars, 4);
        assert_eq!(Context::tail("", 2), Context::whole(String::new()));
    }
}
