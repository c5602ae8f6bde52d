//! Where an axis starts, ends and has its ticks. Plotters draws it.

use std::ops::Range;

use plotters::coord::ranged1d::{BoldPoints, DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::data::float::pretty_print_float;
use scoreboards::escape;

use super::model::Axis;

/// An axis as plotters takes it. Numbers by their logarithm are placed by [`Axis::place`].
#[derive(Debug, Clone)]
pub(super) struct Scale {
    range: Range<f64>,
    ticks: Vec<f64>,
}

impl Ranged for Scale {
    type ValueType = f64;
    type FormatOption = DefaultFormatting;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.range()).map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl Axis {
    /// A share, from 0 to 1.
    pub(super) fn share(label: &str) -> Self {
        Self::Linear { label: label.to_owned(), lo: 0.0, hi: 1.0 }
    }

    /// From 0 to the largest value.
    pub(super) fn from_zero(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let most = values.fold(0.0, f64::max);
        Self::Linear { label: label.to_owned(), lo: 0.0, hi: if most > 0.0 { most } else { 1.0 } }
    }

    /// By logarithm, with room on both sides.
    pub(super) fn log(label: &str, values: impl Iterator<Item = f64> + Clone) -> Self {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(f64::NEG_INFINITY, f64::max);
        Self::Log { label: label.to_owned(), lo: least / 1.5, hi: most * 1.5 }
    }

    /// What stands along it.
    pub(super) fn label(&self) -> &str {
        match self {
            Self::Names(_) => "",
            Self::Linear { label, .. } | Self::Log { label, .. } => label,
        }
    }

    /// The place of a value on the drawn scale.
    pub(super) fn place(&self, value: f64) -> f64 {
        if matches!(self, Self::Log { .. }) { value.log10() } else { value }
    }

    /// The drawn scale with its ticks, and a little room for markers at both ends.
    #[expect(clippy::cast_precision_loss, reason = "an axis has few names")]
    pub(super) fn scale(&self) -> Scale {
        match self {
            Self::Names(names) => Scale {
                range: -0.5..names.len() as f64 - 0.5,
                ticks: (0..names.len()).map(|at| at as f64).collect(),
            },
            Self::Linear { lo, hi, .. } => {
                let room = (hi - lo) * 0.04;
                let ticks = RangedCoordf64::from(*lo..*hi).key_points(BoldPoints(6));
                Scale { range: lo - room..hi + room, ticks }
            }
            Self::Log { lo, hi, .. } => {
                let decade = |at: i32| [1.0, 2.0, 5.0].map(|m| m * 10_f64.powi(at));
                let round = (-3..=5).flat_map(decade).filter(|at| at >= lo && at <= hi);
                Scale { range: lo.log10()..hi.log10(), ticks: round.map(f64::log10).collect() }
            }
        }
    }

    /// The scale of a vertical axis: the first name is at the top, numbers grow upwards.
    pub(super) fn upright_scale(&self) -> Scale {
        let scale = self.scale();
        match self {
            Self::Names(_) => Scale { range: scale.range.end..scale.range.start, ..scale },
            Self::Linear { .. } | Self::Log { .. } => scale,
        }
    }

    /// The text of a tick.
    pub(super) fn tick(&self, placed: f64) -> String {
        match self {
            Self::Names(names) => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "0, 1, 2, ..."
                )]
                let name = names.get(placed.round() as usize);
                name.map_or(String::new(), |name| escape(name))
            }
            Self::Linear { .. } => pretty_print_float(placed, false),
            Self::Log { .. } => pretty_print_float(10_f64.powf(placed), false),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(axis: &Axis) -> Vec<String> {
        axis.scale().ticks.iter().map(|at| axis.tick(*at)).collect()
    }

    #[test]
    fn ticks_are_round_numbers_or_names() {
        assert_eq!(ticks(&Axis::share("x")), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        let dollars = ticks(&Axis::from_zero("$", [0.4, 7.5].into_iter()));
        assert_eq!(dollars.first().map(String::as_str), Some("0"));
        let log = Axis::log("$", [0.6, 15.0].into_iter());
        assert_eq!(ticks(&log), ["0.5", "1", "2", "5", "10", "20"]);
        let names = Axis::Names(vec!["a".to_owned(), "b".to_owned()]);
        assert_eq!(ticks(&names), ["a", "b"]);
        let range = names.upright_scale().range;
        assert!(range.start > range.end);
    }
}
