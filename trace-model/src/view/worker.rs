//! The worker view: what an agent, or a person's program, needs of a run in a bounded text.
//!
//! It states facts rather than where to find them, says of every list that is cut how many of how
//! many it shows, and of every aggregate what it covers: the reader must be able to tell whether
//! what it just saw is already in the sum.

use std::fmt::Write as _;
use std::sync::OnceLock;

use super::reference;
use super::renderer::Renderer;
use super::variant::Variant;
use super::words::{outcome_name, source_name};
use crate::fold::{
    Aggregate, BackgroundTask, OpenCall, Prompt, RunState, RunTurn, ShownFact, ToolTally,
};
use crate::ids::Head;
use crate::text::{grouped, one_line, verbatim};

/// How much the view shows of each list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerViewConfig {
    /// Characters of the goal.
    pub goal_chars: usize,
    /// Characters of the latest request, and of the last error.
    pub request_chars: usize,
    /// Characters of the text of an event, a call's input, a failure.
    pub event_chars: usize,
    /// Tools.
    pub tools: usize,
    /// Files.
    pub files: usize,
    /// Calls without a result, and background tasks.
    pub calls: usize,
    /// Recent failures.
    pub failures: usize,
    /// Anomalies that are over.
    pub cleared_anomalies: usize,
    /// Episodes, and turns taken back.
    pub episodes: usize,
    /// Keys with their aggregates.
    pub aggregates: usize,
}

impl Default for WorkerViewConfig {
    fn default() -> Self {
        Self {
            goal_chars: 600,
            request_chars: 2000,
            event_chars: 160,
            tools: 60,
            files: 400,
            calls: 40,
            failures: 6,
            cleared_anomalies: 5,
            episodes: 8,
            aggregates: 60,
        }
    }
}

/// The renderer of worker views.
pub fn renderer() -> Renderer {
    Variant::Worker.renderer()
}

impl Variant {
    /// Higher whenever any byte of this variant's output changes.
    fn version(self) -> u32 {
        match self {
            Self::Worker | Self::Unstamped | Self::WithoutAggregates => 1,
        }
    }

    /// The renderer.
    pub fn renderer(self) -> Renderer {
        static FINGERPRINTS: [OnceLock<String>; Variant::ALL.len()] =
            [const { OnceLock::new() }; Variant::ALL.len()];
        let fingerprint = FINGERPRINTS[self as usize].get_or_init(|| {
            reference::fingerprint(&body(&reference::state(), &WorkerViewConfig::default(), self))
        });
        Renderer { name: self.name(), version: self.version(), fingerprint: fingerprint.clone() }
    }
}

/// Compiles the view of a run.
pub fn compile(state: &RunState, config: &WorkerViewConfig) -> String {
    compile_variant(state, config, Variant::Worker)
}

/// Compiles a variant of the view.
pub fn compile_variant(state: &RunState, config: &WorkerViewConfig, variant: Variant) -> String {
    let stamp = stamp(state, variant);
    let mut view = body(state, config, variant);
    view.insert_str(0, &stamp);
    view
}

/// What compiled the view and what it covers.
fn stamp(state: &RunState, variant: Variant) -> String {
    let renderer = variant.renderer();
    if !variant.states_coverage() {
        return format!("# {renderer}: what it covers is left out\n");
    }
    let observed = state.observed();
    let events = match observed.events {
        0 => "no events".to_owned(),
        events => format!("events 0-{}", events - 1),
    };
    let until = observed.time.map_or_else(String::new, |time| format!(" until {time}"));
    format!("# {renderer}: covers {events}{until}\n")
}

fn body(state: &RunState, config: &WorkerViewConfig, variant: Variant) -> String {
    let mut out = String::new();
    session(&mut out, state);
    requests(&mut out, state, config);
    taken_back(&mut out, state, config);
    counts(&mut out, state);
    tools(&mut out, state, config);
    anomalies(&mut out, state, config);
    unanswered(&mut out, state, config);
    background(&mut out, state, config);
    errors(&mut out, state, config);
    files(&mut out, state, config);
    episodes(&mut out, state, config);
    if variant.has_aggregates() {
        aggregates(&mut out, state, config, variant);
    }
    facts(&mut out, state);
    frontier(&mut out, state, config);
    out
}

