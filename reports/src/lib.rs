//! Tables, figures and pages from scoreboards, beside the paper's.
//!
//! Published figures ([`published`]) and our own scoreboards ([`ours`]) become the same [`cell`]s; all
//! else works on cells and does not ask where they come from: [`claims`] recomputes what the paper
//! says, [`tables`] and [`figures`] show cells, [`page`] puts both on one page, [`diff`] compares two
//! sets, [`export`] writes frames for a notebook. Statistics are `ground-truth`'s.
//!
//! This crate is its own binary, `tracefold-report`, so that nothing else builds polars.

pub mod boards;
pub mod cell;
pub mod claims;
pub mod cli;
pub mod diff;
pub mod export;
pub mod figures;
pub mod measure;
pub mod ours;
pub mod page;
pub mod published;
pub mod tables;
