//! JSON fields that take any JSON type: one odd field must never lose its record.
//!
//! A [`Field`] holds the value if the field's JSON type is one that [`Shape`] accepts and remembers
//! whether it was odd. Everything is read in one pass and borrowed where the text has no escapes.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A field that may be absent, of the expected type, or odd.
#[derive(Clone, Debug)]
pub(super) struct Field<T> {
    /// What could be read of it.
    pub(super) value: Option<T>,
    /// Whether its JSON type was not the expected one.
    pub(super) odd: bool,
}

impl<T> Default for Field<T> {
    fn default() -> Self {
        Self { value: None, odd: false }
    }
}

impl<T> Field<T> {
    pub(super) fn expected(value: T) -> Self {
        Self { value: Some(value), odd: false }
    }

    /// A value that was salvaged from another JSON type.
    pub(super) fn salvaged(value: Option<T>) -> Self {
        Self { value, odd: true }
    }
}

impl<'de, T: Shape<'de>> Field<T> {
    /// Collects the names of odd fields: this one's, if it is, and those within it.
    pub(super) fn collect_odd(&self, name: &'static str, odd: &mut Vec<&'static str>) {
        if self.odd {
            odd.push(name);
        }
        if let Some(value) = &self.value {
            value.collect_odd_within(odd);
        }
    }
}

/// Which JSON types a field's value can be read from. Each method defaults to "none of it".
pub(super) trait Shape<'de>: Sized {
    fn from_text(_: Cow<'de, str>) -> Field<Self> {
        Field::salvaged(None)
    }
    fn from_bool(_: bool) -> Field<Self> {
        Field::salvaged(None)
    }
    fn from_number(_: serde_json::Number) -> Field<Self> {
        Field::salvaged(None)
    }
    fn from_map<A: MapAccess<'de>>(mut map: A) -> Result<Field<Self>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Field::salvaged(None))
    }
    fn from_seq<A: SeqAccess<'de>>(mut seq: A) -> Result<Field<Self>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Field::salvaged(None))
    }
    /// Collects the names of odd fields within the value.
    fn collect_odd_within(&self, _: &mut Vec<&'static str>) {}
}

impl<'de, T: Shape<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FieldVisitor(PhantomData))
    }
}

struct FieldVisitor<T>(PhantomData<T>);

impl<'de, T: Shape<'de>> Visitor<'de> for FieldVisitor<T> {
    type Value = Field<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Field::default())
    }
    fn visit_bool<E>(self, v: bool) -> Result<Self::Value, E> {
        Ok(T::from_bool(v))
    }
    fn visit_u64<E>(self, v: u64) -> Result<Self::Value, E> {
        Ok(T::from_number(v.into()))
    }
    fn visit_i64<E>(self, v: i64) -> Result<Self::Value, E> {
        Ok(T::from_number(v.into()))
    }
    fn visit_f64<E>(self, v: f64) -> Result<Self::Value, E> {
        Ok(serde_json::Number::from_f64(v).map_or_else(|| Field::salvaged(None), T::from_number))
    }
    fn visit_str<E>(self, v: &str) -> Result<Self::Value, E> {
        Ok(T::from_text(Cow::Owned(v.to_owned())))
    }
    fn visit_string<E>(self, v: String) -> Result<Self::Value, E> {
        Ok(T::from_text(Cow::Owned(v)))
    }
    fn visit_borrowed_str<E>(self, v: &'de str) -> Result<Self::Value, E> {
        Ok(T::from_text(Cow::Borrowed(v)))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::from_map(map)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        T::from_seq(seq)
    }
}

/// A string; a number or boolean is taken as its JSON text.
impl<'de> Shape<'de> for Cow<'de, str> {
    fn from_text(v: Cow<'de, str>) -> Field<Self> {
        Field::expected(v)
    }
    fn from_bool(v: bool) -> Field<Self> {
        Field::salvaged(Some(Cow::Borrowed(if v { "true" } else { "false" })))
    }
    fn from_number(v: serde_json::Number) -> Field<Self> {
        Field::salvaged(Some(Cow::Owned(v.to_string())))
    }
}

impl Shape<'_> for bool {
    fn from_bool(v: bool) -> Field<Self> {
        Field::expected(v)
    }
}

/// A number as its JSON text, a string as itself: for amounts that must not pass through a float
/// more often than the writer made them.
#[derive(Clone, Debug)]
pub(super) struct Amount<'de>(pub(super) Cow<'de, str>);

