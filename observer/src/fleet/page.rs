//! The table of sessions as a page.

use std::path::PathBuf;

use maud::{Markup, PreEscaped, html};
use trace_model::ids::Millis;
use trace_model::text::grouped;

use super::row::{Content, Row, SessionSummary};
use super::scan::{Scanned, names};
use crate::fault::{self, FAULT, caught};
use crate::mask::Mask;
use crate::page::{Layout, Shell, Unit, Units, frame, help, search};
use crate::text::{TextRenderer, bytes, count, dollars, duration, short};

/// The page of the table.
pub(super) const TABLE: Layout = Layout { list: "session-rows", document };

/// Compiles the table.
pub fn compile(folders: &[PathBuf], scanned: &Scanned, now: Millis, mask: &Mask) -> Units {
    let render = TextRenderer::new(mask);
    let mut rows: Vec<&Row> = scanned.rows.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.last));
    let episodes = rows.into_iter().map(|row| {
        let id = format!("s-{}", row.name());
        let html = caught(|| line(&id, row, now, &render)).unwrap_or_else(|_| faulty_line(&id));
        Unit { id, html: html.into_string().into() }
    });
    let episodes = episodes.collect();
    let masked = render.take_masked();
    let head = heading(folders, scanned, masked, &render).into_string().into();
    let fixed = vec![Unit { id: "fleet-head".to_owned(), html: head }];
    Units { title: "Sessions".to_owned(), fixed, episodes }
}

fn heading(
    folders: &[PathBuf],
    scanned: &Scanned,
    masked: u64,
    render: &TextRenderer<'_>,
) -> Markup {
    let shown = scanned.rows.len() as u64;
    let waiting = scanned.rows.iter().filter(|row| row.content == Content::Waiting).count() as u64;
    let summary = || scanned.rows.iter().filter_map(Row::summary);
    html! {
        div #fleet-head.title role="status" {
            h1 { "Sessions" }
            p.sub {
                @if shown < scanned.sessions { "the newest " (grouped(shown)) " of " (grouped(scanned.sessions)) }
                @else { (count(shown, "session")) }
                " below " code { (render.text(&names(folders), 200)) }
                @if waiting > 0 { "; " span.reading { (grouped(waiting)) " still to be read" } }
                "; " @if summary().any(|summary| summary.unfinished_usage > 0) { "at least " }
                (dollars(summary().map(|summary| summary.cost_usd).sum())) " in all"
                @if masked > 0 { "; " (count(masked, "secret")) " masked, " code { "--show-secrets" } " shows them" }
            }
        }
    }
}

fn line(id: &str, row: &Row, now: Millis, render: &TextRenderer<'_>) -> Markup {
    let age = now.0.saturating_sub(row.last.0);
    html! {
        tr id=(id) class=[matches!(row.content, Content::Unreadable(_)).then_some("broken")] data-find="" {
            td.num data-label="age" data-v=(row.last.0) { (duration(age)) }
            td.c-project { span.project { (render.text(&last_parts(&row.project()), 80)) } }
            td.c-ask { (ask(row, render)) }
            @match &row.content {
                Content::Folded(summary) => (numbers(summary, now)),
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

fn ask(row: &Row, render: &TextRenderer<'_>) -> Markup {
    fault::inject(
        row.summary().and_then(|summary| summary.ask.as_ref()).map_or("", |ask| &ask.text),
    );
    let address = format!("/s/{}", row.name());
    html! {
        @match &row.content {
            Content::Waiting => span.reading { "not read yet" },
            Content::Unreadable(broken) => {
                span.why { (render.text(&broken.reason, 300)) }
            },
            Content::Folded(summary) => {
                a.ask href=(address) dir="auto" {
                    @match (&summary.ask, &summary.title) {
                        (Some(ask), _) => (render.head(ask, 200)),
                        (None, Some(title)) => (render.text(title, 200)),
                        (None, None) => "nothing was asked",
                    }
                }
            },
        }
    }
}

fn numbers(summary: &SessionSummary, now: Millis) -> Markup {
    let alerts = summary.alerts(now);
    let cost = if summary.tokens > 0 && summary.unpriced_tokens == summary.tokens {
        "not priced".to_owned()
    } else if summary.unfinished_usage > 0 {
        format!("at least {}", dollars(summary.cost_usd))
    } else {
        dollars(summary.cost_usd)
    };
    html! {
        td.num data-label="turns" data-v=(summary.turns) { (grouped(summary.turns)) }
        td.num data-label="calls" data-v=(summary.calls) { (short(summary.calls)) }
        td.num data-label="cost" data-v=(summary.cost_usd) { (cost) @if summary.unpriced_tokens > 0 { span.warn title="some tokens have no known price" { "*" } } }
        td.c-alerts data-v=(alerts.len() as u64 * 1000 + summary.in_flight.min(999)) {
            @for alert in &alerts { span.pill.warn { (alert.replace('_', " ")) } " " }
            @let class = if summary.is_under_way(now) { "pill busy" } else { "pill" };
            @if summary.in_flight > 0 && alerts.is_empty() {
                span class=(class) {
                    (grouped(summary.in_flight)) @if summary.is_under_way(now) { " in flight" } @else { " unanswered" }
                } " "
            }
            @if summary.running_tasks > 0 {
                span class=(class) { (grouped(summary.running_tasks)) " in the background" }
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
