//! Finds pieces of programs in a text, in a form that is the same for every programming language.

use std::ops::Range;

/// A statement or an expression.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub role: Role,
    /// The tokens as they were written.
    pub exact: Vec<String>,
    /// The tokens without names, values and differences between languages.
    pub shape: Vec<&'static str>,
    pub at: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Loop,
    Branch,
    Return,
    Update,
    Assign,
    Call,
    /// The head of a function.
    Head,
    /// Part of a statement, such as a sum or a comparison.
    Expression,
    /// An example: values, or a call with values.
    Data,
}

/// Whether a text is a program rather than a worked answer.
pub(super) fn is_program(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let is_line = |line: &&&str| read_line(line, 0).iter().any(|piece| piece.is_statement());
    let code = lines.iter().filter(is_line).count();
    let pieces = pieces_of_program(text);
    let is_body = |piece: &Piece| piece.is_telling() || piece.has_operator();
    code >= 1
        && code * 2 >= lines.len().saturating_sub(2)
        && pieces.iter().any(Piece::is_program)
        && pieces.iter().any(is_body)
}

impl Piece {
    pub(super) fn is_statement(&self) -> bool {
        !matches!(self.role, Role::Expression | Role::Data)
    }

    /// Whether the statement does something, unlike a head or a plain start value.
    pub(super) fn is_telling(&self) -> bool {
        matches!(self.role, Role::Loop | Role::Branch | Role::Return | Role::Update)
    }

    /// Whether the piece marks a program. Mathematics has assignments too, but only programs have heads, loops
    /// and returns.
    fn is_program(&self) -> bool {
        self.is_telling() || self.role == Role::Head
    }

    pub(super) fn has_operator(&self) -> bool {
        self.shape.iter().any(|token| OPERATORS.contains(token))
    }

    /// Returns the names in the piece, without the keywords of languages.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.exact.iter().map(String::as_str).filter(|token| is_name(token) && shaped(token) == Some("v"))
    }
}

/// Returns the pieces of a program.
pub(super) fn pieces_of_program(text: &str) -> Vec<Piece> {
    lines(text).flat_map(|(start, line)| read_line(line, start)).collect()
}

/// Returns the pieces of programs in prose: in fences, in backticks, on lines of their own and in the middle of a
/// sentence.
pub(super) fn pieces_of_prose(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut is_fenced = false;
    for (start, line) in lines(text) {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            is_fenced = !is_fenced;
        } else if is_fenced {
            pieces.extend(read_line(line, start));
        } else {
            pieces.extend(read_prose(line, start));
        }
    }
    pieces
}

fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    })
}

/// Reads a line of prose: text in backticks is code, and the rest is searched for code.
fn read_prose(line: &str, start: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = start;
    for (number, part) in line.split('`').enumerate() {
        if number % 2 == 1 {
            pieces.extend(read_line(part, at));
        } else {
            pieces.extend(runs(&lex(part, true), at));
        }
        at += part.len() + 1;
    }
    pieces
}

/// Reads a line of a program and cuts it into statements.
fn read_line(line: &str, start: usize) -> Vec<Piece> {
    let bare = ["#", "//", "--", "/*", "*"].iter().all(|comment| !line.trim_start().starts_with(comment));
    let tokens = if bare { lex(line, false) } else { Vec::new() };
    let is_for = tokens.first().is_some_and(|token| token.text == "for");
    let is_cut = |token: &Lexeme| match token.text.as_str() {
        ";" => !is_for,
        "{" | "}" => true,
        ":" => token.is_block,
        _ => false,
    };
    tokens.split(is_cut).filter_map(|tokens| piece(tokens, start)).collect()
}

#[derive(Debug, Clone)]
struct Lexeme {
    text: String,
    at: Range<usize>,
    /// Whether it is a colon that opens a block: nothing follows it, or a space and a statement.
    is_block: bool,
}

const SIGNS: &[&str] = &[
    "===", "!==", "//=", "**=", "<<=", ">>=", "...", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=",
    "++", "--", "&&", "||", "->", "=>", ":=", "//", "**", "<<", ">>", "..", "+", "-", "*", "/", "%", "=",
    "<", ">", "!", "&", "|", "^", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "?",
];

/// Splits a line into tokens. In prose, hyphens, slashes and quotes within words are not signs.
fn lex(line: &str, is_prose: bool) -> Vec<Lexeme> {
    let mut lexemes: Vec<Lexeme> = Vec::new();
    let (mut at, mut depth) = (0, 0_i32);
    while at < line.len() {
        let rest = &line[at..];
        let c = rest.chars().next().expect("there is text left");
        let len = if c.is_alphanumeric() || c == '_' {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || (is_prose && matches!(c, '\'' | '’'))))
                .unwrap_or(rest.len())
        } else if matches!(c, '"' | '\'') && !is_prose {
            rest[1..].find(c).map_or(1, |end| end + 2)
        } else {
            SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(c.len_utf8(), |sign| sign.len())
        };
        if !c.is_whitespace() {
            let after = &rest[len..];
            depth += i32::from("([".contains(c)) - i32::from(")]".contains(c));
            let is_block = c == ':' && depth == 0 && (after.trim().is_empty() || after.starts_with(' '));
            let text = if is_prose { spoken(&rest[..len]) } else { &rest[..len] };
            lexemes.push(Lexeme { text: text.to_owned(), at: at..at + len, is_block });
        }
        at += len;
    }
    lexemes
}

