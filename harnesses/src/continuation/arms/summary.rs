//! Rolling summaries: every K steps, the old summary and the steps since become one text.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Arc;

use super::super::context::{Prompt, Segment, quoted};
use super::super::helper::{HelperModel, HelperUsage};
use super::super::history::{History, Step};
use super::super::tokens;
use super::layout::flat;
use super::policy::{Arm, Setup};
use crate::workbench::{Action, PADDING_MARK};

/// The summary so far, and the last steps as they were.
pub(super) struct Rolling {
    every: usize,
    /// Characters of the summary.
    limit: Option<usize>,
    helper: Option<Arc<dyn HelperModel>>,
    covered: usize,
    summary: String,
    shown: Option<Segment>,
    refreshes: u32,
    helper_usage: HelperUsage,
}

impl Rolling {
    pub(super) fn capped(setup: &Setup) -> Self {
        Self::new(setup, Some(setup.policy.summary_chars))
    }

    pub(super) fn uncapped(setup: &Setup) -> Self {
        Self::new(setup, None)
    }

    fn new(setup: &Setup, limit: Option<usize>) -> Self {
        Self {
            every: setup.policy.refresh_every.max(1),
            limit,
            helper: setup.helper.clone(),
            covered: 0,
            summary: String::new(),
            shown: None,
            refreshes: 0,
            helper_usage: HelperUsage::default(),
        }
    }

    fn refresh(&mut self, history: &History) -> anyhow::Result<()> {
        let steps = &history.steps[self.covered..];
        if steps.len() < self.every {
            return Ok(());
        }
        self.summary = match self.helper.clone() {
            Some(helper) => self.by_model(&*helper, history, steps)?,
            None => self.mechanical(steps),
        };
        self.covered = history.steps.len();
        self.refreshes += 1;
        self.shown = Some(Segment::new(format!("[summary]\n{}", quoted(&self.summary))));
        Ok(())
    }

    /// The summary by a model. One that is longer than it may be is cut, and says so.
    fn by_model(
        &mut self,
        helper: &dyn HelperModel,
        history: &History,
        steps: &[Step],
    ) -> anyhow::Result<String> {
        let length = match self.limit {
            Some(limit) => format!("at most {limit} characters"),
            None => "as long as it has to be".to_owned(),
        };
        let instructions = format!(
            "You keep the summary of a worker's steps, from which alone, and its last few steps, the \
             worker goes on. You are shown its task, the summary so far and the newest steps. Reply \
             with the new summary and nothing else, {length}."
        );
        let mut text = format!("{}[summary]\n{}\n", history.task.text(), quoted(&self.summary));
        for step in steps {
            text.push_str(step.action.text());
            text.push_str(step.observation.text());
        }
        let answer = helper.ask(&instructions, &text)?;
        self.helper_usage.paid(&answer.usage, answer.dollars);
        let all = answer.text.chars().count();
        Ok(match self.limit {
            Some(limit) if all > limit => {
                let kept: String = answer.text.chars().take(limit).collect();
                format!("{kept}\n(cut: {limit} of {all} characters)")
            }
            _ => answer.text,
        })
    }

    fn mechanical(&mut self, steps: &[Step]) -> String {
        let read: u64 = steps.iter().map(|s| s.action.tokens() + s.observation.tokens()).sum();
        let summary = summarize(&self.summary, steps, self.limit);
        self.helper_usage.calls += 1;
        self.helper_usage.input += read + tokens::count(&self.summary);
        self.helper_usage.output += tokens::count(&summary);
        summary
    }
}

impl Arm for Rolling {
    fn context(&mut self, history: &History) -> anyhow::Result<Prompt> {
        self.refresh(history)?;
        Ok(flat(history, &self.shown, history.last(self.every)))
    }

    fn helper_usage(&self) -> HelperUsage {
        self.helper_usage
    }

    fn refreshes(&self) -> u32 {
        self.refreshes
    }
}

/// How a summary says what it leaves out.
const LEFT_OUT: &str = " older lines are left out";

/// The summarizer that needs no model: the facts it was given and those of these steps, newest first, as many
/// lines as there is room for.
fn summarize(before: &str, steps: &[Step], limit: Option<usize>) -> String {
    let mut dropped: u64 = 0;
    let mut lines: Vec<String> = Vec::new();
    for step in steps.iter().rev() {
        lines.extend(said(step));
    }
    for line in before.lines() {
        match line.strip_suffix(LEFT_OUT) {
            Some(count) => dropped += count.parse::<u64>().unwrap_or(0),
            None => lines.push(line.to_owned()),
        }
    }
    let mut subjects = HashSet::new();
    let mut out = String::new();
    let mut chars = 0;
    for line in &lines {
        // A later statement about a file wins.
        let subject = line.split_once(": ").map_or(line.as_str(), |(subject, _)| subject);
        if !subjects.insert(subject) {
            continue;
        }
        chars += line.chars().count() + 1;
        if limit.is_some_and(|limit| chars > limit) {
            dropped += 1;
            continue;
        }
        let _ = writeln!(out, "{line}");
    }
    if dropped > 0 {
        let _ = writeln!(out, "{dropped}{LEFT_OUT}");
    }
    out
}

/// One line of what a step found or did.
fn said(step: &Step) -> Option<String> {
    let (action, text) = step.succeeded()?;
    match action {
        Action::ReadFile { path } => {
            let content = text.lines().take_while(|line| *line != PADDING_MARK);
            let facts: Vec<&str> =
                content.map(str::trim).filter(|line| line.split_once(" = ").is_some()).collect();
            Some(format!("- {path}: {}", facts.join("; ")))
        }
        Action::WriteFile { path, .. } => Some(format!("- wrote {path}")),
        _ => None,
    }
}
