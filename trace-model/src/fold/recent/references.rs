//! Commits, branches, issues, addresses and numbers that were named.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde::{Deserialize, Serialize};

use super::shapes::is_hash;
use super::table::{Entry, Table};
use crate::ids::{Digest64, Seq};
use crate::text::head;

/// References kept.
const KEPT: usize = 200;
/// Characters of an address or a branch that is kept.
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

/// References, the ones named last, each by its kind and its text.
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
        let key = Digest64::of(text).with(kind as u64);
        self.table.use_key(key, text, at, || kind);
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

    /// Notes an address, and the issue that it leads to.
    pub(super) fn url(&mut self, url: &str, at: Seq) {
        if url.len() <= URL_CHARS {
            self.note(ReferenceKind::Url, url, at);
        }
        if let Some(number) = issue_of_url(url) {
            self.number(number, at);
        }
    }

    /// Notes the issues in a text without addresses.
    pub(super) fn issues(&mut self, text: &str, at: Seq) {
        for start in memchr::memchr_iter(b'#', text.as_bytes()) {
            if !follows_word(text, start)
                && let Some(number) = number(&text[start + 1..])
            {
                self.note(ReferenceKind::Issue, &text[start..=start + number.len()], at);
            }
        }
    }

    /// Notes the issues that the client of the forge is asked for: `gh pr view 12`.
    pub(super) fn asked(&mut self, text: &str, at: Seq) {
        for start in GH.find_iter(text.as_bytes()) {
            if start > 0 && text.as_bytes()[start - 1] != b' ' {
                continue;
            }
            let mut parts = text[start..].split(' ').skip(1);
            if let (Some("pr" | "issue"), Some(_), Some(part)) =
                (parts.next(), parts.next(), parts.next())
                && number(part) == Some(part)
            {
                self.number(part, at);
            }
        }
    }

    fn number(&mut self, number: &str, at: Seq) {
        self.note(ReferenceKind::Issue, &format!("#{number}"), at);
    }

    /// Notes what git says in a result: `[branch abc1234]`, `commit abc1234`, `On branch X`.
    pub(super) fn of_git(&mut self, text: &str, at: Seq) {
        for line in lines(text) {
            if let Some(rest) = line.strip_prefix('[') {
                let Some((named, _)) = rest.split_once(']') else { continue };
                let Some((branch, commit)) = named.rsplit_once(' ') else { continue };
                if is_hash(commit) {
                    let branch = branch.split(' ').next().unwrap_or(branch);
                    self.note(ReferenceKind::Branch, head(branch, URL_CHARS), at);
                    self.note(ReferenceKind::Commit, commit, at);
                }
            } else if let Some(commit) = line.strip_prefix("commit ") {
                let commit = commit.split(' ').next().unwrap_or(commit);
                if is_hash(commit) {
                    self.note(ReferenceKind::Commit, commit, at);
                }
            } else if let Some(branch) = line.strip_prefix("On branch ") {
                self.note(ReferenceKind::Branch, head(branch, URL_CHARS), at);
            }
        }
    }
}

/// The lines of a text that git may have written: they start with `[`, `c` or `O`.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|feed| feed + 1));
    let told = starts.filter(|start| matches!(bytes.get(*start), Some(b'[' | b'c' | b'O')));
    told.filter_map(|start| text[start..].lines().next())
}

static GH: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("gh "));

/// Whether a letter, a digit or `_` stands before this place.
pub(super) fn follows_word(text: &str, at: usize) -> bool {
    text.as_bytes()[..at].last().is_some_and(|byte| in_word(*byte))
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The 1 to 7 digits that a text starts with, if they end there.
fn number(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let follows = text.as_bytes().get(digits).copied();
    ((1..=7).contains(&digits) && !follows.is_some_and(in_word)).then(|| &text[..digits])
}

/// The number of the issue or the pull request that an address leads to.
fn issue_of_url(url: &str) -> Option<&str> {
    url.match_indices('/').find_map(|(at, _)| {
        let rest = &url[at + 1..];
        let leads = ["pull/", "pulls/", "issues/"];
        leads.iter().find_map(|lead| number(rest.strip_prefix(lead)?))
    })
}
