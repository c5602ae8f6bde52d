//! Compiles the page of a run: each part from what it shows, unchanged episodes only once.

use std::collections::BTreeMap;

use maud::Markup;
use trace_model::view::Renderer;

use super::standing::{self, EpisodeView};
use super::subject::Subject;
use super::units::{Unit, Units};
use super::{alerts, ask, cards, chart, episode, facts, files, handover, mark, now};
use crate::fault;
use crate::mask::Mask;
use crate::text::TextRenderer;

/// What an episode's element was compiled from: if it is equal, so is the element.
type EpisodeKey = (u32, bool, usize, Option<u64>);

/// Compiles pages of one run again and again, and keeps what did not change.
#[derive(Debug)]
pub struct Compiler {
    mask: Mask,
    /// The renderer, as pages name it.
    stamp: String,
    episodes: BTreeMap<u64, (EpisodeKey, Unit, u64)>,
}

impl Compiler {
    /// A compiler whose pages bear the stamp of this renderer.
    pub(super) fn stamped(mask: Mask, renderer: &Renderer) -> Self {
        Self { mask, stamp: renderer.to_string(), episodes: BTreeMap::new() }
    }

    /// Compiles the page.
    pub fn compile(&mut self, subject: &Subject<'_>) -> Units {
        fault::inject(
            subject.state.conversation().latest_request().map_or("", |latest| &latest.text.text),
        );
        let Self { mask, stamp, episodes: cache } = self;
        let render = TextRenderer::new(mask);
        let mut masked = 0;
        let (episodes, all) = standing::episodes(subject.state);
        let oldest = episodes.last().map_or(0, EpisodeView::number);
        cache.retain(|number, _| *number >= oldest);
        let mut units = Vec::with_capacity(episodes.len());
        for episode in &episodes {
            let notes = subject.track.episode(episode.number());
            let failures = notes.map_or(0, |n| n.failures.len());
            let key = (episode.version.0, episode.under_way, failures, episode.taken_back_by);
            // The current episode changes with every event.
            let known = cache
                .get(&episode.number())
                .filter(|(known, ..)| *known == key && !episode.under_way);
            let (unit, secrets) = match known {
                Some((_, unit, secrets)) => (unit.clone(), *secrets),
                None => {
                    let id = format!("ep-{}", episode.number());
                    let html = episode::item(&id, subject, episode, &render).into_string().into();
                    let secrets = render.take_masked();
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
        add("head", ask::head(subject, &render));
        add("alerts", alerts::section(subject, &render));
        add("ask", ask::section(subject, &render));
        add("cards", cards::section(subject, &render));
        add("chart", chart::section(subject));
        add("flight", now::in_flight(subject, &render));
        add("frontier", now::frontier(subject, &render));
        add("failures", now::failures(subject, &render));
        add("files", files::section(subject, &render));
        add("episodes-head", episode::heading(shown, all));
        add("facts", facts::section(subject, &render));
        add("handover", handover::section(subject, &render));
        add("mark", mark::section(subject, stamp, &render));
        masked += render.take_masked();
        add("banner", alerts::banner(subject, mask, masked));
        Units { title: ask::title(subject, mask), fixed, episodes: units }
    }
}
