//! `sessions`: a list of the sessions, most recent first.

use std::fmt::Write as _;

use clap::Args;
use cli_support::Exit;
use observer::fleet::{Content, Row, Scanned};
use observer::live::clock;
use observer::mask::Mask;
use observer::text::{bytes, dollars, short};
use serde::Serialize;

use super::fleet::FleetOptions;
use crate::output::{Out, duration, grouped, prose};

/// Arguments of `sessions`.
#[derive(Debug, Args)]
pub(crate) struct SessionsArgs {
    /// List the N most recent sessions
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print one JSON object per session, one per line
    #[arg(long)]
    json: bool,
    /// Show secrets instead of masking them
    #[arg(long)]
    show_secrets: bool,
    #[command(flatten)]
    fleet: FleetOptions,
}

/// A session as JSON.
#[derive(Serialize)]
struct Line<'a> {
    path: String,
    bytes: u64,
    modified: String,
    #[serde(flatten)]
    content: &'a Content,
    alerts: Vec<&'a str>,
}

pub(crate) fn run(args: &SessionsArgs) -> anyhow::Result<Exit> {
    let now = clock();
    let scanned = args.fleet.scan(Some(args.limit))?.look(now, |_| {})?;
    let broken = scanned.rows.iter().any(|row| matches!(row.content, Content::Unreadable(_)));
    let mask = Mask::unless(args.show_secrets);
    let mut out = Out::new();
    if args.json {
        for row in &scanned.rows {
            let row = masked(row, &mask);
            out.json_line(&Line {
                path: row.path.to_string_lossy().into_owned(),
                bytes: row.stamp.bytes,
                modified: row.stamp.modified.to_string(),
                content: &row.content,
                alerts: row.summary().map_or_else(Vec::new, |told| told.alerts(now)),
            })?;
        }
    } else {
        out.text(&table(&scanned, now.0, &mask))?;
    }
    Ok(if broken { Exit::UnusableInput } else { Exit::Done })
}

/// A row without secrets.
fn masked(row: &Row, mask: &Mask) -> Row {
    let mut row = row.clone();
    if let Content::Folded(told) = &mut row.content {
        if let Some(ask) = &mut told.ask {
            let cut = ask.chars > ask.text.chars().count() as u64;
            ask.text = mask.apply(&ask.text, cut).text.into_owned();
        }
        for text in [&mut told.title, &mut told.project].into_iter().flatten() {
            *text = mask.apply(text, false).text.into_owned();
        }
    }
    row
}

fn table(scanned: &Scanned, now: i64, mask: &Mask) -> String {
    if scanned.rows.is_empty() {
        return "no sessions\n".to_owned();
    }
    let mut text = format!(
        "{:>12}  {:>5}  {:>7}  {:>19}  {:>8}  session\n",
        "age", "turns", "calls", "cost", "size"
    );
    for row in &scanned.rows {
        let row = masked(row, mask);
        let age = duration(now.saturating_sub(row.last.0));
        let size = bytes(row.stamp.bytes);
        let numbers = match row.summary() {
            Some(told) => {
                let cost = if told.tokens > 0 && told.tokens == told.unpriced_tokens {
                    "not priced".to_owned()
                } else if told.unfinished_usage > 0 {
                    format!("at least {}", dollars(told.cost_usd))
                } else {
                    dollars(told.cost_usd)
                };
                format!("{:>5}  {:>7}  {cost:>19}", grouped(told.turns), short(told.calls))
            }
            None => format!("{:>5}  {:>7}  {:>19}", "", "", ""),
        };
        let path = prose(&row.path.to_string_lossy(), None, 200);
        // Writing to a string does not fail.
        let _ = writeln!(text, "{age:>12}  {numbers}  {size:>8}  {}", what(&row, now));
        let _ = writeln!(text, "{:>12}  {path}", "");
    }
    let shown = scanned.rows.len() as u64;
    if shown < scanned.sessions {
        let (shown, all) = (grouped(shown), grouped(scanned.sessions));
        let _ = writeln!(text, "the newest {shown} of {all}; --limit N lists more");
    }
    text
}

fn what(row: &Row, now: i64) -> String {
    match &row.content {
        Content::Waiting => "not read".to_owned(),
        Content::Unreadable(broken) => {
            format!("cannot be read: {}", prose(&broken.reason, None, 200))
        }
        Content::Folded(told) => {
            let alerts = told.alerts(trace_model::ids::Millis(now)).join(", ").replace('_', " ");
            let alerts = if alerts.is_empty() { alerts } else { format!("[{alerts}] ") };
            match (&told.ask, &told.title) {
                (Some(ask), _) => format!("{alerts}{}", prose(&ask.text, Some(ask.chars), 90)),
                (None, Some(title)) => format!("{alerts}{}", prose(title, None, 90)),
                (None, None) => format!("{alerts}nothing was asked"),
            }
        }
    }
}
