//! What a context shows, gathered from its sections.

use super::aggregate::Total;
use super::assignments::Lines;
use super::goal::Goal;
use super::sections::{Section, Shown, ToolResult};
use super::view::ViewText;
use crate::workbench::Action;

/// A step that the context shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShownStep<'a> {
    /// Its number.
    pub(super) number: u32,
    /// The call.
    pub(super) action: Option<&'a Action>,
    /// The visible part of the answer, if any.
    pub(super) shown: Option<&'a Shown>,
}

impl<'a> ShownStep<'a> {
    /// The call and its result, if the result is shown and not a failure.
    pub(super) fn answered(&self) -> Option<(&'a Action, &'a ToolResult)> {
        match (self.action, self.shown) {
            (Some(action), Some(Shown::Answered(answer))) => Some((action, answer)),
            _ => None,
        }
    }

    /// The call, unless it visibly failed.
    pub(super) fn not_failed(&self) -> Option<&'a Action> {
        self.action.filter(|_| self.shown != Some(&Shown::Failed))
    }
}

/// All that a context shows.
#[derive(Debug, Default)]
pub(super) struct Evidence<'a> {
    /// The task.
    pub(super) goal: Option<&'a Goal>,
    /// Whether a note is to be kept.
    pub(super) notes: bool,
    /// Whether there is a tool that adds.
    pub(super) tally: bool,
    /// Steps, in their order.
    pub(super) steps: Vec<ShownStep<'a>>,
    /// The last note.
    pub(super) note: Option<&'a str>,
    /// The view.
    pub(super) view: Option<&'a ViewText>,
    /// What a summary says of files, newest first.
    pub(super) summary: &'a [(String, Lines)],
    /// What it says of the file whose reading was the last step before it.
    pub(super) under_way: Option<&'a (String, Lines)>,
    /// Paths in a plain list, newest first.
    pub(super) listed: &'a [String],
    /// Running totals.
    pub(super) tallies: &'a [Total],
}

impl<'a> Evidence<'a> {
    /// Gathers sections.
    pub(super) fn of(sections: impl IntoIterator<Item = &'a Section>) -> Self {
        let mut all = Self::default();
        for section in sections {
            match section {
                Section::Instructions { notes, tally } => (all.notes, all.tally) = (*notes, *tally),
                Section::Task(goal) => all.goal = goal.as_ref(),
                Section::View(view) => all.view = Some(view),
                Section::Summary(summary) => {
                    all.summary = &summary.files;
                    all.under_way = summary.under_way.as_ref();
                }
                Section::List(paths) => all.listed = paths,
                Section::Tally(totals) => all.tallies = totals,
                Section::Step { number, action, note } => {
                    let action = action.as_ref();
                    all.steps.push(ShownStep { number: *number, action, shown: None });
                    if note.is_some() {
                        all.note = note.as_deref();
                    }
                }
                Section::Observation { number, shown } => match all.steps.last_mut() {
                    Some(step) if step.number == *number => step.shown = Some(shown),
                    _ => {}
                },
            }
        }
        all
    }

    /// Files that were read, with what they said, in the order of the steps that show it.
    pub(super) fn readings(&self) -> impl DoubleEndedIterator<Item = (&'a str, &'a ToolResult)> {
        self.steps.iter().filter_map(|step| match step.answered()? {
            (Action::ReadFile { path }, answer) => Some((path.as_str(), answer)),
            _ => None,
        })
    }

    /// What the last successful write to a file since the last reading wrote, if a step shows one.
    pub(super) fn written(&self, path: &str) -> bool {
        self.steps.iter().rev().filter_map(ShownStep::answered).any(|(action, _)| {
            matches!(action, Action::WriteFile { path: written, .. } if written == path)
        })
    }
}
