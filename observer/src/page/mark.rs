//! The watermark: what the page knows, from where, and what compiled it.

use maud::{Markup, html};
use trace_model::text::grouped;

use super::subject::Subject;
use crate::text::{TextRenderer, at, bytes, count};

/// Bad lines named.
const SHOWN_BAD: usize = 8;

/// The watermark; `stamp` is the renderer's.
pub(super) fn section(subject: &Subject<'_>, stamp: &str, render: &TextRenderer<'_>) -> Markup {
    let observed = subject.state.observed();
    let reading = subject.reading;
    html! {
        footer #mark aria-labelledby="mark-h" {
            h2 #mark-h { "What this page knows" }
            dl.mark {
                dt { "covers" }
                dd {
                    @match observed.events {
                        0 => "no events",
                        events => { "events 0–" (grouped(events - 1)) },
                    }
                    @if let Some(time) = observed.time { ", until " (at(time)) }
                }
                dt { "episodes as of" }
                dd { "event " (subject.state.materialized()) }
                dt { "source" }
                dd {
                    @if let Some(path) = subject.path { code { (render.text(&path.to_string_lossy(), 300)) } ": " }
                    (grouped(reading.bytes)) " bytes, " (count(reading.lines, "line")) ", "
                    (count(reading.records, "record")) " of " (count(subject.files, "file"))
                    "; last record at byte " (grouped(observed.offset.0))
                }
                dt { "unfinished line" }
                dd { @if reading.pending_bytes == 0 { "none" } @else { (bytes(reading.pending_bytes)) " pending at the end: the writer is in the middle of a line" } }
                dt { "malformed lines" }
                dd { (malformed(subject)) }
                dt { "unknown types" }
                dd { (unknown(subject, render)) }
                @if subject.state.duplicates() + subject.state.orphans() > 0 {
                    dt { "odd events" }
                    dd { (count(subject.state.duplicates(), "duplicate")) ", " (count(subject.state.orphans(), "record")) " without a known parent" }
                }
                @if let Some(now) = subject.now { dt { "looked at" } dd { (at(now)) @if !subject.live { ": ages count to this" } } }
                dt { "compiled by" }
                dd { "tracefold " (env!("CARGO_PKG_VERSION")) ", renderer " (stamp) }
            }
        }
    }
}

fn malformed(subject: &Subject<'_>) -> Markup {
    let reading = subject.reading;
    html! {
        @if reading.bad_lines == 0 { "none" } @else {
            (grouped(reading.bad_lines)) ": "
            @for (at, bad) in reading.bad.iter().take(SHOWN_BAD).enumerate() {
                @if at > 0 { ", " }
                "line " (bad.at.line) " (byte " (bad.at.offset) ")"
                @if bad.too_long { ", too long" }
            }
            @if reading.bad_lines > SHOWN_BAD as u64 { "; the first " (SHOWN_BAD) " are named" }
        }
        @if reading.lossy_lines > 0 { "; " (count(reading.lossy_lines, "line")) " not UTF-8" }
        @if reading.repaired_lines > 0 { "; " (count(reading.repaired_lines, "line")) " repaired" }
        @let degraded: u64 = reading.degraded_fields.values().sum();
        @if degraded > 0 { "; " (count(degraded, "field")) " of an odd type" }
    }
}

fn unknown(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let known = subject.track.unknown();
    html! {
        @if known.is_empty() { "none" }
        @for (at, (name, number)) in known.iter().enumerate() {
            @if at > 0 { ", " }
            code { (render.text(name, 60)) } " " (grouped(*number))
        }
        @if subject.track.more_unknown() > 0 { ", and " (grouped(subject.track.more_unknown())) " of further types" }
    }
}
