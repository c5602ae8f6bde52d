//! The plain program: the least that a program which wants a Claude Code transcript's contents has to do. It
//! reads each line into typed structs with `serde_json` (envelope, message, blocks; text borrowed where it
//! holds no escape) and takes the SHA-256 of each block's text. It keeps nothing, counts nothing twice, knows
//! no other format and stops at nothing.
//!
//! Benchmarks put it beside tracefold in the same run: machines and minutes differ, their ratio little. It uses
//! no crate of the workspace, so that any of them may have it:
//! `#[path = "../../benches/plain/mod.rs"] mod plain;`
#![allow(dead_code, reason = "each program that has this module uses a part of it")]

mod line;

use std::io::{self, BufRead};

use sha2::{Digest as _, Sha256};

use self::line::{Block, Content, Envelope};

/// What the plain program has seen. It is printed or compared, so that none of the work can be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Lines that are records.
    pub(crate) records: u64,
    /// Lines that are not, blank ones apart.
    pub(crate) unread: u64,
    /// Content blocks; a message that is one string is one.
    pub(crate) blocks: u64,
    /// Bytes of their texts.
    pub(crate) text: u64,
    /// Output tokens, as often as records state them.
    pub(crate) output_tokens: u64,
    /// Of all digests, one over the other, the first bytes.
    pub(crate) digest: u64,
}

impl Seen {
    /// The lines of a transcript in memory.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        let mut seen = Self::default();
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            seen.line(&rest[..end]);
            rest = &rest[end + 1..];
        }
        seen.line(rest);
        seen
    }

    /// The lines of a transcript on disk, one at a time.
    ///
    /// # Errors
    ///
    /// What reading gives.
    pub(crate) fn read(&mut self, mut file: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        while file.read_until(b'\n', &mut line)? > 0 {
            self.line(line.trim_ascii_end());
            line.clear();
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        match serde_json::from_slice::<Envelope<'_>>(line) {
            Ok(record) => self.record(&record),
            Err(_) => self.unread += 1,
        }
    }

    fn record(&mut self, record: &Envelope<'_>) {
        self.records += 1;
        let Some(message) = &record.message else { return };
        self.output_tokens += message.usage.as_ref().map_or(0, |usage| usage.output);
        match &message.content {
            Some(Content::Text(text)) => self.block(text.as_bytes()),
            Some(Content::List(blocks)) => blocks.iter().for_each(|block| self.texts(block)),
            None => {}
        }
    }

    fn texts(&mut self, block: &Block<'_>) {
        for text in [&block.text, &block.thinking].into_iter().flatten() {
            self.block(text.0.as_bytes());
        }
        if let Some(input) = block.input {
            self.block(input.get().as_bytes());
        }
        match &block.content {
            Some(Content::Text(text)) => self.block(text.as_bytes()),
            Some(Content::List(parts)) => {
                let texts = parts.iter().filter_map(|part| part.text.as_ref());
                texts.for_each(|text| self.block(text.0.as_bytes()));
            }
            None => {}
        }
    }

    fn block(&mut self, text: &[u8]) {
        self.blocks += 1;
        self.text += text.len() as u64;
        if let Some(first) = Sha256::digest(text).first_chunk() {
            self.digest ^= u64::from_be_bytes(*first);
        }
    }
}
