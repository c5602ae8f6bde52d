//! From words to an expression.

use super::lexer::{Token, Unreadable, tokens};
use super::node::{Field, Function, Node, Operator, Program};
use super::patterns::{Patterns, Terms};

type Parsed = Result<Node, Unreadable>;

/// Reads `let` definitions and the expression after them.
pub(super) fn parse(source: &str) -> Result<Program, Unreadable> {
    let mut parser = Parser { tokens: tokens(source)?.into_iter().peekable(), names: Vec::new() };
    let mut definitions = Vec::new();
    while parser.takes_name("let") {
        let name = parser.name()?;
        parser.symbol("=")?;
        let value = parser.expression()?;
        parser.symbol(";")?;
        parser.names.push(name.clone());
        definitions.push((name, value));
    }
    let result = parser.expression()?;
    if parser.tokens.next().is_some() {
        return Err(Unreadable);
    }
    Ok(Program { definitions, result })
}

struct Parser {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    /// What is defined so far.
    names: Vec<String>,
}

impl Parser {
    fn expression(&mut self) -> Parsed {
        let condition = self.operation(0)?;
        if !self.takes("?") {
            return Ok(condition);
        }
        let yes = self.expression()?;
        self.symbol(":")?;
        let no = self.expression()?;
        let [condition, yes, no] = [condition, yes, no].map(Box::new);
        Ok(Node::Either { condition, yes, no })
    }

    /// Operands joined by operators that bind more tightly than the one before them.
    fn operation(&mut self, outside: u8) -> Parsed {
        let mut left = self.operand()?;
        while let Some(Token::Symbol(symbol)) = self.tokens.peek() {
            let Some((operator, binds)) = Operator::written(symbol) else { break };
            if binds <= outside {
                break;
            }
            self.tokens.next();
            let right = self.operation(binds)?;
            left = Node::Operation(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operand(&mut self) -> Parsed {
        if self.takes("!") {
            return Ok(Node::Not(Box::new(self.operand()?)));
        }
        let mut node = self.term()?;
        while self.takes("[") {
            node = self.brackets(node)?;
        }
        Ok(node)
    }

    fn term(&mut self) -> Parsed {
        match self.tokens.next().ok_or(Unreadable)? {
            Token::Text(text) => Ok(Node::Text(text)),
            Token::Integer(number) => Ok(Node::Integer(number)),
            Token::Float(number) => Ok(Node::Float(number)),
            Token::Symbol("(") => {
                let inside = self.expression()?;
                self.symbol(")")?;
                Ok(inside)
            }
            Token::Symbol(_) => Err(Unreadable),
            Token::Name(name) if self.takes("(") => self.call(&name),
            Token::Name(name) if name == "finding" => {
                let field = Field::named(&self.key()?).ok_or(Unreadable)?;
                Ok(Node::Finding(field))
            }
            Token::Name(name) if name == "attributes" => self.key().map(|_| Node::Attribute),
            Token::Name(name) => {
                let place = self.names.iter().rposition(|known| *known == name);
                Ok(Node::Defined(place.ok_or(Unreadable)?))
            }
        }
    }

    /// `["secret"]`
    fn key(&mut self) -> Result<String, Unreadable> {
        self.symbol("[")?;
        let key = self.text()?;
        self.symbol("]")?;
        Ok(key)
    }

    /// An item or a part of what stands before the bracket.
    fn brackets(&mut self, of: Node) -> Parsed {
        let of = Box::new(of);
        let start = if self.takes(":") {
            None
        } else {
            let first = Box::new(self.expression()?);
            if self.takes("]") {
                return Ok(Node::Item(of, first));
            }
            self.symbol(":")?;
            Some(first)
        };
        let end = if self.takes("]") {
            None
        } else {
            let end = self.expression()?;
            self.symbol("]")?;
            Some(Box::new(end))
        };
        Ok(Node::Slice { of, start, end })
    }

    /// A call, after its opening bracket.
    fn call(&mut self, name: &str) -> Parsed {
        let first = self.expression()?;
        let node = match name {
            "matchesAny" => Node::MatchesAny(Box::new(first), Patterns::new(self.list_after()?)),
            "containsAny" => Node::ContainsAny(Box::new(first), Terms::new(self.list_after()?)),
            "findMatch" => {
                self.symbol(",")?;
                Node::FindMatch(Box::new(first), Patterns::new(vec![self.text()?]))
            }
            _ => {
                let mut arguments = vec![first];
                while self.takes(",") {
                    arguments.push(self.expression()?);
                }
                Node::Call(Function::named(name).ok_or(Unreadable)?, arguments)
            }
        };
        self.symbol(")")?;
        Ok(node)
    }

    /// A comma and a list of texts.
    fn list_after(&mut self) -> Result<Vec<String>, Unreadable> {
        self.symbol(",")?;
        self.symbol("[")?;
        let mut texts = Vec::new();
        while !self.takes("]") {
            texts.push(self.text()?);
            if !self.takes(",") {
                self.symbol("]")?;
                break;
            }
        }
        Ok(texts)
    }

    fn name(&mut self) -> Result<String, Unreadable> {
        if let Some(Token::Name(name)) = self.tokens.next() { Ok(name) } else { Err(Unreadable) }
    }

    fn text(&mut self) -> Result<String, Unreadable> {
        if let Some(Token::Text(text)) = self.tokens.next() { Ok(text) } else { Err(Unreadable) }
    }

    fn symbol(&mut self, symbol: &'static str) -> Result<(), Unreadable> {
        if self.takes(symbol) { Ok(()) } else { Err(Unreadable) }
    }

    fn takes(&mut self, symbol: &'static str) -> bool {
        self.tokens.next_if(|token| *token == Token::Symbol(symbol)).is_some()
    }

    fn takes_name(&mut self, name: &str) -> bool {
        self.tokens.next_if(|token| matches!(token, Token::Name(it) if it == name)).is_some()
    }
}
