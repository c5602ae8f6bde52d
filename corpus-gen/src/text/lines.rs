//! Lines of files of several kinds. Each line is made to state a `key = value` fact, or to state none;
//! which of the two is returned beside it.

use super::names::{adjective, camel, function, noun, pascal, snake, verb};
use super::prose;
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
        Dialect::Config => config(draw, out, " = ", "; "),
        Dialect::Toml => config(draw, out, " = ", "# "),
        Dialect::Env => config(draw, out, "=", "# "),
        Dialect::Python => python(draw, out),
        Dialect::Log => log(draw, out),
        Dialect::Rust => plain(out, &rust(draw)),
        Dialect::TypeScript => plain(out, &typescript(draw)),
        Dialect::Go => plain(out, &go(draw)),
        Dialect::Markdown => plain(out, &markdown(draw)),
        Dialect::Csv => plain(out, &csv(draw)),
        Dialect::Json => plain(out, &json(draw)),
    }
}

/// A value for a fact: mostly numbers, of every written form that counts as one.
pub(crate) fn value(draw: &mut Draw) -> String {
    match draw.bits(4) {
        0..=4 => draw.between(0, 9999).to_string(),
        5 => draw.below(1_000_000_000_000).to_string(),
        6 => format!("-{}", draw.between(1, 500)),
        7 | 8 => format!("{}.{:02}", draw.below(1000), draw.below(100)),
        9 => format!("-{}.{}", draw.below(90), draw.below(1000)),
        10 => format!("+{}", draw.between(1, 60)),
        11 => if draw.bits(1) == 0 { "true" } else { "false" }.to_owned(),
        12 => format!("\"{}-{}\"", adjective(draw), noun(draw)),
        13 => format!("{}.{}", noun(draw), noun(draw)),
        14 => format!("{}ms", draw.between(1, 900)),
        _ => format!("{}{}", draw.below(10), ".0500"),
    }
}

/// A key of a fact.
pub(crate) fn key(draw: &mut Draw) -> String {
    match draw.bits(4) {
        0 => "delta".to_owned(),
        1 => noun(draw)[..1].to_owned(),
        2 => format!("{}.{}", noun(draw), noun(draw)),
        3 => format!("{}-{}", adjective(draw), noun(draw)),
        4..=8 => snake(draw),
        _ => noun(draw).to_owned(),
    }
}

/// Appends an assignment and returns what it states.
pub(crate) fn assign(out: &mut String, key: String, equals: &str, value: String) -> Stated {
    out.push_str(&key);
    out.push_str(equals);
    out.push_str(&value);
    Stated { key, value }
}

#[allow(clippy::unnecessary_wraps)] // a match arm of `line`
fn plain(out: &mut String, text: &str) -> Option<Stated> {
    out.push_str(text);
    None
}

fn config(draw: &mut Draw, out: &mut String, equals: &str, comment: &str) -> Option<Stated> {
    match draw.bits(3) {
        0 => {
            out.push_str(comment);
            prose::sentence(draw, out);
            None
        }
        1 => plain(out, &format!("[{}.{}]", noun(draw), snake(draw))),
        2 => plain(out, ""),
        3 => {
            out.push_str(comment);
            plain(out, &format!("{} {} {}", verb(draw), adjective(draw), noun(draw)))
        }
        4 if equals != "=" => {
            out.push_str("  ");
            let (key, value) = (key(draw), value(draw));
            Some(assign(out, key, equals, value))
        }
        _ => {
            let (key, value) = (key(draw), value(draw));
            Some(assign(out, key, equals, value))
        }
    }
}

fn python(draw: &mut Draw, out: &mut String) -> Option<Stated> {
    let indent = "    ".repeat(draw.bits(2));
    match draw.bits(4) {
        0 => {
            out.push_str(&indent);
            let (key, value) = (snake(draw), draw.between(0, 900).to_string());
            Some(assign(out, key, " = ", value))
        }
        1 => {
            out.push_str(&indent);
            let (key, call) = (snake(draw), format!("{}({})", function(draw), noun(draw)));
            Some(assign(out, key, " = ", call))
        }
        2 | 3 => plain(
            out,
            &format!("{indent}def {}(self, {}, {}):", function(draw), noun(draw), snake(draw)),
        ),
        4 => plain(out, &format!("class {}({}):", pascal(draw), pascal(draw))),
        5 => plain(out, &format!("{indent}if {} == {}:", snake(draw), draw.below(100))),
        6 => plain(out, &format!("{indent}# {}", prose::line(draw))),
        7 => plain(
            out,
            &format!(
                "{indent}return {}(self.{}, {}={})",
                function(draw),
                noun(draw),
                noun(draw),
                draw.below(50)
            ),
        ),
        8 => plain(
            out,
            &format!(
                "{indent}raise {}Error(f\"{} {{{}}} {}\")",
                pascal(draw),
                verb(draw),
                noun(draw),
                adjective(draw)
            ),
        ),
        9 => plain(out, &format!("from {}.{} import {}", noun(draw), noun(draw), pascal(draw))),
        10 => plain(
            out,
            &format!("{indent}for {} in self.{}.{}():", noun(draw), snake(draw), verb(draw)),
        ),
        11 => plain(
            out,
            &format!(
                "{indent}assert {} <= {}, \"{}\"",
                snake(draw),
                draw.below(9000),
                adjective(draw)
            ),
        ),
        12 | 13 => plain(out, ""),
        _ => plain(
            out,
            &format!(
                "{indent}self.{}.{}({}, \"{}\")",
                noun(draw),
                verb(draw),
                snake(draw),
                adjective(draw)
            ),
        ),
    }
}

