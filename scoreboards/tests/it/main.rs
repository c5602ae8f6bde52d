//! The scoreboard as its users see it: built, saved, read, verified, shown, compared, pooled.

mod building;
mod comparing;
mod fixture;
mod pooling;
mod showing;
mod storing;
mod verifying;
