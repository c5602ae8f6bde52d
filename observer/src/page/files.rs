//! Files that the run read or wrote.

use maud::{Markup, html};
use trace_model::text::grouped;

use super::subject::Subject;
use crate::text::{TextRenderer, count};

/// Files shown: those used last.
const SHOWN: usize = 120;

/// The files, last used first.
pub(super) fn section(subject: &Subject<'_>, render: &TextRenderer<'_>) -> Markup {
    let known = subject.state.files();
    let mut files: Vec<_> =
        known.iter().filter(|(_, file)| file.reads() + file.writes() > 0).collect();
    let all = files.len();
    // Reads by turns taken back are no longer in force.
    let no_longer_read = known.values().filter(|file| file.reads() + file.writes() == 0);
    let no_longer_read = no_longer_read.filter(|file| file.reads_ever() > 0).count() as u64;
    files.sort_by_key(|(path, file)| (std::cmp::Reverse(file.last_at), *path));
    files.truncate(SHOWN);
    html! {
        section #files aria-labelledby="files-h" {
            h2 #files-h { "Files " span.n { (all) } }
            @if all == 0 { p.none { @if no_longer_read == 0 { "No file was read or written." } @else { "No file is read or written in a turn in force." } } } @else {
                div.scroll tabindex="0" role="group" aria-labelledby="files-h" {
                    table {
                        thead { tr { th scope="col" { "path, last used first" } th.num scope="col" { "read" } th.num scope="col" { "written" } } }
                        tbody {
                            @for (path, file) in files {
                                tr data-find="" {
                                    td.path dir="ltr" { code { (render.text(path, 300)) } }
                                    td.num { (uses(file.reads(), file.subagents.reads)) }
                                    td.num { (uses(file.writes(), file.subagents.writes)) }
                                }
                            }
                        }
                    }
                }
                @if all > SHOWN { p.cut { "The last used " (SHOWN) " of " (grouped(all as u64)) } }
            }
            @if no_longer_read > 0 {
                p.cut { (count(no_longer_read, "further file")) " read in turns taken back alone" }
            }
        }
    }
}

fn uses(all: u64, by_subagents: u64) -> Markup {
    html! {
        @if all > 0 { (grouped(all)) }
        @if by_subagents > 0 { small title="by subagents" { " (" (grouped(by_subagents)) ")" } }
    }
}
