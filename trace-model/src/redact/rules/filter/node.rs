//! A compiled expression.

use super::patterns::{Patterns, Terms};

/// Definitions and the expression that uses them.
#[derive(Debug)]
pub(in super::super) struct Program {
    pub(super) definitions: Vec<(String, Node)>,
    pub(super) result: Node,
}

#[derive(Debug)]
pub(super) enum Node {
    Text(String),
    Integer(i64),
    Float(f64),
    /// The place of a definition.
    Defined(usize),
    Finding(Field),
    /// What is known of a file. A text is no file.
    Attribute,
    Call(Function, Vec<Node>),
    MatchesAny(Box<Node>, Patterns),
    ContainsAny(Box<Node>, Terms),
    FindMatch(Box<Node>, Patterns),
    Not(Box<Node>),
    Operation(Operator, Box<Node>, Box<Node>),
    Either {
        condition: Box<Node>,
        yes: Box<Node>,
        no: Box<Node>,
    },
    Item(Box<Node>, Box<Node>),
    Slice {
        of: Box<Node>,
        start: Option<Box<Node>>,
        end: Option<Box<Node>>,
    },
}

/// What an expression may ask of a match.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    Secret,
    Match,
    /// The lines that it is on.
    Line,
    /// The whole text.
    Text,
    Start,
    End,
    LineStart,
    LineEnd,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Function {
    Entropy,
    FailsTokenEfficiency,
    Join,
    Length,
    Max,
    Min,
    SetConfidence,
    Split,
    TokenRatio,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
}

impl Field {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "secret" => Self::Secret,
            "match" => Self::Match,
            "line" => Self::Line,
            "fragment_raw" => Self::Text,
            "match_start_idx" => Self::Start,
            "match_end_idx" => Self::End,
            "match_line_start_idx" => Self::LineStart,
            "match_line_end_idx" => Self::LineEnd,
            _ => return None,
        })
    }
}

impl Function {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "entropy" => Self::Entropy,
            "failsTokenEfficiency" => Self::FailsTokenEfficiency,
            "join" => Self::Join,
            "len" => Self::Length,
            "max" => Self::Max,
            "min" => Self::Min,
            "setConfidence" => Self::SetConfidence,
            "split" => Self::Split,
            "tokenRatio" => Self::TokenRatio,
            _ => return None,
        })
    }
}

impl Operator {
    /// What is written, and how tightly it binds. All bind to the left.
    pub(super) fn written(symbol: &str) -> Option<(Self, u8)> {
        Some(match symbol {
            "||" => (Self::Or, 1),
            "&&" => (Self::And, 2),
            "==" => (Self::Equal, 3),
            "!=" => (Self::NotEqual, 3),
            "<" => (Self::Less, 3),
            "<=" => (Self::LessOrEqual, 3),
            ">" => (Self::Greater, 3),
            ">=" => (Self::GreaterOrEqual, 3),
            "+" => (Self::Add, 4),
            "-" => (Self::Subtract, 4),
            _ => return None,
        })
    }
}
