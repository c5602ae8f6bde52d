//! A run read once: its items, its cuts, and what the contexts at each cut are made of.

use std::collections::{BTreeMap, HashSet};

use trace_model::adapter::FileRole;
use trace_model::event::{Record, Thread};
use trace_model::fold::{FoldConfig, RunState};
use trace_model::run::{FoldObserver, Folder as RunFolder};
use trace_model::view::flatlog::FlatLog;

use super::contexts::{RENDERERS, Size};
use super::cuts::{Cut, CutRules, Cutter};
use super::entities::Folder;
use super::items::{Item, Step, steps};

/// What the run had come to at a cut.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    /// Bytes of the session's file before the record that is cut before.
    pub(super) bytes: usize,
    /// The flat log so far.
    pub(super) flat_log: String,
    /// Views by the number of the renderer and the size asked for.
    pub(super) views: BTreeMap<(usize, Size), String>,
}

/// A run.
#[derive(Debug)]
pub(super) struct Session<'a> {
    /// The session's file.
    pub(super) bytes: &'a [u8],
    /// How it is read.
    pub(super) role: FileRole,
    /// What was said, called and answered.
    pub(super) items: Vec<Item>,
    /// Where it is cut, whether or not a call follows.
    pub(super) cuts: Vec<Cut>,
    /// By cut: the number of what the run had come to.
    pub(super) snapshot_of: Vec<usize>,
    /// What the run had come to at the records that are cut before.
    pub(super) snapshots: Vec<Snapshot>,
    /// The run's folder.
    pub(super) folder: Folder,
    /// The views at the end, as in a snapshot.
    pub(super) end: BTreeMap<(usize, Size), String>,
}

impl<'a> Session<'a> {
    /// A run by its transcripts, the session's own first; views are compiled in these sizes.
    pub(super) fn read(
        transcripts: Vec<(FileRole, &'a [u8])>,
        rules: CutRules,
        sizes: &[Size],
    ) -> Self {
        let (role, bytes) = transcripts.first().cloned().unwrap_or_default();
        let mut collector = Collector {
            cutter: Cutter::new(rules),
            sizes,
            log: FlatLog::default(),
            called: HashSet::new(),
            session: Self {
                bytes,
                role,
                items: Vec::new(),
                cuts: Vec::new(),
                snapshot_of: Vec::new(),
                snapshots: Vec::new(),
                folder: Folder::default(),
                end: BTreeMap::new(),
            },
        };
        let own = transcripts.into_iter().take(1);
        let run = RunFolder::of(own, FoldConfig::default(), &mut collector);
        let mut session = collector.session;
        session.end = views(run.state(), sizes);
        session
    }
}

/// Looks on while a run is folded.
struct Collector<'a, 's> {
    cutter: Cutter,
    sizes: &'s [Size],
    log: FlatLog,
    /// The ids of calls so far.
    called: HashSet<String>,
    session: Session<'a>,
}

impl FoldObserver for Collector<'_, '_> {
    fn before(&mut self, state: &RunState, record: &Record<'_>, file: u32) {
        if file != 0 {
            return;
        }
        let session = &mut self.session;
        if let Some(folder) = record.note.cwd.as_deref()
            && record.thread == Thread::Main
            && !session.folder.is_known()
        {
            session.folder = Folder::new(folder);
        }
        let mut snapshot = None;
        for step in steps(state, record) {
            match step {
                Step::Compaction => self.cutter.compaction(),
                Step::Item(item) => {
                    let id = item.call.as_ref().and_then(|call| call.id.clone());
                    if id.is_some_and(|id| !self.called.insert(id)) {
                        continue;
                    }
                    for cut in self.cutter.before(&item) {
                        let at = *snapshot.get_or_insert_with(|| {
                            session.snapshots.push(Snapshot {
                                bytes: usize::try_from(record.at.offset.0).unwrap_or(usize::MAX),
                                flat_log: self.log.clone().finish(),
                                views: views(state, self.sizes),
                            });
                            session.snapshots.len() - 1
                        });
                        session.cuts.push(cut);
                        session.snapshot_of.push(at);
                    }
                    session.items.push(*item);
                }
            }
        }
    }

    fn after(&mut self, state: &RunState, record: &Record<'_>, file: u32) {
        self.log.after(state, record, file);
    }
}

fn views(state: &RunState, sizes: &[Size]) -> BTreeMap<(usize, Size), String> {
    let mut views = BTreeMap::new();
    for (at, renderer) in RENDERERS.iter().enumerate() {
        for size in sizes {
            views.insert((at, *size), (renderer.compile)(state, size.budget()));
        }
    }
    views
}
