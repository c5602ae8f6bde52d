//! An episode: one line of digest, and behind it all that is known of it.

use maud::{Markup, html};
use trace_model::derived::{Validity, Version};
use trace_model::event::EventKind;
use trace_model::fold::{Episode, EpisodeStatus};

use super::now::{failure, outcome_word, speaker};
use super::progress::Progress;
use super::standing::EpisodeView;
use super::subject::Subject;
use crate::text::{TextRenderer, at, count, dollars, duration};
use crate::track::Pin;
use trace_model::text::grouped;

/// Characters of a prompt on the episode's line, and of prompt and conclusion behind it.
const LINE_CHARS: usize = 160;
const TEXT_CHARS: usize = 240;
/// Characters of an excerpt.
const EXCERPT_CHARS: usize = 700;
/// Evidence of one version shown.
const SHOWN_EVIDENCE: usize = 12;
/// Versions shown of an episode: the newest.
const SHOWN_VERSIONS: usize = 12;

/// The heading of the episodes.
pub(super) fn heading(shown: u64, all: u64) -> Markup {
    html! {
        div #episodes-head.title {
            h2 #episodes-h { "Episodes " span.n { (grouped(all)) } }
            p.sub {
                @if all == 0 { "No turn has begun." }
                @else if shown < all { "The newest " (grouped(shown)) " of " (grouped(all)) ", newest first" }
                @else { "A turn and what followed it, newest first" }
            }
        }
    }
}

/// An episode's element.
pub(super) fn item(
    id: &str,
    subject: &Subject<'_>,
    of: &EpisodeView<'_>,
    render: &TextRenderer<'_>,
) -> Markup {
    let episode = of.episode;
    let progress = Progress::of(subject.state);
    let (class, word) = progress.of_episode(of);
    html! {
        li.ep.back[of.taken_back_by.is_some()] id=(id) data-find="" {
            details id={ (id) "-d" } {
                summary {
                    span.nr { (episode.number) }
                    span.main {
                        span.asked dir="auto" { (asked(of, render)) }
                        span.digest {
                            @if let Some(by) = of.taken_back_by {
                                span.warn { "no part of the conversation since turn " (by) " went on from an earlier one" }
                            }
                            (digest(episode))
                        }
                    }
                    span class={ "pill " (class) } { (word) }
                }
                div.inside { (inside(id, subject, of, render)) }
            }
        }
    }
}

/// What the person asked; struck out where it was taken back.
fn asked(of: &EpisodeView<'_>, render: &TextRenderer<'_>) -> Markup {
    let episode = of.episode;
    let asked = render.part(&episode.prompt, Some(episode.prompt_chars), LINE_CHARS);
    html! { @if of.taken_back_by.is_some() { s { (asked) } } @else { (asked) } }
}

fn digest(episode: &Episode) -> Markup {
    let files = episode.files_written.len() as u64 + episode.more_files_written;
    html! {
        span { (count(episode.calls(), "call")) }
        @if episode.failures > 0 { span.bad { (grouped(episode.failures)) " failed" } }
        @if episode.dangling_count > 0 { span.warn { (grouped(episode.dangling_count)) " left open" } }
        @if episode.late_results > 0 { span.warn { (grouped(episode.late_results)) " answered late" } }
        @if files > 0 { span { (count(files, "file")) " written" } }
        @if let (Some(started), Some(ended)) = (episode.started, episode.ended) {
            span { (duration(ended.0.saturating_sub(started.0))) }
        }
        span { (dollars(episode.dollars)) }
        @if let Some(started) = episode.started { (at(started)) }
    }
}

