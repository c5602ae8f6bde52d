//! Anomalies, and what the reader has to know before anything else: secrets masked, a file lost.

use maud::{Markup, html};
use trace_model::detect::Anomaly;

use super::subject::Subject;
use super::units::Units;
use crate::fault::FAULT;
use crate::mask::Mask;
use crate::session::FileStatus;
use crate::text::{TextRenderer, at, count};

/// Anomalies that are over, shown at once; all that are kept can be opened.
const SHOWN_CLEARED: usize = 30;

/// The anomalies: in force, and over.
pub(super) fn section(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let active = subject.state.active_anomalies();
    let kept = subject.state.cleared_anomalies();
    let over = kept.len() as u64 + subject.state.dropped_anomalies();
    html! {
        section #alerts.alerts aria-label="Anomalies" {
            @if active.is_empty() && over == 0 {
                p.calm { span.dot aria-hidden="true" {} " No anomaly was raised" }
            }
            @if !active.is_empty() {
                ul.badges role="list" aria-live="polite" {
                    @for anomaly in &active {
                        li class={ "badge active" @if anomaly.escalated_at.is_some() { " grave" } } {
                            (badge(subject, anomaly, render))
                        }
                    }
                }
            }
            @if over > 0 {
                details #cleared {
                    summary {
                        @if active.is_empty() { "No anomaly is active; " }
                        (count(over, "cleared one"))
                    }
                    ul.badges role="list" {
                        @for anomaly in kept.rev().take(SHOWN_CLEARED) {
                            li.badge.over { (badge(subject, anomaly, render)) }
                        }
                    }
                    @if over > SHOWN_CLEARED as u64 {
                        p.cut { "The " (SHOWN_CLEARED) " newest of " (over) }
                    }
                }
            }
        }
    }
}

fn badge(subject: &Subject<'_>, anomaly: &Anomaly, render: &TextRenderer<'_>) -> Markup {
    let place = |seq: u64| {
        html! {
            "event " (seq)
            @if let Some(time) = subject.track.anomaly_time(seq) { ", " (at(time)) }
        }
    };
    html! {
        strong { (anomaly.kind.title()) }
        @if anomaly.escalated_at.is_some() { span.tag { "escalated" } }
        span.msg { (render.text(&anomaly.message(), 300)) }
        span.when {
            "raised at " (place(anomaly.raised_at))
            @if let Some(cleared) = anomaly.cleared_at { "; cleared at " (place(cleared)) }
            @let agent = anomaly.thread.and_then(|thread| subject.state.thread_name(thread));
            @if let Some(agent) = agent { "; in subagent " (render.text(agent, 40)) }
        }
    }
}

/// The banners above everything.
pub(super) fn banner(subject: &Subject<'_>, mask: &Mask, masked: u64) -> Markup {
    html! {
        div #banner role="status" {
            @if let FileStatus::Lost(reason) = subject.file_status {
                p.lost {
                    strong { "The file is lost: " } (crate::text::visible(reason))
                    ". What you see is what was read before; the page goes on when it is back."
                }
            }
            @if subject.restarts > 0 {
                p.note {
                    "The file was truncated or replaced and has been read anew "
                    (count(subject.restarts, "time")) "."
                }
            }
            @if masked > 0 {
                p.note {
                    (count(masked, "secret")) " masked in the texts below. "
                    code { "--show-secrets" } " shows them."
                }
            } @else if !mask.is_on() {
                p.note { "Secrets are not masked on this page." }
            }
        }
    }
}

/// The last page, under a banner that says why it is no longer updated.
pub(crate) fn with_fault(mut units: Units) -> Units {
    let banner = html! {
        div #banner role="status" {
            p.lost {
                strong { "This page is not up to date: " } (FAULT)
                ". What you see is what was read before; the run will be read again in a moment."
            }
        }
    };
    for unit in units.fixed.iter_mut().filter(|unit| unit.id == "banner") {
        unit.html = banner.clone().into_string().into();
    }
    units
}
