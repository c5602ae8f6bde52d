//! Entities: what a call can use, and what a text can hold.

/// The kind of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A file or folder.
    Path,
    /// A command, without what varies from run to run of it.
    Command,
    /// A name out of code.
    Identifier,
    /// The name of a test.
    Test,
    /// A hash, such as a commit's.
    Hash,
    /// A number of 4 to 12 digits.
    Number,
    /// A URL.
    Url,
    /// A branch.
    Branch,
    /// An issue or a pull request.
    Issue,
    /// A whole command, for comparison; it is never pooled.
    WholeCommand,
}

impl Kind {
    /// The kind's name on the page.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Command => "command",
            Self::Identifier => "identifier",
            Self::Test => "test",
            Self::Hash => "hash",
            Self::Number => "number",
            Self::Url => "url",
            Self::Branch => "branch",
            Self::Issue => "issue",
            Self::WholeCommand => "whole command",
        }
    }
}

/// An entity: two with the same kind and text are one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entity {
    /// What it is.
    pub kind: Kind,
    /// Its text, in normal form.
    pub text: String,
}

impl Entity {
    /// An entity of this kind and text.
    #[must_use]
    pub fn new(kind: Kind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}