fn inside(
    id: &str,
    subject: &Subject<'_>,
    of: &EpisodeView<'_>,
    render: &TextRenderer<'_>,
) -> Markup {
    let episode = of.episode;
    let answered = Progress::of(subject.state) == Progress::Answered;
    html! {
        dl.facts {
            dt { "Asked" }
            dd.prose dir="auto" { (render.part(&episode.prompt, Some(episode.prompt_chars), TEXT_CHARS)) }
            dt { @if of.under_way && !answered { "Said last" } @else { "Concluded" } }
            dd.prose dir="auto" {
                @if episode.conclusion.chars == 0 { span.none { "The agent said nothing." } }
                @else { (render.head(&episode.conclusion, TEXT_CHARS)) }
            }
            @if !episode.tools.is_empty() { dt { "Tools" } dd { (tools(episode, render)) } }
            @if !episode.dangling.is_empty() {
                dt { "Left open" }
                dd {
                    (names(&episode.dangling, episode.dangling_count, render))
                    @if episode.late_results > 0 { "; " (grouped(episode.late_results)) " answered later after all" }
                }
            }
            @if !episode.files_written.is_empty() {
                dt { "Wrote" }
                dd {
                    ul.paths role="list" {
                        @for path in &episode.files_written { li { code { (render.text(path, 300)) } } }
                    }
                    @if episode.more_files_written > 0 {
                        span.cut { (episode.files_written.len()) " named; " (grouped(episode.more_files_written)) " more" }
                    }
                }
            }
            dt { "Time" }
            dd {
                @match (episode.started, episode.ended) {
                    (Some(started), Some(ended)) => {
                        (at(started)) " to " (at(ended)) ", " (duration(ended.0.saturating_sub(started.0)))
                    },
                    _ => "unknown",
                }
            }
            dt { "Cost" }
            dd { (dollars(episode.dollars)) ", subagents' included, where there is a price" }
            (failures(subject, episode, render))
            dt { "Evidence" }
            dd { (evidence(id, subject, of, render)) }
            dt { "Versions" }
            dd { (versions(subject, of)) }
        }
    }
}

fn tools(episode: &Episode, render: &TextRenderer<'_>) -> Markup {
    let mut tools: Vec<_> = episode.tools.iter().collect();
    tools.sort_by_key(|(name, calls)| (std::cmp::Reverse(**calls), *name));
    html! {
        ul.inline role="list" {
            @for (name, calls) in tools.iter().take(30) { li { (render.text(name, 60)) " " b { (calls) } } }
        }
        @if tools.len() > 30 { span.cut { "30 of " (tools.len()) " tools" } }
    }
}

fn names(names: &[String], all: u64, render: &TextRenderer<'_>) -> Markup {
    html! {
        @for (at, name) in names.iter().enumerate() {
            @if at > 0 { ", " }
            (render.text(name, 60))
        }
        @if all > names.len() as u64 { " " span.cut { (names.len()) " of " (all) } }
    }
}

fn failures(subject: &Subject<'_>, episode: &Episode, render: &TextRenderer<'_>) -> Markup {
    let kept = subject.track.episode(episode.number).map(|notes| &notes.failures);
    let shown = kept.map_or(0, std::collections::VecDeque::len) as u64;
    html! {
        @if episode.failures > 0 {
            dt { "Errors" }
            dd {
                @if shown < episode.failures {
                    p.cut { "The last " (shown) " of " (grouped(episode.failures)) ", newest first" }
                }
                ol.rows role="list" {
                    @for one in kept.into_iter().flatten().rev() { li.row.bad { (failure(one, render)) } }
                }
            }
        }
    }
}

/// The events that the episode rests on; each opens its excerpt.
fn evidence(
    id: &str,
    subject: &Subject<'_>,
    of: &EpisodeView<'_>,
    render: &TextRenderer<'_>,
) -> Markup {
    let mut cited = of.newest.evidence.clone();
    if of.under_way {
        cited.extend(
            subject.track.said().map(|pin| pin.seq.0).filter(|seq| *seq >= of.newest.covers.first),
        );
    }
    cited.sort_unstable();
    cited.dedup();
    let shown = cited.len().min(SHOWN_EVIDENCE);
    html! {
        ul.pins role="list" {
            @for seq in &cited[..shown] {
                li {
                    @match subject.track.pin(*seq) {
                        Some(pin) => (excerpt(id, pin, render)),
                        None => span.none { "event " (seq) ", of which no excerpt is kept" },
                    }
                }
            }
        }
        @if cited.len() > shown { span.cut { (shown) " of " (cited.len()) } }
    }
}

