//! How long a view may be.

/// The most characters that a view may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Budget {
    /// As long as the caps of its lists allow.
    #[default]
    Caps,
    /// At most this many characters (Unicode scalar values), line feeds included.
    Chars(usize),
}

impl Budget {
    /// The smallest budget that every view keeps to.
    pub const LEAST_CHARS: usize = 1000;

    pub(super) fn allows(self, chars: usize) -> bool {
        match self {
            Self::Caps => true,
            Self::Chars(most) => chars <= most,
        }
    }
}
