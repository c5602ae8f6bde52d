//! Compaction as vendors' clients do it: when the context passes a limit, all of it becomes a summary under fixed
//! headings, and the steps since follow. Nothing adds up what was read.
//!
//! The headings are what published compaction prompts ask for (`docs/CONTINUE.md` names them). Without a model the
//! summary is put together from the run's own records; with one, the model writes it.

mod record;

use std::sync::Arc;

use super::super::context::{Prompt, Segment, quoted};
use super::super::helper::{HelperModel, HelperUsage};
use super::super::history::{History, Step};
use super::super::tokens;
use super::layout::flat;
use super::policy::{Arm, Setup};
use record::Record;

/// Tokens of a context beyond which it is compacted; part of what the arm's name stands for. Vendors compact at
/// 100,000 and more; these runs are that much shorter.
const LIMIT: u64 = 6_000;

/// The summary, and the steps since.
pub(super) struct Compacting {
    every: usize,
    helper: Option<Arc<dyn HelperModel>>,
    record: Record,
    covered: usize,
    summary: String,
    shown: Option<Segment>,
    refreshes: u32,
    helper_usage: HelperUsage,
}

impl Compacting {
    pub(super) fn new(setup: &Setup) -> Self {
        Self {
            every: setup.policy.refresh_every.max(1),
            helper: setup.helper.clone(),
            record: Record::default(),
            covered: 0,
            summary: String::new(),
            shown: None,
            refreshes: 0,
            helper_usage: HelperUsage::default(),
        }
    }

    fn refresh(&mut self, history: &History) -> anyhow::Result<()> {
        let since = &history.steps[self.covered..];
        if since.is_empty() || !since.len().is_multiple_of(self.every) {
            return Ok(());
        }
        let context = flat(history, &self.shown, since).tokens();
        if context <= LIMIT {
            return Ok(());
        }
        self.summary = match self.helper.clone() {
            Some(helper) => self.by_model(&*helper, history, since)?,
            None => self.mechanical(since, context),
        };
        self.covered = history.steps.len();
        self.refreshes += 1;
        self.shown = Some(Segment::new(format!("[summary]\n{}", quoted(&self.summary))));
        Ok(())
    }

    fn by_model(
        &mut self,
        helper: &dyn HelperModel,
        history: &History,
        since: &[Step],
    ) -> anyhow::Result<String> {
        let instructions = "The context of a worker is full. You are shown its task, the summary of what it no \
             longer sees and the steps since. Write the summary from which alone it goes on. Use \
             these headings: REQUEST (what is asked, with every constraint), FILES (which were read \
             or written, and what was found or done in each), ERRORS (what failed and how it was \
             mended), UNDER WAY (what is being done now and what remains), LAST WORDS (what the \
             worker said last). Keep what is needed to go on: names, values, decisions. Reply with \
             the summary and nothing else.";
        let mut text = format!("{}[summary]\n{}\n", history.task.text(), quoted(&self.summary));
        for step in since {
            text.push_str(step.action.text());
            text.push_str(step.observation.text());
        }
        let answer = helper.ask(instructions, &text)?;
        self.helper_usage.paid(&answer.usage, answer.dollars);
        Ok(answer.text)
    }

    /// The summary from the run's records. Tokens are counted as if a model had read the context and written it.
    fn mechanical(&mut self, since: &[Step], context: u64) -> String {
        for step in since {
            self.record.take(step);
        }
        let summary = self.record.text();
        self.helper_usage.calls += 1;
        self.helper_usage.input += context;
        self.helper_usage.output += tokens::count(&summary);
        summary
    }
}

impl Arm for Compacting {
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt> {
        self.refresh(history)?;
        Ok(flat(history, &self.shown, &history.steps[self.covered..]))
    }

    fn helper_usage(&self) -> HelperUsage {
        self.helper_usage
    }

    fn refreshes(&self) -> u32 {
        self.refreshes
    }
}