/// Returns the sign for a spoken word: "mid plus one" is `mid + 1`.
fn spoken(word: &str) -> &str {
    match word {
        "plus" => "+",
        "minus" => "-",
        "one" => "1",
        _ => word,
    }
}

/// Finds runs of tokens that hang together like code.
fn runs(tokens: &[Lexeme], start: usize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let end = run_end(tokens, at);
        if end > at + 1 {
            let from = run_start(tokens, at);
            pieces.extend(piece(&tokens[from..end], start));
        }
        at = end.max(at + 1);
    }
    pieces
}

/// Returns the end of the run that begins here: operands joined by operators, brackets and points.
fn run_end(tokens: &[Lexeme], start: usize) -> usize {
    let mut at = start;
    let mut depth = 0_usize;
    let mut wants_operand = true;
    let mut end = start;
    while let Some(token) = tokens.get(at) {
        let text = token.text.as_str();
        let is_tight = at > start && tokens[at - 1].at.end == token.at.start;
        let is_followed = tokens.get(at + 1).is_some_and(|next| next.at.start == token.at.end);
        let is_word = |token: Option<&Lexeme>| token.is_some_and(|token| is_word_in_prose(&token.text));
        match text {
            "(" | "[" if wants_operand || is_tight => (depth, wants_operand) = (depth + 1, true),
            ")" | "]" if depth > 0 => (depth, wants_operand) = (depth - 1, false),
            "++" | "--" if !wants_operand => {}
            "," if depth > 0 => wants_operand = true,
            "." if is_tight && is_followed && !wants_operand => wants_operand = true,
            // A mark of emphasis or a pointer has no space behind it; an operator has one on both sides.
            "*" | "&" | "-" if at > start && !is_tight && is_followed && depth == 0 => break,
            "for" | "if" if depth > 0 && !wants_operand => wants_operand = true,
            "-" | "/"
                if is_tight && is_followed && is_word(tokens.get(at - 1)) && is_word(tokens.get(at + 1)) =>
            {
                break;
            }
            "!" | "-" | "&" | "*" if wants_operand && is_followed => {}
            "in" | "and" | "or" | "not" | "else" if depth > 0 => wants_operand = true,
            _ if is_operator(text) && !wants_operand => wants_operand = true,
            _ if is_operand(text) && wants_operand => wants_operand = false,
            _ => break,
        }
        at += 1;
        if depth == 0 && !wants_operand {
            end = at;
        }
    }
    end
}

/// Returns the start of a run with the keywords before it: `while`, `return`, `for i in`.
fn run_start(tokens: &[Lexeme], start: usize) -> usize {
    let word = |back: usize| start.checked_sub(back).map(|at| tokens[at].text.as_str());
    match word(1) {
        Some("in") if word(3) == Some("for") => start - 3,
        Some("in") if word(5) == Some("for") => start - 5,
        Some("if" | "while" | "return" | "elif" | "let" | "const" | "var" | "def" | "fn" | "function") => {
            start - 1
        }
        _ => start,
    }
}

fn is_operator(text: &str) -> bool {
    matches!(
        text,
        "+" | "-" | "*" | "/" | "%" | "//" | "**" | "=" | ":=" | "<" | ">" | "&&" | "||" | "&" | "|" | "^"
    ) || text.len() >= 2 && text.ends_with('=')
        || matches!(text, "<<" | ">>" | "..")
}

fn is_operand(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || c == '_') && !text.contains(['\'', '’'])
}

/// Whether a hyphen or a slash may join this word to another in prose: "two-pointer", "left/right".
fn is_word_in_prose(text: &str) -> bool {
    text.chars().count() > 1 && text.chars().all(char::is_alphabetic)
}

fn piece(tokens: &[Lexeme], start: usize) -> Option<Piece> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    let exact: Vec<String> = tokens.iter().map(|token| token.text.clone()).collect();
    let role = role(&exact)?;
    let shape = shape(&exact);
    Some(Piece { role, exact, shape, at: start + first.at.start..start + last.at.end })
}

fn role(tokens: &[String]) -> Option<Role> {
    let has = |signs: &[&str]| tokens.iter().any(|token| signs.contains(&token.as_str()));
    let first = tokens.first()?.as_str();
    let is_call = tokens.windows(2).any(|pair| is_name(&pair[0]) && pair[1] == "(");
    // "O(n)" is a complexity, not a call.
    if first == "O" || first == "o" {
        return None;
    }
    Some(match first {
        "for" | "while" | "loop" if tokens.len() > 2 => Role::Loop,
        "if" | "elif" | "else" | "match" | "switch" if tokens.len() > 1 => Role::Branch,
        // A starter for the learner returns a constant of the right type.
        "return" if !tokens[1..].iter().any(|token| is_variable(token)) => Role::Data,
        "return" => Role::Return,
        "def" | "fn" | "function" | "pub" | "class" | "struct" | "impl" | "import" | "from" | "use" => {
            Role::Head
        }
        _ if has(&["+=", "-=", "*=", "/=", "//=", "%=", "++", "--"]) => Role::Update,
        _ if has(&["=", ":="]) => assigned(tokens),
        _ if is_call && !calls_with_values(tokens) => Role::Call,
        _ if is_call => Role::Data,
        _ if tokens.len() > 2 && tokens.iter().any(|token| is_name(token)) => Role::Expression,
        _ => return None,
    })
}