fn excerpt(id: &str, pin: &Pin, render: &TextRenderer<'_>) -> Markup {
    html! {
        details.pin id={ (id) "-e" (pin.seq) } {
            summary {
                b { "event " (pin.seq) } " "
                @match (pin.kind, pin.outcome) {
                    (_, Some(outcome)) => { "a result: the call " (outcome_word(outcome)) },
                    (EventKind::Message, _) => { "message of the " (speaker(pin.source)) },
                    (kind, _) => (kind.name().replace('_', " ")),
                }
                @if let Some(time) = pin.time { span.when { (at(time)) } }
            }
            div.prose.excerpt tabindex="0" dir="auto" { (render.excerpt(&pin.excerpt, EXCERPT_CHARS)) }
            p.when {
                "line " (pin.at.line) " (byte " (grouped(pin.at.offset.0)) ") of "
                @if pin.file == 0 { "the session's file" } @else { "the run's file " (pin.file + 1) }
            }
        }
    }
}

fn versions(subject: &Subject<'_>, of: &EpisodeView<'_>) -> Markup {
    let store = subject.state.episodes();
    let last = of.version.0;
    let first = last.saturating_sub(u32::try_from(SHOWN_VERSIONS).unwrap_or(u32::MAX) - 1).max(1);
    let mut numbers: Vec<u32> = (first..=last).collect();
    numbers.reverse();
    let node = store
        .nodes()
        .find(|node| store.newest(node).is_some_and(|(_, newest)| std::ptr::eq(newest, of.newest)));
    let version = |number: u32| {
        let node = node?.clone();
        let version = trace_model::derived::VersionNo(number);
        store.get(&trace_model::derived::VersionRef { node, version })
    };
    html! {
        ol.versions role="list" {
            @for number in numbers {
                @if let Some(this) = version(number) {
                    li class=(this.state.name()) {
                        b { "v" (number) } " " span.tag { (this.state.name().replace('_', " ")) } " "
                        (reason(number, this, number.checked_sub(1).and_then(version))) "; events " (this.covers.first) "–" (this.covers.last)
                        ", by " (this.producer.name) " " (this.producer.version)
                        @if let (Validity::Invalidated, Some(by)) = (this.state, of.taken_back_by) {
                            "; no longer in force: turn " (by) " took its turn back"
                        }
                    }
                }
            }
        }
        @if first > 1 { span.cut { (last - first + 1) " of " (last) " versions" } }
    }
}

/// Why a version was made: what hindsight read in it that the one before did not say.
fn reason(number: u32, version: &Version<Episode>, before: Option<&Version<Episode>>) -> Markup {
    let episode = &version.content;
    let more = |of: fn(&Episode) -> u64| {
        of(episode).saturating_sub(before.map_or(0, |before| of(&before.content)))
    };
    let (open, late) = (more(|e| e.dangling_count), more(|e| e.late_results));
    let at = version.evidence.last().copied().unwrap_or(version.covers.last);
    html! {
        @if number == 1 { "made when its turn began" }
        @else if before.is_some_and(|before| before.state == Validity::Invalidated) {
            "in force again: the conversation went back to what follows from its turn"
        }
        @else if late > 0 {
            "read again at event " (at) ": a call that was open at the interruption answered after all"
        } @else if open > 0 {
            "read again at event " (at) ": a person stopped it, or wrote on, with "
            (count(open, "call")) " open"
        } @else if episode.status == EpisodeStatus::Complete {
            "read again when the next turn came, with no call open: complete"
        } @else { "read again when the next turn came, to say how it ended" }
    }
}
