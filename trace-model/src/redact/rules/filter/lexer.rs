//! The words of an expression.

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name; `filter.entropy` and `entropy` are the same.
    Name(String),
    Text(String),
    Integer(i64),
    Float(f64),
    /// An operator, a bracket or a separator.
    Symbol(&'static str),
}

/// Longer ones first.
const SYMBOLS: [&str; 21] = [
    "||", "&&", "==", "!=", "<=", ">=", "<", ">", "!", "+", "-", "?", ":", ";", ",", "(", ")", "[",
    "]", "=", ".",
];

/// Not an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unreadable;

/// All words of an expression, without comments.
pub(super) fn tokens(source: &str) -> Result<Vec<Token>, Unreadable> {
    let mut tokens = Vec::new();
    let mut rest = source.trim_start();
    while !rest.is_empty() {
        if rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
        } else {
            let (token, after) = token(rest)?;
            tokens.push(token);
            rest = after;
        }
        rest = rest.trim_start();
    }
    Ok(tokens)
}

fn token(source: &str) -> Result<(Token, &str), Unreadable> {
    if let Some(rest) = source.strip_prefix('`') {
        let (text, after) = rest.split_once('`').ok_or(Unreadable)?;
        return Ok((Token::Text(text.to_owned()), after));
    }
    if let Some(rest) = source.strip_prefix('"') {
        return quoted(rest);
    }
    if source.starts_with(|first: char| first.is_ascii_digit()) {
        return number(source);
    }
    if source.starts_with(is_of_name) {
        let source = source.strip_prefix("filter.").unwrap_or(source);
        let (name, after) = split(source, is_of_name);
        return Ok((Token::Name(name.to_owned()), after));
    }
    let symbol = SYMBOLS.into_iter().find(|symbol| source.starts_with(symbol)).ok_or(Unreadable)?;
    Ok((Token::Symbol(symbol), &source[symbol.len()..]))
}

/// Text in quotes, whose only escape in the rules is the newline's.
fn quoted(source: &str) -> Result<(Token, &str), Unreadable> {
    let (text, after) = source.split_once('"').ok_or(Unreadable)?;
    let plain = text.replace("\\n", "\n");
    if plain.contains('\\') { Err(Unreadable) } else { Ok((Token::Text(plain), after)) }
}

fn number(source: &str) -> Result<(Token, &str), Unreadable> {
    let (digits, after) = split(source, |it| it.is_ascii_digit() || it == '.');
    let integer = digits.parse().map(Token::Integer);
    let token = integer.or_else(|_| digits.parse().map(Token::Float));
    Ok((token.map_err(|_| Unreadable)?, after))
}

fn is_of_name(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_'
}

fn split(source: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    source.split_at(source.find(|it| !belongs(it)).unwrap_or(source.len()))
}
