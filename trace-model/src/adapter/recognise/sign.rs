//! What one record says of the format that it is of.

use crate::adapter::format::Format;

/// What one record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// It has what only this format's records have.
    Sure(Format),
    /// It fits these.
    Fits(&'static [Format]),
    /// It says nothing.
    Nothing,
}
