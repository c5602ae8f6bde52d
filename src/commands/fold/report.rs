//! The JSON object that `fold --json` prints for a run. Times are milliseconds since 1970, UTC;
//! amounts of money are decimal strings.

use std::collections::BTreeMap;

use serde::Serialize;
use trace_model::adapter::RunFile;
use trace_model::derived::{EventRange, Validity};
use trace_model::detect::{Anomaly, AnomalyKind};
use trace_model::event::{TaskKind, TaskState};
use trace_model::fold::{
    Aggregate, BackgroundTask, Episode, Estimates, Failure, FileUse, Identity, OpenCall, Prompt,
    RunState, RunTurn, Spending, ToolTally, Watermark,
};
use trace_model::ids::{Excerpt, Head, Millis, Seq};
use trace_model::reader::ReadStats;
use trace_model::run::Run;
use trace_model::totals::Totals;

/// All that is printed of a run.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    /// The session's file.
    pub(super) session: String,
    pub(super) totals: Totals,
    pub(super) identity: &'a Identity,
    pub(super) subagents: Vec<&'a str>,
    pub(super) goal: Option<&'a Prompt>,
    pub(super) latest_request: Option<&'a Prompt>,
    /// The day of the price table.
    pub(super) prices_of: &'a str,
    pub(super) spending_by_model: BTreeMap<&'a str, &'a Spending>,
    /// The list by which the models that have a price are priced, in words.
    pub(super) priced_by: BTreeMap<&'a str, String>,
    /// The day of the table by which unfinished output is estimated.
    pub(super) estimates_of: &'static str,
    /// The events at which lists of requests were read first that do not fit their call's usage.
    pub(super) unreconciled_at: Vec<Seq>,
    pub(super) tools: &'a BTreeMap<String, ToolTally>,
    /// Successful reads by path.
    pub(super) files_read: BTreeMap<&'a str, u64>,
    /// Successful writes by path.
    pub(super) files_written: BTreeMap<&'a str, u64>,
    /// Calls that can still answer.
    pub(super) in_flight: Vec<Call<'a>>,
    /// Calls of the main thread without a result: in flight or interrupted.
    pub(super) dangling: Vec<Call<'a>>,
    /// Calls without a result whose agents are over, so that nothing can answer them any more.
    pub(super) abandoned: Vec<Call<'a>>,
    /// Agents and commands launched into the background.
    pub(super) background_tasks: Vec<TaskRow<'a>>,
    /// Turns that are no longer part of the conversation.
    pub(super) turns_taken_back: Vec<&'a RunTurn>,
    pub(super) failures: Failures<'a>,
    pub(super) anomalies: Anomalies<'a>,
    pub(super) facts: Facts<'a>,
    pub(super) episodes: Vec<EpisodeRow<'a>>,
    /// What was seen of the run, and the event at which derived nodes last changed.
    pub(super) observed: Watermark,
    pub(super) materialized: Seq,
    /// What reading came across: in all, and file by file.
    pub(super) reading: Reading<'a>,
}

/// A call without a result.
#[derive(Serialize)]
pub(super) struct Call<'a> {
    pub(super) id: &'a str,
    pub(super) tool: &'a str,
    pub(super) issued_at: Seq,
    pub(super) time: Option<Millis>,
    pub(super) input: &'a Head,
    pub(super) path: Option<&'a str>,
    pub(super) interrupted: bool,
}

/// A background task.
#[derive(Serialize)]
pub(super) struct TaskRow<'a> {
    pub(super) id: &'a str,
    pub(super) kind: TaskKind,
    pub(super) state: TaskState,
    /// The id of the call that launched it.
    pub(super) call: &'a str,
    pub(super) tool: Option<&'a str>,
    pub(super) input: &'a Head,
    pub(super) launched_at: Seq,
    pub(super) launched: Option<Millis>,
    pub(super) ended_at: Option<Seq>,
    pub(super) ended: Option<Millis>,
    pub(super) summary: &'a Head,
}

/// Calls and background tasks that failed.
#[derive(Serialize)]
pub(super) struct Failures<'a> {
    pub(super) count: u64,
    /// What the last failed call of the main thread said.
    pub(super) last_error: Option<&'a Excerpt>,
    pub(super) recent: Vec<&'a Failure>,
}

/// What the detectors found.
#[derive(Serialize)]
pub(super) struct Anomalies<'a> {
    pub(super) raised: BTreeMap<&'static str, u64>,
    pub(super) active: Vec<AnomalyRow<'a>>,
    pub(super) cleared: Vec<AnomalyRow<'a>>,
    /// Cleared ones that are not kept.
    pub(super) cleared_not_kept: u64,
}

/// An anomaly with its line for people.
#[derive(Serialize)]
pub(super) struct AnomalyRow<'a> {
    pub(super) message: String,
    #[serde(flatten)]
    pub(super) anomaly: &'a Anomaly,
}

/// Facts in force.
#[derive(Serialize)]
pub(super) struct Facts<'a> {
    pub(super) in_force: u64,
    /// Those whose text is kept for views.
    pub(super) shown: Vec<FactRow<'a>>,
    pub(super) aggregates: Vec<AggregateRow<'a>>,
}

#[derive(Serialize)]
pub(super) struct FactRow<'a> {
    source: &'a str,
    line: u64,
    key: &'a str,
    value: &'a str,
    read_at: Seq,
}

/// What the facts of a key add up to, and what that covers.
#[derive(Serialize)]
pub(super) struct AggregateRow<'a> {
    key: &'a str,
    facts: u64,
    numeric: u64,
    untracked: u64,
    statistics: BTreeMap<&'static str, String>,
    latest_source: &'a str,
    latest_at: Seq,
}

