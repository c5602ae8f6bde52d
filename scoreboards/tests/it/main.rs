//! The scoreboard as its users see it: built, saved, read, verified, shown, compared.

mod building;
mod comparing;
mod fixture;
mod measures;
mod showing;
mod storing;
mod verifying;
