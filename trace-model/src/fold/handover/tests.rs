//! Written later.