/// An episode's current state: its newest version, or what is known about the one in progress. That of a turn
/// that was taken back is invalidated.
#[derive(Serialize)]
pub(super) struct EpisodeRow<'a> {
    version: u32,
    validity: Validity,
    covers: EventRange,
    #[serde(flatten)]
    episode: &'a Episode,
}

#[derive(Serialize)]
pub(super) struct Reading<'a> {
    pub(super) all: ReadStats,
    pub(super) files: Vec<FileReading<'a>>,
}

/// What reading one of the run's files came across.
#[derive(Serialize)]
pub(super) struct FileReading<'a> {
    pub(super) path: String,
    /// The subagent whose file it is.
    pub(super) agent: Option<&'a str>,
    #[serde(flatten)]
    pub(super) stats: &'a ReadStats,
}

impl<'a> Report<'a> {
    /// The report of a run.
    pub(super) fn of(run: &'a Run) -> Self {
        let state = run.state();
        let all = run.reading();
        let used = |uses: fn(&FileUse) -> u64| {
            let files = state.files().iter().map(move |(path, file)| (path.as_str(), uses(file)));
            files.filter(|(_, uses)| *uses > 0).collect()
        };
        Self {
            session: run.session().to_string_lossy().into_owned(),
            totals: Totals::of(state, &all),
            identity: state.identity(),
            subagents: state.subagents().collect(),
            goal: state.conversation().goal(),
            latest_request: state.conversation().latest_request(),
            prices_of: state.config().prices.date(),
            spending_by_model: state.spending_by_model(),
            priced_by: priced_by(state),
            estimates_of: Estimates::scales_of(),
            unreconciled_at: state.unreconciled_at().collect(),
            tools: state.tools(),
            files_read: used(FileUse::reads),
            files_written: used(FileUse::writes),
            in_flight: state.in_flight().into_iter().map(call).collect(),
            dangling: state.dangling().into_iter().map(call).collect(),
            abandoned: state.abandoned().into_iter().map(call).collect(),
            background_tasks: state.background_tasks().map(task).collect(),
            turns_taken_back: (state.turns().iter()).filter(|turn| !turn.is_in_force()).collect(),
            failures: Failures {
                count: state.failure_count(),
                last_error: state.last_error(),
                recent: state.failures().collect(),
            },
            anomalies: anomalies(state),
            facts: facts(state),
            episodes: episodes(state),
            observed: state.observed(),
            materialized: state.materialized(),
            reading: Reading { all, files: run.readings().map(file).collect() },
        }
    }
}

fn priced_by(state: &RunState) -> BTreeMap<&str, String> {
    let prices = &state.config().prices;
    let models = state.spending_by_model().into_keys();
    models.filter_map(|model| Some((model, prices.list_of(model)?.to_string()))).collect()
}

fn call(call: &OpenCall) -> Call<'_> {
    Call {
        id: &call.id,
        tool: &call.tool,
        issued_at: call.issued_at,
        time: call.time,
        input: &call.input,
        path: call.path.as_deref(),
        interrupted: call.interrupted,
    }
}

fn task(task: &BackgroundTask) -> TaskRow<'_> {
    TaskRow {
        id: &task.id,
        kind: task.kind,
        state: task.state,
        call: &task.call,
        tool: task.tool.as_deref(),
        input: &task.input,
        launched_at: task.launched_at,
        launched: task.launched,
        ended_at: task.ended_at,
        ended: task.ended,
        summary: &task.summary,
    }
}

fn anomalies(state: &RunState) -> Anomalies<'_> {
    let row = |anomaly| AnomalyRow { message: Anomaly::message(anomaly), anomaly };
    Anomalies {
        raised: AnomalyKind::ALL.iter().map(|kind| (kind.name(), state.raised(*kind))).collect(),
        active: state.active_anomalies().into_iter().map(row).collect(),
        cleared: state.cleared_anomalies().map(row).collect(),
        cleared_not_kept: state.dropped_anomalies(),
    }
}

fn facts(state: &RunState) -> Facts<'_> {
    let shown = state.shown_facts().into_iter().map(|fact| FactRow {
        source: fact.source,
        line: fact.line,
        key: fact.key,
        value: fact.value,
        read_at: fact.read_at,
    });
    Facts {
        in_force: state.fact_count() as u64,
        shown: shown.collect(),
        aggregates: state.aggregates().iter().map(aggregate).collect(),
    }
}

fn aggregate<'a>(aggregate: &Aggregate<'a>) -> AggregateRow<'a> {
    let statistics = aggregate.statistics.iter();
    AggregateRow {
        key: aggregate.key,
        facts: aggregate.facts,
        numeric: aggregate.numeric,
        untracked: aggregate.untracked,
        statistics: statistics.map(|(name, total)| (name.name(), total.to_string())).collect(),
        latest_source: aggregate.latest_source,
        latest_at: aggregate.latest_at,
    }
}

fn episodes(state: &RunState) -> Vec<EpisodeRow<'_>> {
    let store = state.episodes();
    // Of a turn that was taken back no version holds; its newest is printed as what it is.
    let newest = store.nodes().filter_map(|node| store.newest(node));
    newest
        .map(|(reference, version)| EpisodeRow {
            version: reference.version.0,
            validity: version.state,
            covers: version.covers,
            episode: match state.episode_under_way() {
                Some(current) if current.number == version.content.number => current,
                _ => &version.content,
            },
        })
        .collect()
}

fn file<'a>((file, stats): (&'a RunFile, &'a ReadStats)) -> FileReading<'a> {
    FileReading {
        path: file.path.to_string_lossy().into_owned(),
        agent: file.role.agent.as_deref(),
        stats,
    }
}
