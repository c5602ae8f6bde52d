//! What an agent that takes over would be told: the sections of the handover view, `worker/2`, as its text has
//! them. What the page shows itself, more richly, stays where it is; this block shows what the agent gets.

use maud::{Markup, html};
use trace_model::text::grouped;
use trace_model::view::handover::{Section, SectionShape, sections};
use trace_model::view::{Budget, WorkerView};

use super::subject::Subject;
use crate::text::{TextRenderer, count};

/// Characters of the view: what a hook may pass to an agent.
const BUDGET_CHARS: usize = 9500;

/// The block: closed, since it repeats in short what the page shows.
pub(super) fn section(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let view = sections(subject.state, Budget::Chars(BUDGET_CHARS));
    html! {
        section #handover aria-labelledby="handover-h" {
            h2 #handover-h { "Handover " span.n { (count(view.shown.len() as u64, "section")) } }
            p.sub {
                "What an agent that takes over would be told, in the view " code { (WorkerView::TWO.to_string()) }
                " of at most " (grouped(BUDGET_CHARS as u64)) " characters"
            }
            details #handover-d {
                summary { "The view, section by section" }
                @for section in &view.shown { (block(section, render)) }
                @if !view.left_out.is_empty() { p.cut { "Left out: " (view.left_out) } }
            }
        }
    }
}

fn block(section: &Section, render: &TextRenderer<'_>) -> Markup {
    html! {
        details.told id=(id(section.name)) open {
            summary {
                b { (section.name) }
                @if section.share.is_some() { span.cut { (section.extent()) } }
            }
            (items(section, render))
        }
    }
}

fn items(section: &Section, render: &TextRenderer<'_>) -> Markup {
    html! {
        @match section.shape {
            SectionShape::Text => @for text in &section.items { p.said dir="auto" { (render.line(text)) } },
            SectionShape::Words => p.said dir="auto" { (render.line(&section.items.join(", "))) },
            SectionShape::Lines => ul role="list" {
                @for item in &section.items { li.said dir="auto" { (render.line(item)) } }
            },
        }
    }
}

/// The `id` of a section, by which an open or closed one stays so when the page changes.
fn id(name: &str) -> String {
    format!("told-{}", name.to_lowercase().replace(' ', "-"))
}
