//! Enums whose values have names.

/// Gives an enum its values' names: `ALL`, `name`, `of_name`, and `Display`, which writes the name.
macro_rules! named {
    ($kind:ident { $($variant:ident: $name:literal),+ $(,)? }) => {
        impl $kind {
            /// All of them, in their order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Its name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// The one of this name.
            #[must_use]
            pub fn of_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.name() == name)
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.name())
            }
        }
    };
}

pub(crate) use named;
