//! Episodes: a user turn and what followed it, as derived nodes that hindsight re-versions.
//!
//! An episode's first version is made when its turn begins. When the next turn comes, a version
//! supersedes it that says how it ended: complete, or interrupted if calls were still open. When such
//! a call answers after all, a further version of the episode that issued it says so.
//!
//! Each version depends on that of the turn its own continues. A turn that is taken back has no valid version;
//! when a later turn continues it again, new ones are made.

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::calls::OpenCall;
use super::conversation::Prompt;
use super::turns::Rewind;
use crate::derived::{Dependency, Draft, EventRange, NodeId, NodeStore, Producer};
use crate::event::{Outcome, ToolRole};
use crate::ids::{Head, Millis, Seq};
use crate::text::head;

/// Characters kept of a prompt and of a conclusion.
const EXCERPT_CHARS: usize = 240;
/// Files and dangling calls kept by name; all are counted.
const KEPT_NAMES: usize = 40;

/// An episode's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EpisodeStatus {
    /// Its turn has begun.
    InProgress,
    /// The next turn came with no call open.
    Complete,
    /// A person stopped it, or the next turn came, with calls open.
    Interrupted,
    /// Interrupted, and a call answered after all.
    LateResult,
}

impl EpisodeStatus {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Complete => "complete",
            Self::Interrupted => "interrupted",
            Self::LateResult => "late_result",
        }
    }
}

/// The digest of an episode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Episode {
    /// Its number, counted from 1.
    pub number: u64,
    /// Its status.
    pub status: EpisodeStatus,
    /// The start of what the person asked.
    pub prompt: String,
    /// How many characters that has in all.
    pub prompt_chars: u64,
    /// When it began.
    pub started: Option<Millis>,
    /// When the last event of it was written.
    pub ended: Option<Millis>,
    /// Calls by tool.
    pub tools: BTreeMap<String, u64>,
    /// Calls that failed.
    pub failures: u64,
    /// Files written, up to a bound.
    pub files_written: BTreeSet<String>,
    /// Files written beyond that bound, repeats included.
    pub more_files_written: u64,
    /// Tools of the calls that were open when it was interrupted, up to a bound.
    pub dangling: Vec<String>,
    /// How many those were.
    pub dangling_count: u64,
    /// Of those, calls that answered late.
    pub late_results: u64,
    /// The start of the last thing that the agent said in it.
    pub conclusion: Head,
    /// Cost of its API calls, including subagents', where there is a price.
    pub dollars: Decimal,
}

/// The episodes of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Episodes {
    store: NodeStore<Episode>,
    current: Option<Current>,
    count: u64,
    /// The parent turn of each episode's.
    parents: Vec<u64>,
}

/// The current episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Current {
    episode: Episode,
    first: Seq,
    last: Seq,
    /// Events that its digest rests on: the prompt, and the last thing said.
    conclusion_at: Option<Seq>,
}

impl Episodes {
    pub(super) fn store(&self) -> &NodeStore<Episode> {
        &self.store
    }

    /// The number of the current episode.
    pub(super) fn current(&self) -> Option<u64> {
        self.current.as_ref().map(|current| current.episode.number)
    }

    /// A turn begins that continues `parent`; the current episode is over.
    pub(super) fn begin(&mut self, prompt: &Prompt, parent: u64, shift: &Rewind) {
        let Prompt { at, time, text } = prompt;
        let (at, time) = (*at, *time);
        if let Some(mut current) = self.current.take() {
            if current.episode.status == EpisodeStatus::InProgress {
                current.episode.status = EpisodeStatus::Complete;
            }
            self.publish(&current, Vec::new());
        }
        shift.taken_back.iter().for_each(|number| self.take_back(*number));
        shift.returned.iter().for_each(|number| self.bring_back(*number, at));
        self.parents.push(parent);
        self.count += 1;
        let episode = Episode {
            number: self.count,
            status: EpisodeStatus::InProgress,
            prompt: head(&text.text, EXCERPT_CHARS).to_owned(),
            prompt_chars: text.chars,
            started: time,
            ended: time,
            tools: BTreeMap::new(),
            failures: 0,
            files_written: BTreeSet::new(),
            more_files_written: 0,
            dangling: Vec::new(),
            dangling_count: 0,
            late_results: 0,
            conclusion: Head::default(),
            dollars: Decimal::ZERO,
        };
        let current = Current { episode, first: at, last: at, conclusion_at: None };
        self.publish(&current, Vec::new());
        self.current = Some(current);
    }

    /// A person stopped the agent, or wrote on, with calls open. Returns whether a version was made.
    pub(super) fn interrupt(&mut self, open: &[String], at: Seq, time: Option<Millis>) -> bool {
        let Some(mut current) = self.current.take() else { return false };
        current.touch(at, time);
        current.episode.status = EpisodeStatus::Interrupted;
        current.episode.dangling_count += open.len() as u64;
        let room = KEPT_NAMES.saturating_sub(current.episode.dangling.len());
        current.episode.dangling.extend(open.iter().take(room).cloned());
        self.publish(&current, vec![at.0]);
        self.current = Some(current);
        true
    }

    /// A call was issued.
    pub(super) fn call(&mut self, tool: &str) {
        if let Some(current) = &mut self.current {
            *current.episode.tools.entry(tool.to_owned()).or_default() += 1;
        }
    }

