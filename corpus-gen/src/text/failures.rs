//! Texts of failed and refused calls. Each names something particular, so that no two are alike.

use super::names::{adjective, function, hex, noun, pascal, snake, stem};
use super::prose;
use crate::rng::Draw;

/// What a failed call of `tool` on `subject` answers.
pub(crate) fn failure(draw: &mut Draw, tool: &str, subject: &str) -> String {
    match tool {
        "Bash" => bash(draw),
        "Read" => match draw.bits(1) {
            0 => format!(
                "<tool_use_error>File does not exist: {subject}. Did you mean {}.rs?</tool_use_error>",
                stem(draw)
            ),
            _ => format!(
                "EISDIR: illegal operation on a directory, read '{subject}' (inode {})",
                draw.below(1 << 32)
            ),
        },
        "Edit" | "MultiEdit" => format!(
            "<tool_use_error>String to replace not found in file {subject}.\nString: {}({}, {});</tool_use_error>",
            function(draw),
            noun(draw),
            draw.below(10_000)
        ),
        "Write" => format!(
            "<tool_use_error>{subject} has been modified since it was read ({} bytes, revision {}). Read it again before writing to it.</tool_use_error>",
            draw.between(100, 90_000),
            hex(draw, 8)
        ),
        "Grep" => format!(
            "ripgrep: regex parse error at column {}:\n    {}({}\n    unclosed group",
            draw.between(2, 80),
            snake(draw),
            noun(draw)
        ),
        "Glob" => format!("ENOENT: no such file or directory, scandir '{subject}/{}'", stem(draw)),
        "WebFetch" => format!(
            "Request to {subject} failed with status code {} (ray {})",
            [403, 429, 500, 503][draw.bits(2)],
            hex(draw, 12)
        ),
        _ => format!(
            "MCP error -32{:03}: {} {} {} timed out after {} ms",
            draw.below(1000),
            adjective(draw),
            noun(draw),
            snake(draw),
            draw.between(900, 90_000)
        ),
    }
}

fn bash(draw: &mut Draw) -> String {
    let (path, at) = (stem(draw), draw.between(2, 900));
    match draw.bits(2) {
        0 => format!(
            "Exit code 101\nerror[E0{}]: mismatched types\n  --> {path}.rs:{at}:{}\n   |\n{at} |     {}.{}({})\n",
            draw.between(100, 800),
            draw.between(3, 60),
            noun(draw),
            function(draw),
            draw.below(90)
        ),
        1 => format!(
            "Exit code 1\n--- FAIL: Test{} ({}.{:02}s)\n    {path}_test.go:{at}: expected {}, got {}\nFAIL",
            pascal(draw),
            draw.below(60),
            draw.below(100),
            draw.below(5000),
            draw.below(5000)
        ),
        2 => format!("Exit code 127\n/bin/bash: line {at}: {}: command not found", snake(draw)),
        _ => format!(
            "Exit code 2\n{path}.ts({at},{}): error TS2{}: Property '{}' does not exist on type '{}'.",
            draw.between(1, 80),
            draw.between(300, 800),
            noun(draw),
            pascal(draw)
        ),
    }
}

/// What the client answers in a person's name when a call is refused.
pub(crate) const REJECTED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";

/// What a permission rule answers.
pub(crate) fn forbidden(draw: &mut Draw, tool: &str) -> String {
    format!(
        "Permission to use {tool} has been denied by rule `{}`. {}",
        snake(draw),
        prose::line(draw)
    )
}
