//! Contexts: what could have been given to an agent in place of its past.
//!
//! Each is a row of [`CONTEXTS`]; views are rows of [`RENDERERS`], since they are compiled while the run is folded.

mod list;
mod text;
mod words;

use trace_model::fold::RunState;
use trace_model::view::worker::{WorkerViewConfig, compile};
use trace_model::view::{Budget, WorkerView};

use super::cuts::{Cut, CutKind};
use super::items::ItemKind;
use super::session::{Session, Snapshot};
pub(super) use text::chars;
use text::{first, last};

/// How long a context may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Size {
    /// At most so many characters.
    Chars(usize),
    /// As long as it is by itself.
    Own,
}

impl Size {
    /// The characters that it allows, if it sets a limit.
    pub(super) fn budget(self) -> Option<usize> {
        match self {
            Self::Chars(chars) => Some(chars),
            Self::Own => None,
        }
    }

    /// Its name.
    pub(super) fn name(self) -> String {
        match self {
            Self::Chars(chars) => chars.to_string(),
            Self::Own => "own".to_owned(),
        }
    }
}

/// A view of the run's state.
pub(super) struct RendererSpec {
    /// Its name among the contexts.
    pub(super) name: &'static str,
    /// Which view.
    pub(super) view: WorkerView,
    /// The view in so many characters, or in its own size.
    pub(super) compile: fn(&RunState, Option<usize>) -> String,
}

/// The views. A new renderer is a row here and one of [`CONTEXTS`].
pub(super) const RENDERERS: [RendererSpec; 2] = [
    RendererSpec { name: "worker/1", view: WorkerView::ONE, compile: worker_1 },
    RendererSpec { name: "worker/2", view: WorkerView::TWO, compile: worker_2 },
];

/// The view whose end in another session is the floor.
pub(super) const FLOOR: usize = RENDERERS.len() - 1;

fn worker_1(state: &RunState, budget: Option<usize>) -> String {
    let view = compile(state, &WorkerViewConfig::default());
    match budget {
        Some(budget) => first(&view, budget).to_owned(),
        None => view,
    }
}

fn worker_2(state: &RunState, budget: Option<usize>) -> String {
    WorkerView::TWO.compile(state, budget.map_or(Budget::Caps, Budget::Chars))
}

/// What a context is made of.
#[derive(Clone, Copy)]
pub(super) struct Past<'a> {
    /// The run.
    pub(super) session: &'a Session<'a>,
    /// Where it is cut.
    pub(super) cut: Cut,
    /// What the run had come to there.
    pub(super) snapshot: &'a Snapshot,
}

/// A context.
pub(super) enum Made {
    /// A text.
    Text(String),
    /// Everything before the cut: it holds all that is known.
    Everything {
        /// Its characters.
        chars: usize,
    },
}

/// What a context is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// An agent could go on from it.
    View,
    /// What a view has to hold against: no reader could make sense of it.
    Control,
    /// The least that says anything.
    Floor,
    /// All there is.
    Ceiling,
}

impl Role {
    /// Whether an agent could go on from it.
    pub(super) fn is_view(self) -> bool {
        self == Self::View
    }
}

/// A context as it is listed.
pub(super) struct ContextSpec {
    /// Its name.
    pub(super) name: &'static str,
    /// What it is, in a few words.
    pub(super) about: &'static str,
    /// What it is there for.
    pub(super) role: Role,
    /// Whether it can be had in any size.
    pub(super) sized: bool,
    /// Makes it; none where there is none at this cut.
    pub(super) make: fn(&Past<'_>, Size) -> Option<Made>,
}

/// The name of the floor, which is made of another session.
pub(super) const OTHER: &str = "other";

/// All contexts but the arms.
pub(super) const CONTEXTS: [ContextSpec; 9] = [
    ContextSpec {
        name: "flatlog",
        about: "the end of the flat log",
        role: Role::View,
        sized: true,
        make: |past, size| text(tail(&past.snapshot.flat_log, size)),
    },
    ContextSpec {
        name: "raw",
        about: "the end of the transcript as written",
        role: Role::View,
        sized: true,
        make: |past, size| {
            let bytes = past.session.bytes.get(..past.snapshot.bytes).unwrap_or_default();
            text(text::last_of_bytes(bytes, size.budget()))
        },
    },
    ContextSpec {
        name: "worker/1",
        about: "the beginning of the view worker 1",
        role: Role::View,
        sized: true,
        make: |past, size| view(past, 0, size),
    },
    ContextSpec {
        name: "worker/2",
        about: "the view worker 2 within the budget",
        role: Role::View,
        sized: true,
        make: |past, size| view(past, 1, size),
    },
    ContextSpec {
        name: "summary",
        about: "the beginning of the summary that the vendor's client wrote here",
        role: Role::View,
        sized: true,
        make: |past, size| text(head(summary(past)?, size)),
    },
    ContextSpec {
        name: "list",
        about: "the last 40 paths and 20 commands",
        role: Role::View,
        sized: true,
        make: |past, size| text(list::compile(past, size.budget())),
    },
    ContextSpec {
        name: "words",
        about: "control: the most recent words, each once, in no order that makes sense",
        role: Role::Control,
        sized: true,
        make: |past, size| text(words::compile(past, size.budget().unwrap_or(words::OWN_CHARS))),
    },
    ContextSpec {
        name: OTHER,
        about: "floor: the last view of the next session in the list",
        role: Role::Floor,
        sized: true,
        make: |_, _| None,
    },
    ContextSpec {
        name: "everything",
        about: "ceiling: all items before the cut",
        role: Role::Ceiling,
        sized: false,
        make: |past, _| {
            let before = past.session.items[..past.cut.before].iter();
            let chars = before.map(|item| chars(&item.normal) + 1).sum();
            Some(Made::Everything { chars })
        },
    },
];

#[expect(clippy::unnecessary_wraps, reason = "what every context gives")]
fn text(text: String) -> Option<Made> {
    Some(Made::Text(text))
}

fn view(past: &Past<'_>, renderer: usize, size: Size) -> Option<Made> {
    past.snapshot.views.get(&(renderer, size)).cloned().map(Made::Text)
}

fn head(whole: &str, size: Size) -> String {
    size.budget().map_or(whole, |chars| first(whole, chars)).to_owned()
}

fn tail(whole: &str, size: Size) -> String {
    size.budget().map_or(whole, |chars| last(whole, chars)).to_owned()
}

/// The summary of the compaction at a cut: the first one after it, before any call.
fn summary<'a>(past: &Past<'a>) -> Option<&'a str> {
    if past.cut.kind != CutKind::Compaction {
        return None;
    }
    let after = past.session.items.get(past.cut.before..)?.iter();
    let mut until_call = after.take_while(|item| item.kind != ItemKind::Call);
    let summary = until_call.find(|item| item.kind == ItemKind::Summary)?;
    Some(&summary.text)
}
