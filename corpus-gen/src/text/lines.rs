//! Lines of files of several kinds. Each line is made to state a `key = value` fact, or to state none;
//! which of the two is returned beside it.

use super::names::pieces::{camel, function, pascal, snake};
use super::names::{adjective, noun, verb};
use super::prose;
use super::put::{self, Hex8, Padded, put};
use crate::clock;
use crate::rng::Draw;

/// A fact that a line states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stated {
    pub(crate) key: String,
    pub(crate) value: String,
}

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Config,
    Toml,
    Env,
    Rust,
    TypeScript,
    Go,
    Python,
    Markdown,
    Csv,
    Json,
    Log,
}

impl Dialect {
    /// The kinds, with how often a project's files are of them.
    pub(crate) const MIX: [(u64, Dialect); 11] = [
        (8, Dialect::Config),
        (6, Dialect::Toml),
        (2, Dialect::Env),
        (24, Dialect::Rust),
        (20, Dialect::TypeScript),
        (14, Dialect::Go),
        (10, Dialect::Python),
        (6, Dialect::Markdown),
        (3, Dialect::Csv),
        (4, Dialect::Json),
        (3, Dialect::Log),
    ];

    pub(crate) fn extension(self) -> &'static str {
        match self {
            Dialect::Config => "ini",
            Dialect::Toml => "toml",
            Dialect::Env => "env",
            Dialect::Rust => "rs",
            Dialect::TypeScript => "ts",
            Dialect::Go => "go",
            Dialect::Python => "py",
            Dialect::Markdown => "md",
            Dialect::Csv => "csv",
            Dialect::Json => "json",
            Dialect::Log => "log",
        }
    }
}

/// Appends one line (no line end) to `out`.
pub(crate) fn line(draw: &mut Draw, dialect: Dialect, out: &mut String) -> Option<Stated> {
    match dialect {
        Dialect::Config => return config(draw, out, " = ", "; "),
        Dialect::Toml => return config(draw, out, " = ", "# "),
        Dialect::Env => return config(draw, out, "=", "# "),
        Dialect::Python => return python(draw, out),
        Dialect::Log => return log(draw, out),
        Dialect::Rust => rust(draw, out),
        Dialect::TypeScript => typescript(draw, out),
        Dialect::Go => go(draw, out),
        Dialect::Markdown => markdown(draw, out),
        Dialect::Csv => csv(draw, out),
        Dialect::Json => json(draw, out),
    }
    None
}

/// A value for a fact: mostly numbers, of every written form that counts as one.
pub(crate) fn value(draw: &mut Draw) -> String {
    let mut text = String::with_capacity(16);
    let out = &mut text;
    match draw.bits(4) {
        0..=4 => put!(out, draw.between(0, 9999)),
        5 => put!(out, draw.below(1_000_000_000_000)),
        6 => put!(out, "-", draw.between(1, 500)),
        7 | 8 => put!(out, draw.below(1000), ".", Padded(draw.below(100), 2)),
        9 => put!(out, "-", draw.below(90), ".", draw.below(1000)),
        10 => put!(out, "+", draw.between(1, 60)),
        11 => put!(out, if draw.bits(1) == 0 { "true" } else { "false" }),
        12 => put!(out, "\"", adjective(draw), "-", noun(draw), "\""),
        13 => put!(out, noun(draw), ".", noun(draw)),
        14 => put!(out, draw.between(1, 900), "ms"),
        _ => put!(out, draw.below(10), ".0500"),
    }
    text
}

/// A key of a fact.
pub(crate) fn key(draw: &mut Draw) -> String {
    let mut text = String::with_capacity(16);
    let out = &mut text;
    match draw.bits(4) {
        0 => put!(out, "delta"),
        1 => put!(out, &noun(draw)[..1]),
        2 => put!(out, noun(draw), ".", noun(draw)),
        3 => put!(out, adjective(draw), "-", noun(draw)),
        4..=8 => put!(out, snake(draw)),
        _ => put!(out, noun(draw)),
    }
    text
}

/// Appends an assignment and returns what it states.
pub(crate) fn assign(out: &mut String, key: String, equals: &str, value: String) -> Stated {
    out.push_str(&key);
    out.push_str(equals);
    out.push_str(&value);
    Stated { key, value }
}

