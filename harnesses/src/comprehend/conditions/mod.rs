//! Conditions: what a reader is shown of a run.
//!
//! A condition is what makes its text, what stamps it, and how reader `mechanical` reads it; [`Condition::of`] has
//! those of every label. A condition with a budget has a label of its own, so that no table, board or
//! comparison pools it with another.

mod context;
mod flatlog;
mod handover;
mod raw;
mod summary;
mod view;

use std::borrow::Cow;
use std::fmt;

use scoreboards::Renderer;
use scoreboards::measures::comprehend::{ConditionLabel, Family};
use trace_model::ids::Sha256;
use trace_model::view::WorkerView;

use super::mechanical::{self, Reading};
use crate::inputs::{Files, Probe};
pub(super) use context::CHARS_PER_TOKEN;
pub use context::{Caps, Compiled, Context, Subject};

/// Makes a condition's text.
pub type Compile = fn(&Subject<'_>, &Caps) -> Compiled;

/// What a reader is shown of a run, and how it is made.
#[derive(Clone)]
pub struct Condition {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Raised whenever the function makes another text of the same run.
    pub version: u32,
    /// The most characters that it shows, where its name says so; otherwise the caps hold.
    pub most_chars: Option<u32>,
    /// Makes its text.
    pub compile: Compile,
    /// The stamp of the renderer that makes the text, where one does.
    pub renderer: Option<fn() -> trace_model::view::Renderer>,
    /// How reader `mechanical` reads it; none if it cannot.
    pub reading: Option<Reading>,
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({})", self.name)
    }
}

impl Condition {
    /// The condition of a label.
    #[must_use]
    pub fn of(label: ConditionLabel) -> Self {
        let made = |compile: Compile, reading| Self {
            name: label.to_string().into(),
            version: 1,
            most_chars: label.most_chars(),
            compile,
            renderer: None,
            reading,
        };
        match label.family() {
            Family::Raw => made(raw::compile, Some(mechanical::raw)),
            Family::FlatLog => Self {
                renderer: Some(trace_model::view::flatlog::renderer),
                ..made(flatlog::compile, Some(mechanical::flatlog))
            },
            Family::View => Self {
                renderer: Some(trace_model::view::worker::renderer),
                ..made(view::compile, Some(mechanical::view))
            },
            Family::Handover => Self {
                renderer: Some(|| WorkerView::TWO.renderer()),
                ..made(handover::compile, Some(mechanical::handover))
            },
            // A model's prose: no parser reads it.
            Family::Summary => made(summary::compile, None),
        }
    }

    /// Makes its text of a run, or says why there is none.
    pub(super) fn text(&self, subject: &Subject<'_>, caps: &Caps) -> Compiled {
        match self.most_chars {
            Some(most) => (self.compile)(subject, &caps.within(most)),
            None => (self.compile)(subject, caps),
        }
    }

    /// What made the text, for the scoreboard. Without a renderer's own stamp the fingerprint is that
    /// of the text that it makes of the probe.
    #[must_use]
    pub fn stamp(&self) -> Renderer {
        if let Some(renderer) = self.renderer {
            let trace_model::view::Renderer { name, version, fingerprint } = renderer();
            return Renderer { name: name.to_owned(), version: version.to_string(), fingerprint };
        }
        let files = Files::Made(Probe::default().files());
        let subject = Subject::of(files.transcripts());
        // The probe's own caps, whatever the condition's budget: one stamp for what one function makes.
        let text = (self.compile)(&subject, &Caps::probing()).map_or(String::new(), |it| it.text);
        let fingerprint = format!("{:016x}", Sha256::of(&text).head());
        let name = self.name.split('@').next().unwrap_or_default().to_owned();
        Renderer { name, version: self.version.to_string(), fingerprint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_has_a_stamp_and_they_differ() {
        let stamps = ConditionLabel::DEFAULT.map(|label| Condition::of(label).stamp());
        let names = stamps.each_ref().map(|it| (it.name.as_str(), it.version.as_str()));
        assert_eq!(names, [("raw", "1"), ("flatlog", "1"), ("worker", "1"), ("worker", "2")]);
        assert!(stamps.iter().all(|stamp| stamp.fingerprint.len() == 16));
    }

    #[test]
    fn a_budget_changes_the_label_and_not_the_stamp() {
        for (whole, within) in [("raw", "raw@2000"), ("view/2", "view@2000")] {
            let [whole, within] =
                [whole, within].map(|label| Condition::of(label.parse().expect(label)));
            assert_ne!(whole.name, within.name);
            assert_eq!(whole.stamp(), within.stamp());
        }
    }
}
