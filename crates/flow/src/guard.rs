//! Guards: comparisons of counters with constants, and facts, joined by `and`, `or`, `not`.
//!
//! There is no arithmetic, on purpose. A question that a comparison cannot express is a fact that Rust answers.

use crate::yaml::shorten;

/// A guard as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    Or(Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Compare(Term, Op, Term),
    /// A name that stands alone: a fact.
    Ask(String),
    Always(bool),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    Number(i64),
    /// `usage`, `counters.usage`, `required_usages` or `context.required_usages`.
    Name(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
}

impl Op {
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Op::Less => left < right,
            Op::LessOrEqual => left <= right,
            Op::Equal => left == right,
            Op::NotEqual => left != right,
            Op::GreaterOrEqual => left >= right,
            Op::Greater => left > right,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Op::Less => "<",
            Op::LessOrEqual => "<=",
            Op::Equal => "==",
            Op::NotEqual => "!=",
            Op::GreaterOrEqual => ">=",
            Op::Greater => ">",
        }
    }
}

/// An error in a guard, with the byte of its text at which it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardError {
    pub at: usize,
    pub message: String,
    pub cure: String,
}

/// The most tokens of a guard: enough for any that people can read, and few enough to keep recursion shallow.
const MAX_TOKENS: usize = 200;

impl Expr {
    pub fn parse(text: &str) -> Result<Expr, GuardError> {
        let tokens = tokens(text)?;
        if tokens.len() > MAX_TOKENS {
            return Err(GuardError {
                at: 0,
                message: format!("a guard of more than {MAX_TOKENS} words"),
                cure: "ask a fact instead".into(),
            });
        }
        let mut reader = Reader { tokens: &tokens, next: 0, end: text.len() };
        let expr = reader.or()?;
        match reader.peek() {
            None => Ok(expr),
            Some(token) => Err(reader.unexpected(token, "`and`, `or` or the end of the guard")),
        }
    }

    /// Calls `into` with every name in the guard, in order.
    pub fn names(&self, into: &mut impl FnMut(&str)) {
        match self {
            Expr::Or(a, b) | Expr::And(a, b) => {
                a.names(into);
                b.names(into);
            }
            Expr::Not(a) => a.names(into),
            Expr::Compare(a, _, b) => {
                for term in [a, b] {
                    if let Term::Name(name) = term {
                        into(name);
                    }
                }
            }
            Expr::Ask(name) => into(name),
            Expr::Always(_) => {}
        }
    }
}

impl std::fmt::Display for Expr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expr::Or(a, b) => write!(f, "({a} or {b})"),
            Expr::And(a, b) => write!(f, "({a} and {b})"),
            Expr::Not(a) => write!(f, "not {a}"),
            Expr::Compare(a, op, b) => write!(f, "{a} {} {b}", op.as_str()),
            Expr::Ask(name) => f.write_str(name),
            Expr::Always(value) => write!(f, "{value}"),
        }
    }
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Term::Number(number) => write!(f, "{number}"),
            Term::Name(name) => f.write_str(name),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Word {
    Name(String),
    Number(i64),
    Compare(Op),
    And,
    Or,
    Not,
    Open,
    Close,
}

#[derive(Debug, Clone)]
struct Token {
    at: usize,
    text: String,
    word: Word,
}

fn tokens(text: &str) -> Result<Vec<Token>, GuardError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (length, word) = word(&text[at..]).map_err(|(message, cure)| GuardError { at, message, cure })?;
        tokens.push(Token { at, text: text[at..at + length].to_owned(), word });
        at += length;
    }
    Ok(tokens)
}