fn config(draw: &mut Draw, out: &mut String, equals: &str, comment: &str) -> Option<Stated> {
    match draw.bits(3) {
        0 => {
            out.push_str(comment);
            prose::sentence(draw, out);
            return None;
        }
        1 => {
            put!(out, "[", noun(draw), ".", snake(draw), "]");
            return None;
        }
        2 => return None,
        3 => {
            put!(out, comment, verb(draw), " ", adjective(draw), " ", noun(draw));
            return None;
        }
        4 if equals != "=" => out.push_str("  "),
        _ => {}
    }
    let (key, value) = (key(draw), value(draw));
    Some(assign(out, key, equals, value))
}

fn python(draw: &mut Draw, out: &mut String) -> Option<Stated> {
    let indent = &"            "[..4 * draw.bits(2)];
    match draw.bits(4) {
        0 => {
            out.push_str(indent);
            let (key, value) = (put::string(&snake(draw)), draw.between(0, 900).to_string());
            return Some(assign(out, key, " = ", value));
        }
        1 => {
            out.push_str(indent);
            let (key, mut call) = (put::string(&snake(draw)), String::new());
            put!(&mut call, function(draw), "(", noun(draw), ")");
            return Some(assign(out, key, " = ", call));
        }
        2 | 3 => put!(
            out,
            indent,
            "def ",
            function(draw),
            "(self, ",
            noun(draw),
            ", ",
            snake(draw),
            "):"
        ),
        4 => put!(out, "class ", pascal(draw), "(", pascal(draw), "):"),
        5 => put!(out, indent, "if ", snake(draw), " == ", draw.below(100), ":"),
        6 => {
            put!(out, indent, "# ");
            prose::sentence(draw, out);
        }
        7 => put!(
            out,
            indent,
            "return ",
            function(draw),
            "(self.",
            noun(draw),
            ", ",
            noun(draw),
            "=",
            draw.below(50),
            ")"
        ),
        8 => put!(
            out,
            indent,
            "raise ",
            pascal(draw),
            "Error(f\"",
            verb(draw),
            " {",
            noun(draw),
            "} ",
            adjective(draw),
            "\")"
        ),
        9 => put!(out, "from ", noun(draw), ".", noun(draw), " import ", pascal(draw)),
        10 => {
            put!(out, indent, "for ", noun(draw), " in self.", snake(draw), ".", verb(draw), "():");
        }
        11 => put!(
            out,
            indent,
            "assert ",
            snake(draw),
            " <= ",
            draw.below(9000),
            ", \"",
            adjective(draw),
            "\""
        ),
        12 | 13 => {}
        _ => put!(
            out,
            indent,
            "self.",
            noun(draw),
            ".",
            verb(draw),
            "(",
            snake(draw),
            ", \"",
            adjective(draw),
            "\")"
        ),
    }
    None
}

#[expect(clippy::too_many_lines, reason = "one piece of a line to a line")]
fn rust(draw: &mut Draw, out: &mut String) {
    let indent = &"            "[..4 * draw.bits(2)];
    match draw.bits(4) {
        0 => put!(
            out,
            indent,
            "let ",
            snake(draw),
            " = self.",
            noun(draw),
            ".",
            verb(draw),
            "(&",
            noun(draw),
            ")?;"
        ),
        1 => put!(
            out,
            indent,
            "let mut ",
            snake(draw),
            " = Vec::with_capacity(",
            draw.below(512),
            ");"
        ),
        2 => put!(
            out,
            "pub fn ",
            function(draw),
            "(&self, ",
            noun(draw),
            ": &",
            pascal(draw),
            ") -> Result<",
            pascal(draw),
            ", ",
            pascal(draw),
            "Error> {"
        ),
        3 => {
            put!(out, indent, "/// ");
            prose::sentence(draw, out);
        }
        4 => {
            put!(out, indent, "// ");
            prose::sentence(draw, out);
        }
        5 => {
            put!(out, indent, "if ", noun(draw), ".", snake(draw), "() > ", draw.below(4096), " {");
        }
        6 => put!(out, indent, "match ", noun(draw), ".", noun(draw), " {"),
        7 => put!(
            out,
            indent,
            "    ",
            pascal(draw),
            "::",
            pascal(draw),
            " => ",
            function(draw),
            "(",
            draw.below(99),
            "),"
        ),
        8 => put!(out, "use crate::", noun(draw), "::{", pascal(draw), ", ", pascal(draw), "};"),
        9 => put!(
            out,
            "const ",
            put::string(&snake(draw)).to_uppercase(),
            ": usize = ",
            draw.below(70_000),
            ";"
        ),
        10 => put!(
            out,
            indent,
            "assert_eq!(",
            function(draw),
            "(",
            draw.below(64),
            "), ",
            draw.below(64),
            ", \"",
            adjective(draw),
            " ",
            noun(draw),
            "\");"
        ),
        11 => put!(out, indent, "}"),
        12 => {}
        13 => put!(out, "#[derive(Debug, Clone, PartialEq)]"),
        14 => put!(out, indent, "pub ", snake(draw), ": Option<", pascal(draw), ">,"),
        _ => put!(
            out,
            indent,
            "tracing::",
            ["info", "warn", "debug", "error"][draw.bits(2)],
            "!(",
            noun(draw),
            " , \"",
            verb(draw),
            " ",
            noun(draw),
            "\");"
        ),
    }
}