    /// The agent said something.
    pub(super) fn conclude(&mut self, text: &str, at: Seq, time: Option<Millis>) {
        if let Some(current) = &mut self.current {
            current.touch(at, time);
            current.episode.conclusion.set(text, EXCERPT_CHARS);
            current.conclusion_at = Some(at);
        }
    }

    /// Something was spent.
    pub(super) fn spend(&mut self, dollars: Decimal) {
        if let Some(current) = &mut self.current {
            let total = current.episode.dollars.saturating_add(dollars);
            current.episode.dollars = total.normalize();
        }
    }

    /// A call answered. Returns whether a version was made: when the answer is late.
    pub(super) fn answer(
        &mut self,
        call: &OpenCall,
        outcome: Outcome,
        at: Seq,
        time: Option<Millis>,
    ) -> bool {
        let Some(number) = call.episode else { return false };
        let wrote = outcome == Outcome::Succeeded && call.role == ToolRole::Writer;
        let written: Vec<&str> = call.paths().filter(|_| wrote).collect();
        match &mut self.current {
            Some(current) if current.episode.number == number => {
                current.touch(at, time);
                current.episode.take_answer(outcome, &written, call.is_late());
                if call.is_late() {
                    let current = current.clone();
                    self.publish(&current, vec![at.0]);
                }
            }
            _ => self.answer_past(number, outcome, &written, call.is_late(), at),
        }
        call.is_late()
    }

    /// An episode that is over is credited with an answer to one of its calls.
    fn answer_past(
        &mut self,
        number: u64,
        outcome: Outcome,
        written: &[&str],
        late: bool,
        at: Seq,
    ) {
        let holds = self.store.live(&node_id(number)).is_some();
        self.renew(number, at, |episode| episode.take_answer(outcome, written, late));
        if !holds {
            self.take_back(number);
        }
    }

    /// Makes a version of an episode that is over, from its newest one, because of an event.
    fn renew(&mut self, number: u64, at: Seq, change: impl FnOnce(&mut Episode)) {
        let node = node_id(number);
        let Some((_, version)) = self.store.newest(&node) else { return };
        let mut content = version.content.clone();
        change(&mut content);
        let mut evidence = version.evidence.clone();
        evidence.push(at.0);
        let covers = version.covers;
        let dependencies = self.dependencies(number);
        let draft = Draft { covers, evidence, producer: producer(), dependencies, content };
        let superseded = self.store.supersede(&node, draft);
        debug_assert!(superseded.is_ok(), "a node's newest version can be followed by another");
    }

    /// The episode's turn was taken back: no version of it holds, and what rests on it is suspect.
    fn take_back(&mut self, number: u64) {
        let live = self.store.live(&node_id(number)).map(|(version, _)| version);
        let Some(live) = live else { return };
        let invalidated = self.store.invalidate(&live);
        debug_assert!(invalidated.is_ok(), "a live version can be invalidated");
    }

    /// The episode's turn is in force again, because of a prompt.
    fn bring_back(&mut self, number: u64, at: Seq) {
        self.renew(number, at, |_| {});
    }

    /// What an episode depends on besides events: the current version of the turn before it.
    fn dependencies(&self, number: u64) -> Vec<Dependency> {
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let parent = index.and_then(|index| self.parents.get(index)).filter(|parent| **parent > 0);
        let live = parent.and_then(|parent| self.store.live(&node_id(*parent)));
        live.map(|(version, _)| Dependency::Pinned(version)).into_iter().collect()
    }

    fn publish(&mut self, current: &Current, further_evidence: Vec<u64>) {
        let node = node_id(current.episode.number);
        let mut evidence = vec![current.first.0];
        evidence.extend(current.conclusion_at.map(|at| at.0));
        evidence.extend(further_evidence);
        let draft = Draft {
            covers: EventRange { first: current.first.0, last: current.last.0 },
            evidence,
            producer: producer(),
            dependencies: self.dependencies(current.episode.number),
            content: current.episode.clone(),
        };
        let published = match self.store.live(&node) {
            Some(_) => self.store.supersede(&node, draft),
            None => self.store.add_first(node, draft),
        };
        debug_assert!(published.is_ok(), "an episode's newest version is live");
    }

    /// The current episode as it is now, which its newest version does not show yet.
    pub(super) fn under_way(&self) -> Option<&Episode> {
        self.current.as_ref().map(|current| &current.episode)
    }
}

impl Current {
    fn touch(&mut self, at: Seq, time: Option<Millis>) {
        self.last = self.last.max(at);
        self.episode.ended = self.episode.ended.max(time);
    }
}

impl Episode {
    fn take_answer(&mut self, outcome: Outcome, written: &[&str], late: bool) {
        self.failures += u64::from(outcome == Outcome::Failed);
        for path in written {
            let room = self.files_written.len() < KEPT_NAMES;
            if room {
                self.files_written.insert((*path).to_owned());
            } else if !self.files_written.contains(*path) {
                self.more_files_written += 1;
            }
        }
        if late {
            self.late_results += 1;
            self.status = EpisodeStatus::LateResult;
        }
    }

    /// Calls of all tools.
    pub fn calls(&self) -> u64 {
        self.tools.values().sum()
    }
}

/// The node of an episode: zero-padded, so that nodes sort by number.
pub(super) fn node_id(number: u64) -> NodeId {
    NodeId(format!("episode-{number:06}"))
}

fn producer() -> Producer {
    Producer { name: "episodes".to_owned(), version: "1".to_owned() }
}
