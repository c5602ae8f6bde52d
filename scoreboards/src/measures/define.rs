//! The macros by which a schema defines its names: each once, with its meaning as its documentation, and a
//! list of all.

/// Defines label keys and the list `LABELS`.
macro_rules! labels {
    ($($(#[doc = $meaning:literal])+ $key:ident = $name:literal;)+) => {
        $($(#[doc = $meaning])+ pub static $key: $crate::measures::LabelKey =
            $crate::measures::LabelKey::new($name);)+

        /// Every label of a row.
        pub static LABELS: &[$crate::measures::Definition] = &[$($crate::measures::Definition {
            name: $name,
            kind: "",
            meaning: concat!($($meaning),+).trim_ascii(),
        }),+];
    };
}

/// Defines measure keys and the list `MEASURES`.
macro_rules! measures {
    ($($(#[doc = $meaning:literal])+ $key:ident: $kind:ident = $name:literal;)+) => {
        $($(#[doc = $meaning])+ pub static $key: $crate::measures::MeasureKey<$crate::measures::$kind> =
            $crate::measures::MeasureKey::new($name);)+

        /// Every measure of a row but those that are numbered or made by a rule set.
        pub static MEASURES: &[$crate::measures::Definition] = &[$($crate::measures::Definition {
            name: $name,
            kind: <$crate::measures::$kind as $crate::measures::Kind>::NAME,
            meaning: concat!($($meaning),+).trim_ascii(),
        }),+];
    };
}

/// Defines aggregate keys and the list `AGGREGATES`.
macro_rules! aggregates {
    ($($(#[doc = $meaning:literal])+ $key:ident = $name:literal;)+) => {
        $($(#[doc = $meaning])+ pub static $key: $crate::measures::AggregateKey =
            $crate::measures::AggregateKey::new($name);)+

        /// Every aggregate but those that are numbered; some have a rule set or an interval added.
        pub static AGGREGATES: &[$crate::measures::Definition] = &[$($crate::measures::Definition {
            name: $name,
            kind: "",
            meaning: concat!($($meaning),+).trim_ascii(),
        }),+];
    };
}

/// Defines an enum whose variants are the values of a label, with the rows that have each.
macro_rules! label_values {
    ($(#[$doc:meta])+ $values:ident of $label:ident {
        $($(#[$of_variant:meta])+ $variant:ident = $name:literal,)+
    }) => {
        $(#[$doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $values {
            $($(#[$of_variant])+ $variant,)+
        }

        impl $values {
            /// The value in the file.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The rows that have it.
            #[must_use]
            pub fn rows(self) -> $crate::aggregate::Group {
                $crate::aggregate::Group::all().and(&$label, self)
            }
        }

        impl From<$values> for String {
            fn from(value: $values) -> Self {
                value.name().to_owned()
            }
        }
    };
}

pub(super) use {aggregates, label_values, labels, measures};
