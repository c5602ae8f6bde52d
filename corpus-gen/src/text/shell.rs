//! What shell commands print: test runs, builds, listings, diffs, statistics.

use super::lines::{Stated, log_line};
use super::names::{adjective, hex, kebab, noun, pascal, pieces, put_stem, snake, stem, verb};
use super::prose;
use super::put::{Padded, put};
use crate::rng::Draw;

/// A kind of command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    Test,
    Build,
    Log,
    Diff,
    List,
    History,
    Stats,
}

impl Command {
    pub(crate) const MIX: [(u64, Command); 7] = [
        (6, Command::Test),
        (3, Command::Build),
        (4, Command::Log),
        (3, Command::Diff),
        (2, Command::List),
        (2, Command::History),
        (3, Command::Stats),
    ];

    /// A command line and a description of it.
    pub(crate) fn invocation(self, draw: &mut Draw) -> (String, String) {
        let (a, b) = (noun(draw), kebab(draw));
        match self {
            Command::Test => match draw.bits(1) {
                0 => (format!("cargo test -p {b} {}", snake(draw)), format!("Run the {a} tests")),
                _ => (format!("go test ./{a}/... -run Test{}", pascal(draw)), format!("Test {a}")),
            },
            Command::Build => (format!("npm run build --workspace {b}"), format!("Build {b}")),
            Command::Log => (
                format!("kubectl logs deploy/{b} --tail {}", draw.between(50, 900)),
                format!("Show {a} logs"),
            ),
            Command::Diff => (
                format!("git diff {}..HEAD -- {}", hex(draw, 8), stem(draw)),
                format!("Show what changed in {a}"),
            ),
            Command::List => (
                format!("find {} -name '*{a}*' -newer .{b}", stem(draw)),
                format!("List {a} files"),
            ),
            Command::History => (
                format!("git log --oneline -{} -- {}", draw.between(5, 90), stem(draw)),
                format!("History of {a}"),
            ),
            Command::Stats => (
                format!("./scripts/{}.sh --since {}h | sort", snake(draw), draw.between(1, 400)),
                format!("Count {a}s"),
            ),
        }
    }

    /// Output of about `bytes` bytes, and the facts its lines state (line numbers from 1).
    pub(crate) fn output(self, draw: &mut Draw, bytes: usize) -> (String, Vec<(u64, Stated)>) {
        let mut out = String::with_capacity(bytes + 200);
        let mut facts = Vec::new();
        let mut number = 1;
        while out.len() < bytes || number == 1 {
            if number > 1 {
                out.push('\n');
            }
            if let Some(stated) = self.line(draw, &mut out) {
                facts.push((number, stated));
            }
            number += 1;
        }
        (out, facts)
    }

    fn line(self, draw: &mut Draw, out: &mut String) -> Option<Stated> {
        match self {
            Command::Stats if draw.bits(1) == 0 => {
                let (key, mut value) = (snake(draw), String::with_capacity(8));
                put!(&mut value, draw.below(100_000), ".", draw.below(10));
                return Some(super::lines::assign(out, key, " = ", value));
            }
            Command::Stats => {
                put!(out, "# ", adjective(draw), " ", noun(draw), ": ", hex(draw, 12));
            }
            Command::Test => test_line(draw, out),
            Command::Build => build_line(draw, out),
            Command::Log => log_line(draw, out),
            Command::Diff => diff_line(draw, out),
            Command::List => {
                out.push_str("./");
                put_stem(draw, out);
                put!(out, ".", ["rs", "ts", "go", "py"][draw.bits(2)]);
            }
            Command::History => {
                put!(out, hex(draw, 9), " ", verb(draw), " ", adjective(draw), " ", noun(draw));
            }
        }
        None
    }
}

fn test_line(draw: &mut Draw, out: &mut String) {
    match draw.bits(3) {
        0 => put!(out, "=== RUN   Test", pieces::pascal(draw), pieces::pascal(draw)),
        1 => put!(
            out,
            "--- PASS: Test",
            pieces::pascal(draw),
            " (",
            draw.below(9),
            ".",
            Padded(draw.below(100), 2),
            "s)"
        ),
        2 => put!(
            out,
            "ok  \tgithub.com/example/",
            pieces::kebab(draw),
            "/",
            noun(draw),
            "\t",
            draw.below(30),
            ".",
            Padded(draw.below(1000), 3),
            "s"
        ),
        3 => {
            put!(out, "    ", pieces::snake(draw), "_test.go:", draw.between(10, 900), ": ");
            prose::sentence(draw, out);
        }
        _ => put!(
            out,
            "test ",
            noun(draw),
            "::",
            noun(draw),
            "::",
            pieces::function(draw),
            " ... ok"
        ),
    }
}

fn build_line(draw: &mut Draw, out: &mut String) {
    match draw.bits(2) {
        0 => put!(
            out,
            "\u{1b}[32m✓\u{1b}[39m ",
            draw.between(3, 900),
            " modules transformed (",
            pieces::kebab(draw),
            ")"
        ),
        1 => put!(
            out,
            "dist/assets/",
            pieces::kebab(draw),
            "-",
            hex(draw, 8),
            ".js  ",
            draw.below(800),
            ".",
            Padded(draw.below(100), 2),
            " kB │ gzip: ",
            draw.below(200),
            " kB"
        ),
        2 => put!(
            out,
            "warning: unused variable: `",
            pieces::snake(draw),
            "` --> ",
            stem(draw),
            ".rs:",
            draw.between(1, 900),
            ":",
            draw.between(1, 80)
        ),
        _ => put!(
            out,
            "   Compiling ",
            pieces::kebab(draw),
            " v",
            draw.below(3),
            ".",
            draw.below(30),
            ".",
            draw.below(20)
        ),
    }
}

fn diff_line(draw: &mut Draw, out: &mut String) {
    match draw.bits(3) {
        0 => put!(
            out,
            "@@ -",
            draw.between(1, 900),
            ",",
            draw.between(1, 30),
            " +",
            draw.between(1, 900),
            ",",
            draw.between(1, 30),
            " @@ fn ",
            pieces::function(draw)
        ),
        1 => {
            let path = stem(draw);
            put!(out, "diff --git a/", &*path, ".rs b/", &*path, ".rs");
        }
        2 | 3 => put!(
            out,
            "-    let ",
            noun(draw),
            " = ",
            pieces::function(draw),
            "(",
            draw.below(90),
            ");"
        ),
        4 | 5 => put!(
            out,
            "+    let ",
            noun(draw),
            " = ",
            pieces::function(draw),
            "(",
            noun(draw),
            ", ",
            draw.below(90),
            ");"
        ),
        _ => put!(out, "     ", noun(draw), ".", verb(draw), "(", pieces::snake(draw), ");"),
    }
}