fn word(rest: &str) -> Result<(usize, Word), (String, String)> {
    const SIGNS: [(&str, Word); 13] = [
        (">=", Word::Compare(Op::GreaterOrEqual)),
        ("<=", Word::Compare(Op::LessOrEqual)),
        ("==", Word::Compare(Op::Equal)),
        ("!=", Word::Compare(Op::NotEqual)),
        ("&&", Word::And),
        ("||", Word::Or),
        (">", Word::Compare(Op::Greater)),
        ("<", Word::Compare(Op::Less)),
        ("!", Word::Not),
        ("(", Word::Open),
        (")", Word::Close),
        ("≥", Word::Compare(Op::GreaterOrEqual)),
        ("≤", Word::Compare(Op::LessOrEqual)),
    ];
    if let Some((sign, word)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return Ok((sign.len(), word.clone()));
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
    let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let text = &rest[..length];
    match text {
        "" => {
            let sign: String = rest.chars().take(1).collect();
            let cure = match sign.as_str() {
                "=" => "compare with `==`",
                "+" | "*" | "/" | "%" => {
                    "a guard has no arithmetic: name the question as a fact and let Rust answer it"
                }
                _ => "write `counters.NAME >= CONSTANT`, a fact, or these joined by and/or/not",
            };
            Err((format!("`{sign}` has no meaning in a guard"), cure.into()))
        }
        "and" => Ok((length, Word::And)),
        "or" => Ok((length, Word::Or)),
        "not" => Ok((length, Word::Not)),
        _ if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => match text.parse() {
            Ok(number) => Ok((length, Word::Number(number))),
            Err(_) => {
                Err((format!("`{}` is not a whole number", shorten(text)), "write whole numbers only".into()))
            }
        },
        _ => Ok((length, Word::Name(text.to_owned()))),
    }
}

struct Reader<'t> {
    tokens: &'t [Token],
    next: usize,
    end: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.next)
    }

    fn accept(&mut self, word: &Word) -> bool {
        let found = self.peek().is_some_and(|token| token.word == *word);
        self.next += usize::from(found);
        found
    }

    fn or(&mut self) -> Result<Expr, GuardError> {
        let mut left = self.and()?;
        while self.accept(&Word::Or) {
            left = Expr::Or(Box::new(left), Box::new(self.and()?));
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expr, GuardError> {
        let mut left = self.not()?;
        while self.accept(&Word::And) {
            left = Expr::And(Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Expr, GuardError> {
        if self.accept(&Word::Not) {
            return Ok(Expr::Not(Box::new(self.not()?)));
        }
        if self.accept(&Word::Open) {
            let inner = self.or()?;
            return match self.peek() {
                Some(Token { word: Word::Close, .. }) => {
                    self.next += 1;
                    Ok(inner)
                }
                Some(token) => Err(self.unexpected(token, "`)`")),
                None => Err(self.ended("`)`")),
            };
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Expr, GuardError> {
        let left = self.term()?;
        let Some(Token { word: Word::Compare(op), .. }) = self.peek() else {
            return match left {
                Term::Name(name) if name == "true" => Ok(Expr::Always(true)),
                Term::Name(name) if name == "false" => Ok(Expr::Always(false)),
                Term::Name(name) => Ok(Expr::Ask(name)),
                Term::Number(_) => Err(self.ended("a comparison such as `>=`")),
            };
        };
        self.next += 1;
        Ok(Expr::Compare(left, *op, self.term()?))
    }

    fn term(&mut self) -> Result<Term, GuardError> {
        let expected = "a counter, a constant, a number or a fact";
        let token = self.peek().ok_or_else(|| self.ended(expected))?;
        let term = match &token.word {
            Word::Name(name) => Term::Name(name.clone()),
            Word::Number(number) => Term::Number(*number),
            _ => return Err(self.unexpected(token, expected)),
        };
        self.next += 1;
        Ok(term)
    }

    fn unexpected(&self, token: &Token, expected: &str) -> GuardError {
        GuardError {
            at: token.at,
            message: format!("`{}` stands where {expected} was expected", shorten(&token.text)),
            cure: "write `counters.NAME >= CONSTANT`, a fact, or these joined by and/or/not".into(),
        }
    }

    fn ended(&self, expected: &str) -> GuardError {
        GuardError {
            at: self.peek().map_or(self.end, |token| token.at),
            message: format!("the guard ends where {expected} was expected"),
            cure: "write `counters.NAME >= CONSTANT`, a fact, or these joined by and/or/not".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_prints() {
        for (text, printed) in [
            ("counters.usage >= required_usages", "counters.usage >= required_usages"),
            ("a and b or not c", "((a and b) or not c)"),
            ("a && (b || !c)", "(a and (b or not c))"),
            ("not usage < 3", "not usage < 3"),
            ("true", "true"),
        ] {
            assert_eq!(Expr::parse(text).unwrap().to_string(), printed);
        }
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for (text, at, cure) in [
            ("usage = 3", 6, "=="),
            ("usage + 1 > 3", 6, "arithmetic"),
            ("usage >=", 8, "write"),
            ("(a or b", 7, "write"),
            ("a b", 2, "write"),
            ("3", 1, "write"),
            ("", 0, "write"),
        ] {
            let error = Expr::parse(text).unwrap_err();
            assert_eq!(error.at, at, "{text}: {error:?}");
            assert!(error.cure.contains(cure), "{text}: {error:?}");
        }
    }
}