/// Returns the role of an assignment: `nums = [2, 7]` is an example, `left = i + 1` is not.
fn assigned(tokens: &[String]) -> Role {
    let right = tokens.iter().skip_while(|token| !matches!(token.as_str(), "=" | ":=")).skip(1);
    let mut is_value = true;
    let mut is_long = false;
    for token in right {
        is_value &= !is_variable(token);
        is_long |= matches!(token.as_str(), "[" | "\"" | "'") || token.starts_with(['"', '\'']);
    }
    if is_value && (tokens.len() > 4 || !is_long) { Role::Data } else { Role::Assign }
}

/// Whether a call has only values as arguments: `two_sum([3, 3], 6)`.
fn calls_with_values(tokens: &[String]) -> bool {
    let inside = tokens.iter().skip_while(|token| *token != "(").skip(1);
    !inside.clone().any(|token| is_name(token)) && !tokens.iter().any(|token| token == ".")
}

fn is_variable(token: &str) -> bool {
    is_name(token) && !matches!(shaped(token), Some("nil" | "true"))
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "%", "+=", "-=", "*=", "==", "!=", "<", "<=", ">", ">=", "and", "or", "^", "in",
    "<<", ">>",
];

fn shape(tokens: &[String]) -> Vec<&'static str> {
    let mut shape: Vec<&'static str> = Vec::new();
    for token in tokens {
        match token.as_str() {
            "++" => shape.extend(["+=", "#"]),
            "--" => shape.extend(["-=", "#"]),
            token => shape.extend(shaped(token)),
        }
    }
    // `x = x + 1` is `x += 1`.
    if let (["v", "=", "v", op @ ("+" | "-" | "*"), ..], Some(at)) =
        (shape.as_slice(), tokens.iter().position(|t| t == "="))
        && tokens.first() == tokens.get(at + 1)
    {
        let update = match *op {
            "+" => "+=",
            "-" => "-=",
            _ => "*=",
        };
        let rest = shape.split_off(4);
        shape = vec!["v", update];
        shape.extend(rest);
    }
    shape
}

/// Returns the name of a token that all languages share, or `None` for tokens that only some languages write.
fn shaped(token: &str) -> Option<&'static str> {
    const SAME: &[&str] = &[
        "+", "-", "*", "/", "%", "=", "==", "!=", "<", "<=", ">", ">=", "+=", "-=", "*=", "^", "[", "]",
        "<<", ">>", "for", "while", "if", "else", "return", "in", "break", "continue", "and", "or", "not",
        "range", "len", "max", "min", "abs",
    ];
    Some(match token {
        "===" => "==",
        "!==" => "!=",
        "//" => "/",
        ":=" => "=",
        "//=" | "/=" => "/",
        "&&" => "and",
        "||" => "or",
        "!" => "not",
        "elif" | "match" | "switch" => "if",
        "loop" => "while",
        "of" => "in",
        ".." => "range",
        "length" | "size" => "len",
        "append" | "push" | "push_back" | "add" | "insert" | "heappush" | "set" | "offer" => "push",
        "pop" | "popleft" | "pop_front" | "pop_back" | "shift" | "heappop" | "remove" | "poll" => "pop",
        "None" | "null" | "nil" | "undefined" => "nil",
        "True" | "true" | "False" | "false" => "true",
        "has" | "contains" | "contains_key" | "includes" | "get" => "in",
        "let" | "const" | "var" | "mut" | "int" | "self" | "this" | "auto" | "unwrap" | "clone" | "iter"
        | "enumerate" | "as" | "usize" | "i32" | "i64" | "collect" | "copied" | "new" => return None,
        same if SAME.contains(&same) => SAME.iter().find(|known| **known == same)?,
        _ if token.starts_with(|c: char| c.is_ascii_digit()) => "#",
        _ if token.starts_with(['"', '\'']) => "s",
        _ if is_name(token) => "v",
        _ => return None,
    })
}

/// Returns how alike two shapes are, from 0 to 1: twice the length of their longest common subsequence over the
/// sum of their lengths.
pub(super) fn likeness(one: &[&str], other: &[&str]) -> f32 {
    let mut row = vec![0_usize; other.len() + 1];
    for a in one {
        let mut corner = 0;
        for (at, b) in other.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if a == b { corner + 1 } else { above.max(row[at]) };
            corner = above;
        }
    }
    2.0 * row[other.len()] as f32 / (one.len() + other.len()).max(1) as f32
}