fn rust(draw: &mut Draw) -> String {
    let indent = "    ".repeat(draw.bits(2));
    match draw.bits(4) {
        0 => format!(
            "{indent}let {} = self.{}.{}(&{})?;",
            snake(draw),
            noun(draw),
            verb(draw),
            noun(draw)
        ),
        1 => format!("{indent}let mut {} = Vec::with_capacity({});", snake(draw), draw.below(512)),
        2 => format!(
            "pub fn {}(&self, {}: &{}) -> Result<{}, {}Error> {{",
            function(draw),
            noun(draw),
            pascal(draw),
            pascal(draw),
            pascal(draw)
        ),
        3 => format!("{indent}/// {}", prose::line(draw)),
        4 => format!("{indent}// {}", prose::line(draw)),
        5 => format!("{indent}if {}.{}() > {} {{", noun(draw), snake(draw), draw.below(4096)),
        6 => format!("{indent}match {}.{} {{", noun(draw), noun(draw)),
        7 => format!(
            "{indent}    {}::{} => {}({}),",
            pascal(draw),
            pascal(draw),
            function(draw),
            draw.below(99)
        ),
        8 => format!("use crate::{}::{{{}, {}}};", noun(draw), pascal(draw), pascal(draw)),
        9 => format!("const {}: usize = {};", snake(draw).to_uppercase(), draw.below(70_000)),
        10 => format!(
            "{indent}assert_eq!({}({}), {}, \"{} {}\");",
            function(draw),
            draw.below(64),
            draw.below(64),
            adjective(draw),
            noun(draw)
        ),
        11 => format!("{indent}}}"),
        12 => String::new(),
        13 => "#[derive(Debug, Clone, PartialEq)]".to_owned(),
        14 => format!("{indent}pub {}: Option<{}>,", snake(draw), pascal(draw)),
        _ => format!(
            "{indent}tracing::{}!({} , \"{} {}\");",
            ["info", "warn", "debug", "error"][draw.bits(2)],
            noun(draw),
            verb(draw),
            noun(draw)
        ),
    }
}

fn typescript(draw: &mut Draw) -> String {
    let indent = "  ".repeat(draw.bits(2));
    match draw.bits(4) {
        0 => format!(
            "import {{ {}, {} }} from \"./{}/{}\";",
            pascal(draw),
            camel(draw),
            noun(draw),
            snake(draw)
        ),
        1 => format!(
            "{indent}const {} = await {}({{ {}: {} }});",
            noun(draw),
            camel(draw),
            noun(draw),
            draw.below(900)
        ),
        2 => format!(
            "export async function {}({}: {}): Promise<{}> {{",
            camel(draw),
            noun(draw),
            pascal(draw),
            pascal(draw)
        ),
        3 => format!("{indent}if ({} === \"{}\") {{", noun(draw), adjective(draw)),
        4 => format!(
            "{indent}return {}.map(({}) => {}({}.{}));",
            noun(draw),
            noun(draw),
            camel(draw),
            noun(draw),
            noun(draw)
        ),
        5 => format!("{indent}// {}", prose::line(draw)),
        6 => format!(
            "{indent}throw new {}Error(`{} ${{{}}} {}`);",
            pascal(draw),
            verb(draw),
            noun(draw),
            adjective(draw)
        ),
        7 => format!("{indent}{}: {},", noun(draw), draw.below(5000)),
        8 => format!("{indent}{}?: {} | null;", noun(draw), pascal(draw)),
        9 => format!(
            "{indent}expect({}({})).toEqual({});",
            camel(draw),
            draw.below(99),
            draw.below(99)
        ),
        10 => format!("{indent}}});"),
        11 => format!("{indent}}}"),
        12 => String::new(),
        13 => format!(
            "{indent}export type {} = {{ {}: string; {}: number }};",
            pascal(draw),
            noun(draw),
            noun(draw)
        ),
        14 => format!(
            "{indent}logger.{}(\"{} {}\", {{ {} }});",
            ["info", "warn", "debug", "error"][draw.bits(2)],
            verb(draw),
            noun(draw),
            noun(draw)
        ),
        _ => format!(
            "{indent}<{} {}={{{}}} label=\"{} {}\" />",
            pascal(draw),
            noun(draw),
            camel(draw),
            adjective(draw),
            noun(draw)
        ),
    }
}

