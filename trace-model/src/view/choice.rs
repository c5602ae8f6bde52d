//! Which worker view: its version, and what is left out of it. Each choice is a renderer of its own.

use std::fmt;

use super::budget::Budget;
use super::handover;
use super::renderer::Renderer;
use super::variant::Variant;
use super::worker::{self, WorkerViewConfig};
use crate::fold::RunState;

/// A version of the worker view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// The paper's: bounded by the caps of its lists.
    One,
    /// The handover view: bounded by a budget, its parts in order of measured worth.
    Two,
}

impl Version {
    /// The number.
    pub fn number(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

/// A worker view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorkerView {
    /// Its version.
    pub version: Version,
    /// What is left out of it.
    pub variant: Variant,
}

impl WorkerView {
    /// `worker/1`, the view behind the paper's figures.
    pub const ONE: Self = Self { version: Version::One, variant: Variant::Worker };
    /// `worker/2`, the handover view.
    pub const TWO: Self = Self { version: Version::Two, variant: Variant::Worker };

    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let versions = [Version::One, Version::Two].into_iter();
        versions.flat_map(|version| Variant::ALL.map(|variant| Self { version, variant }))
    }

    /// The view of this name, such as `worker/2`.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|view| view.to_string() == name)
    }

    /// The renderer.
    pub fn renderer(self) -> Renderer {
        match self.version {
            Version::One => self.variant.renderer(),
            Version::Two => handover::renderer(self.variant),
        }
    }

    /// Compiles the view of a run. Version 1 knows no budget: it keeps to the caps of its lists.
    pub fn compile(self, state: &RunState, budget: Budget) -> String {
        match self.version {
            Version::One => {
                worker::compile_variant(state, &WorkerViewConfig::default(), self.variant)
            }
            Version::Two => handover::compile(state, budget, self.variant),
        }
    }
}

impl fmt::Display for WorkerView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.variant.name(), self.version.number())
    }
}