impl<'de> Shape<'de> for Amount<'de> {
    fn from_text(v: Cow<'de, str>) -> Field<Self> {
        Field::salvaged(Some(Self(v)))
    }
    fn from_number(v: serde_json::Number) -> Field<Self> {
        Field::expected(Self(Cow::Owned(v.to_string())))
    }
}

/// More tokens than any request has; a larger number is the writer's mistake.
const MAX_COUNT: u64 = 1_000_000_000_000_000;

/// A count: a whole number that is not negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count(pub(super) u64);

impl Count {
    fn bounded(v: u64) -> Option<Self> {
        (v <= MAX_COUNT).then_some(Self(v))
    }
}

impl<'de> Shape<'de> for Count {
    fn from_text(v: Cow<'de, str>) -> Field<Self> {
        let digits = !v.is_empty() && v.bytes().all(|b| b.is_ascii_digit());
        Field::salvaged(digits.then(|| v.parse().ok()).flatten().and_then(Self::bounded))
    }
    fn from_number(v: serde_json::Number) -> Field<Self> {
        if let Some(whole) = v.as_u64() {
            let value = Self::bounded(whole);
            return Field { odd: value.is_none(), value };
        }
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss
        )]
        let cut = v.as_f64().filter(|f| (0.0..=MAX_COUNT as f64).contains(f)).map(|f| f as u64);
        Field::salvaged(cut.map(Self))
    }
}

/// An instant: RFC 3339, or a number of milliseconds (of seconds, if it is too small for that).
#[derive(Clone, Copy, Debug)]
pub(super) struct Instant(pub(super) crate::ids::Millis);

impl<'de> Shape<'de> for Instant {
    fn from_text(v: Cow<'de, str>) -> Field<Self> {
        let value = crate::ids::Millis::parse(&v).map(Self);
        Field { odd: value.is_none(), value }
    }
    fn from_number(v: serde_json::Number) -> Field<Self> {
        /// 1973 in milliseconds, and the year 5138 in seconds.
        const SMALLEST_MILLIS: i64 = 100_000_000_000;
        #[allow(clippy::cast_possible_truncation)]
        let number = v.as_i64().or_else(|| v.as_f64().map(|f| f as i64));
        let millis = number.map(|n| if n.abs() < SMALLEST_MILLIS { n * 1000 } else { n });
        Field::salvaged(millis.map(|n| Self(crate::ids::Millis(n))))
    }
}

/// A field that is read only where it is an object; another value there is passed over, and neither
/// it nor what is in the object counts as odd.
#[derive(Clone, Debug)]
pub(super) struct ObjectOnly<T>(pub(super) Option<T>);

impl<T> Default for ObjectOnly<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> ObjectOnly<T> {
    /// No value of it is odd.
    #[allow(clippy::unused_self)]
    pub(super) fn collect_odd(&self, _: &'static str, _: &mut Vec<&'static str>) {}
}

/// A field that is read only where it is a string; another value there is passed over.
#[derive(Clone, Debug, Default)]
pub(super) struct TextOnly<'de>(pub(super) Option<Cow<'de, str>>);

impl TextOnly<'_> {
    /// No value of it is odd.
    #[allow(clippy::unused_self)]
    pub(super) fn collect_odd(&self, _: &'static str, _: &mut Vec<&'static str>) {}
}

/// The methods of a visitor that passes over every value but those of the named kind.
macro_rules! pass_over {
    (scalars) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any JSON value")
        }
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}

impl<'de, T: Shape<'de>> Deserialize<'de> for ObjectOnly<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);
        impl<'de, T: Shape<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = ObjectOnly<T>;
            pass_over!(scalars);
            fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
                Ok(ObjectOnly(None))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::from_map(map).map(|field| ObjectOnly(field.value))
            }
        }
        deserializer.deserialize_any(ObjectVisitor(PhantomData))
    }
}

impl<'de> Deserialize<'de> for TextOnly<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = TextOnly<'de>;
            pass_over!(scalars);
            fn visit_borrowed_str<E>(self, v: &'de str) -> Result<Self::Value, E> {
                Ok(TextOnly(Some(Cow::Borrowed(v))))
            }
            fn visit_str<E>(self, v: &str) -> Result<Self::Value, E> {
                Ok(TextOnly(Some(Cow::Owned(v.to_owned()))))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(TextOnly(None))
            }
        }
        deserializer.deserialize_any(TextVisitor)
    }
}

