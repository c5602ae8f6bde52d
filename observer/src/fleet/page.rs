//! The table of sessions as a page.

use std::path::PathBuf;

use maud::{Markup, PreEscaped, html};
use trace_model::ids::Millis;
use trace_model::text::grouped;

use super::row::{Content, Row, Told};
use super::scan::{Scanned, names};
use crate::fault::{self, FAULT, caught};
use crate::mask::Mask;
use crate::page::{Layout, Shell, Unit, Units, frame, help, search};
use crate::text::{Ink, bytes, count, dollars, duration, short};

/// The page of the table.
pub(super) const TABLE: Layout = Layout { list: "session-rows", document };

/// Compiles the table.
pub fn compile(folders: &[PathBuf], scanned: &Scanned, now: Millis, mask: &Mask) -> Units {
    let ink = Ink::new(mask);
    let mut rows: Vec<&Row> = scanned.rows.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.last));
    let episodes = rows.into_iter().map(|row| {
        let id = format!("s-{}", row.name());
        let html = caught(|| line(&id, row, now, &ink)).unwrap_or_else(|_| faulty_line(&id));
        Unit { id, html: html.into_string().into() }
    });
    let episodes = episodes.collect();
    let masked = ink.take_masked();
    let head = heading(folders, scanned, masked, &ink).into_string().into();
    let fixed = vec![Unit { id: "fleet-head".to_owned(), html: head }];
    Units { title: "Sessions".to_owned(), fixed, episodes }
}

fn heading(folders: &[PathBuf], scanned: &Scanned, masked: u64, ink: &Ink<'_>) -> Markup {
    let shown = scanned.rows.len() as u64;
    let waiting = scanned.rows.iter().filter(|row| row.content == Content::Waiting).count() as u64;
    let told = || scanned.rows.iter().filter_map(Row::told);
    html! {
        div #fleet-head.title role="status" {
            h1 { "Sessions" }
            p.sub {
                @if shown < scanned.sessions { "the newest " (grouped(shown)) " of " (grouped(scanned.sessions)) }
                @else { (count(shown, "session")) }
                " below " code { (ink.text(&names(folders), 200)) }
                @if waiting > 0 { "; " span.reading { (grouped(waiting)) " still to be read" } }
                "; " @if told().any(|told| told.unfinished_usage > 0) { "at least " }
                (dollars(told().map(|told| told.cost_usd).sum())) " in all"
                @if masked > 0 { "; " (count(masked, "secret")) " masked, " code { "--show-secrets" } " shows them" }
            }
        }
    }
}

fn line(id: &str, row: &Row, now: Millis, ink: &Ink<'_>) -> Markup {
    let age = now.0.saturating_sub(row.last.0);
    html! {
        tr id=(id) class=[matches!(row.content, Content::Broken(_)).then_some("broken")] data-find="" {
            td.num data-label="age" data-v=(row.last.0) { (duration(age)) }
            td.c-project { span.project { (ink.text(&last_parts(&row.project()), 80)) } }
            td.c-ask { (ask(row, ink)) }
            @match &row.content {
                Content::Told(told) => (numbers(told, now)),
                _ => { td.num data-v="-1" {} td.num data-v="-1" {} td.num data-v="-1" {} td data-v="0" {} },
            }
            td.num data-label="size" data-v=(row.stamp.bytes) { (bytes(row.stamp.bytes)) }
        }
    }
}

/// The row of a session that cannot be shown.
fn faulty_line(id: &str) -> Markup {
    html! {
        tr.broken id=(id) data-find="" {
            td.num data-v="0" {} td.c-project {} td.c-ask { span.why { (FAULT) } }
            td.num data-v="-1" {} td.num data-v="-1" {} td.num data-v="-1" {} td data-v="0" {} td.num data-v="0" {}
        }
    }
}

/// The last two folders of a path: what tells projects apart.
fn last_parts(path: &str) -> String {
    let parts: Vec<&str> =
        path.rsplit(['/', '\\']).filter(|part| !part.is_empty()).take(2).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}

fn ask(row: &Row, ink: &Ink<'_>) -> Markup {
    fault::inject(row.told().and_then(|told| told.ask.as_ref()).map_or("", |ask| &ask.text));
    let address = format!("/s/{}", row.name());
    html! {
        @match &row.content {
            Content::Waiting => span.reading { "not read yet" },
            Content::Broken(broken) => {
                span.why { (ink.text(&broken.reason, 300)) }
            },
            Content::Told(told) => {
                a.ask href=(address) dir="auto" {
                    @match (&told.ask, &told.title) {
                        (Some(ask), _) => (ink.head(ask, 200)),
                        (None, Some(title)) => (ink.text(title, 200)),
                        (None, None) => "nothing was asked",
                    }
                }
            },
        }
    }
}

fn numbers(told: &Told, now: Millis) -> Markup {
    let alerts = told.alerts(now);
    let cost = if told.tokens > 0 && told.unpriced_tokens == told.tokens {
        "not priced".to_owned()
    } else if told.unfinished_usage > 0 {
        format!("at least {}", dollars(told.cost_usd))
    } else {
        dollars(told.cost_usd)
    };
    html! {
        td.num data-label="turns" data-v=(told.turns) { (grouped(told.turns)) }
        td.num data-label="calls" data-v=(told.calls) { (short(told.calls)) }
        td.num data-label="cost" data-v=(told.cost_usd) { (cost) @if told.unpriced_tokens > 0 { span.warn title="some tokens have no known price" { "*" } } }
        td.c-alerts data-v=(alerts.len() as u64 * 1000 + told.in_flight.min(999)) {
            @for alert in &alerts { span.pill.warn { (alert.replace('_', " ")) } " " }
            @let class = if told.is_under_way(now) { "pill busy" } else { "pill" };
            @if told.in_flight > 0 && alerts.is_empty() {
                span class=(class) {
                    (grouped(told.in_flight)) @if told.is_under_way(now) { " in flight" } @else { " unanswered" }
                } " "
            }
            @if told.running_tasks > 0 {
                span class=(class) { (grouped(told.running_tasks)) " in the background" }
            }
        }
    }
}

/// The document of the table.
pub fn document(units: &Units, shell: &Shell) -> String {
    let columns = [
        ("w-age num", "Age", "down"),
        ("w-project", "Project", "up"),
        ("w-ask", "Last asked", "up"),
        ("w-turns num", "Turns", "down"),
        ("w-calls num", "Calls", "down"),
        ("w-cost num", "Cost", "down"),
        ("w-alerts", "Alerts", "down"),
        ("w-size num", "Size", "down"),
    ];
    let body = html! {
        a.skip href="#sessions" { "Skip to the sessions" }
        header.top { div.bar { p.brand { "tracefold" } (search("Filter by anything in a row")) } }
        main {
            (PreEscaped(units.fixed("fleet-head")))
            div.table {
                table #sessions tabindex="-1" aria-labelledby="fleet-head" {
                    thead { tr {
                        @for (class, name, first) in columns {
                            th class=(class) scope="col" data-first=(first) { button type="button" { (name) } }
                        }
                    } }
                    tbody #session-rows { @for unit in &units.episodes { (PreEscaped(&*unit.html)) } }
                }
            }
        }
        (help())
    };
    frame(&units.title, shell, "fleet", &body)
}
