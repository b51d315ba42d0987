//! Guards worked answers: finds the results, formulas and ideas of the reference that a reply is the first to
//! say.

use super::formula::{Side, sides};
use super::phrases::{List, list};
use super::quantity::{Number, Tok, Token, same, tokens};
use super::sentence::{Sentence, plain, sentences};
use super::{Guarded, Kind, Reason, Risk};
use crate::grade::share_of;

pub(super) fn look(guarded: &Guarded<'_>, text: &str) -> Vec<Reason> {
    let goal = Goal::of(guarded);
    let reply = Reply { text, tokens: tokens(text), sentences: sentences(text) };
    let mut reasons = results(&goal, &reply);
    reasons.extend(formulas(&goal, &reply));
    if !goal.is_computed {
        reasons.extend(guarded.reference.iter().filter_map(|reference| ideas(guarded, reference, &reply)));
        reasons.extend(guarded.reference.iter().filter_map(|reference| term(guarded, reference, &reply)));
    }
    reasons
}

/// The largest whole number that says nothing alone: every second sentence has one.
const SMALL: f64 = 12.0;
/// The shares of a clause's and of a whole reference's new words that count as saying it.
const SAID: f32 = 0.4;
const MOSTLY_SAID: f32 = 0.25;
/// The least news of a clause. A clause with less is said by chance.
const LEAST_NEWS: f32 = 1.5;
/// The number of words in a reference from which a question is a question about them and does not tell.
const MANY_WORDS: usize = 4;
/// The number of sentences within which an idea is said.
const NEAR_SENTENCES: usize = 3;

/// The results that the reference leads to, and everything already known about them.
struct Goal {
    finals: Vec<f64>,
    steps: Vec<f64>,
    formulas: Vec<Side>,
    /// Whether the reference has computations, so that its words only explain them.
    is_computed: bool,
    /// The numbers in the statement, and those in the dialogue.
    stated: Vec<f64>,
    said: Vec<f64>,
    known_sides: Vec<Side>,
    /// The texts already known, without spaces and with one sign for each operation.
    known: Vec<String>,
    /// The words of the statement and of the reference, which name the things that are counted or measured.
    things: Vec<String>,
}

struct Reply<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    sentences: Vec<Sentence<'t>>,
}

/// The role of a number in a text, from the least to the most telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Bare,
    /// Part of a computation.
    Operand,
    /// After a verb that tells a result: "that makes 12".
    Told,
    /// The result of a computation beside it.
    Computed,
}

impl Goal {
    fn of(guarded: &Guarded<'_>) -> Goal {
        let stated = values(&tokens(guarded.statement));
        let dialogue: Vec<Vec<Token>> = guarded.dialogue.iter().map(|said| tokens(&said.text)).collect();
        let said = dialogue.iter().flat_map(|tokens| values(tokens)).collect();
        let known_sides = guarded.known().flat_map(|text| sides(&tokens(text))).collect();
        let mut goal = Goal {
            finals: Vec::new(),
            steps: Vec::new(),
            formulas: Vec::new(),
            is_computed: false,
            stated,
            said,
            known_sides,
            known: guarded.known().map(signs).collect(),
            things: Vec::new(),
        };
        goal.things.extend(words(guarded.statement));
        for reference in guarded.reference {
            goal.read(reference);
        }
        goal
    }

    fn read(&mut self, reference: &str) {
        let tokens = tokens(reference);
        self.things.extend(words(reference));
        let has_number = tokens.iter().any(|token| token.number().is_some());
        let equations = tokens.iter().filter(|token| token.tok == Tok::Equals).count();
        self.is_computed |= equations > 1 || equations > 0 && has_number;
        self.formulas.extend(sides(&tokens).into_iter().filter(Side::is_formula));
        for at in 0..tokens.len() {
            let Some(number) = tokens[at].number() else { continue };
            let is_stated = self.stated.iter().any(|stated| same(*stated, number.value));
            let is_operand = standing(&tokens, at, false) == Some(Standing::Operand);
            // The number in "one half of the moon" is not a result.
            if number.is_word && equations == 0 {
                continue;
            }
            if !(is_stated || is_operand && is_small(number)) {
                self.steps.push(number.value);
            }
        }
        let tokens: Vec<Token> = tokens
            .into_iter()
            .filter(|token| equations > 0 || !token.number().is_some_and(|number| number.is_word))
            .collect();
        self.finals.extend(finals(reference, &tokens));
    }

