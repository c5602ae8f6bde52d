//! The command `tracefold-report`: what can be typed, and what each command prints.

mod common;
mod diff;
mod export;
mod figures;
mod html;
mod reproduce;
mod tables;

use clap::{ColorChoice, Parser, Subcommand};
use cli_support::Exit;

/// Tables, figures and pages from scoreboards, beside the paper's
#[derive(Debug, Parser)]
#[command(
    name = "tracefold-report",
    bin_name = "tracefold report",
    version,
    color = ColorChoice::Never,
    max_term_width = 100,
    after_help = "\
Exit status: 0 done, 1 a check failed (diff: past the threshold), 2 wrong use or unusable input."
)]
pub struct App {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Recompute the paper's claims
    Reproduce(reproduce::ReproduceArgs),
    /// Print the paper's tables, from its figures, ours, or both
    Tables(tables::TablesArgs),
    /// Draw the paper's figures, from its numbers, ours, or both
    Figures(figures::FiguresArgs),
    /// Write claims, tables and figures as one page
    Html(html::HtmlArgs),
    /// Show what changed between two sets of scoreboards
    Diff(diff::DiffArgs),
    /// Write rows and cells as Parquet and CSV
    Export(export::ExportArgs),
}

/// Runs the command.
pub fn run(app: &App) -> anyhow::Result<Exit> {
    match &app.command {
        Command::Reproduce(args) => reproduce::run(args),
        Command::Tables(args) => tables::run(args),
        Command::Figures(args) => figures::run(args),
        Command::Html(args) => html::run(args),
        Command::Diff(args) => diff::run(args),
        Command::Export(args) => export::run(args),
    }
}
