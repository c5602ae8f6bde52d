//! What a row of the detectors' table is made of.

use rust_decimal::Decimal;

use super::table::{AnomalyKind, DetectorConfig};

/// A detector: when it raises, escalates and clears an alert, and by which thresholds.
#[derive(Debug)]
pub struct Detector {
    /// The kind of anomaly that it finds.
    pub kind: AnomalyKind,
    /// What that is.
    pub meaning: &'static str,
    /// When it is raised. Names in backquotes are thresholds.
    pub raised: &'static str,
    /// When it becomes grave.
    pub escalated: &'static str,
    /// When it is over.
    pub cleared: &'static str,
    /// What is said of it, with `{subject}` and `{count}` to be filled in.
    pub alert: &'static str,
    /// What can be set.
    pub thresholds: &'static [Threshold],
}

/// A number that decides when a detector speaks.
pub struct Threshold {
    /// The name by which it is set: `loop.raise`.
    pub key: &'static str,
    /// What it decides, with its unit.
    pub meaning: &'static str,
    /// What it can be set to.
    pub takes: &'static str,
    /// Its value in a configuration, as it can be set.
    pub get: fn(&DetectorConfig) -> String,
    /// Sets it; false if it does not take that value.
    pub set: fn(&mut DetectorConfig, &str) -> bool,
}

impl std::fmt::Debug for Threshold {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.key)
    }
}

/// A type of thresholds.
pub(super) trait Amount: Sized {
    /// What it can be set to.
    const TAKES: &'static str;

    /// The value that is written so.
    fn read(text: &str) -> Option<Self>;

    /// How the value is written.
    fn write(&self) -> String;
}

macro_rules! whole {
    ($($type:ty),*) => {$(
        impl Amount for $type {
            const TAKES: &'static str = "a whole number";

            fn read(text: &str) -> Option<Self> {
                // Never negative, whatever the type could hold.
                text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
            }

            fn write(&self) -> String {
                self.to_string()
            }
        }
    )*};
}

whole!(usize, u64, i64);

impl Amount for Option<u64> {
    const TAKES: &'static str = "a whole number, or none";

    fn read(text: &str) -> Option<Self> {
        if text == "none" { Some(None) } else { u64::read(text).map(Some) }
    }

    fn write(&self) -> String {
        self.map_or("none".to_owned(), |number| number.to_string())
    }
}

impl Amount for Option<Decimal> {
    const TAKES: &'static str = "an amount in dollars, as in 12.50, or none";

    fn read(text: &str) -> Option<Self> {
        if text == "none" {
            return Some(None);
        }
        let amount = Decimal::from_str_exact(text).ok()?;
        (!amount.is_sign_negative()).then_some(Some(amount))
    }

    fn write(&self) -> String {
        self.map_or("none".to_owned(), |amount| amount.to_string())
    }
}
