//! Whose run this is, its status, and what was asked.

use maud::{Markup, html};
use trace_model::fold::{Identity, Prompt};
use trace_model::ids::Seq;

use super::progress::Progress;
use super::subject::Subject;
use crate::mask::Mask;
use crate::session::FileStatus;
use crate::text::{TextRenderer, at, count, duration};
use trace_model::text::grouped;

/// Characters of a title.
const TITLE_CHARS: usize = 120;
/// Characters of the goal and of the latest request.
const REQUEST_CHARS: usize = 1500;
/// Models named that were called: those called most.
const SHOWN_MODELS: usize = 4;

/// How a run stands, in a class and words.
pub(crate) fn standing(subject: &Subject<'_>) -> (&'static str, String) {
    match subject.file_status {
        FileStatus::Lost(_) => ("bad", "File lost".to_owned()),
        FileStatus::Present => Progress::of(subject.state).of_run(),
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
pub(super) fn head(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let identity = subject.state.identity();
    let (class, word) = standing(subject);
    html! {
        div #head.head {
            p.standing { span class={ "pill " (class) } { (word) } }
            h1 dir="auto" { (render.text(&name(subject), TITLE_CHARS)) }
            ul.meta role="list" {
                @if let Some(cwd) = &identity.cwd {
                    li {
                        span.k { "in" } code { (render.text(cwd, 160)) }
                        (since(identity.cwd_since, identity.cwd_changes))
                    }
                }
                @if let Some(branch) = &identity.branch {
                    li {
                        span.k { "branch" } code { (render.text(branch, 60)) }
                        (since(identity.branch_since, identity.branch_changes))
                    }
                }
                (models(subject, identity, render))
                @if let Some(mode) = &identity.permission_mode {
                    li {
                        span.k { "permission mode" } code { (render.text(mode, 40)) }
                        (since(identity.permission_mode_since, identity.permission_mode_changes))
                    }
                }
                @if let Some(session) = &identity.session {
                    li { span.k { "session" } code { (render.text(session, 60)) } }
                }
                @if let Some(version) = &identity.client_version {
                    li { span.k { "client" } code { (render.text(version, 30)) } }
                }
            }
        }
    }
}

/// From where on a value has held, if another one held before it.
fn since(since: Option<Seq>, changes: u64) -> Markup {
    html! {
        @if let (Some(since), 1..) = (since, changes) {
            " " small {
                "since event " (since)
                @if changes > 1 { ", " (count(changes, "change")) }
            }
        }
    }
}

/// The current model, and all models called if there are others.
fn models(subject: &Subject<'_>, identity: &Identity, render: &TextRenderer<'_>) -> Markup {
    let models = subject.state.spending_by_model();
    let mut models: Vec<_> = models.into_iter().collect();
    models.sort_by_key(|(name, spending)| (std::cmp::Reverse(spending.calls), *name));
    let now = identity.model.as_deref();
    let all_said = models.iter().all(|(model, _)| Some(*model) == now);
    html! {
        @if let Some(model) = now {
            li {
                span.k { "model" } code { (render.text(model, 60)) }
                (since(identity.model_since, identity.model_changes))
            }
        }
        @if !all_said {
            li {
                span.k { "models called" }
                @for (at, (model, spending)) in models.iter().take(SHOWN_MODELS).enumerate() {
                    @if at > 0 { ", " }
                    code { (render.text(model, 60)) } " " small { (grouped(spending.calls)) "×" }
                }
                @if models.len() > SHOWN_MODELS { " and " (models.len() - SHOWN_MODELS) " more" }
            }
        }
    }
}

/// The goal, and the latest request if it is another one.
pub(super) fn section(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let conversation = subject.state.conversation();
    let prompts = conversation.prompts();
    html! {
        section #ask.ask aria-label="What was asked" {
            @if let (Some(goal), Some(latest)) = (conversation.goal(), conversation.latest_request()) {
                @if prompts == 1 {
                    (request(subject, "Goal, the only request", goal, render))
                } @else if goal.at == latest.at {
                    // All that was asked before was taken back.
                    (request(subject, &format!("Goal, the only request in force, turn {prompts}"), goal, render))
                } @else {
                    (request(subject, "Goal", goal, render))
                    (request(subject, &format!("Latest request, turn {prompts}"), latest, render))
                }
            } @else {
                p.none { "No person has written anything." }
            }
        }
    }
}

fn request(
    subject: &Subject<'_>,
    title: &str,
    prompt: &Prompt,
    render: &TextRenderer<'_>,
) -> Markup {
    html! {
        div.request {
            h2 { (title) span.when {
                "event " (prompt.at)
                @if let Some(time) = prompt.time { ", " (at(time)) }
                @if let (true, Some(age)) = (subject.live, subject.age(prompt.time)) {
                    @if age >= 0 { ", " (duration(age)) " ago" }
                }
            } }
            div.prose.clamp tabindex="0" dir="auto" { (render.excerpt(&prompt.text, REQUEST_CHARS)) }
        }
    }
}
