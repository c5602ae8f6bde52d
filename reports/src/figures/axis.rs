//! Where an axis starts, ends and has its ticks.

use super::model::Axis;

impl Axis {
    /// A share, from 0 to 1.
    pub(super) fn share(label: &str) -> Self {
        Self::Linear { label: label.to_owned(), lo: 0.0, hi: 1.0 }
    }

    /// From 0 to a round number above everything.
    pub(super) fn from_zero(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let most = values.fold(0.0, f64::max);
        let step = step(most);
        let hi = (most / step).ceil().max(1.0) * step;
        Self::Linear { label: label.to_owned(), lo: 0.0, hi }
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

    /// Both ends on the drawn scale, with a little room for markers at them.
    #[expect(clippy::cast_precision_loss, reason = "an axis has few names")]
    pub(super) fn range(&self) -> std::ops::Range<f64> {
        match self {
            Self::Names(names) => -0.5..names.len() as f64 - 0.5,
            Self::Linear { lo, hi, .. } => {
                let room = (hi - lo) * 0.04;
                lo - room..hi + room
            }
            Self::Log { lo, hi, .. } => lo.log10()..hi.log10(),
        }
    }

    /// Values and texts of its ticks.
    #[expect(clippy::cast_precision_loss, reason = "an axis has few names")]
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        match self {
            Self::Names(names) => {
                names.iter().enumerate().map(|(at, name)| (at as f64, name.clone())).collect()
            }
            Self::Linear { lo, hi, .. } => {
                let step = step(hi - lo);
                let mut at = *lo;
                let mut ticks = Vec::new();
                while at <= hi + step * 1e-6 {
                    ticks.push((at, text(at, step)));
                    at += step;
                }
                ticks
            }
            Self::Log { lo, hi, .. } => {
                let decades = -3..=5;
                decades
                    .flat_map(|decade| [1.0, 2.0, 5.0].map(|m| m * 10_f64.powi(decade)))
                    .filter(|at| at >= lo && at <= hi)
                    .map(|at| (at, text(at, at)))
                    .collect()
            }
        }
    }
}

/// 1, 2 or 5 times a power of ten, so that about five of them fill the span.
fn step(span: f64) -> f64 {
    if span <= 0.0 || !span.is_finite() {
        return 1.0;
    }
    let rough = span / 5.0;
    let decade = 10_f64.powf(rough.log10().floor());
    let digit = rough / decade;
    let round = if digit <= 1.0 + 1e-9 {
        1.0
    } else if digit <= 2.0 + 1e-9 {
        2.0
    } else if digit <= 5.0 + 1e-9 {
        5.0
    } else {
        10.0
    };
    round * decade
}

/// As many decimals as the step needs.
fn text(value: f64, step: f64) -> String {
    if step >= 1.0 - 1e-9 {
        format!("{value:.0}")
    } else if step >= 0.1 - 1e-9 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_the_end() {
        let share = Axis::share("x").ticks();
        assert_eq!(share.first().map(|t| t.1.as_str()), Some("0.0"));
        assert_eq!(share.last().map(|t| t.1.as_str()), Some("1.0"));
        let dollars = Axis::from_zero("$", [0.4, 7.5].into_iter());
        assert_eq!(dollars.ticks().last().map(|t| t.1.as_str()), Some("8"));
        let log = Axis::log("$", [0.6, 15.0].into_iter()).ticks();
        let texts: Vec<&str> = log.iter().map(|t| t.1.as_str()).collect();
        assert_eq!(texts, ["0.5", "1", "2", "5", "10", "20"]);
    }
}
