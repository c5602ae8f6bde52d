//! A figure as data.

use crate::cell::Source;

/// One figure: panels that share a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Its name in file names and links.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its panels, at least one if it is to be drawn.
    pub panels: Vec<Panel>,
    /// Printed below: interval kind, n, sources.
    pub notes: Vec<String>,
    /// Tables that hold its numbers.
    pub tables: &'static [&'static str],
}

/// One chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Its title.
    pub title: String,
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// What is in it.
    pub series: Vec<Series>,
    /// Points of the Pareto front, in order of x: drawn as a step line.
    pub front: Vec<(f64, f64)>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Axis {
    /// Names at 0, 1, 2, ...
    Names(Vec<String>),
    /// Numbers, evenly.
    Linear {
        /// What they are, with their unit.
        label: String,
        /// Where it starts.
        lo: f64,
        /// Where it ends.
        hi: f64,
    },
    /// Numbers, by their logarithm.
    Log {
        /// What they are, with their unit.
        label: String,
        /// Where it starts; above 0.
        lo: f64,
        /// Where it ends.
        hi: f64,
    },
}

/// Points of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its line of the legend, with n.
    pub name: String,
    /// Whose figures: published are filled, ours are hollow.
    pub source: Source,
    /// Which shape, dash and colour.
    pub style: usize,
    /// Whether points are joined.
    pub joined: bool,
    /// Its points.
    pub points: Vec<Point>,
}

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// Ends of its interval, along the axis of numbers.
    pub interval: Option<(f64, f64)>,
    /// A mark beside it, explained in the legend.
    pub mark: Option<String>,
}

impl Point {
    /// A point without interval or mark.
    pub fn at(x: f64, y: f64) -> Self {
        Self { x, y, interval: None, mark: None }
    }
}
