//! The types of thresholds, as people write them.

use rust_decimal::Decimal;

/// A type of thresholds.
pub(super) trait Amount: Sized {
    /// The values it accepts.
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