#[expect(clippy::too_many_lines, reason = "one piece of a line to a line")]
fn typescript(draw: &mut Draw, out: &mut String) {
    let indent = &"      "[..2 * draw.bits(2)];
    match draw.bits(4) {
        0 => put!(
            out,
            "import { ",
            pascal(draw),
            ", ",
            camel(draw),
            " } from \"./",
            noun(draw),
            "/",
            snake(draw),
            "\";"
        ),
        1 => put!(
            out,
            indent,
            "const ",
            noun(draw),
            " = await ",
            camel(draw),
            "({ ",
            noun(draw),
            ": ",
            draw.below(900),
            " });"
        ),
        2 => put!(
            out,
            "export async function ",
            camel(draw),
            "(",
            noun(draw),
            ": ",
            pascal(draw),
            "): Promise<",
            pascal(draw),
            "> {"
        ),
        3 => put!(out, indent, "if (", noun(draw), " === \"", adjective(draw), "\") {"),
        4 => put!(
            out,
            indent,
            "return ",
            noun(draw),
            ".map((",
            noun(draw),
            ") => ",
            camel(draw),
            "(",
            noun(draw),
            ".",
            noun(draw),
            "));"
        ),
        5 => {
            put!(out, indent, "// ");
            prose::sentence(draw, out);
        }
        6 => put!(
            out,
            indent,
            "throw new ",
            pascal(draw),
            "Error(`",
            verb(draw),
            " ${",
            noun(draw),
            "} ",
            adjective(draw),
            "`);"
        ),
        7 => put!(out, indent, noun(draw), ": ", draw.below(5000), ","),
        8 => put!(out, indent, noun(draw), "?: ", pascal(draw), " | null;"),
        9 => put!(
            out,
            indent,
            "expect(",
            camel(draw),
            "(",
            draw.below(99),
            ")).toEqual(",
            draw.below(99),
            ");"
        ),
        10 => put!(out, indent, "});"),
        11 => put!(out, indent, "}"),
        12 => {}
        13 => put!(
            out,
            indent,
            "export type ",
            pascal(draw),
            " = { ",
            noun(draw),
            ": string; ",
            noun(draw),
            ": number };"
        ),
        14 => put!(
            out,
            indent,
            "logger.",
            ["info", "warn", "debug", "error"][draw.bits(2)],
            "(\"",
            verb(draw),
            " ",
            noun(draw),
            "\", { ",
            noun(draw),
            " });"
        ),
        _ => put!(
            out,
            indent,
            "<",
            pascal(draw),
            " ",
            noun(draw),
            "={",
            camel(draw),
            "} label=\"",
            adjective(draw),
            " ",
            noun(draw),
            "\" />"
        ),
    }
}

