//! Facts that tools' results state, and what they add up to, each with what it covers.

use maud::{Markup, html};
use trace_model::fold::Aggregate;
use trace_model::text::grouped;

use super::subject::Subject;
use crate::text::{TextRenderer, count};

/// Keys whose aggregate is shown.
const SHOWN_KEYS: usize = 60;
/// Characters of a value and of a source.
const VALUE_CHARS: usize = 160;

/// The facts.
pub(super) fn section(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let all = subject.state.fact_count() as u64;
    html! {
        section #facts aria-labelledby="facts-h" {
            h2 #facts-h { "Facts " span.n { (grouped(all)) } }
            @if all == 0 { p.none { "No result of the main thread had " code { "key = value" } " lines." } }
            @else { (aggregates(subject, render)) (list(subject, render, all)) }
        }
    }
}

fn aggregates(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let mut aggregates = subject.state.aggregates();
    let all = aggregates.len();
    aggregates.sort_by_key(|aggregate| (std::cmp::Reverse(aggregate.facts), aggregate.key));
    aggregates.truncate(SHOWN_KEYS);
    let statistics: Vec<&str> = subject
        .state
        .config()
        .facts
        .statistics
        .iter()
        .map(|statistic| statistic.name())
        .filter(|name| *name != "count")
        .collect();
    html! {
        details #aggregates open[all <= 12] {
            summary { "Aggregates of " (count(all as u64, "key")) }
            div.scroll tabindex="0" role="group" aria-label="Aggregates" {
                table {
                    thead { tr {
                        th scope="col" { "key" }
                        @for name in &statistics { th.num scope="col" { (name.replace('_', " ")) } }
                        th scope="col" { "covers" }
                    } }
                    tbody {
                        @for aggregate in &aggregates {
                            tr {
                                th scope="row" { code { (render.text(aggregate.key, 80)) } }
                                @for name in &statistics {
                                    td.num {
                                        @match aggregate.statistics.iter().find(|(s, _)| s.name() == *name) {
                                            Some((_, total)) => (total),
                                            None => "–",
                                        }
                                    }
                                }
                                td { (coverage(aggregate, render)) }
                            }
                        }
                    }
                }
            }
            @if all > SHOWN_KEYS { p.cut { (SHOWN_KEYS) " of " (grouped(all as u64)) " keys, those with the most facts" } }
        }
    }
}

fn coverage(aggregate: &Aggregate<'_>, render: &TextRenderer<'_>) -> Markup {
    let Aggregate { facts, numeric, shown, untracked, .. } = aggregate;
    html! {
        @if numeric == facts { (count(*facts, "value")) } @else { (grouped(*numeric)) " numbers among " (count(*facts, "value")) }
        ", up to and including " code { (render.text(aggregate.latest_source, VALUE_CHARS)) }
        " (event " (aggregate.latest_at) "); " (grouped(*shown)) " listed below"
        @if *untracked > 0 { span.warn { "incomplete: " (grouped(*untracked)) " further values were not tracked" } }
    }
}

fn list(subject: &Subject<'_>, render: &TextRenderer<'_>, all: u64) -> Markup {
    let shown = subject.state.shown_facts();
    html! {
        details #fact-list {
            summary { (grouped(shown.len() as u64)) " of " (count(all, "fact")) ", last read first" }
            div.scroll tabindex="0" role="group" aria-label="Facts" {
                table {
                    thead { tr {
                        th scope="col" { "source" } th.num scope="col" { "line" }
                        th scope="col" { "key" } th scope="col" { "value" } th.num scope="col" { "event" }
                    } }
                    tbody {
                        @for fact in shown.iter().rev() {
                            tr {
                                td { code { (render.text(fact.source, VALUE_CHARS)) } }
                                td.num { (fact.line) }
                                td { code { (render.text(fact.key, 80)) } }
                                td dir="auto" { code { (render.text(fact.value, VALUE_CHARS)) } }
                                td.num { (fact.read_at) }
                            }
                        }
                    }
                }
            }
        }
    }
}