/// A field that takes any JSON value, as it was written. It is no [`Shape`]: those are handed a
/// value's parts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AnyField<'de>(pub(super) Option<&'de RawValue>);

impl AnyField<'_> {
    /// No value of it is odd.
    #[allow(clippy::unused_self)]
    pub(super) fn collect_odd(&self, _: &'static str, _: &mut Vec<&'static str>) {}
}

impl<'de> Deserialize<'de> for AnyField<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&'de RawValue>::deserialize(deserializer).map(|raw| Self(Some(raw)))
    }
}

/// Declares an object whose keys are read into fields; other keys are passed over, and of a repeated key the
/// last value counts.
macro_rules! lenient_object {
    ($(#[$doc:meta])* $name:ident { $($key:literal => $field:ident : $type:ty),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default)]
        pub(super) struct $name<'de> {
            $(pub(super) $field: $type,)*
            _borrow: std::marker::PhantomData<&'de ()>,
        }

        impl<'de> $name<'de> {
            /// Reads it in place: large objects are not moved when they are complete.
            pub(super) fn fill<A: serde::de::MapAccess<'de>>(
                &mut self,
                mut map: A,
            ) -> Result<(), A::Error> {
                while let Some(key) = map.next_key::<$crate::json::Key<'de>>()? {
                    match key.0.as_ref() {
                        $($key => self.$field = map.next_value()?,)*
                        _ => {
                            map.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(())
            }
        }

        impl<'de> $crate::adapter::lenient::Shape<'de> for $name<'de> {
            fn from_map<A: serde::de::MapAccess<'de>>(
                map: A,
            ) -> Result<$crate::adapter::lenient::Field<Self>, A::Error> {
                let mut object = Self::default();
                object.fill(map)?;
                Ok($crate::adapter::lenient::Field::expected(object))
            }

            fn collect_odd_within(&self, odd: &mut Vec<&'static str>) {
                $(self.$field.collect_odd($key, odd);)*
            }
        }
    };
}
pub(super) use lenient_object;

#[cfg(test)]
mod tests {
    use super::*;

    fn read<'a, T: Shape<'a>>(json: &'a str) -> (Option<T>, bool) {
        let field: Field<T> = serde_json::from_str(json).unwrap();
        (field.value, field.odd)
    }

    #[test]
    fn a_string_field_takes_numbers_and_booleans_by_their_text() {
        assert_eq!(read::<Cow<'_, str>>("\"a\""), (Some("a".into()), false));
        assert_eq!(read::<Cow<'_, str>>("12"), (Some("12".into()), true));
        assert_eq!(read::<Cow<'_, str>>("1.5"), (Some("1.5".into()), true));
        assert_eq!(read::<Cow<'_, str>>("true"), (Some("true".into()), true));
        assert_eq!(read::<Cow<'_, str>>("null"), (None, false));
        assert_eq!(read::<Cow<'_, str>>("[1,{\"a\":2}]"), (None, true));
    }

    #[test]
    fn a_count_is_whole_bounded_and_not_negative() {
        let count = |json: &'static str| {
            let (value, odd) = read::<Count>(json);
            (value.map(|c| c.0), odd)
        };
        assert_eq!(count("12"), (Some(12), false));
        assert_eq!(count("12.9"), (Some(12), true));
        assert_eq!(count("\"12\""), (Some(12), true));
        assert_eq!(count("\"+12\""), (None, true));
        assert_eq!(count("-1"), (None, true));
        assert_eq!(count("1000000000000001"), (None, true));
        assert_eq!(count("1e300"), (None, true));
        assert_eq!(count("{}"), (None, true));
    }

    #[test]
    fn an_instant_is_text_or_a_number_of_milliseconds() {
        let millis = |json: &'static str| read::<Instant>(json).0.map(|i| i.0.0);
        assert_eq!(millis("\"2030-01-02T03:00:09.250Z\""), Some(1_893_553_209_250));
        assert_eq!(millis("\"2030-01-02T05:00:09.250+02:00\""), Some(1_893_553_209_250));
        assert_eq!(millis("1893553209250"), Some(1_893_553_209_250));
        assert_eq!(millis("1893553209"), Some(1_893_553_209_000));
        assert_eq!(millis("\"yesterday\""), None);
    }
}