fn go(draw: &mut Draw, out: &mut String) {
    let indent = &"\t\t\t"[..draw.bits(2)];
    match draw.bits(4) {
        0 | 1 => put!(
            out,
            indent,
            noun(draw),
            ", err := ",
            noun(draw),
            ".",
            pascal(draw),
            "(ctx, ",
            noun(draw),
            ")"
        ),
        2 => put!(out, indent, "if err != nil {"),
        3 => put!(
            out,
            indent,
            "return nil, fmt.Errorf(\"",
            verb(draw),
            " ",
            noun(draw),
            ": %w\", err)"
        ),
        4 => put!(
            out,
            "func (s *",
            pascal(draw),
            ") ",
            pascal(draw),
            "(ctx context.Context, ",
            noun(draw),
            " string) error {"
        ),
        5 => {
            put!(out, indent, "// ");
            prose::sentence(draw, out);
        }
        6 => put!(out, indent, "for _, ", noun(draw), " := range s.", noun(draw), " {"),
        7 => put!(
            out,
            indent,
            "require.Equal(t, ",
            draw.below(99),
            ", ",
            camel(draw),
            "(",
            draw.below(99),
            "))"
        ),
        8 => put!(out, "type ", pascal(draw), " struct {"),
        9 => put!(
            out,
            indent,
            pascal(draw),
            " map[string]",
            pascal(draw),
            " `json:\"",
            snake(draw),
            "\"`"
        ),
        10 => put!(
            out,
            indent,
            "slog.Info(\"",
            verb(draw),
            " ",
            noun(draw),
            "\", \"",
            noun(draw),
            "\", ",
            noun(draw),
            ")"
        ),
        11 | 12 => put!(out, indent, "}"),
        13 => {}
        14 => put!(out, indent, "defer ", noun(draw), ".", pascal(draw), "()"),
        _ => put!(out, indent, "case ", pascal(draw), pascal(draw), ":"),
    }
}

fn markdown(draw: &mut Draw, out: &mut String) {
    match draw.bits(3) {
        0 => put!(out, "## ", pascal(draw), " ", noun(draw)),
        1 => {
            put!(out, "- **", snake(draw), "**: ");
            prose::sentence(draw, out);
        }
        2 => put!(out, "| ", snake(draw), " | ", draw.below(9000), " | ", adjective(draw), " |"),
        3 => {}
        _ => prose::sentence(draw, out),
    }
}

fn csv(draw: &mut Draw, out: &mut String) {
    let (id, name) = (draw.below(100_000), snake(draw));
    put!(
        out,
        id,
        ",",
        name,
        ",",
        adjective(draw),
        ",",
        draw.below(900),
        ".",
        Padded(draw.below(100), 2),
        ",",
        noun(draw)
    );
}

fn json(draw: &mut Draw, out: &mut String) {
    let indent = &"        "[..2 + 2 * draw.bits(2)];
    match draw.bits(2) {
        0 => put!(out, indent, "\"", snake(draw), "\": ", draw.below(100_000), ","),
        1 => put!(out, indent, "\"", noun(draw), "\": {"),
        2 => put!(out, indent, "},"),
        _ => {
            put!(out, indent, "\"", snake(draw), "\": \"", adjective(draw), " ", noun(draw), "\",");
        }
    }
}

fn log(draw: &mut Draw, out: &mut String) -> Option<Stated> {
    if draw.bits(3) == 0 {
        let mut rest = String::with_capacity(48);
        let msg = &mut rest;
        put!(
            msg,
            "info msg=\"",
            verb(draw),
            " ",
            noun(draw),
            "\" ",
            noun(draw),
            "=",
            draw.below(999)
        );
        return Some(assign(out, "level".to_owned(), "=", rest));
    }
    log_line(draw, out);
    None
}

/// Appends a line of a service's log, which states no fact.
pub(crate) fn log_line(draw: &mut Draw, out: &mut String) {
    clock::put(1_767_000_000_000 + draw.below(9_000_000_000), out);
    let level = ["INFO ", "INFO ", "WARN ", "DEBUG"][draw.bits(2)];
    put!(out, " ", level, " ", noun(draw), "[", draw.below(32), "]: ");
    match draw.bits(2) {
        0 => put!(out, verb(draw), " ", snake(draw), " took ", draw.below(4000), " ms"),
        1 => {
            let (a, b, port) = (draw.below(256), draw.below(256), draw.between(1024, 65_000));
            put!(out, noun(draw), " from 10.", a, ".", b, ".7:", port);
        }
        2 => put!(out, adjective(draw), " ", noun(draw), " id=", Hex8(draw.below(1 << 32))),
        _ => prose::sentence(draw, out),
    }
}
