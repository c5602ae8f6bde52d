//! Whose run this is, how it stands, and what was asked.

use maud::{Markup, html};
use trace_model::event::{Kind, Outcome, Source};
use trace_model::fold::{EpisodeStatus, Prompt};

use super::Subject;
use crate::mask::Mask;
use crate::session::Hold;
use crate::text::{Ink, at, count, duration};

/// Characters of a title.
const TITLE_CHARS: usize = 120;
/// Characters of the goal and of the latest request.
const REQUEST_CHARS: usize = 1500;

/// How a run stands, in a word and a class.
pub(crate) fn standing(subject: &Subject<'_>) -> (&'static str, String) {
    let state = subject.state;
    let in_flight = state.in_flight_count();
    if matches!(subject.hold, Hold::Lost(_)) {
        return ("bad", "File lost".to_owned());
    }
    if in_flight > 0 {
        return ("busy", format!("{} in flight", count(in_flight, "call")));
    }
    let interrupted = state
        .episode_under_way()
        .is_some_and(|episode| episode.status == EpisodeStatus::Interrupted);
    if interrupted {
        return ("warn", "Interrupted".to_owned());
    }
    // Whatever was said last, a run with something in the background has not answered yet.
    let running = state.background_counts().running;
    if running > 0 {
        return ("busy", format!("{} in the background", count(running, "task")));
    }
    let Some(last) = state.conversation().frontier().next_back() else {
        return ("idle", "Nothing yet".to_owned());
    };
    match (last.kind, last.source, last.outcome) {
        (Kind::Error, ..) => ("bad", "Endpoint error".to_owned()),
        (Kind::Message, Source::Agent, _) => ("idle", "Has answered".to_owned()),
        (_, _, Some(Outcome::Denied)) => ("warn", "Call denied".to_owned()),
        _ => ("busy", "Working".to_owned()),
    }
}

/// What the document is called.
pub(super) fn title(subject: &Subject<'_>, mask: &Mask) -> String {
    let name = name(subject);
    let masked = mask.apply(&name, false);
    trace_model::text::one_line(&masked.text, TITLE_CHARS, None)
}

fn name(subject: &Subject<'_>) -> String {
    let identity = subject.state.identity();
    let goal = || subject.state.conversation().goal().map(|goal| goal.text.text.clone());
    let file =
        || subject.path.and_then(|path| path.file_stem()).map(|s| s.to_string_lossy().into());
    let named = identity.title.clone().or_else(goal).or_else(file);
    named.unwrap_or_else(|| "A run".to_owned())
}

/// The head of the page.
pub(super) fn head(subject: &Subject<'_>, ink: &Ink<'_>) -> Markup {
    let identity = subject.state.identity();
    let models = subject.state.spending_by_model();
    let mut models: Vec<_> = models.into_iter().collect();
    models.sort_by_key(|(name, spending)| (std::cmp::Reverse(spending.calls), *name));
    let (class, word) = standing(subject);
    html! {
        div #head.head {
            p.standing { span class={ "pill " (class) } { (word) } }
            h1 dir="auto" { (ink.text(&name(subject), TITLE_CHARS)) }
            ul.meta role="list" {
                @if let Some(cwd) = &identity.cwd {
                    li { span.k { "in" } code { (ink.text(cwd, 160)) } }
                }
                @if let Some(branch) = &identity.branch {
                    li { span.k { "branch" } code { (ink.text(branch, 60)) } }
                }
                @if !models.is_empty() {
                    li {
                        span.k { @if models.len() == 1 { "model" } @else { "models" } }
                        @for (at, (model, spending)) in models.iter().take(4).enumerate() {
                            @if at > 0 { ", " }
                            code { (ink.text(model, 60)) }
                            @if models.len() > 1 { " " small { (spending.calls) "×" } }
                        }
                        @if models.len() > 4 { " and " (models.len() - 4) " more" }
                    }
                }
                @if let Some(session) = &identity.session {
                    li { span.k { "session" } code { (ink.text(session, 60)) } }
                }
                @if let Some(version) = &identity.client_version {
                    li { span.k { "client" } code { (ink.text(version, 30)) } }
                }
            }
        }
    }
}

/// The goal, and the latest request if it is another one.
pub(super) fn section(subject: &Subject<'_>, ink: &Ink<'_>) -> Markup {
    let conversation = subject.state.conversation();
    let prompts = conversation.prompts();
    html! {
        section #ask.ask aria-label="What was asked" {
            @if let (Some(goal), Some(latest)) = (conversation.goal(), conversation.latest_request()) {
                @if prompts == 1 {
                    (request(subject, "Goal, the only request", goal, ink))
                } @else {
                    (request(subject, "Goal", goal, ink))
                    (request(subject, &format!("Latest request, turn {prompts}"), latest, ink))
                }
            } @else {
                p.none { "No person has written anything." }
            }
        }
    }
}

fn request(subject: &Subject<'_>, title: &str, prompt: &Prompt, ink: &Ink<'_>) -> Markup {
    html! {
        div.request {
            h2 { (title) span.when {
                "event " (prompt.at)
                @if let Some(time) = prompt.time { ", " (at(time)) }
                @if let (true, Some(age)) = (subject.live, subject.age(prompt.time)) {
                    @if age >= 0 { ", " (duration(age)) " ago" }
                }
            } }
            div.prose.clamp tabindex="0" dir="auto" { (ink.excerpt(&prompt.text, REQUEST_CHARS)) }
        }
    }
}
