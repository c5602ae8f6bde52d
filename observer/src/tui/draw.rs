//! What is drawn: the run's head, its numbers, what is in flight, the frontier, episodes, failures.

use trace_model::event::{Outcome, TaskState};
use trace_model::fold::{BackgroundTask, Moment};
use trace_model::ids::Head;
use trace_model::text::{grouped, one_line, verbatim};

use crate::mask::Mask;
use crate::page::{Progress, Subject, standing};
use crate::session::FileStatus;
use crate::text::{count, dollars, duration, short};

use super::area::Area;
use super::screen::Screen;
use super::text::{Color, Line, Span, Style};

/// Characters reserved for the note on a cut text.
const CUT_CHARS: usize = 9;
/// Rows that episodes and what happens now keep, however low the terminal is.
const LEAST_ROWS: u16 = 4;
/// Background tasks shown.
const SHOWN_TASKS: usize = 4;

/// Which episode is on top.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scroll(usize);

impl Scroll {
    pub(super) fn down(&mut self) {
        self.0 = self.0.saturating_add(1);
    }

    pub(super) fn up(&mut self) {
        self.0 = self.0.saturating_sub(1);
    }
}

/// Draws a run on an empty screen.
pub fn draw(screen: &mut Screen, subject: &Subject<'_>, mask: &Mask, scroll: &mut Scroll) {
    let alerts = alerts(subject);
    let mut rest = screen.area();
    let foot = rest.take_bottom(1);
    // The episodes keep some rows of a low terminal.
    let least = rest.take_bottom(LEAST_ROWS);
    let head = rest.take_top(3);
    let alert = rest.take_top(u16::try_from(alerts.len()).unwrap_or(u16::MAX));
    let numbers = rest.take_top(5);
    let rest = Area { height: rest.height + least.height, ..rest };
    screen.lines(&title(subject, mask, head.width), head);
    screen.lines(&alerts, alert);
    let below = screen.heading("Numbers", Style::fg(Color::DarkGray), numbers);
    screen.lines(&figures(subject), below);
    screen.lines(&[mark(subject).fg(Color::DarkGray)], foot);
    let [left, right] = if rest.width >= 100 { rest.beside() } else { rest.halves() };
    episodes(screen, left, subject, mask, scroll);
    now(screen, right, subject, mask);
}

/// A text of the transcript on one line, without secrets and without what a terminal would obey. What
/// does not fit is counted: `… +78` leaves out 78 characters.
fn line(text: &str, whole: Option<u64>, chars: usize, mask: &Mask) -> String {
    let stored = text.chars().count() as u64;
    let whole = whole.unwrap_or(stored).max(stored);
    let masked = mask.apply(text, whole > stored).text;
    let all = one_line(&masked, usize::MAX, None);
    if whole == stored && all.chars().count() <= chars {
        return all;
    }
    let (mut shown, mut width, mut read) = (String::new(), 0, 0);
    let room = chars.saturating_sub(CUT_CHARS);
    for c in masked.chars() {
        let piece =
            if c.is_whitespace() { " ".to_owned() } else { verbatim(c.encode_utf8(&mut [0; 4])) };
        let repeats = piece == " " && (shown.is_empty() || shown.ends_with(' '));
        if !repeats {
            width += piece.chars().count();
            if width > room {
                break;
            }
            shown += &piece;
        }
        read += 1;
    }
    format!("{}… +{}", shown.trim_end(), whole.saturating_sub(read))
}

fn head_line(head: &Head, chars: usize, mask: &Mask) -> String {
    line(&head.text, Some(head.chars), chars, mask)
}

fn title(subject: &Subject<'_>, mask: &Mask, width: u16) -> Vec<Line> {
    let width = usize::from(width);
    let (class, word) = standing(subject);
    let identity = subject.state.identity();
    let name = identity.title.clone();
    let conversation = subject.state.conversation();
    let goal = conversation.goal().map(|goal| goal.text.text.as_str()).unwrap_or_default();
    let asked = conversation.latest_request();
    let asked = asked.map_or(String::new(), |asked| {
        line(&asked.text.text, Some(asked.text.chars), width.saturating_sub(40), mask)
    });
    vec![
        Line::from(vec![
            Span::styled(format!(" {word} "), tone(class).reversed()),
            Span::raw(" "),
            Span::raw(line(name.as_deref().unwrap_or(goal), None, width.saturating_sub(40), mask))
                .bold(),
        ]),
        Line::from(line(
            identity.cwd.as_deref().unwrap_or_default(),
            None,
            width.saturating_sub(4),
            mask,
        ))
        .fg(Color::DarkGray),
        Line::from(vec![Span::raw("asked last: ").fg(Color::DarkGray), Span::raw(asked)]),
    ]
}