fn go(draw: &mut Draw) -> String {
    let indent = "\t".repeat(draw.bits(2));
    match draw.bits(4) {
        0 | 1 => format!(
            "{indent}{}, err := {}.{}(ctx, {})",
            noun(draw),
            noun(draw),
            pascal(draw),
            noun(draw)
        ),
        2 => format!("{indent}if err != nil {{"),
        3 => format!("{indent}return nil, fmt.Errorf(\"{} {}: %w\", err)", verb(draw), noun(draw)),
        4 => format!(
            "func (s *{}) {}(ctx context.Context, {} string) error {{",
            pascal(draw),
            pascal(draw),
            noun(draw)
        ),
        5 => format!("{indent}// {}", prose::line(draw)),
        6 => format!("{indent}for _, {} := range s.{} {{", noun(draw), noun(draw)),
        7 => format!(
            "{indent}require.Equal(t, {}, {}({}))",
            draw.below(99),
            camel(draw),
            draw.below(99)
        ),
        8 => format!("type {} struct {{", pascal(draw)),
        9 => format!(
            "{indent}{} map[string]{} `json:\"{}\"`",
            pascal(draw),
            pascal(draw),
            snake(draw)
        ),
        10 => format!(
            "{indent}slog.Info(\"{} {}\", \"{}\", {})",
            verb(draw),
            noun(draw),
            noun(draw),
            noun(draw)
        ),
        11 | 12 => format!("{indent}}}"),
        13 => String::new(),
        14 => format!("{indent}defer {}.{}()", noun(draw), pascal(draw)),
        _ => format!("{indent}case {}{}:", pascal(draw), pascal(draw)),
    }
}

fn markdown(draw: &mut Draw) -> String {
    match draw.bits(3) {
        0 => format!("## {} {}", pascal(draw), noun(draw)),
        1 => format!("- **{}**: {}", snake(draw), prose::line(draw)),
        2 => format!("| {} | {} | {} |", snake(draw), draw.below(9000), adjective(draw)),
        3 => String::new(),
        _ => prose::line(draw),
    }
}

fn csv(draw: &mut Draw) -> String {
    let (id, name) = (draw.below(100_000), snake(draw));
    format!(
        "{id},{name},{},{}.{:02},{}",
        adjective(draw),
        draw.below(900),
        draw.below(100),
        noun(draw)
    )
}

fn json(draw: &mut Draw) -> String {
    let indent = "  ".repeat(1 + draw.bits(2));
    match draw.bits(2) {
        0 => format!("{indent}\"{}\": {},", snake(draw), draw.below(100_000)),
        1 => format!("{indent}\"{}\": {{", noun(draw)),
        2 => format!("{indent}}},"),
        _ => format!("{indent}\"{}\": \"{} {}\",", snake(draw), adjective(draw), noun(draw)),
    }
}

fn log(draw: &mut Draw, out: &mut String) -> Option<Stated> {
    if draw.bits(3) == 0 {
        let rest = format!(
            "info msg=\"{} {}\" {}={}",
            verb(draw),
            noun(draw),
            noun(draw),
            draw.below(999)
        );
        return Some(assign(out, "level".to_owned(), "=", rest));
    }
    plain(out, &log_line(draw))
}

/// A line of a service's log, which states no fact.
pub(crate) fn log_line(draw: &mut Draw) -> String {
    let time = clock::iso(1_767_000_000_000 + draw.below(9_000_000_000));
    let level = ["INFO ", "INFO ", "WARN ", "DEBUG"][draw.bits(2)];
    let (source, number) = (noun(draw), draw.below(32));
    let what = match draw.bits(2) {
        0 => format!("{} {} took {} ms", verb(draw), snake(draw), draw.below(4000)),
        1 => {
            let (a, b, port) = (draw.below(256), draw.below(256), draw.between(1024, 65_000));
            format!("{} from 10.{a}.{b}.7:{port}", noun(draw))
        }
        2 => format!("{} {} id={:08x}", adjective(draw), noun(draw), draw.below(1 << 32)),
        _ => prose::line(draw),
    };
    format!("{time} {level} {source}[{number}]: {what}")
}
