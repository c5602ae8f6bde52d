//! A text as numbers, words and the marks between them. A sign that is not known here (`%`, `$`, `≥`, `?`,
//! a minus) makes the whole text unreadable, so that no number is taken out of what says something else.

use rust_decimal::Decimal;

use super::text::{composed, straight};
use super::words;

/// What a text is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A number, in digits or in words, and how many decimals it is given with.
    Number(Decimal, u32),
    /// `H:MM:SS`, in seconds; or `MM:SS`, which may be hours and minutes.
    Clock(u64, Clock),
    /// A word in lower case.
    Word(String),
    /// A mark between parts: one of `( ) , ; : = - . /`
    Mark(char),
    /// A sign that what follows is near and not exact.
    Near,
}

/// How a clock's time is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clock {
    /// With hours.
    Full,
    /// Two numbers, taken as minutes and seconds.
    Short,
}

/// White space allowed between groups of three digits: ordinary, no-break, figure, thin, narrow.
const GROUPING: &str = " \u{a0}\u{2007}\u{2009}\u{200a}\u{202f}";

/// The parts of a text; none if it holds a sign that is not known.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let text = straight(&composed(text)).to_lowercase();
    let mut lexer = Lexer { chars: text.chars().collect(), at: 0, found: Vec::new() };
    while lexer.at < lexer.chars.len() {
        lexer.step()?;
    }
    Some(with_words_read(&lexer.found))
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    found: Vec<Token>,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn digits_at(&self, from: usize) -> usize {
        self.chars[from.min(self.chars.len())..].iter().take_while(|it| it.is_ascii_digit()).count()
    }

    fn step(&mut self) -> Option<()> {
        let char = self.peek(0)?;
        let next = self.peek(1);
        let is_digit = |char: Option<char>| char.is_some_and(|char| char.is_ascii_digit());
        match char {
            char if char.is_ascii_digit() => return self.number(),
            char if char.is_alphabetic() => self.word(),
            char if char.is_whitespace() => self.at += 1,
            '*' | '`' | '"' | '\'' | '_' if !is_digit(next) || !self.after_digit() => self.at += 1,
            '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' | ':' | '=' | '!' => {
                self.found.push(mark(char));
                self.at += 1;
            }
            // ".5" and "..." do not end a sentence.
            '.' if !is_digit(next) && next != Some('.') => {
                self.found.push(Token::Mark('.'));
                self.at += 1;
            }
            // Between two that say the same; without spaces it is a share.
            '/' if next == Some(' ') && self.after_space() => {
                self.found.push(Token::Mark('/'));
                self.at += 1;
            }
            '~' | '\u{2248}' | '\u{223c}' | '\u{2245}' => {
                self.found.push(Token::Near);
                self.at += 1;
            }
            '\u{d7}' if matches!(self.found.last(), Some(Token::Number(..))) => {
                self.found.push(Token::Word("times".to_owned()));
                self.at += 1;
            }
            '+' if self.found.is_empty() && is_digit(next) => self.at += 1,
            '#' if self.found.is_empty() => {
                self.at += self.chars[self.at..].iter().take_while(|char| **char == '#').count();
                self.peek(0).filter(|char| *char == ' ')?;
            }
            '-' | '\u{2010}'..='\u{2015}' => return self.dash(),
            _ => return None,
        }
        Some(())
    }

    fn after_space(&self) -> bool {
        self.at > 0 && self.chars[self.at - 1] == ' '
    }

    fn after_digit(&self) -> bool {
        self.at > 0 && self.chars[self.at - 1].is_ascii_digit()
    }

    /// A dash is a minus or a range unless it stands after a word, or joins a number to its noun.
    fn dash(&mut self) -> Option<()> {
        let is_space = |char: Option<&char>| char.is_some_and(|char| char.is_whitespace());
        let before = self.at.checked_sub(1).and_then(|at| self.chars.get(at));
        let next = self.peek(1);
        if before.is_some_and(char::is_ascii_digit) && next?.is_alphabetic() {
            self.at += 1;
            return Some(());
        }
        let says = self.found.iter().rev().find(|token| **token != Token::Mark(')'));
        let spaced = is_space(before) && is_space(next.as_ref());
        let joined =
            self.peek(0) == Some('\u{2014}') && before.is_some_and(|it| it.is_alphabetic());
        let closed = self.found.last() == Some(&Token::Mark(')'));
        let follows = matches!(says, Some(Token::Word(_))) || closed;
        // Between a number and a word ("3 — three turns") it cannot be a range.
        let rest = &self.chars[self.at + 1..];
        let to_word =
            rest.iter().find(|it| !it.is_whitespace()).is_some_and(|it| it.is_alphabetic());
        let explained = spaced && to_word && matches!(says, Some(Token::Number(..)));
        if (!(spaced || joined) || !follows || rest.iter().all(|it| it.is_whitespace()))
            && !explained
        {
            return None;
        }
        self.found.push(Token::Mark('-'));
        self.at += 1;
        Some(())
    }

    fn word(&mut self) {
        let rest = &self.chars[self.at..];
        // "24m46s": what stands right behind a number ends before the next one.
        let behind = self.after_digit();
        let is_part = |char: &&char| {
            if behind {
                char.is_alphabetic()
            } else {
                char.is_alphanumeric() || "_-./'".contains(**char)
            }
        };
        let word: String = rest.iter().take_while(is_part).collect();
        let word = word.trim_end_matches(['.', '-', '/', '\'', '_']);
        self.at += word.chars().count();
        let letters = word.chars().all(|char| char.is_alphabetic() || "-_'".contains(char));
        if letters {
            let parts = word.split(['-', '_']).filter(|part| !part.is_empty());
            self.found.extend(parts.map(|part| Token::Word(part.to_owned())));
        } else {
            self.found.push(Token::Word(word.to_owned()));
        }
    }

    fn number(&mut self) -> Option<()> {
        if let Some(clock) = self.clock() {
            self.found.push(clock);
            return Some(());
        }
        let mut length = self.digits_at(self.at);
        let mut digits: String = self.chars[self.at..self.at + length].iter().collect();
        self.at += length;
        let groups = length <= 3 && !digits.starts_with('0');
        let mut separator = None;
        while let Some(char) = self.peek(0) {
            let is_group = ",_'".contains(char) || GROUPING.contains(char);
            length = self.digits_at(self.at + 1);
            if !is_group || length == 0 {
                break;
            }
            if length != 3 || !groups || separator.is_some_and(|known| known != char) {
                // "1,23" is not a number; "3 12" is two.
                if GROUPING.contains(char) {
                    break;
                }
                return None;
            }
            separator = Some(char);
            digits.extend(&self.chars[self.at + 1..self.at + 4]);
            self.at += 4;
        }
        let mut decimals = 0;
        if self.peek(0) == Some('.') && self.digits_at(self.at + 1) > 0 {
            length = self.digits_at(self.at + 1);
            digits.extend(&self.chars[self.at..=self.at + length]);
            self.at += 1 + length;
            decimals = u32::try_from(length).ok()?;
            // A version, or a date.
            if self.peek(0) == Some('.') && self.digits_at(self.at + 1) > 0 {
                return None;
            }
        }
        let value: Decimal = digits.parse().ok()?;
        self.found.push(Token::Number(value.normalize(), decimals));
        Some(())
    }

    /// `H:MM:SS` or `MM:SS`.
    fn clock(&mut self) -> Option<Token> {
        let first = self.digits_at(self.at);
        let number = |from: usize, length: usize| -> Option<u64> {
            self.chars.get(from..from + length)?.iter().collect::<String>().parse().ok()
        };
        let pair = |from: usize| {
            let is_pair = self.chars.get(from) == Some(&':') && self.digits_at(from + 1) == 2;
            is_pair.then(|| number(from + 1, 2)).flatten().filter(|it| *it < 60)
        };
        let high = number(self.at, first)?;
        let mid = pair(self.at + first)?;
        let (token, length) = match pair(self.at + first + 3) {
            Some(low) => {
                let hours = high.checked_mul(3600)?;
                (Token::Clock(hours.checked_add(60 * mid + low)?, Clock::Full), first + 6)
            }
            None => {
                (Token::Clock(high.checked_mul(60)?.checked_add(mid)?, Clock::Short), first + 3)
            }
        };
        if self.chars.get(self.at + length) == Some(&':') {
            return None;
        }
        self.at += length;
        Some(token)
    }
}

