//! Calls, tokens and cost over time, as inline SVG: three strips over one time axis, in so many
//! buckets that their number does not grow with the run.

use std::fmt::Write as _;

use maud::{Markup, PreEscaped, html};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;
use trace_model::ids::Millis;

use super::subject::Subject;
use crate::text::{at, count, dollars, duration, short};
use crate::track::{Bucket, Slot, Timeline};

/// Pieces of the time axis drawn at most.
const SLOTS: usize = 160;
/// Heights in the units of the drawing.
const HEIGHT: u64 = 100;

/// The strips.
pub(super) fn section(subject: &Subject<'_>) -> Markup {
    let timeline = subject.track.timeline().widened_to(SLOTS);
    html! {
        section #chart.chart aria-labelledby="chart-h" {
            h2 #chart-h { "Course" }
            @if timeline.is_empty() { p.none { "Nothing has a time yet." } } @else { (strips(&timeline)) }
        }
    }
}

fn strips(timeline: &Timeline) -> Markup {
    let slots = timeline.slots();
    let buckets = || slots.iter().filter_map(bucket);
    let most_calls = buckets().map(|b| b.calls.max(b.failed)).max().unwrap_or(0);
    let most_tokens = buckets().map(|b| b.tokens.total()).max().unwrap_or(0);
    let sum = buckets().fold(Bucket::default(), |mut sum, b| {
        sum.calls += b.calls;
        sum.failed += b.failed;
        sum.dollars += b.dollars;
        sum
    });
    let tokens: u64 = buckets().map(|b| b.tokens.total()).sum();
    let width = duration(timeline.width());
    let calls = format!("{}, {} failed", count(sum.calls, "call"), sum.failed);
    html! {
        (strip(&slots, "Calls", &calls, &format!("at most {most_calls} in {width}"), &call_bars(&slots, most_calls)))
        (strip(&slots, "Tokens", &short(tokens), &format!("at most {} in {width}", short(most_tokens)), &token_bars(&slots, most_tokens)))
        (strip(&slots, "Cost", &dollars(sum.dollars), "so far, where there is a price", &cost_line(&slots, sum.dollars)))
        (axis(&slots))
        p.legend {
            span.key.k-call { "calls" } span.key.k-fail { "failed" } span.key.k-ask { "a person wrote" }
            span.key.k-fresh { "input, output, cache write" } span.key.k-cached { "cache read" }
        }
        p.cut {
            "Buckets of " (width)
            @let gaps = slots.iter().filter(|slot| matches!(slot, Slot::Gap(_))).count() as u64;
            @if gaps > 0 { "; " (count(gaps, "pause")) " cut short, drawn as dotted lines" }
            @let untimed = timeline.untimed();
            @if untimed.calls > 0 { "; " (count(untimed.calls, "call")) " at no known time left out" }
        }
    }
}

fn bucket(slot: &Slot) -> Option<&Bucket> {
    match slot {
        Slot::Bucket(_, bucket) => Some(bucket),
        Slot::Gap(_) => None,
    }
}

fn strip(slots: &[Slot], name: &str, total: &str, scale: &str, drawing: &str) -> Markup {
    let label = format!("{name} over time: {total}; {scale}");
    html! {
        div.strip {
            p.strip-head { b { (name) } " " span { (total) } small { (scale) } }
            svg viewBox={ "0 0 " (slots.len() * 10) " " (HEIGHT) } preserveAspectRatio="none" role="img" aria-label=(label) {
                (PreEscaped(gaps(slots))) (PreEscaped(drawing)) (PreEscaped(tips(slots)))
            }
        }
    }
}

/// A height in proportion, visible if there is anything at all.
fn height(part: u64, most: u64, of: u64) -> u64 {
    if part == 0 || most == 0 {
        return 0;
    }
    let height = u128::from(part) * u128::from(of) / u128::from(most);
    u64::try_from(height).unwrap_or(of).clamp(2, of)
}

/// Adds a bar that starts at `bottom`.
fn bar(path: &mut String, at: usize, bottom: u64, height: u64) {
    if height > 0 {
        let _ = write!(path, "M{} {}v-{height}h8v{height}z", at * 10 + 1, bottom);
    }
}

fn path(class: &str, data: &str) -> String {
    if data.is_empty() { String::new() } else { format!("<path class=\"{class}\" d=\"{data}\"/>") }
}

