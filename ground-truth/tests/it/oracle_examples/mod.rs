//! The oracle against examples written out by hand, one or more for each rule of the definitions.

mod calls;
mod changes;
mod estimate;
mod facts;
mod records;
mod runs;
pub(crate) mod support;
mod tasks;
mod tokens;
mod turns;