    /// Returns what a number gives away, or `None` if it is already known.
    fn worth(&self, number: Number) -> Option<Kind> {
        let is_in =
            |values: &[f64]| variants(number).any(|value| values.iter().any(|known| same(*known, value)));
        if is_in(&self.said) {
            None
        } else if is_in(&self.finals) {
            Some(Kind::Answer)
        } else if is_in(&self.stated) {
            None
        } else if is_in(&self.steps) {
            Some(Kind::Step)
        } else {
            Some(Kind::Computation)
        }
    }

    fn is_of_problem(&self, value: f64) -> bool {
        self.stated.iter().chain(&self.steps).chain(&self.finals).any(|known| same(*known, value))
    }

    /// Whether a value is a result of the solution that has not been named yet.
    fn is_open(&self, value: f64) -> bool {
        let is_in = |values: &[f64]| values.iter().any(|known| same(*known, value));
        (is_in(&self.finals) || is_in(&self.steps)) && !is_in(&self.said) && !is_in(&self.stated)
    }

    /// Whether a number occurs in the statement, the solution or the dialogue.
    fn is_known(&self, value: f64) -> bool {
        self.is_of_problem(value) || self.said.iter().any(|said| same(*said, value))
    }

    fn is_thing(&self, word: &str) -> bool {
        let stem = |word: &str| word.trim_end_matches(['s', 'e', 'n']).to_owned();
        self.things.iter().any(|thing| stem(thing) == stem(word))
    }
}

/// Returns the values of all numbers. Percentages also count as factors.
fn values(tokens: &[Token]) -> Vec<f64> {
    tokens.iter().filter_map(Token::number).flat_map(variants).collect()
}

fn variants(number: Number) -> impl Iterator<Item = f64> {
    let part = number.value / 100.0;
    let parts = [part, 1.0 - part, 1.0 + part].into_iter().filter(move |_| number.is_percent);
    std::iter::once(number.value).chain(parts)
}

fn words(text: &str) -> Vec<String> {
    const LEAST_LETTERS: usize = 3;
    let tokens = tokens(text);
    let words = tokens.iter().filter_map(Token::word).filter(|word| word.chars().count() >= LEAST_LETTERS);
    words.map(str::to_owned).collect()
}

/// Returns the final results of the reference. Its last sentence may have several.
fn finals(reference: &str, tokens: &[Token]) -> Vec<f64> {
    let marked = reference.rfind("####").map(|at| at + 4);
    let last = sentences(reference)
        .into_iter()
        .rfind(|sentence| sentence.text.contains(|c: char| c.is_ascii_digit()));
    let start = marked.or(last.map(|sentence| sentence.at.start)).unwrap_or(0);
    let inside: Vec<usize> = (0..tokens.len())
        .filter(|at| tokens[*at].at.start >= start && tokens[*at].number().is_some())
        .collect();
    let ends = |at: &usize| {
        let follows = tokens.get(at + 1).map(|token| &token.tok);
        !matches!(follows, Some(Tok::Op(_) | Tok::Equals | Tok::Open | Tok::Name(_)))
            && standing(tokens, *at, false) >= Some(Standing::Told)
    };
    let told: Vec<usize> = inside.iter().copied().filter(ends).collect();
    let chosen = if told.is_empty() { inside.last().copied().into_iter().collect() } else { told };
    chosen.into_iter().filter_map(|at| tokens[at].number()).map(|number| number.value).collect()
}

