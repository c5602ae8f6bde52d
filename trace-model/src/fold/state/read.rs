//! What can be read off the state.

use std::collections::BTreeMap;

use super::{Failure, RunState, Watermark};
use crate::derived::NodeStore;
use crate::detect::{Anomaly, AnomalyKind, SilenceAlarm};
use crate::event::{Event, EventKind, Record};
use crate::fold::calls::{OpenCall, ToolTally};
use crate::fold::config::FoldConfig;
use crate::fold::conversation::Conversation;
use crate::fold::episodes::Episode;
use crate::fold::facts::{Aggregate, FactInForce, ShownFact};
use crate::fold::files::FileUse;
use crate::fold::handover::Handover;
use crate::fold::identity::Identity;
use crate::fold::recent::Recent;
use crate::fold::tasks::{BackgroundTask, TaskCounts};
use crate::fold::thread::{MAIN, SIDECHAIN};
use crate::fold::turns::RunTurn;
use crate::fold::usage::{Calibration, Estimates, Spending, Tokens};
use crate::ids::{Digest64, Excerpt, Seq};

impl RunState {
    /// How the fold was configured.
    pub fn config(&self) -> &FoldConfig {
        &self.config
    }
    /// How far the run was observed.
    pub fn observed(&self) -> Watermark {
        self.observed
    }
    /// The event at which derived nodes last changed.
    pub fn materialized(&self) -> Seq {
        self.materialized
    }
    /// Which session this is.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }
    /// What was used and named last: commands, names, references.
    pub fn recent(&self) -> &Recent {
        &self.recent
    }
    /// The latest messages and actions.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }
    /// The ids of subagents, in the order in which they appeared.
    pub fn subagents(&self) -> impl Iterator<Item = &str> {
        self.threads.iter().skip(1).filter(|name| *name != SIDECHAIN)
    }
    /// The agent of a thread; none for the main thread.
    pub fn thread_name(&self, thread: u32) -> Option<&str> {
        let index = usize::try_from(thread).ok().filter(|index| *index > 0)?;
        self.threads.iter().nth(index)
    }
    /// Events by kind, duplicates not counted.
    pub fn kinds(&self) -> &BTreeMap<EventKind, u64> {
        &self.kinds
    }
    /// Events of a kind, duplicates not counted.
    pub fn count(&self, kind: EventKind) -> u64 {
        self.kinds.get(&kind).copied().unwrap_or(0)
    }
    /// Events that repeat one seen before.
    pub fn duplicates(&self) -> u64 {
        self.lineage.duplicates
    }
    /// Whether an event of a record that is not folded yet repeats one that is: for who looks on.
    pub fn has_seen(&self, record: &Record<'_>, event: &Event<'_>) -> bool {
        self.lineage.has_seen(record, event)
    }
    /// Records whose parent is nowhere in the run.
    pub fn orphans(&self) -> u64 {
        self.lineage.orphans()
    }
    /// Requests to the model that were tried again.
    pub fn retries(&self) -> u64 {
        self.retries
    }
    /// What all API calls used and cost.
    pub fn spending(&self) -> &Spending {
        self.usage.total()
    }
    /// The same by model name as written.
    pub fn spending_by_model(&self) -> BTreeMap<&str, &Spending> {
        self.usage.by_model()
    }
    /// Tokens that have no price, by the reason.
    pub fn unpriced(&self) -> BTreeMap<&str, u64> {
        self.usage.unpriced()
    }
    /// The plain sum of usage over all records, which counts repeats again.
    pub fn naive_tokens(&self) -> &Tokens {
        self.usage.naive()
    }
    /// Naive over counted tokens, as numerator and denominator.
    pub fn inflation(&self) -> (u64, u64) {
        self.usage.inflation()
    }
    /// What clients recorded as the cost themselves, in dollars, and for how many calls.
    pub fn recorded_cost(&self) -> (rust_decimal::Decimal, u64) {
        self.usage.recorded()
    }
    /// What the totals hold that is in no call, because only a client's sums state it: tokens, and
    /// what the priced ones cost, in dollars.
    pub fn unattributed(&self) -> (Tokens, rust_decimal::Decimal) {
        self.usage.unattributed()
    }
    /// What the client stated last as the cost of all, in dollars.
    pub fn stated_cost(&self) -> Option<rust_decimal::Decimal> {
        self.usage.stated_cost()
    }
    /// Calls that list requests inconsistent with their usage: the recorded usage is kept.
    pub fn unreconciled_iterations(&self) -> u64 {
        self.usage.unreconciled()
    }
    /// The events at which the lists of those calls were read first.
    pub fn unreconciled_at(&self) -> impl Iterator<Item = Seq> {
        self.usage.unreconciled_at()
    }
    /// Listed requests of a type that this version does not know, by type.
    pub fn unknown_iterations(&self) -> BTreeMap<&str, u64> {
        self.usage.unknown_entries()
    }
    /// What estimates of unfinished usage add to the recorded usage.
    pub fn estimates(&self) -> &Estimates {
        self.usage.estimates()
    }
    /// All counted calls, to calibrate those estimates with.
    pub fn calibration(&self) -> impl Iterator<Item = Calibration<'_>> {
        self.usage.calibration()
    }
    /// Calls by tool.
    pub fn tools(&self) -> &BTreeMap<String, ToolTally> {
        self.calls.tools()
    }
    /// The same of the main thread alone.
    pub fn main_tools(&self) -> &BTreeMap<String, ToolTally> {
        self.calls.main_tools()
    }
    /// Calls of all tools.
    pub fn tool_totals(&self) -> ToolTally {
        let mut all = ToolTally::default();
        self.calls.tools().values().for_each(|tally| all.add(tally));
        all
    }
    /// Results that answered a call.
    pub fn results(&self) -> u64 {
        self.calls.results
    }
    /// Results whose call never came, including those that name none.
    pub fn orphan_results(&self) -> u64 {
        self.calls.orphan_results() + self.calls.unaddressed_results
    }
    /// Second and later results of a call.
    pub fn duplicate_results(&self) -> u64 {
        self.calls.duplicate_results
    }
    /// Second and later calls of an id.
    pub fn duplicate_calls(&self) -> u64 {
        self.calls.duplicates
    }
    /// Results that came after their call was interrupted.
    pub fn late_results(&self) -> u64 {
        self.calls.late_results
    }
    /// The call of this id, if it has no result yet.
    pub fn open_call(&self, id: &str) -> Option<&OpenCall> {
        self.calls.open(Digest64::of(id))
    }
    /// Calls in flight in all threads, oldest first.
    pub fn in_flight(&self) -> Vec<&OpenCall> {
        self.calls.in_flight()
    }
    /// Calls without a result that nothing can answer any more, since their agents are over; oldest
    /// first.
    pub fn abandoned(&self) -> Vec<&OpenCall> {
        self.calls.abandoned()
    }
    /// How many calls are abandoned.
    pub fn abandoned_count(&self) -> u64 {
        self.tool_totals().abandoned
    }
    /// The agents and commands that were launched into the background, by id.
    pub fn background_tasks(&self) -> impl Iterator<Item = &BackgroundTask> {
        self.tasks.iter()
    }
    /// Their number by state.
    pub fn background_counts(&self) -> TaskCounts {
        self.tasks.counts()
    }
    /// Whether a background task is running: then the run is not done, whatever it said last.
    pub fn has_running_task(&self) -> bool {
        self.tasks.iter().any(BackgroundTask::is_running)
    }
    /// The turns, in order: each a prompt and what followed it.
    pub fn turns(&self) -> &[RunTurn] {
        self.turns.list()
    }
    /// Number of turns taken back, no longer part of the conversation.
    pub fn turns_taken_back(&self) -> u64 {
        self.turns.taken_back()
    }
    /// How many calls are in flight.
    pub fn in_flight_count(&self) -> u64 {
        self.calls.in_flight_count()
    }
    /// Calls of the main thread without a result, oldest first.
    pub fn dangling(&self) -> Vec<&OpenCall> {
        self.calls.dangling(MAIN)
    }
    /// Files read or written, by path. A file that only turns taken back read has neither reads nor
    /// writes left.
    pub fn files(&self) -> &BTreeMap<String, FileUse> {
        &self.files
    }
    /// The most recent failures, oldest first.
    pub fn failures(&self) -> impl DoubleEndedIterator<Item = &Failure> + ExactSizeIterator {
        self.failures.iter()
    }
    /// How many calls failed, and background tasks.
    pub fn failure_count(&self) -> u64 {
        self.tool_totals().failed + self.tasks.failures
    }
    /// What the last failed call of the main thread said, or was said of a background task of it.
    pub fn last_error(&self) -> Option<&Excerpt> {
        self.last_error.as_ref()
    }
    /// What a handover needs of the work itself.
    pub fn handover(&self) -> &Handover {
        &self.handover
    }
    /// The facts in force, in their order: for checking, not for views.
    pub fn facts_in_force(&self) -> Vec<FactInForce<'_>> {
        self.facts.in_force()
    }
    /// How many facts are in force.
    pub fn fact_count(&self) -> usize {
        self.facts.len()
    }
    /// The facts to show, least recently read first.
    pub fn shown_facts(&self) -> Vec<ShownFact<'_>> {
        self.facts.shown()
    }
    /// What facts add up to, by key.
    pub fn aggregates(&self) -> Vec<Aggregate<'_>> {
        self.facts.aggregates()
    }
    /// Episodes and their versions.
    pub fn episodes(&self) -> &NodeStore<Episode> {
        self.episodes.store()
    }
    /// The current episode as it is now.
    pub fn episode_under_way(&self) -> Option<&Episode> {
        self.episodes.under_way()
    }
    /// What silence will mean if nothing more is written, and from when on.
    pub fn silence_alarm(&self) -> Option<SilenceAlarm> {
        self.detectors.silence_alarm()
    }
    /// Anomalies in force.
    pub fn active_anomalies(&self) -> Vec<&Anomaly> {
        self.detectors.active()
    }
    /// Anomalies that are over, oldest first.
    pub fn cleared_anomalies(
        &self,
    ) -> impl DoubleEndedIterator<Item = &Anomaly> + ExactSizeIterator {
        self.detectors.cleared()
    }
    /// How often a kind of anomaly was raised.
    pub fn raised(&self, kind: AnomalyKind) -> u64 {
        self.detectors.raised(kind)
    }
    /// How many anomalies that are over are not kept.
    pub fn dropped_anomalies(&self) -> u64 {
        self.detectors.cleared_dropped()
    }
}
