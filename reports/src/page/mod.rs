//! The report as one page: a single file that opens from disk, asks no network for anything, and says
//! so in its content security policy (the only style and script it may run are the two inside it, by
//! hash). Everything else is text; text from scoreboards is escaped twice over: as HTML, and so that
//! no control or bidirectional character survives.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use scoreboards::{Table, escape};
use sha2::{Digest as _, Sha256};

use crate::claims::{self, Judged, Verdict};
use crate::figures::Figure;
use crate::tables::Section;

const STYLE: &str = include_str!("../../data/page/page.css");
const SCRIPT: &str = include_str!("../../data/page/page.js");

/// What the page shows.
#[derive(Debug)]
pub struct Page<'a> {
    /// The command line that makes it again.
    pub command: String,
    /// What it was made from, a line each.
    pub inputs: Vec<String>,
    /// What was left out.
    pub notes: Vec<String>,
    /// The paper's claims.
    pub claims: &'a [Judged<'a>],
    /// Figures, each with its SVG document.
    pub figures: Vec<(Figure, String)>,
    /// Tables.
    pub sections: Vec<Section>,
}

/// The page as HTML.
pub fn html(page: &Page<'_>) -> String {
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    );
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { "tracefold report" }
                // Browsers ask for an icon by themselves; an empty one keeps them quiet.
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body {
                (head(page))
                main {
                    (claims_section(page.claims))
                    (figures(&page.figures))
                    @for section in &page.sections { (table_section(section)) }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    markup.into_string()
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

fn head(page: &Page<'_>) -> Markup {
    html! {
        header {
            h1 { "What a trace model's views are worth" }
            p {
                "The figures of \"Parsing the Stream\" (arXiv 2609.01466v1), recomputed where what was \
                 released allows it, beside ours."
            }
            details {
                summary { "What this page was made from" }
                p { "Made again by: " code { (escape(&page.command)) } }
                ul { @for input in &page.inputs { li { (escape(input)) } } }
                @if !page.notes.is_empty() {
                    ul { @for note in &page.notes { li { (escape(note)) } } }
                }
            }
            nav aria-label="Contents" {
                ul {
                    li { a href="#claims" { "Claims" } }
                    li { a href="#figures" { "Figures" } }
                    @for section in &page.sections {
                        li { a href={ "#section-" (section.id) } { (section.title) } }
                    }
                }
            }
        }
    }
}

fn claims_section(judged: &[Judged<'_>]) -> Markup {
    let [reproduced, differs, not] = claims::counts(judged);
    html! {
        section id="claims" {
            h2 { "What the paper claims" }
            p {
                (judged.len()) " claims: " (reproduced) " reproduced, " (differs) " differ, " (not)
                " not computable here. A claim is reproduced if what its operation makes of released \
                 runs or parts rounds to its figure."
            }
            @if differs > 0 {
                p { "Those that differ:" }
                ul {
                    @for one in judged {
                        @if let Verdict::Differs(figure) = &one.verdict {
                            li {
                                (escape(&one.claim.says)) ": " (escape(&one.claim.figure))
                                " in the paper, " (figure.to_string()) " recomputed."
                            }
                        }
                    }
                }
            }
            (grid(&claims::as_table(judged)))
        }
    }
}

fn figures(figures: &[(Figure, String)]) -> Markup {
    html! {
        section id="figures" {
            h2 { "Figures" }
            @for (figure, svg) in figures {
                figure id={ "figure-" (figure.id) } {
                    div.scroll tabindex="0" role="img" aria-label=(figure.title) {
                        (PreEscaped(body_of(svg)))
                    }
                    figcaption {
                        (figure.title) ". Its rows: "
                        @for (at, table) in figure.tables.iter().enumerate() {
                            @if at > 0 { ", " }
                            a href={ "#table-" (table) } { (table) }
                        }
                        "."
                    }
                }
            }
        }
    }
}

/// Without what is allowed only at the start of a document.
fn body_of(svg: &str) -> &str {
    svg.find("<svg").map_or("", |at| &svg[at..])
}

fn table_section(section: &Section) -> Markup {
    html! {
        section id={ "section-" (section.id) } {
            h2 { (section.title) }
            @for table in &section.tables { (grid(table)) }
        }
    }
}

fn grid(table: &Table) -> Markup {
    html! {
        div.table id={ "table-" (table.id) } {
            h3 { (escape(&table.title)) " " small { "(" (table.rows.len()) " rows)" } }
            div.scroll tabindex="0" role="region" aria-label=(escape(&table.title)) {
                table {
                    thead {
                        tr {
                            @for column in &table.columns {
                                th scope="col" class=[column.numeric.then_some("n")] {
                                    button type="button" { (column.name) }
                                }
                            }
                        }
                    }
                    tbody {
                        @for row in &table.rows {
                            tr {
                                @for (cell, column) in row.iter().zip(&table.columns) {
                                    td class=[column.numeric.then_some("n")] { (escape(cell)) }
                                }
                            }
                        }
                    }
                }
            }
            @for note in &table.notes { p.note { (escape(note)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use scoreboards::Column;

    use super::*;

    #[test]
    fn nothing_in_a_cell_is_markup() {
        let table = Table {
            id: "x".to_owned(),
            title: "<b>\u{202e}".to_owned(),
            columns: vec![Column::text("c")],
            rows: vec![vec!["<script>alert(1)</script>\u{1b}[31m\" onload=".to_owned()]],
            notes: vec!["</p><img src=x>".to_owned()],
        };
        let out = grid(&table).into_string();
        assert!(!out.contains("<script") && !out.contains("<img") && !out.contains("<b>"));
        assert!(!out.contains('\u{202e}') && !out.contains('\u{1b}'));
    }

    #[test]
    fn the_page_reaches_for_nothing() {
        for text in [STYLE, SCRIPT] {
            for reach in ["http", "url(", "@import", "fetch", "XMLHttp", "eval", "innerHTML"] {
                assert!(!text.contains(reach), "{reach}");
            }
        }
    }
}