fn tone(class: &str) -> Style {
    Style::fg(match class {
        "busy" => Color::Blue,
        "warn" | "late" => Color::Yellow,
        "bad" => Color::Red,
        _ => Color::Green,
    })
}

fn alerts(subject: &Subject<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    if let FileStatus::Lost(reason) = subject.file_status {
        lines.push(
            Line::from(format!("the file is lost: {}", one_line(reason, 200, None))).fg(Color::Red),
        );
    }
    for anomaly in subject.state.active_anomalies() {
        let text =
            format!("! {}: {}", anomaly.kind.title(), one_line(&anomaly.message(), 200, None));
        let color = if anomaly.escalated_at.is_some() { Color::Red } else { Color::Yellow };
        lines.push(Line::from(text).fg(color).bold());
    }
    lines
}

fn figures(subject: &Subject<'_>) -> Vec<Line> {
    let state = subject.state;
    let (tools, spending) = (state.tool_totals(), state.spending());
    let tokens = &spending.tokens;
    let identity = state.identity();
    let clock = match (identity.first_time, identity.last_time) {
        (Some(first), Some(last)) => duration(last.0.saturating_sub(first.0)),
        _ => "unknown".to_owned(),
    };
    let unpriced = match spending.unpriced_tokens {
        0 => String::new(),
        tokens => format!(" and {} tokens without a price", short(tokens)),
    };
    let taken_back = match state.turns_taken_back() {
        0 => String::new(),
        turns => format!(" ({} taken back)", grouped(turns)),
    };
    let cancelled = match tools.cancelled {
        0 => String::new(),
        calls => format!(", {} cancelled", grouped(calls)),
    };
    let written = state.files().values().filter(|file| file.writes() > 0).count() as u64;
    vec![
        Line::from(format!(
            "{}{taken_back}   {} ({} failed, {} denied, {} interrupted{cancelled})   {} written   {}   {clock}",
            count(state.conversation().prompts(), "turn"),
            count(tools.calls, "call"),
            grouped(tools.failed),
            grouped(tools.denied),
            grouped(tools.interrupted),
            count(written, "file"),
            count(state.subagents().count() as u64, "subagent"),
        )),
        Line::from(vec![
            Span::raw(if state.estimates().calls > 0 { "at least " } else { "" }),
            Span::raw(dollars(spending.dollars)).bold(),
            Span::raw(format!("{unpriced}   {}", count(spending.calls, "API call"))),
        ]),
        Line::from(format!(
            "tokens: {} input, {} output, {} cache write, {} cache read",
            short(tokens.input),
            short(tokens.output),
            short(tokens.cache_creation),
            short(tokens.cache_read)
        )),
        Line::default(),
    ]
}