/// Calls above the line, failures below it, and a mark where a person wrote.
fn call_bars(slots: &[Slot], most: u64) -> String {
    let (mut calls, mut failed, mut asked) = (String::new(), String::new(), String::new());
    for (at, slot) in slots.iter().enumerate() {
        let Some(bucket) = bucket(slot) else { continue };
        bar(&mut calls, at, 68, height(bucket.calls, most, 60));
        // A single failure among many calls has to be seen.
        let down = if bucket.failed > 0 { height(bucket.failed, most, 30).max(8) } else { 0 };
        bar(&mut failed, at, 70 + down, down);
        if bucket.prompts > 0 {
            let _ = write!(asked, "M{} 0v6h8v-6z", at * 10 + 1);
        }
    }
    path("b-call", &calls) + &path("b-fail", &failed) + &path("b-ask", &asked)
}

/// Tokens read from the cache on top of the others.
fn token_bars(slots: &[Slot], most: u64) -> String {
    let (mut fresh, mut cached) = (String::new(), String::new());
    for (at, slot) in slots.iter().enumerate() {
        let Some(bucket) = bucket(slot) else { continue };
        let read = u64::try_from(bucket.tokens.cache_read).unwrap_or(0).min(bucket.tokens.total());
        let below = height(bucket.tokens.total() - read, most, HEIGHT);
        bar(&mut fresh, at, HEIGHT, below);
        bar(&mut cached, at, HEIGHT - below, height(read, most, HEIGHT).min(HEIGHT - below));
    }
    path("b-fresh", &fresh) + &path("b-cached", &cached)
}

/// Spending so far.
fn cost_line(slots: &[Slot], all: Decimal) -> String {
    if all <= Decimal::ZERO {
        return String::new();
    }
    let mut line = format!("M0 {HEIGHT}");
    let mut so_far = Decimal::ZERO;
    for (at, slot) in slots.iter().enumerate() {
        so_far += bucket(slot).map_or(Decimal::ZERO, |bucket| bucket.dollars);
        let share =
            (so_far * Decimal::from(HEIGHT - 4) / all).to_u64().unwrap_or(0).min(HEIGHT - 4);
        let _ = write!(line, "L{} {}", at * 10 + 10, HEIGHT - share);
    }
    let area = format!("{line}V{HEIGHT}z");
    path("b-area", &area) + &path("b-line", &line)
}

fn gaps(slots: &[Slot]) -> String {
    let mut lines = String::new();
    for (at, _) in slots.iter().enumerate().filter(|(_, slot)| matches!(slot, Slot::Gap(_))) {
        let _ = write!(lines, "M{} 0V{HEIGHT}", at * 10 + 5);
    }
    path("b-gap", &lines)
}

/// The tooltip of a bucket. Nothing in it comes from the transcript.
fn tips(slots: &[Slot]) -> String {
    let mut out = String::new();
    for (at, slot) in slots.iter().enumerate() {
        let tip = match slot {
            Slot::Gap(millis) => format!("nothing for {}", duration(*millis)),
            Slot::Bucket(_, bucket) if *bucket == Bucket::default() => continue,
            Slot::Bucket(time, bucket) => describe(*time, bucket),
        };
        let _ = write!(
            out,
            "<rect class=\"tip\" x=\"{}\" y=\"0\" width=\"10\" height=\"{HEIGHT}\"><title>{tip}</title></rect>",
            at * 10
        );
    }
    out
}

fn describe(time: Millis, bucket: &Bucket) -> String {
    let mut tip = format!("{time}: {}", count(bucket.calls, "call"));
    for (number, word) in
        [(bucket.failed, "failed"), (bucket.denied, "denied"), (bucket.interrupted, "interrupted")]
    {
        if number > 0 {
            let _ = write!(tip, ", {number} {word}");
        }
    }
    let _ = write!(tip, "; {} tokens, {}", short(bucket.tokens.total()), dollars(bucket.dollars));
    tip
}

fn axis(slots: &[Slot]) -> Markup {
    let times = || {
        slots.iter().filter_map(|slot| match slot {
            Slot::Bucket(time, _) => Some(time),
            Slot::Gap(_) => None,
        })
    };
    html! {
        p.axis {
            @if let Some(first) = times().next() { (at(*first)) }
            @if let (Some(last), true) = (times().next_back(), slots.len() > 1) { (at(*last)) }
        }
    }
}