/// Writes a line. Writing to a string does not fail.
macro_rules! line {
    ($out:expr, $($text:tt)*) => {{
        let _ = writeln!($out, $($text)*);
    }};
}

/// "40 of 300", or "all 12".
fn share(shown: usize, all: u64) -> String {
    if shown as u64 == all { format!("all {all}") } else { format!("{shown} of {all}") }
}

/// The start of a text on one line, which says how much of the whole it is.
fn head_line(head: &Head, chars: usize) -> String {
    one_line(&head.text, chars, Some(head.chars))
}

fn session(out: &mut String, state: &RunState) {
    let identity = state.identity();
    let part = |name: &str, value: &Option<String>| {
        value.as_ref().map(|value| format!("{name} {}", one_line(value, 120, None)))
    };
    let parts = [
        part("session", &identity.session),
        part("title", &identity.title),
        part("in", &identity.cwd),
        part("branch", &identity.branch),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if !parts.is_empty() {
        line!(out, "{}", parts.join(", "));
    }
}

fn requests(out: &mut String, state: &RunState, config: &WorkerViewConfig) {
    let conversation = state.conversation();
    let turns = conversation.prompts();
    let text = |prompt: &Prompt, chars| {
        one_line(&prompt.text.text, chars, prompt.text.truncated.then_some(prompt.text.chars))
    };
    match (conversation.goal(), conversation.latest_request()) {
        (Some(goal), Some(latest)) => {
            let is_goal = |turn: &&RunTurn| turn.at == goal.at;
            let first = state.turns().iter().find(is_goal).map_or(1, |turn| turn.number);
            let said = text(goal, config.goal_chars);
            line!(out, "\nGOAL (turn {first}, event {}): {said}", goal.at);
            line!(
                out,
                "LATEST REQUEST (turn {turns} of {turns}, event {}): {}",
                latest.at,
                text(latest, config.request_chars)
            );
        }
        _ => line!(out, "\nGOAL: no person has written anything"),
    }
}

/// The turns that are no longer part of the conversation: a reader must not act on them.
fn taken_back(out: &mut String, state: &RunState, config: &WorkerViewConfig) {
    let all = state.turns_taken_back();
    if all == 0 {
        return;
    }
    let turns = state.turns().iter().rev();
    let taken = turns.filter_map(|turn| Some((turn, turn.taken_back_by?)));
    let shown: Vec<_> = taken.take(config.episodes).collect();
    line!(
        out,
        "TURNS TAKEN BACK, no part of the conversation any more ({}, newest first):",
        share(shown.len(), all)
    );
    for (turn, by) in shown {
        line!(
            out,
            "- turn {}, event {}, taken back by turn {by}, which goes on from an earlier one; it had \
             asked: {}",
            turn.number,
            turn.at,
            head_line(&turn.prompt, config.event_chars)
        );
    }
}

fn counts(out: &mut String, state: &RunState) {
    line!(out, "\n{}", counts_line(state));
    line!(out, "{}", spent_line(state));
}

/// How many turns, calls, subagents and so on.
pub(super) fn counts_line(state: &RunState) -> String {
    let ToolTally { calls, succeeded, failed, denied, interrupted, cancelled, abandoned } =
        state.tool_totals();
    let rare = [(cancelled, "cancelled by the client"), (abandoned, "abandoned with their agent")];
    let rare = rare.iter().filter(|(count, _)| *count > 0);
    let rare: Vec<String> = rare.map(|(count, word)| format!(", {count} {word}")).collect();
    let rare = rare.concat();
    format!(
        "COUNTS: {} user turns; {calls} tool calls ({succeeded} ok, {failed} failed, {denied} \
         denied, {interrupted} interrupted{rare}, {} in flight); {} subagents; {} endpoint errors; \
         {} compactions",
        state.conversation().prompts(),
        state.in_flight_count(),
        state.subagents().count(),
        state.count(crate::event::EventKind::Error),
        state.count(crate::event::EventKind::Compaction),
    )
}

/// Tokens and dollars.
pub(super) fn spent_line(state: &RunState) -> String {
    let spending = state.spending();
    let tokens = &spending.tokens;
    format!(
        "SPENT: {} API calls; tokens {} in, {} out, {} cache write, {} cache read; {}${}{}{}",
        spending.calls,
        grouped(tokens.input),
        grouped(tokens.output),
        grouped(tokens.cache_creation),
        grouped(tokens.cache_read),
        if state.estimates().calls > 0 { "at least " } else { "" },
        spending.dollars.round_dp(4).normalize(),
        never_stated(state),
        match spending.unpriced_tokens {
            0 => String::new(),
            unpriced => format!(" and {} tokens without a known price", grouped(unpriced)),
        }
    )
}

/// What the output that was never stated may have cost; nothing where all of it was stated.
fn never_stated(state: &RunState) -> String {
    let estimates = state.estimates();
    if estimates.calls == 0 {
        return String::new();
    }
    let about = state.spending().dollars.saturating_add(estimates.dollars);
    format!(
        " (about ${} with the output that {} of the calls never stated)",
        about.round_dp(4).normalize(),
        grouped(estimates.calls)
    )
}

fn tools(out: &mut String, state: &RunState, config: &WorkerViewConfig) {
    let mut tools: Vec<(&String, &ToolTally)> = state.main_tools().iter().collect();
    if tools.is_empty() {
        return;
    }
    let main: u64 = tools.iter().map(|(_, tally)| tally.calls).sum();
    let by_subagents = match state.tool_totals().calls - main {
        0 => String::new(),
        calls => format!("; and {calls} calls by subagents"),
    };
    tools.sort_by_key(|(name, tally)| (std::cmp::Reverse(tally.calls), *name));
    let shown: Vec<String> = tools
        .iter()
        .take(config.tools)
        .map(|(name, tally)| {
            let failed = match tally.failed {
                0 => String::new(),
                failed => format!(" ({failed} failed)"),
            };
            format!("{} {}{failed}", one_line(name, 80, None), tally.calls)
        })
        .collect();
    let share = share(shown.len(), tools.len() as u64);
    line!(out, "TOOLS by calls of the main thread ({share}): {}{by_subagents}", shown.join(", "));
}

fn anomalies(out: &mut String, state: &RunState, config: &WorkerViewConfig) {
    for anomaly in state.active_anomalies() {
        line!(
            out,
            "ALERT {} since event {}: {}",
            anomaly.kind,
            anomaly.raised_at,
            one_line(&anomaly.message(), config.event_chars, None)
        );
    }
    let all = state.cleared_anomalies().len() as u64 + state.dropped_anomalies();
    if all > 0 {
        let cleared: Vec<String> = state
            .cleared_anomalies()
            .rev()
            .take(config.cleared_anomalies)
            .map(|a| format!("{} at event {}", a.kind, a.raised_at))
            .collect();
        let share = share(cleared.len(), all);
        line!(out, "ALERTS that are over ({share}, newest first): {}", cleared.join(", "));
    }
}

fn unanswered(out: &mut String, state: &RunState, config: &WorkerViewConfig) {
    let dangling = state.dangling();
    if dangling.is_empty() {
        line!(out, "CALLS WITHOUT A RESULT: none");
        return;
    }
    let shown = dangling.len().min(config.calls);
    line!(out, "CALLS WITHOUT A RESULT ({}):", share(shown, dangling.len() as u64));
    for call in dangling.into_iter().take(config.calls) {
        line!(out, "- {}", describe(call, config.event_chars));
    }
}

/// Background work, running and finished.
fn background(out: &mut String, state: &RunState, config: &WorkerViewConfig) {
    let mut tasks: Vec<&BackgroundTask> = state.background_tasks().collect();
    if tasks.is_empty() {
        return;
    }
    let all = tasks.len() as u64;
    tasks.sort_by_key(|task| (!task.is_running(), std::cmp::Reverse(task.launched_at), &task.id));
    tasks.truncate(config.calls);
    let running = state.background_counts().running;
    let share = share(tasks.len(), all);
    line!(out, "BACKGROUND TASKS ({share}, {running} running; running and newest first):");
    for task in tasks {
        line!(out, "- {}", describe_task(task, config.event_chars));
    }
}

/// A background task in a line, with `chars` characters of each text.
pub(super) fn describe_task(task: &BackgroundTask, chars: usize) -> String {
    let time = |word: &str, time: Option<crate::ids::Millis>| {
        time.map_or_else(String::new, |time| format!(" {word} {time}"))
    };
    let stands = match task.ended_at {
        None => format!("running{}, not ended yet", time("since", task.launched)),
        Some(at) => format!("{}{} (event {at})", task.state.name(), time("at", task.ended)),
    };
    let said = match task.summary.chars {
        0 => String::new(),
        _ => format!("; said: {}", head_line(&task.summary, chars)),
    };
    format!(
        "{} [{}] {stands}, launched at event {} by {}: {}{said}",
        task.kind.name(),
        one_line(&task.id, 80, None),
        task.launched_at,
        one_line(task.tool.as_deref().unwrap_or("a call that is not in the run"), 80, None),
        head_line(&task.input, chars)
    )
}

/// A call without a result in a line, with `chars` characters of its input.
pub(super) fn describe(call: &OpenCall, chars: usize) -> String {
    let state = if call.interrupted { "interrupted" } else { "in flight" };
    let since = call.time.map_or_else(String::new, |time| format!(" since {time}"));
    format!(
        "{} [{}] {state}{since}, event {}: {}",
        one_line(&call.tool, 80, None),
        one_line(&call.id, 80, None),
        call.issued_at,
        head_line(&call.input, chars)
    )
}

fn errors(out: &mut String, state: &RunState, config: &WorkerViewConfig) {
    let Some(last) = state.last_error() else {
        line!(out, "LAST ERROR: none");
        return;
    };
    let whole = last.truncated.then_some(last.chars);
    line!(out, "LAST ERROR: {}", one_line(&last.text, config.request_chars, whole));
    let failures: Vec<_> = state.failures().rev().take(config.failures).collect();
    let share = share(failures.len(), state.failure_count());
    line!(out, "RECENT FAILURES ({share}, newest first):");
    for failure in failures {
        line!(
            out,
            "- event {} {} {}: {}",
            failure.at,
            one_line(&failure.tool, 80, None),
            head_line(&failure.input, config.event_chars / 2),
            head_line(&failure.text, config.event_chars)
        );
    }
}

fn files(out: &mut String, state: &RunState, config: &WorkerViewConfig) {
    let is_in_use = |file: &crate::fold::FileUse| file.reads() + file.writes() > 0;
    let mut files: Vec<_> = state.files().iter().filter(|(_, file)| is_in_use(file)).collect();
    if files.is_empty() {
        line!(out, "FILES: none read or written");
        return;
    }
    let all = files.len() as u64;
    files.sort_by_key(|(path, file)| (std::cmp::Reverse(file.last_at), *path));
    files.truncate(config.files);
    let share = share(files.len(), all);
    line!(
        out,
        "FILES ({share}, last used first; r = reads, w = writes, sr and sw = by subagents):"
    );
    for (path, file) in files {
        let uses = [
            ("r", file.main.reads),
            ("w", file.main.writes),
            ("sr", file.subagents.reads),
            ("sw", file.subagents.writes),
        ];
        let uses = uses.iter().filter(|(_, count)| *count > 0);
        let uses: Vec<String> = uses.map(|(letter, count)| format!("{letter}{count}")).collect();
        line!(out, "- {} {}", uses.join(" "), one_line(path, 400, None));
    }
}

fn episodes(out: &mut String, state: &RunState, config: &WorkerViewConfig) {
    let store = state.episodes();
    let mut live: Vec<_> = store.nodes().filter_map(|node| store.live(node)).collect();
    let all = live.len() as u64;
    if all == 0 {
        return;
    }
    live.reverse();
    live.truncate(config.episodes);
    line!(out, "EPISODES ({}, newest first):", share(live.len(), all));
    for (reference, version) in live {
        // The current episode is shown as it is now, not as its newest version saw it.
        let episode = match state.episode_under_way() {
            Some(current) if current.number == version.content.number => current,
            _ => &version.content,
        };
        line!(
            out,
            "- {} v{} {}, events {}-: {} calls, {} failed, ${}; asked: {}; concluded: {}",
            episode.number,
            reference.version.0,
            episode.status.name(),
            version.covers.first,
            episode.calls(),
            episode.failures,
            episode.dollars.round_dp(4).normalize(),
            one_line(&episode.prompt, config.event_chars, Some(episode.prompt_chars)),
            match episode.conclusion.chars {
                0 => "nothing".to_owned(),
                _ => head_line(&episode.conclusion, config.event_chars),
            }
        );
    }
}

fn aggregates(out: &mut String, state: &RunState, config: &WorkerViewConfig, variant: Variant) {
    let mut aggregates = state.aggregates();
    if aggregates.is_empty() {
        return;
    }
    let all = aggregates.len() as u64;
    // Keys that have lost facts from view first: their aggregate is all that is left of them.
    aggregates.sort_by_key(|a| {
        let hidden = a.facts + a.untracked - a.shown;
        (std::cmp::Reverse(hidden > 0), std::cmp::Reverse(a.facts), a.key)
    });
    aggregates.truncate(config.aggregates);
    line!(out, "AGGREGATES of facts ({} keys, exact):", share(aggregates.len(), all));
    for aggregate in &aggregates {
        line!(out, "- {}", describe_aggregate(aggregate, variant));
    }
}

/// A key with its statistics and, unless the variant leaves it out, what they cover.
pub(super) fn describe_aggregate(aggregate: &Aggregate<'_>, variant: Variant) -> String {
    let Aggregate { key, facts, numeric, shown, untracked, .. } = aggregate;
    let mut text = one_line(key, 80, None);
    for (statistic, total) in &aggregate.statistics {
        let _ = write!(text, " {} {total}", statistic.name().replace('_', " "));
        text.push(',');
    }
    if !variant.states_coverage() {
        text.truncate(text.trim_end_matches(',').len());
        return text;
    }
    let _ = match *numeric {
        n if n == *facts => write!(text, " over {facts} values"),
        n => write!(text, " over the {n} numbers among {facts} values"),
    };
    let _ = write!(
        text,
        ", up to and including {} (event {})",
        one_line(aggregate.latest_source, 200, None),
        aggregate.latest_at
    );
    let _ = match *shown {
        n if n == *facts => write!(text, "; all are listed below"),
        n => write!(text, "; {n} of {facts} are listed below"),
    };
    if *untracked > 0 {
        let _ = write!(text, "; INCOMPLETE: {untracked} further values were not tracked");
    }
    text
}

fn facts(out: &mut String, state: &RunState) {
    let shown = state.shown_facts();
    let all = state.fact_count() as u64;
    if all == 0 {
        return;
    }
    let share = share(shown.len(), all);
    line!(out, "FACTS (key = value lines of results; {share}, last read last):");
    let mut source = None;
    for fact in shown {
        let ShownFact { key, line, value, read_at, .. } = fact;
        if source != Some((fact.source, read_at)) {
            line!(out, "- {} (event {read_at}):", one_line(fact.source, 200, None));
            source = Some((fact.source, read_at));
        }
        line!(out, "  {line}: {key} = {}", verbatim(value));
    }
}

fn frontier(out: &mut String, state: &RunState, config: &WorkerViewConfig) {
    let moments = state.conversation().frontier();
    let share = share(moments.len(), state.conversation().moments());
    line!(out, "LAST EVENTS of the main thread ({share}, oldest first):");
    for moment in moments {
        let mut head = format!("- event {} {}", moment.at, source_name(moment.source));
        let _ = match (&moment.tool, moment.outcome) {
            (Some(tool), Some(outcome)) => {
                write!(head, " {} {}", one_line(tool, 80, None), outcome_name(outcome))
            }
            (Some(tool), None) => write!(head, " calls {}", one_line(tool, 80, None)),
            _ => Ok(()),
        };
        line!(out, "{head}: {}", head_line(&moment.text, config.event_chars));
    }
}
