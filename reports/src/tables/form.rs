//! Tables as terminal text, Markdown, CSV and LaTeX. Cells may hold text from outside: each form
//! escapes what it would obey.

use std::fmt::Write as _;

use scoreboards::{Table, escape};

use super::model::Section;

/// A form of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Form {
    /// Plain text for a terminal.
    Text,
    /// Markdown, as GitHub reads it.
    Markdown,
    /// CSV, RFC 4180.
    Csv,
    /// LaTeX, with no package beyond its own.
    Latex,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 4] = [Self::Text, Self::Markdown, Self::Csv, Self::Latex];

    /// The end of file names.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Markdown => "md",
            Self::Csv => "csv",
            Self::Latex => "tex",
        }
    }

    /// A section, ending in a line feed.
    pub fn section(self, section: &Section) -> String {
        let mut out = match self {
            Self::Text => format!("{}. {}\n", section.id, section.title),
            Self::Markdown => format!("## {}\n", markdown(section.title)),
            Self::Csv => String::new(),
            Self::Latex => format!("\\section*{{{}}}\n", latex(section.title)),
        };
        for table in &section.tables {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&self.table(table));
        }
        out
    }

    /// One table, ending in a line feed.
    pub fn table(self, table: &Table) -> String {
        match self {
            Self::Text => table.to_text(),
            Self::Markdown => as_markdown(table),
            Self::Csv => as_csv(table),
            Self::Latex => as_latex(table),
        }
    }
}

fn as_markdown(table: &Table) -> String {
    let mut out = format!("**{}**\n\n", markdown(&table.title));
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    out.push_str(&line(table.columns.iter().map(|c| markdown(&c.name)).collect()));
    let rule = |numeric: bool| if numeric { "---:" } else { "---" };
    out.push_str(&line(table.columns.iter().map(|c| rule(c.numeric).to_owned()).collect()));
    for row in &table.rows {
        out.push_str(&line(row.iter().map(|cell| markdown(cell)).collect()));
    }
    for note in &table.notes {
        let _ = write!(out, "\n{}\n", markdown(note));
    }
    out
}

/// Nothing in a cell is markup, an entity, or the end of the cell.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    for c in escape(text).chars() {
        match c {
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '#' | '~' | '$' | '!' => {
                out.push('\\');
                out.push(c);
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

fn as_csv(table: &Table) -> String {
    let header = table.columns.iter().map(|column| column.name.to_string()).collect::<Vec<_>>();
    let lines = std::iter::once(&header).chain(&table.rows);
    lines.fold(String::new(), |mut out, row| {
        let cells: Vec<String> = row.iter().map(|cell| csv_cell(cell)).collect();
        let _ = writeln!(out, "{}", cells.join(","));
        out
    })
}

/// Quoted where it must be. A text that a spreadsheet would run as a formula starts with an
/// apostrophe; numbers stay numbers.
fn csv_cell(cell: &str) -> String {
    let text = escape(cell);
    let formula =
        text.starts_with(['=', '+', '-', '@']) && text.parse::<f64>().is_err() && text.len() > 1;
    let text = if formula { format!("'{text}") } else { text };
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

fn as_latex(table: &Table) -> String {
    let align: String =
        table.columns.iter().map(|column| if column.numeric { 'r' } else { 'l' }).collect();
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
    let mut out = format!("% {}\n\\begin{{tabular}}{{{align}}}\n\\hline\n", escape(&table.title));
    out.push_str(&line(table.columns.iter().map(|c| latex(&c.name)).collect()));
    out.push_str("\\hline\n");
    for row in &table.rows {
        out.push_str(&line(row.iter().map(|cell| latex(cell)).collect()));
    }
    out.push_str("\\hline\n\\end{tabular}\n");
    for note in &table.notes {
        let _ = write!(out, "\n\\emph{{{}}}\n", latex(note));
    }
    out
}

/// No character is a command.
fn latex(text: &str) -> String {
    let mut out = String::new();
    for c in escape(text).chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            // A bracket after a line's end would be read as its argument.
            '[' => out.push_str("{[}"),
            ']' => out.push_str("{]}"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::model::{number, table, text};
    use super::*;

    fn hostile() -> Table {
        let mut table = table("x", "A & B", [text("name"), number("n")]);
        table.rows.push(vec!["a|b <script> \\x {y}_z% $ \u{1b}[31m".into(), "1".into()]);
        table.rows.push(vec!["=cmd(\"x\"),1".into(), "-2".into()]);
        table
    }

    #[test]
    fn no_form_obeys_what_is_in_a_cell() {
        let all: Vec<String> = Form::ALL.iter().map(|form| form.table(&hostile())).collect();
        assert!(all.iter().all(|out| !out.contains('\u{1b}')));
        insta::assert_snapshot!(all.join("\n---\n"));
    }
}
