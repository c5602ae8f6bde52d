//! Keys: the name of a label, a measure or an aggregate, with what it means and, for a measure, its kind.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use rust_decimal::Decimal;

use crate::aggregate::{Condition, Method};
use crate::row::Measure;

/// What a measure is, and so how it is written and read.
pub trait Kind {
    /// The kind's name, as in the file ([`Measure::kind`]).
    const NAME: &'static str;
    /// The value in code.
    type Value;
    /// The value as a row holds it.
    fn measure(value: Self::Value) -> Measure;
    /// The value that a row holds; none if it is missing or of another kind.
    fn value(measure: &Measure) -> Option<Self::Value>;
}

/// A kind that adds up.
pub trait Numeric: Kind {}

macro_rules! kinds {
    ($($(#[$doc:meta])+ $kind:ident($value:ty) = $name:literal;)+) => {$(
        $(#[$doc])+
        #[derive(Debug)]
        pub enum $kind {}

        impl Kind for $kind {
            const NAME: &'static str = $name;
            type Value = $value;

            fn measure(value: $value) -> Measure {
                Measure::$kind(value)
            }

            fn value(measure: &Measure) -> Option<$value> {
                match measure {
                    Measure::$kind(value) => Some(value.clone()),
                    _ => None,
                }
            }
        }
    )+};
}

kinds! {
    /// A number of things.
    Count(u64) = "count";
    /// Yes or no.
    Flag(bool) = "flag";
    /// A score or another quantity without a unit, exact.
    Score(Decimal) = "score";
    /// Tokens.
    Tokens(u64) = "tokens";
    /// US dollars, exact.
    Dollars(Decimal) = "dollars";
    /// A text.
    Text(String) = "text";
}

impl Numeric for Count {}
impl Numeric for Flag {}
impl Numeric for Score {}
impl Numeric for Tokens {}
impl Numeric for Dollars {}

/// A name as a schema lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    /// The name in the file.
    pub name: &'static str,
    /// The kind of a measure; empty for a label or an aggregate.
    pub kind: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// The name of a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelKey(&'static str);

impl LabelKey {
    pub(super) const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name in the file.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.0
    }
}

/// The name of a measure of a kind.
#[derive(Debug)]
pub struct MeasureKey<K> {
    name: Cow<'static, str>,
    kind: PhantomData<fn() -> K>,
}

impl<K> MeasureKey<K> {
    pub(super) const fn new(name: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), kind: PhantomData }
    }

    /// One of a family of measures, such as `pass_3`.
    pub(super) const fn numbered(name: String) -> Self {
        Self { name: Cow::Owned(name), kind: PhantomData }
    }

    /// The name in the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl<K: Numeric> MeasureKey<K> {
    /// Its sum.
    #[must_use]
    pub fn sum(&self) -> Method {
        Method::Sum { measure: self.into() }
    }

    /// Its mean.
    #[must_use]
    pub fn mean(&self) -> Method {
        Method::Mean { measure: self.into() }
    }

    /// Its sum over the sum of another.
    #[must_use]
    pub fn over<L: Numeric>(&self, other: &MeasureKey<L>) -> Method {
        Method::RatioOfSums { num: self.into(), den: other.into() }
    }
}

impl MeasureKey<Flag> {
    /// How many rows have it set.
    #[must_use]
    pub fn count(&self) -> Method {
        Method::CountWhere { measure: self.into(), is: Condition::Flag(true) }
    }

    /// The share of rows that have it set.
    #[must_use]
    pub fn share(&self) -> Method {
        Method::Share { measure: self.into(), is: Condition::Flag(true) }
    }
}

impl MeasureKey<Dollars> {
    /// The mean cost over the success rate.
    #[must_use]
    pub fn per_success(&self, success: &MeasureKey<Flag>) -> Method {
        Method::CostPerSuccess { cost: self.into(), success: success.into() }
    }
}

impl MeasureKey<Text> {
    /// Its `top` most frequent values.
    #[must_use]
    pub fn most_frequent(&self, top: u32) -> Method {
        Method::MostFrequent { measure: self.into(), top }
    }
}

/// The name of an aggregate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AggregateKey(Cow<'static, str>);

impl AggregateKey {
    pub(super) const fn new(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// An aggregate of a family, such as `pass^3`.
    pub(super) const fn numbered(name: String) -> Self {
        Self(Cow::Owned(name))
    }

    /// The same measured by a named rule: `accuracy, strict/2`.
    #[must_use]
    pub fn by(&self, rule: impl fmt::Display) -> Self {
        Self(Cow::Owned(format!("{self}, {rule}")))
    }

    /// The same with another interval: `accuracy (BCa)`.
    #[must_use]
    pub fn with_interval(&self, interval: impl fmt::Display) -> Self {
        Self(Cow::Owned(format!("{self} ({interval})")))
    }

    /// The name in the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for LabelKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for AggregateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<&LabelKey> for String {
    fn from(key: &LabelKey) -> Self {
        key.name().to_owned()
    }
}

impl<K> From<&MeasureKey<K>> for String {
    fn from(key: &MeasureKey<K>) -> Self {
        key.name().to_owned()
    }
}

impl From<&AggregateKey> for String {
    fn from(key: &AggregateKey) -> Self {
        key.name().to_owned()
    }
}