fn mark(char: char) -> Token {
    Token::Mark(match char {
        '[' | '{' => '(',
        ']' | '}' => ')',
        '!' => '.',
        char => char,
    })
}

/// The same with numbers in words read.
fn with_words_read(tokens: &[Token]) -> Vec<Token> {
    let mut read = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let words = tokens[at..].iter().map_while(|token| match token {
            Token::Word(word) => Some(word.as_str()),
            _ => None,
        });
        if let Some((value, taken)) = words::number(&words.take(16).collect::<Vec<_>>()) {
            read.push(Token::Number(value, 0));
            at += taken;
        } else {
            read.push(tokens[at].clone());
            at += 1;
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_in_many_ways() {
        for text in [
            "1486",
            "1,486",
            "1\u{202f}486",
            "1\u{2009}486",
            "1\u{a0}486",
            "1 486",
            "1_486",
            "1'486",
            "1\u{2019}486",
            "1486.0",
            "+1486",
            "**1486**",
            "`1,486`.",
        ] {
            let found = tokens(text).unwrap();
            let number = Token::Number(Decimal::from(1486), u32::from(text == "1486.0"));
            assert_eq!(found.first(), Some(&number), "{text}");
        }
    }

    #[test]
    fn unknown_signs_make_a_text_unreadable() {
        for text in [
            "\u{2265}3",
            "3%",
            "$3",
            "3\u{20ac}",
            "-3",
            "\u{2212}3",
            "\u{2013}3",
            "3-4",
            "3+",
            "3?",
            "<3",
            "3/4",
            "1,23",
            "1.2.3",
            "- 3",
            "3 -",
            "\u{b1}3",
            "#3",
            "3\u{2026}",
            "3\u{b0}",
            "1,486,2",
        ] {
            assert_eq!(tokens(text), None, "{text}");
        }
    }
}
