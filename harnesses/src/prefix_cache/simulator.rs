//! The simulator. Prefixes are nodes of a trie over block ids, so two prefixes are the same entry exactly
//! if their blocks' texts are: nothing rests on a hash. A text is looked at once, when its block is made;
//! a request costs one look-up a block.

use std::collections::HashMap;
use std::sync::Arc;

use super::request::{Block, CacheError, Part, PartKind};
use super::rules::{CacheRules, Lifetime};
use crate::usage::TokenUsage;

/// An entry of the cache.
#[derive(Debug, Clone, Copy)]
struct Entry {
    lifetime: Lifetime,
    used_at: u64,
}

impl Entry {
    fn lives(self, now: u64) -> bool {
        now - self.used_at < self.lifetime.seconds()
    }
}

/// The prefix of no blocks.
const ROOT: u32 = 0;

/// The cache of one run. The maps are looked up and never iterated, so their order reaches no result.
#[derive(Debug)]
pub struct PrefixCache {
    rules: CacheRules,
    blocks: HashMap<Arc<str>, Block>,
    nodes: HashMap<(u32, u32), u32>,
    /// By node.
    entries: Vec<Option<Entry>>,
    now: u64,
}

/// A prefix of the current request: up to and including a part.
#[derive(Debug, Clone, Copy)]
struct Prefix {
    node: u32,
    tokens: u64,
    /// Its place among the positions that lookups count.
    position: usize,
}

impl PrefixCache {
    /// An empty cache.
    pub fn new(rules: CacheRules) -> Self {
        Self { rules, blocks: HashMap::new(), nodes: HashMap::new(), entries: vec![None], now: 0 }
    }

    /// The block of a text. Its tokens are counted the first time it is asked for.
    pub fn block(&mut self, text: &Arc<str>, count: impl FnOnce(&str) -> u64) -> Block {
        if let Some(block) = self.blocks.get(text) {
            return *block;
        }
        let id = u32::try_from(self.blocks.len()).unwrap_or(u32::MAX);
        let block = Block { id, tokens: count(text) };
        self.blocks.insert(Arc::clone(text), block);
        block
    }

    /// Takes a request whose processing starts at this second, and returns its charge.
    ///
    /// # Errors
    /// If the provider would reject it, or time runs backwards. The cache is then unchanged.
    pub fn request(&mut self, at_seconds: u64, parts: &[Part]) -> Result<TokenUsage, CacheError> {
        self.check(at_seconds, parts)?;
        self.now = at_seconds;
        let prefixes = self.prefixes(parts);
        let total = prefixes.last().map_or(0, |prefix| prefix.tokens);
        let breakpoints: Vec<(usize, Lifetime)> = (parts.iter().enumerate())
            .filter_map(|(at, part)| Some((at, part.breakpoint?)))
            .filter(|(at, _)| prefixes[*at].tokens >= self.rules.minimum_tokens)
            .collect();
        let found = breakpoints.iter().filter_map(|(at, _)| self.look_back(&prefixes, *at)).max();
        let read = found.map_or(0, |at| prefixes[at].tokens);
        let hour = (breakpoints.iter().filter(|(_, lifetime)| *lifetime == Lifetime::OneHour))
            .map(|(at, _)| prefixes[*at].tokens)
            .max()
            .map_or(read, |tokens| tokens.max(read));
        let last = breakpoints.last().map_or(read, |(at, _)| prefixes[*at].tokens);
        if let Some(at) = found {
            self.refresh(prefixes[at].node);
        }
        for (at, lifetime) in breakpoints {
            self.write_or_refresh(prefixes[at].node, lifetime);
        }
        Ok(TokenUsage {
            input: total - last,
            cache_read: read,
            cache_write_5m: last - hour,
            cache_write_1h: hour - read,
            ..TokenUsage::default()
        })
    }

    fn check(&self, at: u64, parts: &[Part]) -> Result<(), CacheError> {
        if at < self.now {
            return Err(CacheError::TimeWentBack { at, last: self.now });
        }
        if parts.iter().any(|part| part.block.id as usize >= self.blocks.len()) {
            return Err(CacheError::ForeignBlock);
        }
        let lifetimes: Vec<Lifetime> = parts.iter().filter_map(|part| part.breakpoint).collect();
        if lifetimes.len() > self.rules.max_breakpoints {
            let (count, most) = (lifetimes.len(), self.rules.max_breakpoints);
            return Err(CacheError::TooManyBreakpoints { count, most });
        }
        if lifetimes.windows(2).any(|two| two[0] < two[1]) {
            return Err(CacheError::LifetimeOrder);
        }
        Ok(())
    }

    /// The prefixes that end with each part.
    fn prefixes(&mut self, parts: &[Part]) -> Vec<Prefix> {
        let mut prefixes = Vec::with_capacity(parts.len());
        let (mut node, mut tokens, mut position) = (ROOT, 0, 0);
        let mut before = PartKind::Other;
        for part in parts {
            node = self.child(node, part.block.id);
            tokens += part.block.tokens;
            if part.kind == PartKind::Other || part.kind != before {
                position += 1;
            }
            before = part.kind;
            prefixes.push(Prefix { node, tokens, position });
        }
        prefixes
    }

    fn child(&mut self, node: u32, block: u32) -> u32 {
        let new = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        let child = *self.nodes.entry((node, block)).or_insert(new);
        if child == new {
            self.entries.push(None);
        }
        child
    }

    /// The last part at or before `from`, within reach, whose prefix an earlier request left in the cache.
    fn look_back(&self, prefixes: &[Prefix], from: usize) -> Option<usize> {
        let reach = prefixes[from].position;
        (0..=from)
            .rev()
            .take_while(|at| reach - prefixes[*at].position < self.rules.lookback)
            .find(|at| self.entry(prefixes[*at].node).is_some())
    }

    /// What lives at a node.
    fn entry(&self, node: u32) -> Option<Entry> {
        self.entries[node as usize].filter(|entry| entry.lives(self.now))
    }

    fn refresh(&mut self, node: u32) {
        if let Some(entry) = &mut self.entries[node as usize] {
            entry.used_at = self.now;
        }
    }

    fn write_or_refresh(&mut self, node: u32, lifetime: Lifetime) {
        match self.entry(node) {
            Some(_) => self.refresh(node),
            None => {
                self.entries[node as usize] = Some(Entry { lifetime, used_at: self.now });
            }
        }
    }
}
