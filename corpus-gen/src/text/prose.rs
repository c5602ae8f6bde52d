//! Prose: reasoning, answers, summaries, documentation.

use super::names::pieces::{function, snake};
use super::names::{adjective, noun, push_capital, verb};
use super::put::put;
use super::words::{GLUE, UNICODE};
use crate::rng::Draw;

/// Prose of about `bytes` bytes, in paragraphs; the last sentence is complete.
pub(crate) fn paragraphs(draw: &mut Draw, bytes: usize) -> String {
    let mut out = String::with_capacity(bytes + 160);
    let mut in_paragraph = 0;
    loop {
        sentence(draw, &mut out);
        in_paragraph += 1;
        if out.len() >= bytes {
            return out;
        }
        if in_paragraph > 2 && draw.bits(1) == 0 {
            out.push_str("\n\n");
            in_paragraph = 0;
            if draw.bits(2) == 0 {
                bullets(draw, &mut out);
            }
        } else {
            out.push(' ');
        }
    }
}

/// One sentence.
pub(crate) fn line(draw: &mut Draw) -> String {
    let mut out = String::new();
    sentence(draw, &mut out);
    out
}

/// Appends one sentence, without white space around it.
pub(crate) fn sentence(draw: &mut Draw, out: &mut String) {
    push_capital(out, opener(draw));
    for _ in 0..2 + draw.bits(2) {
        phrase(draw, out);
    }
    out.push('.');
}

fn opener(draw: &mut Draw) -> &'static str {
    const OPENERS: [&str; 16] = [
        "the", "this", "here", "now", "so", "each", "first", "next", "then", "when", "since",
        "that", "both", "still", "only", "every",
    ];
    OPENERS[draw.bits(4)]
}

fn phrase(draw: &mut Draw, out: &mut String) {
    out.push(' ');
    match draw.bits(4) {
        0 => {
            put!(out, "`", function(draw), "`");
        }
        1 => {
            out.push_str(noun(draw));
            out.push_str("s, ");
            out.push_str(GLUE[draw.bits(6)]);
        }
        2 if draw.bits(2) == 0 => out.push_str(UNICODE[draw.bits(5)]),
        3 => {
            put!(out, draw.between(2, 9000), " ", noun(draw), "s");
        }
        _ => {
            out.push_str(adjective(draw));
            out.push(' ');
            out.push_str(noun(draw));
            out.push(' ');
            out.push_str(verb(draw));
            out.push_str("s ");
            out.push_str(GLUE[draw.bits(6)]);
        }
    }
    out.push(' ');
    out.push_str(noun(draw));
}

fn bullets(draw: &mut Draw, out: &mut String) {
    for _ in 0..2 + draw.bits(2) {
        put!(out, "- `", snake(draw), "`: ", verb(draw));
        phrase(draw, out);
        out.push('\n');
    }
    out.push('\n');
}
