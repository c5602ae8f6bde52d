//! Which agent wrote a file: decided from its records as the reader reads them, never from the first line alone
//! (real files start with all sorts of bookkeeping), and no further than it takes to tell.

pub(super) mod facts;
pub(super) mod sign;
mod signs;

use std::io::{self, Read};

use memchr::{memchr, memmem};

use super::format::Format;
use facts::{Found, look};
use signs::sign;

pub use facts::Facts;
pub use sign::Sign;

/// How much is read first; twice as much each time after that.
const FIRST_STEP: u64 = 8 * 1024;
/// How much is looked at in all, unless the first line is longer.
const LOOKED_AT: usize = 1024 * 1024;
/// How much of a first line is looked at.
const LONGEST_LINE: usize = 64 * 1024 * 1024;
/// How many lines are looked at.
const LINES: usize = 64;
/// An unfinished line is examined once it has this many bytes.
const LONG: usize = 4 * 1024;
/// Records that have to say the same before a file is taken for one of a format that others copy.
const AGREEING: usize = 2;

/// What a file was taken for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognised {
    /// This format.
    As(Format),
    /// One of these; its records do not tell which.
    Doubtful(Vec<Format>),
    /// None that is known.
    Unknown,
}

/// Tells a file's format. Reads no more of it than is needed.
pub fn recognise(input: impl Read) -> io::Result<Recognised> {
    recognise_into(input, &mut Vec::new())
}

/// As [`recognise`]; what was read is left in `head`, so that nobody has to read it again.
pub(crate) fn recognise_into(mut input: impl Read, head: &mut Vec<u8>) -> io::Result<Recognised> {
    let mut place = Place::default();
    let mut votes = Votes::default();
    let mut step = FIRST_STEP;
    loop {
        let read = Read::by_ref(&mut input).take(step).read_to_end(head)?;
        let ended = (read as u64) < step;
        if let Some(format) = container(head) {
            return Ok(Recognised::As(format));
        }
        let goes_on = place.advance(head, ended, &mut votes);
        if let Some(told) = votes.decided() {
            return Ok(told);
        }
        if ended || !goes_on {
            return Ok(votes.at_the_end());
        }
        step = head.len() as u64;
    }
}

/// Determines the format from the head of a file; `None` if it is unclear.
pub fn sniff(head: &[u8]) -> Option<Format> {
    match recognise(head) {
        Ok(Recognised::As(format)) => Some(format),
        _ => None,
    }
}

/// The format of a file that is not text.
fn container(head: &[u8]) -> Option<Format> {
    let is_zip = head.starts_with(b"PK\x03\x04");
    let entry = &head[..head.len().min(256)];
    let is_log = ["_journal/", "header.json", "samples/", "summaries.json"]
        .iter()
        .any(|name| memmem::find(entry, name.as_bytes()).is_some());
    (is_zip && is_log).then_some(Format::Inspect)
}

/// How far the head was looked at.
#[derive(Default)]
struct Place {
    next: usize,
    lines: usize,
    /// The first line is the start of a value: the file may be one document.
    is_document: bool,
}

impl Place {
    /// Looks at new data; returns whether more data could settle more.
    fn advance(&mut self, head: &[u8], ended: bool, votes: &mut Votes) -> bool {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        while self.lines < LINES {
            let rest = &head[self.next..];
            let line = match memchr(b'\n', rest) {
                Some(end) => &rest[..end],
                None if ended && !rest.is_empty() => rest,
                None => break,
            };
            self.next = (self.next + line.len() + 1).min(head.len());
            self.take(line.strip_suffix(b"\r").unwrap_or(line), votes);
            if votes.decided().is_some() {
                return false;
            }
        }
        if self.is_document {
            let Found { whole, cut } = look(head);
            votes.take_document(whole.iter().chain(&cut));
            return head.len() < LOOKED_AT && (self.lines < LINES || cut.is_some());
        }
        let rest = &head[self.next..];
        if ended || self.lines >= LINES || rest.len() < LONG {
            return self.lines < LINES && head.len() < LOOKED_AT;
        }
        let Found { whole, cut } = look(rest);
        let is_json = cut.is_some() || !whole.is_empty();
        votes.peek(whole.iter().chain(&cut));
        let limit = if self.lines == 0 && is_json { LONGEST_LINE } else { LOOKED_AT };
        head.len() < limit && (is_json || self.lines > 0)
    }

