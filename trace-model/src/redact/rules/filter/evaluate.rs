//! What an expression is worth for a match.

use std::borrow::Cow;

use super::Candidate;
use super::call::call;
use super::node::{Field, Node, Operator, Program};
use super::value::Value;

/// An operand of another kind than the operator takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unfit;

pub(super) type Evaluated<'a> = Result<Value<'a>, Unfit>;

/// Evaluates the definitions in their order, and then the result.
pub(super) fn run<'a>(program: &'a Program, candidate: &'a Candidate<'_>) -> Evaluated<'a> {
    let mut scope = Scope { candidate, defined: Vec::new() };
    for (_, node) in &program.definitions {
        let value = scope.value(node)?;
        scope.defined.push(value);
    }
    scope.value(&program.result)
}

struct Scope<'a> {
    candidate: &'a Candidate<'a>,
    defined: Vec<Value<'a>>,
}

impl<'a> Scope<'a> {
    fn value(&self, node: &'a Node) -> Evaluated<'a> {
        Ok(match node {
            Node::Text(text) => Value::Text(Cow::Borrowed(text)),
            Node::Integer(number) => Value::Integer(*number),
            Node::Float(number) => Value::Float(*number),
            Node::Defined(place) => self.defined.get(*place).cloned().ok_or(Unfit)?,
            Node::Finding(field) => self.field(*field),
            Node::Attribute => Value::Nothing,
            Node::Call(function, arguments) => {
                let values: Result<Vec<_>, _> = arguments.iter().map(|it| self.value(it)).collect();
                call(*function, values?)?
            }
            Node::MatchesAny(of, patterns) => match self.value(of)? {
                Value::Text(text) => Value::Bool(patterns.is_match(&text)),
                _ => Value::Bool(false),
            },
            Node::ContainsAny(of, terms) => match self.value(of)? {
                Value::Text(text) => Value::Bool(terms.occur(&text)),
                _ => Value::Bool(false),
            },
            Node::FindMatch(of, patterns) => {
                let value = self.value(of)?;
                let text = value.text();
                let found = patterns.find(text).map_or("", |range| &text[range]);
                Value::Text(Cow::Owned(found.to_owned()))
            }
            Node::Not(of) => Value::Bool(!self.bool(of)?),
            Node::Operation(Operator::Or, left, right) => {
                Value::Bool(self.bool(left)? || self.bool(right)?)
            }
            Node::Operation(Operator::And, left, right) => {
                Value::Bool(self.bool(left)? && self.bool(right)?)
            }
            Node::Operation(operator, left, right) => {
                operate(*operator, self.value(left)?, &self.value(right)?)?
            }
            Node::Either { condition, yes, no } => {
                self.value(if self.bool(condition)? { yes } else { no })?
            }
            Node::Item(of, at) => item(self.value(of)?, &self.value(at)?)?,
            Node::Slice { of, start, end } => {
                let (start, end) = (self.bound(start.as_deref())?, self.bound(end.as_deref())?);
                slice(self.value(of)?, start, end)?
            }
        })
    }

    fn bool(&self, node: &'a Node) -> Result<bool, Unfit> {
        if let Value::Bool(value) = self.value(node)? { Ok(value) } else { Err(Unfit) }
    }

    fn bound(&self, node: Option<&'a Node>) -> Result<Option<i64>, Unfit> {
        match node.map(|node| self.value(node)).transpose()? {
            Some(Value::Integer(at)) => Ok(Some(at)),
            Some(_) => Err(Unfit),
            None => Ok(None),
        }
    }

    fn field(&self, field: Field) -> Value<'a> {
        let candidate = self.candidate;
        match field {
            Field::Secret => Value::lossy(candidate.secret),
            Field::Match => Value::lossy(candidate.matched),
            Field::Line => Value::lossy(candidate.line()),
            Field::Text => Value::Text(Cow::Borrowed(candidate.text)),
            Field::Start => Value::size(candidate.start),
            Field::End => Value::size(candidate.end),
            Field::LineStart => Value::size(candidate.line_start()),
            Field::LineEnd => Value::size(candidate.line_end()),
        }
    }
}

