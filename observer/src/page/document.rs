//! The document around a page's units: one file, with its style and script inside, and a policy that
//! allows these two and nothing else.

use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

use super::units::Units;

const STYLE: &str = include_str!("assets/page.css");
const SCRIPT: &str = include_str!("assets/page.js");

/// What kind of document it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shell {
    /// A standalone file.
    Static,
    /// Served; the browser subscribes to changes after this revision.
    Live {
        /// Where changes are sent from.
        events: String,
        /// The revision shown.
        revision: u64,
        /// The page that lists all sessions, if there is one.
        up: Option<&'static str>,
    },
}

/// How the parts of a kind of page become a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    /// The element whose children come and go.
    pub(crate) list: &'static str,
    /// Writes the document.
    pub(crate) document: fn(&Units, &Shell) -> String,
}

/// The page of a run.
pub(crate) const RUN: Layout = Layout { list: "episode-list", document };

fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// The content security policy of served pages: the inline style and script by their hashes, changes
/// from the same server, nothing else.
pub fn policy() -> &'static str {
    static POLICY: LazyLock<String> =
        LazyLock::new(|| format!("{}; connect-src 'self'; frame-ancestors 'none'", inside()));
    &POLICY
}

/// The part of the policy that a document can state itself.
fn inside() -> String {
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}

/// A whole document around a body.
pub(crate) fn frame(title: &str, shell: &Shell, class: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                @if *shell == Shell::Static { meta http-equiv="Content-Security-Policy" content=(inside()); }
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="color-scheme" content="light dark";
                title { (crate::text::visible(title)) }
                style { (PreEscaped(STYLE)) }
            }
            @match shell {
                Shell::Static => body class=(class) { (body) script { (PreEscaped(SCRIPT)) } },
                Shell::Live { events, revision, .. } => {
                    body class=(class) data-events=(events) data-revision=(revision) {
                        (body) script { (PreEscaped(SCRIPT)) }
                    }
                }
            }
        }
    };
    page.into_string()
}

/// The document of a run.
pub fn document(units: &Units, shell: &Shell) -> String {
    let part = |id: &str| PreEscaped(units.fixed(id));
    let body = html! {
        a.skip href="#episodes" { "Skip to the episodes" }
        header.top {
            div.bar {
                p.brand { @if let Shell::Live { up: Some(up), .. } = shell { a href=(up) { "All sessions" } } @else { "tracefold" } }
                (search("Search episodes, files, errors"))
            }
            (part("head"))
        }
        main {
            (part("banner"))
            (part("alerts"))
            div.columns {
                div.wide {
                    (part("ask"))
                    (part("cards"))
                    (part("chart"))
                    (part("handover"))
                    section #episodes tabindex="-1" aria-labelledby="episodes-h" {
                        (part("episodes-head"))
                        ol #episode-list role="list" { @for unit in &units.episodes { (PreEscaped(&*unit.html)) } }
                    }
                    (part("facts"))
                }
                aside.narrow aria-label="Now" {
                    (part("flight"))
                    (part("frontier"))
                    (part("failures"))
                    (part("files"))
                }
            }
        }
        (part("mark"))
        (help())
    };
    frame(&units.title, shell, "run", &body)
}

/// The search field, and what is beside it.
pub(crate) fn search(label: &str) -> Markup {
    html! {
        div.tools {
            div role="search" {
                input #search type="search" placeholder=(label) aria-label=(label) autocomplete="off" spellcheck="false";
            }
            p #found role="status" {}
            p #link role="status" {}
            button #theme type="button" aria-label="Switch between light and dark" { "◐" }
            button #help-open type="button" aria-label="Keys" { "?" }
        }
    }
}

/// What the keys do.
pub(crate) fn help() -> Markup {
    html! {
        dialog #help aria-labelledby="help-h" {
            h2 #help-h { "Keys" }
            dl.keys {
                dt { kbd { "j" } " " kbd { "↓" } } dd { "next" }
                dt { kbd { "k" } " " kbd { "↑" } } dd { "previous" }
                dt { kbd { "Enter" } } dd { "open or close" }
                dt { kbd { "/" } } dd { "search what is on the page" }
                dt { kbd { "Esc" } } dd { "leave the search, close this" }
                dt { kbd { "?" } } dd { "this list" }
            }
            button #help-close type="button" { "Close" }
        }
    }
}