    fn take(&mut self, line: &[u8], votes: &mut Votes) {
        votes.peeked = None;
        // In a file that is not one document, records start their lines.
        if line.trim_ascii().is_empty() || (self.is_document && !line.starts_with(b"{")) {
            self.lines += usize::from(self.is_document);
            return;
        }
        let Found { whole, cut } = look(line);
        self.lines += 1;
        self.is_document |= self.lines == 1 && whole.is_empty() && cut.is_some();
        for facts in &whole {
            votes.take(sign(facts));
        }
    }
}

/// What the records so far say.
#[derive(Default)]
struct Votes {
    /// The format that records are surely of, and how many are.
    sure: Option<(Format, usize)>,
    /// Another one that a record is surely of.
    against: Option<Format>,
    /// What the others would fit.
    fits: Vec<Format>,
    /// What the part of the last line that was read says.
    peeked: Option<Sign>,
}

impl Votes {
    fn take(&mut self, sign: Sign) {
        match sign {
            Sign::Sure(format) => match &mut self.sure {
                None => self.sure = Some((format, 1)),
                Some((known, count)) if *known == format => *count += 1,
                Some(_) => self.against = Some(format),
            },
            Sign::Fits(formats) => {
                let both = |known: &Format| formats.contains(known);
                if self.fits.iter().any(both) {
                    self.fits.retain(both);
                } else {
                    self.fits.extend(formats);
                }
            }
            Sign::Nothing => {}
        }
    }

    /// Takes the facts of a line whose end was not read; they hold until more of it is.
    fn peek<'f>(&mut self, facts: impl Iterator<Item = &'f Facts>) {
        self.peeked = facts.map(sign).find(|sign| *sign != Sign::Nothing);
    }

    /// Claude Code writes a record a line: a document is one of another format.
    fn take_document<'f>(&mut self, facts: impl Iterator<Item = &'f Facts>) {
        let sure = facts.map(sign).find_map(|sign| match sign {
            Sign::Sure(format) if format != Format::ClaudeCode => Some(format),
            _ => None,
        });
        if let Some(format) = sure {
            self.sure = Some((format, AGREEING));
        }
    }

    /// What is settled already.
    fn decided(&self) -> Option<Recognised> {
        if let (Some((known, _)), Some(against)) = (self.sure, self.against) {
            return Some(Recognised::Doubtful(vec![known, against]));
        }
        let sure = match (self.sure, self.peeked) {
            (None, Some(Sign::Sure(format))) => Some((format, AGREEING)),
            (Some((known, count)), Some(Sign::Sure(format))) if known == format => {
                Some((known, count + 1))
            }
            (sure, _) => sure,
        };
        let settled =
            |(format, count): &(Format, usize)| *format != Format::ClaudeCode || *count >= AGREEING;
        sure.filter(settled).map(|(format, _)| Recognised::As(format))
    }

    /// The verdict when no more data will come.
    fn at_the_end(mut self) -> Recognised {
        if let Some(peeked) = self.peeked.take() {
            self.take(peeked);
        }
        match (self.sure, self.fits.as_slice()) {
            (Some((format, _)), _) => Recognised::As(format),
            (None, []) => Recognised::Unknown,
            (None, [format]) => Recognised::As(*format),
            (None, formats) => Recognised::Doubtful(formats.to_vec()),
        }
    }
}

#[cfg(test)]
mod tests;