fn episodes(
    screen: &mut Screen,
    area: Area,
    subject: &Subject<'_>,
    mask: &Mask,
    scroll: &mut Scroll,
) {
    let (episodes, all) = crate::page::episodes(subject.state);
    scroll.0 = scroll.0.min(episodes.len().saturating_sub(1));
    let width = usize::from(area.width).saturating_sub(18).max(20);
    let room = usize::from(area.height.saturating_sub(1)) / 2;
    let shown = episodes.iter().skip(scroll.0).take(room);
    let progress = Progress::of(subject.state);
    let mut lines = Vec::new();
    for standing in shown {
        let episode = standing.episode;
        let (class, word) = progress.of_episode(standing);
        let asked = Span::raw(line(&episode.prompt, Some(episode.prompt_chars), width, mask));
        let asked = if standing.taken_back_by.is_some() { asked.crossed_out() } else { asked };
        lines.push(Line::from(vec![
            Span::raw(format!("{:>4} ", episode.number)).fg(Color::DarkGray),
            Span::styled(format!("{word:<12}"), tone(class)),
            asked,
        ]));
        let failed = match episode.failures {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        lines.push(
            Line::from(format!(
                "{:>17}{}{failed}, {}",
                "",
                count(episode.calls(), "call"),
                dollars(episode.dollars)
            ))
            .fg(Color::DarkGray),
        );
    }
    let title = format!("Episodes, newest first: {} of {}", lines.len() / 2, grouped(all));
    let below = screen.heading(&title, Style::fg(Color::DarkGray), area);
    screen.lines(&lines, below);
}

fn now(screen: &mut Screen, area: Area, subject: &Subject<'_>, mask: &Mask) {
    let width = usize::from(area.width).saturating_sub(4).max(20);
    let mut lines = Vec::new();
    let in_flight = subject.state.in_flight();
    for call in in_flight.iter().take(4) {
        let age = subject.age(call.time).map_or_else(String::new, duration);
        lines.push(Line::from(vec![
            Span::raw(one_line(&call.tool, 30, None)).bold(),
            Span::raw(format!(" {age}")).fg(Color::Blue),
        ]));
        lines.push(Line::from(format!(
            "  {}",
            head_line(&call.input, width.saturating_sub(2), mask)
        )));
    }
    if in_flight.len() > 4 {
        lines.push(
            Line::from(format!("4 of {} calls in flight", in_flight.len())).fg(Color::DarkGray),
        );
    }
    if in_flight.is_empty() {
        lines.push(Line::from("no call in flight").fg(Color::DarkGray));
    }
    background(&mut lines, subject, width, mask);
    lines.push(Line::default());
    let moments = subject.state.conversation().frontier();
    let all = subject.state.conversation().moments();
    let shown = moments.len();
    lines
        .push(Line::from(format!("last events, newest first: {shown} of {}", grouped(all))).bold());
    for moment in moments.rev() {
        lines.push(happened(moment, width, mask));
    }
    let below = screen.heading("Now", Style::fg(Color::DarkGray), area);
    screen.wrapped(&lines, below);
}

/// Background tasks that are running or failed; the rest is over.
fn background(lines: &mut Vec<Line>, subject: &Subject<'_>, width: usize, mask: &Mask) {
    let all = subject.state.background_tasks();
    let is_shown = |task: &&BackgroundTask| task.is_running() || task.state == TaskState::Failed;
    let mut tasks: Vec<&BackgroundTask> = all.filter(is_shown).collect();
    tasks.sort_by_key(|task| (!task.is_running(), std::cmp::Reverse(task.launched_at)));
    for task in tasks.iter().take(SHOWN_TASKS) {
        let color = if task.is_running() { Color::Blue } else { Color::Red };
        let age = subject.age(task.launched).filter(|_| task.is_running());
        let age = age.map_or_else(String::new, |age| format!(" {}", duration(age)));
        lines.push(Line::from(vec![
            Span::raw(format!("{} {}", task.kind.name(), line(&task.id, None, 30, mask))).bold(),
            Span::raw(format!(" {}{age}", task.state.name())).fg(color),
        ]));
        let said = if task.summary.chars > 0 { &task.summary } else { &task.input };
        lines.push(Line::from(format!("  {}", head_line(said, width.saturating_sub(2), mask))));
    }
    if tasks.len() > SHOWN_TASKS {
        let cut = format!("{SHOWN_TASKS} of {} background tasks that run or failed", tasks.len());
        lines.push(Line::from(cut).fg(Color::DarkGray));
    }
}

fn happened(moment: &Moment, width: usize, mask: &Mask) -> Line {
    let tool = moment.tool.as_deref().map(|tool| one_line(tool, 30, None)).unwrap_or_default();
    let (who, color) = match (moment.outcome, &moment.tool) {
        (Some(Outcome::Succeeded), _) => (format!("{tool} answered"), Color::Green),
        (Some(Outcome::Failed), _) => (format!("{tool} failed"), Color::Red),
        (Some(Outcome::Denied), _) => (format!("{tool} denied"), Color::Yellow),
        (Some(Outcome::Interrupted), _) => (format!("{tool} interrupted"), Color::Yellow),
        (Some(Outcome::Cancelled), _) => (format!("{tool} cancelled"), Color::Yellow),
        (None, Some(_)) => (format!("calls {tool}"), Color::Blue),
        (None, None) => (crate::page::speaker(moment.source).to_owned(), Color::Cyan),
    };
    let text = head_line(&moment.text, width.saturating_sub(who.len() + 2), mask);
    Line::from(vec![Span::raw(who).fg(color), Span::raw("  "), Span::raw(text)])
}

fn mark(subject: &Subject<'_>) -> Line {
    let reading = subject.reading;
    let bad = match reading.bad_lines {
        0 => String::new(),
        bad => format!(", {}", count(bad, "malformed line")),
    };
    let pending = if reading.pending_bytes > 0 { ", a line is unfinished" } else { "" };
    Line::from(format!(
        "{} from {} bytes{bad}{pending}; tracefold {}; +N: characters left out; j k scroll, q quits",
        count(subject.state.observed().events, "event"),
        grouped(reading.bytes),
        env!("CARGO_PKG_VERSION"),
    ))
}
