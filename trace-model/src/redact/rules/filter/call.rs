//! The functions of the language.

use std::borrow::Cow;

use super::super::{efficiency, entropy};
use super::evaluate::{Evaluated, Unfit};
use super::node::Function;
use super::value::Value;

pub(super) fn call(function: Function, arguments: Vec<Value<'_>>) -> Evaluated<'_> {
    match function {
        Function::Entropy => Ok(Value::Float(entropy::shannon(first(&arguments).as_bytes()))),
        Function::FailsTokenEfficiency => {
            Ok(Value::Bool(efficiency::reads_well(first(&arguments))))
        }
        Function::TokenRatio => {
            Ok(Value::Float(efficiency::ratio(first(&arguments)).unwrap_or_default()))
        }
        Function::Join => join(&arguments),
        Function::Length => Ok(length(arguments.first())),
        Function::Max => extreme(&arguments, Iterator::max),
        Function::Min => extreme(&arguments, Iterator::min),
        Function::Split => split(&arguments),
        // How sure a rule is decides nothing here.
        Function::SetConfidence => Ok(arguments.into_iter().next().unwrap_or(Value::Nothing)),
    }
}

fn first<'v>(arguments: &'v [Value<'_>]) -> &'v str {
    arguments.first().map_or("", Value::text)
}

/// Bytes of a text, items of a list.
fn length<'a>(of: Option<&Value<'a>>) -> Value<'a> {
    Value::size(match of {
        Some(Value::Text(text)) => text.len(),
        Some(Value::List(items)) => items.len(),
        _ => 0,
    })
}

fn extreme<'a>(
    arguments: &[Value<'a>],
    choose: fn(std::vec::IntoIter<i64>) -> Option<i64>,
) -> Evaluated<'a> {
    let integers = arguments.iter().map(|value| match value {
        Value::Integer(number) => Ok(*number),
        _ => Err(Unfit),
    });
    let integers: Vec<i64> = integers.collect::<Result<_, _>>()?;
    choose(integers.into_iter()).map(Value::Integer).ok_or(Unfit)
}

fn split<'a>(arguments: &[Value<'a>]) -> Evaluated<'a> {
    let [Value::Text(text), Value::Text(separator)] = arguments else { return Err(Unfit) };
    let parts: Vec<Value<'a>> = match text {
        Cow::Borrowed(text) => {
            text.split(&**separator).map(|part| Value::Text(Cow::Borrowed(part))).collect()
        }
        Cow::Owned(text) => {
            let parts = text.split(&**separator);
            parts.map(|part| Value::Text(Cow::Owned(part.to_owned()))).collect()
        }
    };
    Ok(Value::List(parts))
}

fn join<'a>(arguments: &[Value<'a>]) -> Evaluated<'a> {
    let [Value::List(items), Value::Text(separator)] = arguments else { return Err(Unfit) };
    let texts = items.iter().map(|item| match item {
        Value::Text(text) => Ok(&**text),
        _ => Err(Unfit),
    });
    let texts: Vec<&str> = texts.collect::<Result<_, _>>()?;
    Ok(Value::Text(Cow::Owned(texts.join(separator))))
}