fn results(goal: &Goal, reply: &Reply<'_>) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for at in 0..reply.tokens.len() {
        let Some(number) = reply.tokens[at].number().filter(|number| !number.is_label) else { continue };
        let is_asked = reply.sentence(at).is_some_and(|sentence| sentence.is_asked);
        let Some(standing) = standing(&reply.tokens, at, is_asked) else { continue };
        let found = goal.worth(number).and_then(|worth| result(goal, reply, at, number, standing, worth));
        if let Some(reason) = found.filter(|reason| !reasons.contains(reason)) {
            reasons.push(reason);
        }
    }
    reasons.extend(dictated(goal, reply));
    reasons.extend(ordered(goal, reply));
    reasons.extend(distances(goal, reply));
    reasons
}

fn result(
    goal: &Goal,
    reply: &Reply<'_>,
    at: usize,
    number: Number,
    standing: Standing,
    worth: Kind,
) -> Option<Reason> {
    let is_small = is_small(number);
    let is_counted = counts_thing(goal, &reply.tokens, at);
    let sentence = reply.sentence(at)?;
    let quote = sentence.text;
    let written = &reply.text[reply.tokens[at].at.clone()];
    let is_asked = sentence.is_question;
    match worth {
        Kind::Answer => {
            let is_stated = goal.stated.iter().any(|stated| same(*stated, number.value));
            let is_told = match standing {
                Standing::Computed => true,
                Standing::Told => {
                    names_answer(&reply.tokens, at) || (!is_stated && (!is_small || is_counted))
                }
                Standing::Operand | Standing::Bare => {
                    !is_stated && (!is_small || is_counted && !number.is_word)
                }
            };
            let text = format!("It states the result {written}, which the learner has not found yet.");
            is_told.then(|| Reason::new(Kind::Answer, Risk::High, quote, text))
        }
        Kind::Step => {
            let text =
                format!("It states {written}, a result on the way that the learner has not reached yet.");
            match standing {
                Standing::Computed => Some(Reason::new(Kind::Step, Risk::Medium, quote, text)),
                Standing::Told if !is_small || is_counted => {
                    Some(Reason::new(Kind::Step, Risk::Medium, quote, text))
                }
                Standing::Operand if !is_small && !is_asked => {
                    Some(Reason::new(Kind::Step, Risk::Medium, quote, text))
                }
                // In a statement, an unnamed number of the solution is no accident; in a question it may be one.
                Standing::Bare if !is_small && !is_asked => {
                    Some(Reason::new(Kind::Step, Risk::Medium, quote, text))
                }
                Standing::Operand | Standing::Told | Standing::Bare if !is_small => {
                    Some(Reason::slight(Kind::Step, quote, text))
                }
                _ => None,
            }
        }
        _ => {
            let is_carried_out = standing == Standing::Computed && computes_problem(goal, &reply.tokens, at);
            let is_claimed = standing >= Standing::Told && names_answer(&reply.tokens, at) && !is_asked;
            let text = format!("It carries out a computation of this exercise and states {written}.");
            (is_carried_out || is_claimed).then(|| Reason::new(Kind::Computation, Risk::Medium, quote, text))
        }
    }
}

impl Reply<'_> {
    fn sentence(&self, at: usize) -> Option<&Sentence<'_>> {
        let start = self.tokens[at].at.start;
        self.sentences.iter().find(|sentence| sentence.at.contains(&start))
    }
}

fn is_small(number: Number) -> bool {
    is_small_value(number.value)
}

fn is_small_value(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() <= SMALL
}