fn operate<'a>(operator: Operator, left: Value<'a>, right: &Value<'a>) -> Evaluated<'a> {
    match operator {
        Operator::Add => add(left, right),
        Operator::Subtract => match (left, right) {
            (Value::Integer(left), Value::Integer(right)) => {
                Ok(Value::Integer(left.wrapping_sub(*right)))
            }
            _ => Err(Unfit),
        },
        Operator::Equal => Ok(Value::Bool(numbers(&left, right)?.is_eq())),
        Operator::NotEqual => Ok(Value::Bool(numbers(&left, right)?.is_ne())),
        Operator::Less => Ok(Value::Bool(numbers(&left, right)?.is_lt())),
        Operator::LessOrEqual => Ok(Value::Bool(numbers(&left, right)?.is_le())),
        Operator::Greater => Ok(Value::Bool(numbers(&left, right)?.is_gt())),
        Operator::GreaterOrEqual => Ok(Value::Bool(numbers(&left, right)?.is_ge())),
        // Evaluated before its right operand is.
        Operator::Or | Operator::And => Err(Unfit),
    }
}

fn add<'a>(left: Value<'a>, right: &Value<'a>) -> Evaluated<'a> {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => {
            Ok(Value::Integer(left.wrapping_add(*right)))
        }
        (Value::Text(left), Value::Text(right)) => {
            Ok(Value::Text(Cow::Owned(left.into_owned() + right)))
        }
        _ => Err(Unfit),
    }
}

/// How two numbers compare.
#[expect(clippy::cast_precision_loss, reason = "no length is that great")]
fn numbers(left: &Value<'_>, right: &Value<'_>) -> Result<std::cmp::Ordering, Unfit> {
    let float = |value: &Value<'_>| match value {
        Value::Integer(number) => Ok(*number as f64),
        Value::Float(number) => Ok(*number),
        _ => Err(Unfit),
    };
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => Ok(left.cmp(right)),
        _ => float(left)?.partial_cmp(&float(right)?).ok_or(Unfit),
    }
}

fn item<'a>(of: Value<'a>, at: &Value<'a>) -> Evaluated<'a> {
    let (Value::List(items), Value::Integer(at)) = (of, at) else { return Err(Unfit) };
    let at = usize::try_from(*at).ok();
    Ok(at.and_then(|at| items.into_iter().nth(at)).unwrap_or(Value::Nothing))
}

fn slice(of: Value<'_>, start: Option<i64>, end: Option<i64>) -> Evaluated<'_> {
    match of {
        Value::List(items) => {
            let (start, end) = bounds(start, end, items.len());
            Ok(Value::List(items.into_iter().take(end).skip(start).collect()))
        }
        Value::Text(Cow::Borrowed(text)) => {
            let (start, end) = bounds(start, end, text.len());
            Ok(Value::lossy(&text.as_bytes()[start..end]))
        }
        Value::Text(Cow::Owned(text)) => {
            let (start, end) = bounds(start, end, text.len());
            let part = String::from_utf8_lossy(&text.as_bytes()[start..end]);
            Ok(Value::Text(Cow::Owned(part.into_owned())))
        }
        _ => Err(Unfit),
    }
}

/// Bounds within what is sliced; negative ones count from its end.
fn bounds(start: Option<i64>, end: Option<i64>, length: usize) -> (usize, usize) {
    let within = |at: i64| {
        let distance = usize::try_from(at.unsigned_abs()).unwrap_or(usize::MAX);
        if at < 0 { length.saturating_sub(distance) } else { distance.min(length) }
    };
    let end = end.map_or(length, within);
    (start.map_or(0, within).min(end), end)
}
