//! Reads formulas in a text: the sides of equations in a fixed order of terms, with their value if they have one.

use std::ops::Range;

use super::quantity::{Tok, Token};

/// One side of an equation, or a formula by itself.
#[derive(Debug, Clone)]
pub(super) struct Side {
    /// The range of its tokens.
    pub tokens: Range<usize>,
    /// The summands with their signs, sorted.
    pub terms: Vec<String>,
    /// The value, or `None` if the side has a name in it or makes no sense.
    pub value: Option<f64>,
    /// The values for several samples of the variables. Empty if they cannot be computed.
    values: Vec<f64>,
    pub operators: usize,
    pub has_name: bool,
}

impl Side {
    /// Whether it has a name, and more than that: `2(x + 10)`, `cos x`, `3x`.
    pub(super) fn is_formula(&self) -> bool {
        self.has_name && self.tokens.len() > 1
    }

    /// Whether two formulas are equal, however they are written: they have the same terms or the same values.
    pub(super) fn is_same(&self, other: &Side) -> bool {
        let near = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-6 * one.abs().max(1.0);
        let have_values = !self.values.is_empty() && self.values.len() == other.values.len();
        self.terms == other.terms || have_values && self.values.iter().zip(&other.values).all(near)
    }

    /// Returns the number of brackets that are multiplied. A sum has none.
    pub(super) fn factors(&self) -> usize {
        if self.terms.len() == 1 { self.terms[0].matches('(').count() } else { 0 }
    }
}

pub(super) fn sides(tokens: &[Token]) -> Vec<Side> {
    let mut sides = Vec::new();
    let mut start = 0;
    for at in 0..=tokens.len() {
        if tokens.get(at).is_some_and(is_mathematical) {
            continue;
        }
        let run = trimmed(tokens, start..at);
        if tokens[run.clone()].iter().any(|token| matches!(token.tok, Tok::Number(_) | Tok::Name(_))) {
            sides.push(side(tokens, run));
        }
        start = at + 1;
    }
    sides
}

fn is_mathematical(token: &Token) -> bool {
    matches!(token.tok, Tok::Number(_) | Tok::Name(_) | Tok::Op(_) | Tok::Open | Tok::Close)
}

/// Returns the run without operators at its ends and without brackets around words.
fn trimmed(tokens: &[Token], mut run: Range<usize>) -> Range<usize> {
    let opens =
        |run: &Range<usize>| tokens[run.clone()].iter().filter(|token| token.tok == Tok::Open).count();
    let closes =
        |run: &Range<usize>| tokens[run.clone()].iter().filter(|token| token.tok == Tok::Close).count();
    while !run.is_empty() {
        let (first, last) = (&tokens[run.start].tok, &tokens[run.end - 1].tok);
        let is_sign = matches!(first, Tok::Op('+' | '-')) && run.len() > 1;
        if matches!(first, Tok::Op(_)) && !is_sign
            || *first == Tok::Close
            || *first == Tok::Open && opens(&run) > closes(&run)
        {
            run.start += 1;
        } else if matches!(last, Tok::Op(_) | Tok::Open) || *last == Tok::Close && closes(&run) > opens(&run)
        {
            run.end -= 1;
        } else {
            break;
        }
    }
    run
}

fn side(tokens: &[Token], run: Range<usize>) -> Side {
    let inner = &tokens[run.clone()];
    let has_name = inner.iter().any(|token| matches!(token.tok, Tok::Name(_)));
    let operators = inner.iter().filter(|token| matches!(token.tok, Tok::Op(_))).count();
    let evaluate = |sample: usize| Evaluation { tokens: inner, at: 0, sample }.all();
    let value = if has_name { None } else { evaluate(0) };
    let values: Option<Vec<f64>> = (0..SAMPLES).map(evaluate).collect();
    Side { terms: terms(inner), value, values: values.unwrap_or_default(), operators, has_name, tokens: run }
}

/// Returns the summands, normalised: `3x² − 7x` and `−7·x + 3·x²` have the same.
fn terms(tokens: &[Token]) -> Vec<String> {
    let (mut terms, mut factors) = (Vec::new(), Vec::new());
    let (mut sign, mut depth) = ('+', 0);
    for (at, token) in tokens.iter().enumerate() {
        let is_binary = at > 0 && !matches!(tokens[at - 1].tok, Tok::Op(_));
        match &token.tok {
            Tok::Op(op @ ('+' | '-')) if depth == 0 && (is_binary || at == 0) => {
                close(&mut terms, &mut factors, sign);
                sign = *op;
                continue;
            }
            Tok::Open => depth += 1,
            Tok::Close => depth -= 1,
            _ => {}
        }
        push(&mut factors, &token.tok, depth > 0 || token.tok == Tok::Close);
    }
    close(&mut terms, &mut factors, sign);
    terms.sort();
    terms
}