/// Returns the role of a number among the words around it, or `None` if it is denied. A "not" in a question
/// denies nothing.
fn standing(tokens: &[Token], at: usize, is_asked: bool) -> Option<Standing> {
    const LOOK_BACK: usize = 5;
    let is_operand = |beside: Option<&Token>, beyond: Option<&Token>| {
        matches!(beside.map(|token| &token.tok), Some(Tok::Op(_)))
            && matches!(
                beyond.map(|token| &token.tok),
                Some(Tok::Number(_) | Tok::Name(_) | Tok::Open | Tok::Close)
            )
    };
    let before = |back: usize| at.checked_sub(back).map(|at| &tokens[at]);
    let opens_equation = matches!(tokens.get(at + 1).map(|token| &token.tok), Some(Tok::Equals));
    if opens_equation && clause_after(tokens, at + 2).iter().any(|token| matches!(token.tok, Tok::Op(_))) {
        return Some(Standing::Computed);
    }
    for back in 1..=LOOK_BACK {
        let Some(token) = before(back) else { break };
        match &token.tok {
            Tok::Equals if is_computation(clause_before(tokens, at - back)) => {
                return Some(Standing::Computed);
            }
            Tok::Equals => return Some(Standing::Told),
            Tok::Word(word)
                if matches!(word.as_str(), "not" | "isn't" | "nicht" | "no" | "instead") && !is_asked =>
            {
                return None;
            }
            Tok::Word(word) if matches!(word.as_str(), "not" | "nicht" | "no") => {}
            Tok::Word(word) if list(List::Results).contains(&word.as_str()) => {
                let is_computed = is_computation(clause_before(tokens, at - back));
                return Some(if is_computed { Standing::Computed } else { Standing::Told });
            }
            Tok::Word(word) if list(List::BeforeResult).contains(&word.as_str()) => {}
            Tok::Op('-') if back == 1 => {}
            _ => break,
        }
    }
    let is_between = is_operand(before(1), before(2)) || is_operand(tokens.get(at + 1), tokens.get(at + 2));
    let is_ordered =
        (1..=2).filter_map(before).filter_map(Token::word).any(|word| list(List::Operations).contains(&word));
    Some(if is_between || is_ordered { Standing::Operand } else { Standing::Bare })
}

/// Returns the tokens before this one, back to the end of the previous clause.
fn clause_before(tokens: &[Token], end: usize) -> &[Token] {
    let start = tokens[..end].iter().rposition(is_end).map_or(0, |at| at + 1);
    &tokens[start..end]
}

fn clause_after(tokens: &[Token], start: usize) -> &[Token] {
    let rest = &tokens[start.min(tokens.len())..];
    &rest[..rest.iter().position(is_end).unwrap_or(rest.len())]
}

/// Whether a token ends a clause.
fn is_end(token: &Token) -> bool {
    token.tok == Tok::Stop
}

fn is_computation(clause: &[Token]) -> bool {
    let numbers = clause.iter().filter(|token| matches!(token.tok, Tok::Number(_) | Tok::Name(_))).count();
    let has_operator = clause.iter().any(|token| match &token.tok {
        Tok::Op(_) => true,
        Tok::Word(word) => list(List::Operations).contains(&word.as_str()),
        _ => false,
    });
    has_operator && numbers > 0
}

/// Whether a thing of the exercise follows the number, or nothing does.
fn counts_thing(goal: &Goal, tokens: &[Token], at: usize) -> bool {
    match tokens.get(at + 1).map(|token| &token.tok) {
        None | Some(Tok::Stop | Tok::Close) => true,
        Some(Tok::Word(word)) => goal.is_thing(word),
        _ => false,
    }
}

/// Whether the answer is named before a number: "the correct answer is 12". The learner's own answer does not
/// count.
fn names_answer(tokens: &[Token], at: usize) -> bool {
    let clause = clause_before(tokens, at);
    let words: Vec<&str> = clause.iter().filter_map(Token::word).collect();
    let names = words.iter().any(|word| list(List::AnswerNouns).contains(word));
    names && !words.iter().any(|word| list(List::Whose).contains(word))
}

/// Whether all numbers of the computation before a result belong to the exercise. An example has others.
fn computes_problem(goal: &Goal, tokens: &[Token], at: usize) -> bool {
    let clause = clause_before(tokens, at);
    let numbers: Vec<f64> = clause.iter().filter_map(Token::number).map(|number| number.value).collect();
    numbers.len() >= 2 && numbers.iter().all(|value| goal.is_of_problem(*value))
}

