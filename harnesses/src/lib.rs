//! harnesses
