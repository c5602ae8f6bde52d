//! How long a view may be.

/// The most characters that a view may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Budget {
    /// The renderer's own size: for `worker/1` what the caps of its lists allow, for `worker/2` at most
    /// [`Budget::OWN_CHARS`].
    #[default]
    Own,
    /// At most this many characters (Unicode scalar values), line feeds included.
    Chars(usize),
}

impl Budget {
    /// The smallest budget that every view keeps to.
    pub const LEAST_CHARS: usize = 1000;

    /// What `worker/2` takes where nothing is said: as much as `worker/1` has over the default sessions of
    /// COMPREHEND, where it holds the answers to all but a few questions.
    pub const OWN_CHARS: usize = 24_000;

    pub(super) fn allows(self, chars: usize) -> bool {
        let most = match self {
            Self::Own => Self::OWN_CHARS,
            Self::Chars(most) => most,
        };
        chars <= most
    }
}
