//! What shell commands print: test runs, builds, listings, diffs, statistics.

use super::lines::{Stated, log_line};
use super::names::{adjective, function, hex, kebab, noun, pascal, snake, stem, verb};
use super::prose;
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
        let text = match self {
            Command::Stats if draw.bits(1) == 0 => {
                let key = snake(draw);
                let value = format!("{}.{}", draw.below(100_000), draw.below(10));
                return Some(super::lines::assign(out, key, " = ", value));
            }
            Command::Stats => format!("# {} {}: {}", adjective(draw), noun(draw), hex(draw, 12)),
            Command::Test => test_line(draw),
            Command::Build => build_line(draw),
            Command::Log => log_line(draw),
            Command::Diff => diff_line(draw),
            Command::List => format!("./{}.{}", stem(draw), ["rs", "ts", "go", "py"][draw.bits(2)]),
            Command::History => {
                format!("{} {} {} {}", hex(draw, 9), verb(draw), adjective(draw), noun(draw))
            }
        };
        out.push_str(&text);
        None
    }
}

fn test_line(draw: &mut Draw) -> String {
    match draw.bits(3) {
        0 => format!("=== RUN   Test{}{}", pascal(draw), pascal(draw)),
        1 => format!("--- PASS: Test{} ({}.{:02}s)", pascal(draw), draw.below(9), draw.below(100)),
        2 => format!(
            "ok  \tgithub.com/example/{}/{}\t{}.{:03}s",
            kebab(draw),
            noun(draw),
            draw.below(30),
            draw.below(1000)
        ),
        3 => {
            format!("    {}_test.go:{}: {}", snake(draw), draw.between(10, 900), prose::line(draw))
        }
        _ => format!("test {}::{}::{} ... ok", noun(draw), noun(draw), function(draw)),
    }
}

fn build_line(draw: &mut Draw) -> String {
    match draw.bits(2) {
        0 => format!(
            "\u{1b}[32m✓\u{1b}[39m {} modules transformed ({})",
            draw.between(3, 900),
            kebab(draw)
        ),
        1 => format!(
            "dist/assets/{}-{}.js  {}.{:02} kB │ gzip: {} kB",
            kebab(draw),
            hex(draw, 8),
            draw.below(800),
            draw.below(100),
            draw.below(200)
        ),
        2 => format!(
            "warning: unused variable: `{}` --> {}.rs:{}:{}",
            snake(draw),
            stem(draw),
            draw.between(1, 900),
            draw.between(1, 80)
        ),
        _ => format!(
            "   Compiling {} v{}.{}.{}",
            kebab(draw),
            draw.below(3),
            draw.below(30),
            draw.below(20)
        ),
    }
}

fn diff_line(draw: &mut Draw) -> String {
    match draw.bits(3) {
        0 => format!(
            "@@ -{},{} +{},{} @@ fn {}",
            draw.between(1, 900),
            draw.between(1, 30),
            draw.between(1, 900),
            draw.between(1, 30),
            function(draw)
        ),
        1 => format!("diff --git a/{0}.rs b/{0}.rs", stem(draw)),
        2 | 3 => format!("-    let {} = {}({});", noun(draw), function(draw), draw.below(90)),
        4 | 5 => format!(
            "+    let {} = {}({}, {});",
            noun(draw),
            function(draw),
            noun(draw),
            draw.below(90)
        ),
        _ => format!("     {}.{}({});", noun(draw), verb(draw), snake(draw)),
    }
}
