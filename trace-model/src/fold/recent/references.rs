//! Commits, branches, issues, addresses and numbers that were named.

use serde::{Deserialize, Serialize};

use super::table::{Entry, Table};
use crate::ids::Seq;

/// References kept.
const KEPT: usize = 200;
/// Characters of an address that is kept.
const URL_CHARS: usize = 300;

/// What is referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceKind {
    /// A commit.
    Commit,
    /// A branch.
    Branch,
    /// An issue or a pull request, as `#12`.
    Issue,
    /// An address.
    Url,
    /// A number of four digits or more in a command: a port, a run, a process.
    Number,
}

/// Something that was referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference<'a> {
    /// What it is.
    pub kind: ReferenceKind,
    /// Its text.
    pub text: &'a str,
    /// The event that named it last.
    pub last_at: Seq,
}

/// References, the ones named last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct References {
    table: Table<ReferenceKind>,
}

impl Default for References {
    fn default() -> Self {
        Self { table: Table::new(KEPT) }
    }
}

impl References {
    pub(super) fn note(&mut self, kind: ReferenceKind, text: &str, at: Seq) {
        self.table.use_text(text, at, || kind);
    }

    pub(super) fn newest_first(&self) -> Vec<Reference<'_>> {
        let entries = self.table.newest_first().into_iter();
        entries
            .map(|Entry { text, last_at, value, .. }| Reference {
                kind: *value,
                text,
                last_at: *last_at,
            })
            .collect()
    }

    /// Notes the addresses and issues in a text.
    pub(super) fn of_text(&mut self, text: &str, at: Seq) {
        for start in memchr::memmem::find_iter(text.as_bytes(), b"http") {
            if let Some(url) = text.get(start..).and_then(url) {
                self.note(ReferenceKind::Url, url, at);
            }
        }
        for start in memchr::memchr_iter(b'#', text.as_bytes()) {
            let before = text[..start].bytes().next_back();
            if !before.is_some_and(in_word)
                && let Some(issue) = issue(&text[start..])
            {
                self.note(ReferenceKind::Issue, issue, at);
            }
        }
        let parts: Vec<&str> =
            if text.contains("gh ") { text.split(' ').collect() } else { Vec::new() };
        for four in parts.windows(4) {
            if let ["gh", "pr" | "issue", _, number] = four
                && (1..=7).contains(&number.len())
                && number.bytes().all(|byte| byte.is_ascii_digit())
            {
                self.note(ReferenceKind::Issue, &format!("#{number}"), at);
            }
        }
    }

    /// Notes addresses, issues, and what git says: `[branch abc1234]`, `commit abc1234`, `On branch X`.
    pub(super) fn of_result(&mut self, text: &str, at: Seq) {
        self.of_text(text, at);
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix('[') {
                let Some((named, _)) = rest.split_once(']') else { continue };
                let Some((branch, commit)) = named.rsplit_once(' ') else { continue };
                if super::shapes::is_hash(commit) {
                    let branch = branch.split(' ').next().unwrap_or(branch);
                    self.note(ReferenceKind::Branch, branch, at);
                    self.note(ReferenceKind::Commit, commit, at);
                }
            } else if let Some(commit) = line.strip_prefix("commit ") {
                let commit = commit.split(' ').next().unwrap_or(commit);
                if super::shapes::is_hash(commit) {
                    self.note(ReferenceKind::Commit, commit, at);
                }
            } else if let Some(branch) = line.strip_prefix("On branch ") {
                self.note(ReferenceKind::Branch, crate::text::head(branch, URL_CHARS), at);
            }
        }
    }
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The address that a text starts with.
fn url(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("http")?;
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    let rest = rest.strip_prefix("://")?;
    let ends = |c: char| c.is_whitespace() || "\"'<>()[]{}|\\`".contains(c);
    let length = rest.find(ends).unwrap_or(rest.len());
    let scheme = text.len() - rest.len();
    let url = text[..scheme + length].trim_end_matches(['.', ',', ';', ':', '!', '?']);
    (length > 0 && url.len() <= URL_CHARS).then_some(url)
}

/// The `#12` that a text starts with.
fn issue(text: &str) -> Option<&str> {
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let follows = text.as_bytes().get(1 + digits).copied();
    ((1..=7).contains(&digits) && !follows.is_some_and(in_word)).then(|| &text[..=digits])
}
