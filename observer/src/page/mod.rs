//! The page of a run: compiled from its state in named units, so that a live page can be told which of
//! them changed. Used by the static page, the server and the benchmarks.

mod alerts;
mod ask;
mod cards;
mod chart;
mod document;
mod episode;
mod facts;
mod files;
mod mark;
mod now;
mod progress;
mod renderer;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use maud::Markup;
use trace_model::fold::{Episode, RunState};
use trace_model::ids::Millis;
use trace_model::reader::ReadStats;

use crate::mask::Mask;
use crate::session::{Hold, Session};
use crate::text::Ink;
use crate::track::Track;

pub(crate) use alerts::name as alert_name;
pub(crate) use ask::standing;
pub use document::{Shell, document, policy};
pub(crate) use document::{frame, help, search};
pub(crate) use now::speaker;
pub(crate) use progress::Progress;
pub use renderer::renderer;

/// Episodes on the page: the newest ones.
const SHOWN_EPISODES: usize = 150;

/// What a page is compiled from.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The session's file; none for a run that was never in one.
    pub path: Option<&'a Path>,
    /// The run's state.
    pub state: &'a RunState,
    /// What was kept beside it.
    pub track: &'a Track,
    /// What reading came across.
    pub reading: &'a ReadStats,
    /// Files of the run.
    pub files: u64,
    /// Whether the file is still there.
    pub hold: &'a Hold,
    /// How often it was read anew.
    pub restarts: u64,
    /// The time at which the run is looked at: what ages are counted to.
    pub now: Option<Millis>,
    /// Whether the page follows the run.
    pub live: bool,
}

impl<'a> Subject<'a> {
    /// A session at a time; without one, at the time of its last event.
    pub fn of(session: &'a Session, reading: &'a ReadStats, now: Option<Millis>) -> Self {
        Self {
            path: Some(session.run().session()),
            state: session.state(),
            track: session.track(),
            reading,
            files: session.run().readings().count() as u64,
            hold: session.hold(),
            restarts: session.restarts(),
            now: now.or(session.last_time()),
            live: false,
        }
    }

    /// How long ago a time is, in milliseconds; none if either is not known.
    pub(crate) fn age(&self, time: Option<Millis>) -> Option<i64> {
        Some(self.now?.0.saturating_sub(time?.0))
    }
}

/// A part of the page that changes as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// The `id` of its element.
    pub id: String,
    /// The element.
    pub html: Arc<str>,
}

/// All parts of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Units {
    /// The title of the document, as plain text.
    pub title: String,
    /// The parts with a place of their own.
    pub fixed: Vec<Unit>,
    /// The episodes, newest first.
    pub episodes: Vec<Unit>,
}

impl Units {
    /// A part with a place of its own.
    pub fn fixed(&self, id: &str) -> &str {
        self.fixed.iter().find(|unit| unit.id == id).map_or("", |unit| &unit.html)
    }
}

/// What an episode's element was compiled from: if it is equal, so is the element.
type EpisodeKey = (u32, bool, usize, Option<u64>);

/// Compiles pages of one run again and again, and keeps what did not change.
#[derive(Debug, Default)]
pub struct Compiler {
    mask: Mask,
    episodes: BTreeMap<u64, (EpisodeKey, Unit, u64)>,
}

impl Compiler {
    /// A compiler that does this with secrets.
    pub fn new(mask: Mask) -> Self {
        Self { mask, episodes: BTreeMap::new() }
    }

    /// Compiles the page.
    pub fn compile(&mut self, subject: &Subject<'_>) -> Units {
        let Self { mask, episodes: cache } = self;
        let ink = Ink::new(mask);
        let mut masked = 0;
        let (episodes, all) = episodes(subject.state);
        let oldest = episodes.last().map_or(0, Standing::number);
        cache.retain(|number, _| *number >= oldest);
        let mut units = Vec::with_capacity(episodes.len());
        for episode in &episodes {
            let notes = subject.track.episode(episode.number());
            let failures = notes.map_or(0, |n| n.failures.len());
            let key = (episode.version.0, episode.under_way, failures, episode.taken_back_by);
            // What is under way changes with every event.
            let known = cache
                .get(&episode.number())
                .filter(|(known, ..)| *known == key && !episode.under_way);
            let (unit, secrets) = match known {
                Some((_, unit, secrets)) => (unit.clone(), *secrets),
                None => {
                    let id = format!("ep-{}", episode.number());
                    let html = episode::item(&id, subject, episode, &ink).into_string().into();
                    let secrets = ink.take_masked();
                    let unit = Unit { id, html };
                    cache.insert(episode.number(), (key, unit.clone(), secrets));
                    (unit, secrets)
                }
            };
            masked += secrets;
            units.push(unit);
        }
        let shown = units.len() as u64;
        let mut fixed: Vec<Unit> = Vec::new();
        let mut add = |id: &str, html: Markup| {
            fixed.push(Unit { id: id.to_owned(), html: html.into_string().into() });
        };
        add("head", ask::head(subject, &ink));
        add("alerts", alerts::section(subject, &ink));
        add("ask", ask::section(subject, &ink));
        add("cards", cards::section(subject, &ink));
        add("chart", chart::section(subject));
        add("flight", now::in_flight(subject, &ink));
        add("frontier", now::frontier(subject, &ink));
        add("failures", now::failures(subject, &ink));
        add("files", files::section(subject, &ink));
        add("episodes-head", episode::heading(shown, all));
        add("facts", facts::section(subject, &ink));
        add("mark", mark::section(subject, &ink));
        masked += ink.take_masked();
        add("banner", alerts::banner(subject, mask, masked));
        Units { title: ask::title(subject, mask), fixed, episodes: units }
    }
}

/// An episode as it stands.
pub(crate) struct Standing<'a> {
    version: trace_model::derived::VersionNo,
    newest: &'a trace_model::derived::Version<Episode>,
    pub(crate) episode: &'a Episode,
    pub(crate) under_way: bool,
    /// The turn that took its own back, if one did.
    pub(crate) taken_back_by: Option<u64>,
}

impl Standing<'_> {
    fn number(&self) -> u64 {
        self.episode.number
    }
}

/// The newest episodes, newest first, and how many there are.
pub(crate) fn episodes(state: &RunState) -> (Vec<Standing<'_>>, u64) {
    let store = state.episodes();
    let under_way = state.episode_under_way();
    let nodes: Vec<_> = store.nodes().collect();
    let newest = nodes.iter().rev().take(SHOWN_EPISODES);
    let taken_back_by =
        |number: u64| state.turns().iter().find(|turn| turn.number == number)?.taken_back_by;
    // Of a turn that was taken back no version holds: its newest is shown as what it is.
    let standing = newest.filter_map(|node| store.newest(node)).map(|(reference, newest)| {
        let current = under_way.filter(|current| current.number == newest.content.number);
        Standing {
            version: reference.version,
            newest,
            episode: current.unwrap_or(&newest.content),
            under_way: current.is_some(),
            taken_back_by: taken_back_by(newest.content.number),
        }
    });
    (standing.collect(), nodes.len() as u64)
}