/// Finds computations that yield a result of the solution and only have to be carried out.
fn dictated(goal: &Goal, reply: &Reply<'_>) -> Vec<Reason> {
    // Repeating the learner's words gives nothing away, even if the value was not named.
    let is_written = |side: &Side| {
        let (first, last) = (&reply.tokens[side.tokens.start], &reply.tokens[side.tokens.end - 1]);
        let written = signs(&reply.text[first.at.start..last.at.end]);
        goal.known.iter().any(|known| known.contains(&written))
    };
    let is_open = |side: &&Side| {
        side.operators > 0 && side.value.is_some_and(|value| goal.is_open(value)) && !is_written(side)
    };
    let mut reasons = Vec::new();
    for side in sides(&reply.tokens).iter().filter(is_open) {
        let Some(sentence) = reply.sentence(side.tokens.start) else { continue };
        // Many sums give a small result by accident.
        let is_small = side.operators == 1 && side.value.is_some_and(is_small_value);
        reasons.push(match sentence.is_question || is_small {
            true => Reason::slight(Kind::Computation, sentence.text, DICTATED),
            false => Reason::new(Kind::Computation, Risk::High, sentence.text, DICTATED),
        });
    }
    reasons
}

/// Returns a text without spaces, with one sign for each operation.
fn signs(text: &str) -> String {
    let sign = |c: char| match c {
        '−' | '–' | '—' => '-',
        '×' | '·' | '⋅' | 'x' => '*',
        '÷' | ':' => '/',
        other => other,
    };
    text.chars().filter(|c| !c.is_whitespace()).map(sign).collect()
}

const DICTATED: &str = "It dictates a computation that leads to a result of the solution.";

/// Finds computations in words: "multiply 16 by 3", "add the 12 to your 88".
fn ordered(goal: &Goal, reply: &Reply<'_>) -> Vec<Reason> {
    const MOST_NUMBERS: usize = 6;
    let mut reasons = Vec::new();
    for sentence in reply.sentences.iter().filter(|sentence| !sentence.is_question) {
        let inside = || reply.tokens.iter().filter(move |token| sentence.at.contains(&token.at.start));
        let signs: Vec<char> = inside().filter_map(Token::word).filter_map(order).collect();
        let numbers = inside().filter_map(Token::number).filter(|number| !number.is_label);
        let numbers: Vec<f64> = numbers.map(|number| number.value).take(MOST_NUMBERS).collect();
        let pairs = numbers.iter().enumerate();
        let mut pairs = pairs.flat_map(|(at, one)| numbers[at + 1..].iter().map(move |other| (*one, *other)));
        let is_told = |(one, other): (f64, f64)| {
            let mut results = signs.iter().flat_map(|sign| carried_out(*sign, one, other));
            let (one, other) = (goal.is_known(one), goal.is_known(other));
            let is_told = |value: f64| goal.is_open(value) && (!is_small_value(value) || one && other);
            (one || other) && results.any(is_told)
        };
        if pairs.any(is_told) {
            reasons.push(Reason::new(Kind::Computation, Risk::High, sentence.text, DICTATED));
        }
    }
    reasons
}

/// Returns the sign of a verb that orders a computation.
fn order(word: &str) -> Option<char> {
    list(List::Orders).iter().find_map(|entry| {
        let (name, sign) = entry.split_once(" = ")?;
        (name == word).then(|| sign.chars().next()).flatten()
    })
}

/// Returns the results that two numbers can give, in either order.
fn carried_out(sign: char, one: f64, other: f64) -> [f64; 2] {
    match sign {
        '+' => [one + other; 2],
        '-' => [one - other, other - one],
        '*' => [one * other; 2],
        _ => [one / other, other / one],
    }
}

/// Finds sentences that say how far a number of the dialogue is from a result: "ten too few".
fn distances(goal: &Goal, reply: &Reply<'_>) -> Vec<Reason> {
    const LOOK_BACK: usize = 3;
    let word = |at: usize| reply.tokens.get(at).and_then(Token::word);
    let amount = |at: usize| match word(at) {
        Some("one" | "eins") => Some(1.0),
        _ => reply.tokens[at].number().map(|number| number.value),
    };
    let mut reasons = Vec::new();
    for at in (0..reply.tokens.len()).filter(|at| matches!(word(*at), Some("too" | "zu"))) {
        let Some(degree) = word(at + 1) else { continue };
        let is_below = list(List::Below).contains(&degree);
        if !is_below && !list(List::Above).contains(&degree) {
            continue;
        }
        let sign = if is_below { 1.0 } else { -1.0 };
        let by = (at.saturating_sub(LOOK_BACK)..at).rev().find_map(&amount);
        let Some((by, sentence)) = by.zip(reply.sentence(at)) else { continue };
        if goal.said.iter().any(|said| goal.is_open(said + sign * by)) {
            let text = "It says how far the learner's number is from the result.";
            reasons.push(Reason::new(Kind::Answer, Risk::High, sentence.text, text));
        }
    }
    reasons
}

