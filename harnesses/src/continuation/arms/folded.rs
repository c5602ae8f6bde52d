//! Arms that show a view compiled from the run's own transcript, folded as it grows.

use corpus_gen::tasks::Statistic as Declared;
use trace_model::fold::{FoldConfig, RunState, Statistic};

use super::super::context::{Prompt, Segment, quoted};
use super::super::helper::HelperUsage;
use super::super::history::History;
use super::Shown;
use super::extracting::{Extracting, ExtractorKind};
use super::layout::{flat, turns};
use super::policy::{Arm, Setup};
use crate::recording::{LiveFold, Recorder};

/// How the run is folded.
enum Folding {
    /// By what its tools answered in `key = value` lines.
    Lines(Box<LiveFold>),
    /// By what an extractor found too.
    Prose(Box<Extracting>),
}

impl Folding {
    fn catch_up(&mut self, recorder: &Recorder) -> anyhow::Result<&RunState> {
        match self {
            Self::Lines(fold) => Ok(fold.catch_up(recorder)),
            Self::Prose(fold) => fold.catch_up(recorder),
        }
    }
}

/// The run's fold, and its view, recompiled every K steps.
struct Curator {
    fold: Folding,
    view: Shown,
    every: usize,
    /// The steps that were there when the view was compiled.
    covered: usize,
    shown: Option<Segment>,
    refreshes: u32,
}

impl Curator {
    fn new(setup: &Setup, view: Shown, statistics: &[Statistic]) -> Self {
        let mut config = FoldConfig::default();
        config.facts.statistics.extend(statistics);
        Self::over(setup, view, Folding::Lines(Box::new(LiveFold::new(config))))
    }

    fn over(setup: &Setup, view: Shown, fold: Folding) -> Self {
        Self {
            fold,
            view,
            every: setup.policy.refresh_every.max(1),
            covered: 0,
            shown: None,
            refreshes: 0,
        }
    }

    /// The view of the last refresh, after a new one if it is due.
    fn refresh(&mut self, history: &History) -> anyhow::Result<Option<&Segment>> {
        let steps = history.steps.len();
        if steps - self.covered >= self.every {
            let state = self.fold.catch_up(&history.recorder)?;
            let Shown { view, budget } = self.view;
            let text = quoted(&view.compile(state, budget));
            self.shown = Some(Segment::new(format!("[view]\n{text}")));
            self.covered = steps;
            self.refreshes += 1;
        }
        Ok(self.shown.as_ref())
    }

    fn helper_usage(&self) -> HelperUsage {
        match &self.fold {
            Folding::Lines(_) => HelperUsage::default(),
            Folding::Prose(fold) => fold.helper_usage(),
        }
    }
}

/// The view, and the last steps as they were.
pub(super) struct Curated {
    curator: Curator,
    keep: usize,
}

impl Curated {
    pub(super) fn new(setup: &Setup, view: Shown) -> Self {
        Self { curator: Curator::new(setup, view, &[]), keep: setup.policy.refresh_every }
    }

    /// With the statistic that the task declares kept by the fold.
    pub(super) fn declared(setup: &Setup, view: Shown) -> Self {
        let statistics: &[Statistic] = match setup.statistic {
            Declared::AlternatingSum { .. } => &[Statistic::AlternatingSum],
            Declared::Sum { .. } | Declared::None => &[],
        };
        let curator = Curator::new(setup, view, statistics);
        Self { curator, keep: setup.policy.refresh_every }
    }

    /// With facts that are stated in prose.
    pub(super) fn parsed(setup: &Setup, view: Shown, by: ExtractorKind) -> Self {
        let fold = Box::new(Extracting::new(setup, FoldConfig::default(), by));
        let curator = Curator::over(setup, view, Folding::Prose(fold));
        Self { curator, keep: setup.policy.refresh_every }
    }
}

impl Arm for Curated {
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt> {
        Ok(flat(history, self.curator.refresh(history)?, history.last(self.keep)))
    }

    fn helper_usage(&self) -> HelperUsage {
        self.curator.helper_usage()
    }

    fn refreshes(&self) -> u32 {
        self.curator.refreshes
    }
}

/// The view in the first turn, and the steps since it was compiled as turns.
pub(super) struct CuratedTurns {
    curator: Curator,
}

impl CuratedTurns {
    pub(super) fn new(setup: &Setup, view: Shown) -> Self {
        Self { curator: Curator::new(setup, view, &[]) }
    }
}

impl Arm for CuratedTurns {
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt> {
        self.curator.refresh(history)?;
        let since = &history.steps[self.curator.covered..];
        Ok(turns(history, &self.curator.shown, since))
    }

    fn refreshes(&self) -> u32 {
        self.curator.refreshes
    }
}

/// The view, and every step.
pub(super) struct ViewPlusFull {
    curator: Curator,
}

impl ViewPlusFull {
    pub(super) fn new(setup: &Setup, view: Shown) -> Self {
        Self { curator: Curator::new(setup, view, &[]) }
    }
}

impl Arm for ViewPlusFull {
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt> {
        Ok(flat(history, self.curator.refresh(history)?, &history.steps))
    }

    fn refreshes(&self) -> u32 {
        self.curator.refreshes
    }
}