/// Adds a token to the factors of a term. Bracketed tokens and powers belong to the factor before them.
fn push(factors: &mut Vec<String>, tok: &Tok, is_inside: bool) {
    let letters = match tok {
        Tok::Number(number) => number.value.to_string(),
        Tok::Name(name) => name.clone(),
        Tok::Op('*') => return,
        Tok::Op(op) => op.to_string(),
        Tok::Open => "(".into(),
        Tok::Close => ")".into(),
        Tok::Equals | Tok::Word(_) | Tok::Stop => return,
    };
    let is_open = |factor: &String| {
        factor.ends_with(['^', '/']) || factor.matches('(').count() > factor.matches(')').count()
    };
    match factors.last_mut() {
        Some(last) if is_open(last) || letters == "^" || (is_inside && is_open(last)) => *last += &letters,
        _ => factors.push(letters),
    }
}

fn close(terms: &mut Vec<String>, factors: &mut Vec<String>, sign: char) {
    if !factors.is_empty() {
        factors.sort();
        terms.push(format!("{sign}{}", factors.join("·")));
        factors.clear();
    }
}

/// An evaluation of arithmetic with the usual precedence.
struct Evaluation<'t> {
    tokens: &'t [Token],
    at: usize,
    /// The index of the sample of values for the names.
    sample: usize,
}

const SAMPLES: usize = 3;

/// The depth of brackets beyond which nothing is read.
const MAX_DEPTH: usize = 16;

impl Evaluation<'_> {
    fn all(mut self) -> Option<f64> {
        let value = self.sum(0)?;
        (self.at == self.tokens.len() && value.is_finite()).then_some(value)
    }

    fn op(&mut self, wanted: &str) -> Option<char> {
        match self.tokens.get(self.at)?.tok {
            Tok::Op(op) if wanted.contains(op) => {
                self.at += 1;
                Some(op)
            }
            _ => None,
        }
    }

    fn sum(&mut self, depth: usize) -> Option<f64> {
        let mut value = self.product(depth)?;
        while let Some(op) = self.op("+-") {
            let next = self.product(depth)?;
            value = if op == '+' { value + next } else { value - next };
        }
        Some(value)
    }

    fn product(&mut self, depth: usize) -> Option<f64> {
        let mut value = self.power(depth)?;
        loop {
            let follows = self.tokens.get(self.at).map(|token| &token.tok);
            let is_beside = matches!(follows, Some(Tok::Open | Tok::Name(_)));
            value = match self.op("*/") {
                Some('/') => value / self.power(depth)?,
                Some(_) => value * self.power(depth)?,
                None if is_beside => value * self.power(depth)?,
                None => return Some(value),
            };
        }
    }

    fn power(&mut self, depth: usize) -> Option<f64> {
        if depth > MAX_DEPTH {
            return None;
        }
        let base = self.atom(depth)?;
        match self.op("^") {
            Some(_) => Some(base.powf(self.atom(depth)?)),
            None => Some(base),
        }
    }

    fn atom(&mut self, depth: usize) -> Option<f64> {
        if depth > MAX_DEPTH {
            return None;
        }
        if self.op("-").is_some() {
            return Some(-self.atom(depth + 1)?);
        }
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        match &token.tok {
            Tok::Number(number) => Some(number.value),
            Tok::Name(name) => self.named(name, depth),
            Tok::Open => {
                let value = self.sum(depth + 1)?;
                let is_closed = self.tokens.get(self.at).is_some_and(|token| token.tok == Tok::Close);
                self.at += 1;
                is_closed.then_some(value)
            }
            _ => None,
        }
    }

    /// Returns the value of a function of the tokens that follow, or of a variable: a number between 1 and 2 that
    /// depends on its letters.
    fn named(&mut self, name: &str, depth: usize) -> Option<f64> {
        let function: fn(f64) -> f64 = match name.to_lowercase().as_str() {
            "sin" => f64::sin,
            "cos" => f64::cos,
            "tan" => f64::tan,
            "exp" => f64::exp,
            "ln" | "log" => f64::ln,
            "sqrt" => f64::sqrt,
            letters => {
                let letters =
                    letters.bytes().fold(7, |all: usize, byte| (all * 31 + usize::from(byte)) % 9_973);
                return Some(1.0 + ((letters + self.sample * 37) % 97) as f64 / 97.0);
            }
        };
        Some(function(self.power(depth + 1)?))
    }
}