/// Finds formulas of the reference that have not been written yet.
fn formulas(goal: &Goal, reply: &Reply<'_>) -> Vec<Reason> {
    let is_part = |part: &[String], of: &[String]| part.iter().all(|term| of.contains(term));
    let mut reasons = Vec::new();
    for side in sides(&reply.tokens).iter().filter(|side| side.is_formula()) {
        let is_known = goal.known_sides.iter().any(|known| is_part(&side.terms, &known.terms));
        let is_whole = goal.formulas.iter().any(|formula| formula.is_same(side) && formula.tokens.len() > 2)
            || side.factors() > 1 && goal.known_sides.iter().any(|known| known.is_same(side));
        let is_some =
            side.terms.len() > 1 && goal.formulas.iter().any(|formula| is_part(&side.terms, &formula.terms));
        let Some(sentence) = reply.sentence(side.tokens.start) else { continue };
        if !is_known && (is_whole || is_some) {
            let text = "It states a formula of the solution that the learner has not written yet.";
            reasons.push(Reason::new(Kind::Formula, Risk::High, sentence.text, text));
        }
    }
    reasons
}

/// Finds a few sentences in a row that say something new from the reference.
fn ideas(guarded: &Guarded<'_>, reference: &str, reply: &Reply<'_>) -> Option<Reason> {
    let known: Vec<&str> = guarded.known().collect();
    let is_read = |sentence: &&Sentence<'_>| !sentence.is_question || words(reference).len() < MANY_WORDS;
    let told: Vec<&Sentence<'_>> = reply.sentences.iter().filter(is_read).collect();
    let says = "It says in words what the learner is to find.";
    let is_clause_said = |text: &str| {
        let clauses = reference.split(['.', ';', ':', ',', '(', ')']);
        let said = |clause: &str| {
            share_of(clause, text, &known).is_some_and(|(share, news)| share >= SAID && news >= LEAST_NEWS)
        };
        clauses.into_iter().any(said)
    };
    let part = told.iter().find(|sentence| is_clause_said(sentence.text));
    let whole = (0..told.len()).find_map(|start| {
        let near = &told[start..told.len().min(start + NEAR_SENTENCES)];
        let text: Vec<&str> = near.iter().map(|sentence| sentence.text).collect();
        let (share, _) = share_of(reference, &text.join(" "), &known)?;
        (share >= MOSTLY_SAID).then(|| Reason::new(Kind::Idea, Risk::High, &text.join(" "), says))
    });
    whole.or_else(|| part.map(|sentence| Reason::new(Kind::Idea, Risk::Medium, sentence.text, says)))
}

/// Finds a word in capitals that only the reference has, such as `HAVING`.
fn term(guarded: &Guarded<'_>, reference: &str, reply: &Reply<'_>) -> Option<Reason> {
    let known: String = guarded.known().map(plain).collect();
    let new = capitals(reference).find(|word| !known.contains(&plain(word)))?;
    let terms: Vec<&str> = capitals(reference).filter(|word| !known.contains(&plain(word))).collect();
    let is_named = |sentence: &&Sentence<'_>| capitals(sentence.text).any(|word| terms.contains(&word));
    let sentence = reply.sentences.iter().find(is_named)?;
    let says = format!("It names a word of the solution, such as {new}, that has not come up yet.");
    Some(Reason::new(Kind::Idea, Risk::High, sentence.text, says))
}

fn capitals(text: &str) -> impl Iterator<Item = &str> {
    const LEAST_LETTERS: usize = 3;
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.len() >= LEAST_LETTERS && word.chars().all(char::is_uppercase))
}
