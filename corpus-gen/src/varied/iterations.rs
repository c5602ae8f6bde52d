//! `usage.iterations`: requests of one message, inside and outside its top level.

use super::stage::Stage;
use crate::session::worker::Worker;
use crate::transcript::reply::{Entry, Reply};
use crate::truth::tally::Usage;

/// A model that answered before or beside the message's.
const OTHER: &str = "claude-opus-4-1-20250805";
/// Types that nobody has documented.
const UNKNOWN: [&str; 2] = ["warmup_message", "draft_message"];

impl Worker {
    fn some_usage(&mut self) -> Usage {
        Usage {
            input: self.draw.between(20, 900),
            output: self.draw.between(10, 700),
            cache_read: self.draw.between(100, 30_000),
            write_5m: self.draw.between(0, 900),
            write_1h: 0,
        }
    }
}

fn entry(kind: &'static str, model: Option<&str>, usage: Usage, held: bool) -> Entry {
    Entry { kind, model: model.map(str::to_owned), usage, states_cache: true, held }
}

/// The message's own entry.
fn own(reply: &Reply) -> Entry {
    entry("message", None, reply.usage, true)
}

impl Stage {
    fn iterated(&mut self, shape: impl FnOnce(&mut Worker, &mut Reply)) {
        self.ask();
        self.work(1);
        self.message(shape);
    }

    pub(crate) fn compacted(&mut self) {
        self.iterated(|worker, reply| {
            let mut usage = worker.some_usage();
            usage.input += worker.draw.between(60_000, 150_000);
            reply.iterations.entries = vec![entry("compaction", None, usage, false), own(reply)];
        });
    }

    pub(crate) fn advised(&mut self) {
        self.iterated(|worker, reply| {
            let usage = worker.some_usage();
            let advice = entry("advisor_message", Some("claude-opus-4-5-20251101"), usage, false);
            reply.iterations.entries = vec![own(reply), advice];
        });
    }

    /// Another model was asked first; the one that answered is the top level's.
    pub(crate) fn fell_back(&mut self) {
        self.iterated(|worker, reply| {
            let mut first = entry("message", Some(OTHER), worker.some_usage(), false);
            (first.states_cache, first.usage.cache_read, first.usage.write_5m) = (false, 0, 0);
            let model = reply.model.clone();
            if model == OTHER {
                first.model = Some("claude-sonnet-4-5-20250929".to_owned());
            }
            let answer = entry("fallback_message", Some(&model), reply.usage, true);
            reply.iterations.entries = vec![first, answer];
        });
    }

    /// The top level is the sum of all requests.
    pub(crate) fn sum_fits(&mut self) {
        self.iterated(|worker, reply| {
            let (first, second) = (worker.some_usage(), worker.some_usage());
            if !reply.unfinished {
                reply.usage.output = first.output + second.output;
            }
            let (top, half) = (reply.usage.output, reply.usage.output / 2);
            reply.usage.input = first.input + second.input;
            reply.usage.cache_read = first.cache_read + second.cache_read;
            reply.usage.write_5m = first.write_5m + second.write_5m;
            reply.usage.write_1h = 0;
            let first = Usage { output: half, ..first };
            let second = Usage { output: top - half, ..second };
            reply.iterations.entries =
                vec![entry("message", None, first, true), entry("message", None, second, true)];
        });
    }

    /// The top level is the last request alone; an earlier one of the same model is a call too.
    pub(crate) fn last_fits(&mut self) {
        self.iterated(|worker, reply| {
            let model = reply.model.clone();
            let first = entry("message", Some(&model), worker.some_usage(), false);
            reply.iterations.entries = vec![first, own(reply)];
        });
    }

    /// Neither fits: the recorded usage is kept.
    pub(crate) fn nothing_fits(&mut self) {
        self.iterated(|worker, reply| {
            let first = entry("message", None, worker.some_usage(), true);
            let mut last = own(reply);
            last.usage.input += worker.draw.between(1, 9);
            reply.iterations.entries = vec![first, last];
            reply.iterations.unreconciled = true;
        });
    }

    /// Entries of unknown types follow the same rule: of another model a call, of the message's own a
    /// part of it.
    pub(crate) fn unknown_entry(&mut self) {
        self.iterated(|worker, reply| {
            let kind = *worker.draw.pick(&UNKNOWN);
            let mut usage = worker.some_usage();
            if worker.draw.chance(1, 2) {
                let other = if reply.model == OTHER { "claude-haiku-4-5-20251001" } else { OTHER };
                let beside = entry(kind, Some(other), usage, false);
                reply.iterations.entries = vec![beside, own(reply)];
                return;
            }
            let rest = reply.usage;
            // The top level states the part and the rest.
            usage.output *= u64::from(!reply.unfinished);
            reply.usage.input += usage.input;
            reply.usage.output += usage.output;
            reply.usage.cache_read += usage.cache_read;
            reply.usage.write_5m += usage.write_5m;
            let part = entry(kind, None, usage, true);
            reply.iterations.entries = vec![part, entry("message", None, rest, true)];
        });
    }
}
