//! The numbers of a run at a glance.

use maud::{Markup, html};
use trace_model::event::EventKind;

use super::subject::Subject;
use crate::text::{TextRenderer, at, count, dollars, duration, percent, short};
use trace_model::text::grouped;

/// Tools named on the card.
const SHOWN_TOOLS: usize = 6;

/// The cards.
pub(super) fn section(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    html! {
        section #cards.cards aria-label="Numbers" {
            (turns(subject))
            (calls(subject, render))
            (errors(subject))
            (cost(subject))
            (tokens(subject))
            (files(subject))
            (subagents(subject, render))
            (clock(subject))
        }
    }
}

fn card(name: &str, value: &str, class: &str, more: &Markup) -> Markup {
    html! {
        div.card {
            h3 { (name) }
            p class={ "value " (class) } { (value) }
            div.more { (more) }
        }
    }
}

fn turns(subject: &Subject<'_>) -> Markup {
    let state = subject.state;
    let compactions = state.count(EventKind::Compaction);
    let more = html! {
        (count(state.episodes().nodes().count() as u64, "episode"))
        @if compactions > 0 { ", " (count(compactions, "compaction")) }
        @if state.turns_taken_back() > 0 { "; " (grouped(state.turns_taken_back())) " taken back" }
    };
    card("Turns", &grouped(state.conversation().prompts()), "", &more)
}

fn calls(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let state = subject.state;
    let mut tools: Vec<_> = state.tools().iter().collect();
    tools.sort_by_key(|(name, tally)| (std::cmp::Reverse(tally.calls), *name));
    let more = html! {
        ul.inline role="list" {
            @for (name, tally) in tools.iter().take(SHOWN_TOOLS) {
                li { (render.text(name, 40)) " " b { (grouped(tally.calls)) } }
            }
        }
        @if tools.len() > SHOWN_TOOLS { span.cut { (SHOWN_TOOLS) " of " (count(tools.len() as u64, "tool")) } }
    };
    card("Tool calls", &grouped(state.tool_totals().calls), "", &more)
}

fn errors(subject: &Subject<'_>) -> Markup {
    let state = subject.state;
    let all = state.tool_totals();
    let background = state.background_counts().failed;
    let parts = [
        (background, "of them in the background"),
        (all.denied, "denied"),
        (all.interrupted, "interrupted"),
        (all.cancelled, "cancelled"),
        (state.abandoned_count(), "abandoned"),
        (state.count(EventKind::Error), "endpoint errors"),
        (state.retries(), "requests tried again"),
    ];
    let more = html! {
        @if all.calls > 0 { (percent(all.failed, all.calls)) " of calls" }
        @for (number, name) in parts.iter().filter(|(number, _)| *number > 0) {
            "; " (grouped(*number)) " " (name)
        }
    };
    let errors = all.failed + background;
    card("Errors", &grouped(errors), if errors > 0 { "bad" } else { "" }, &more)
}

fn cost(subject: &Subject<'_>) -> Markup {
    let state = subject.state;
    let spending = state.spending();
    let estimates = state.estimates();
    let tokens = spending.tokens.total();
    let more = html! {
        (count(spending.calls, "API call"))
        " at the prices of " (state.config().prices.date())
        @if estimates.calls > 0 {
            span.warn {
                (grouped(estimates.calls)) " of them have unfinished usage: "
                (if estimates.untold_calls > 0 { "at least " } else { "about " })
                (dollars(spending.dollars.saturating_add(estimates.dollars))) " estimated"
            }
        }
        @if spending.unpriced_tokens > 0 {
            span.warn {
                (percent(spending.unpriced_tokens, tokens)) " of the tokens ("
                (short(spending.unpriced_tokens)) ") have no known price and are not in it"
            }
        }
    };
    let value = if tokens > 0 && spending.unpriced_tokens == tokens {
        "not priced".to_owned()
    } else if estimates.calls > 0 {
        format!("at least {}", dollars(spending.dollars))
    } else {
        dollars(spending.dollars)
    };
    card("Cost", &value, "", &more)
}

fn tokens(subject: &Subject<'_>) -> Markup {
    let tokens = &subject.state.spending().tokens;
    let classes = [
        ("input", tokens.input),
        ("output", tokens.output),
        ("cache write", tokens.cache_creation),
        ("cache read", tokens.cache_read),
    ];
    let more = html! {
        dl.pairs {
            @for (name, number) in classes { dt { (name) } dd { (short(number)) } }
        }
    };
    card("Tokens", &short(tokens.total()), "", &more)
}

fn files(subject: &Subject<'_>) -> Markup {
    let files = subject.state.files().values();
    let (mut read, mut written) = (0_u64, 0_u64);
    let (mut reads, mut writes) = (0_u64, 0_u64);
    for file in files {
        read += u64::from(file.reads() > 0);
        written += u64::from(file.writes() > 0);
        reads += file.reads();
        writes += file.writes();
    }
    let more = html! {
        "written in " (count(writes, "call")) "; "
        (grouped(read)) " read in " (count(reads, "call"))
    };
    card("Files written", &grouped(written), "", &more)
}

fn subagents(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let all = subject.state.subagents().count();
    let more = html! {
        @if all == 0 { "none launched" } @else {
            ul.inline role="list" {
                @for agent in subject.state.subagents().take(4) { li { code { (render.text(agent, 20)) } } }
            }
            @if all > 4 { span.cut { "4 of " (all) } }
        }
    };
    card("Subagents", &grouped(all as u64), "", &more)
}

fn clock(subject: &Subject<'_>) -> Markup {
    let identity = subject.state.identity();
    let (Some(first), Some(last)) = (identity.first_time, identity.last_time) else {
        return card("Wall clock", "unknown", "", &html! { "no event says when it was written" });
    };
    let more = html! {
        "from " (at(first)) " to " (at(last))
        @if let (true, Some(age)) = (subject.live, subject.age(Some(last))) {
            @if age >= 0 { "; last event " (duration(age)) " ago" }
        }
    };
    card("Wall clock", &duration(last.0.saturating_sub(first.0)), "", &more)
}
