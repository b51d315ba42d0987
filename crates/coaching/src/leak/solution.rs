//! Guards coding problems: finds code, instructions on what to type and the name of the technique before the learner
//! has found them.

use std::collections::HashSet;

use super::code::{Piece, Role, likeness, pieces_of_program, pieces_of_prose};
use super::phrases::{List, list};
use super::sentence::{Sentence, plain, sentences};
use super::{Guarded, Kind, Reason, Risk, Who};
use crate::grade::share_of;

pub(super) fn look(guarded: &Guarded<'_>, text: &str) -> Vec<Reason> {
    let known = Known::of(guarded);
    let sentences = sentences(text);
    let mut reasons = code(guarded, &known, text, &sentences);
    for sentence in &sentences {
        reasons.extend(pattern(guarded, &known, sentence));
        reasons.extend(complexity(guarded, &known, sentence));
    }
    reasons.extend(instructions(&known, &sentences));
    reasons.extend(secrets(guarded, &sentences));
    reasons.extend(sentences.iter().filter_map(|sentence| walk(&known, sentence)));
    reasons
}

/// The likeness from which a line counts as a line of the reference.
const ALIKE: f32 = 0.8;
/// The least length of a telling part of a line. Shorter shapes are in every program.
const LEAST_SHAPE: usize = 5;
/// The length from which an expression of the reference is no accident, and the length below which a statement is
/// one.
const LONG_SHAPE: usize = 7;
const SHORT_SHAPE: usize = 3;
/// The number of steps in words that amount to a solution.
const ENOUGH_STEPS: usize = 2;
/// The share of its words in one of the learner's texts from which a sentence repeats that text.
const REPEATED: f32 = 0.7;
/// The share of a secret's news that tells the secret, and the least news that it must have.
const TOLD: f32 = 0.65;
const LEAST_NEWS: f32 = 2.0;
/// The number of techniques from which a text offers a choice.
const CHOICE: usize = 3;

/// The texts that the learner knows, and the pieces of the reference.
struct Known {
    /// The code in the learner's texts and in the statement, as tokens between spaces.
    written: Vec<String>,
    /// The learner's texts and the statement, in lower case with single spaces.
    texts: Vec<String>,
    reference: Vec<Piece>,
    names: HashSet<String>,
}

impl Known {
    fn of(guarded: &Guarded<'_>) -> Known {
        let own: Vec<&str> =
            std::iter::once(guarded.statement).chain(guarded.said_by(Who::Learner)).collect();
        let in_code = |text: &&str| [pieces_of_program(text), pieces_of_prose(text)].concat();
        let written = own.iter().flat_map(in_code).map(|piece| spaced(&piece.exact)).collect();
        let reference: Vec<Piece> =
            guarded.reference.iter().flat_map(|text| pieces_of_program(text)).collect();
        let names = reference
            .iter()
            .flat_map(Piece::names)
            .filter(|name| name.len() > 1)
            .map(str::to_owned)
            .collect();
        Known { written, texts: own.iter().map(|text| plain(text)).collect(), reference, names }
    }

    fn has_written(&self, piece: &Piece) -> bool {
        let piece = spaced(&piece.exact);
        self.written.iter().any(|written| written.contains(&piece))
    }

    fn has_said(&self, phrase: &str) -> bool {
        self.texts.iter().any(|text| text.contains(&format!(" {phrase} ")))
    }

    /// Whether a piece is a line of the reference, or a long part of one.
    fn is_line(&self, piece: &Piece) -> bool {
        let is_inside = |line: &Piece| {
            piece.shape.len() >= LEAST_SHAPE
                && line.shape.windows(piece.shape.len()).any(|part| part == piece.shape)
        };
        self.reference.iter().any(|line| {
            line.is_statement() && line.role != Role::Head && likeness(&line.shape, &piece.shape) >= ALIKE
                || is_inside(line)
        })
    }

    /// Whether code is about this problem: its names are in the reference, the statement or the learner's texts.
    fn is_about(&self, pieces: &[&Piece]) -> bool {
        let names: HashSet<&str> = pieces.iter().flat_map(|piece| piece.names()).collect();
        let is_known = |name: &&&str| self.names.contains(**name) || self.has_said(&name.to_lowercase());
        names.iter().filter(is_known).count() * 2 >= names.len()
    }
}

fn spaced(tokens: &[String]) -> String {
    format!(" {} ", tokens.join(" "))
}

fn code(guarded: &Guarded<'_>, known: &Known, text: &str, sentences: &[Sentence<'_>]) -> Vec<Reason> {
    let pieces = pieces_of_prose(text);
    let new: Vec<&Piece> =
        pieces.iter().filter(|piece| piece.role != Role::Data && !known.has_written(piece)).collect();
    let statements: Vec<&Piece> = new.iter().copied().filter(|piece| piece.is_statement()).collect();
    let telling = statements.iter().filter(|piece| piece.is_telling()).count();
    let lines = statements.iter().filter(|piece| known.is_line(piece)).count();
    let is_solution = statements.len() >= 2
        && telling > 0
        && (lines * 2 >= statements.len() || known.is_about(&statements));
    let is_demonstration = statements.len() <= 3 && pieces.iter().any(is_printing);
    if is_demonstration {
        return Vec::new();
    }
    if is_solution || statements.len() > 3 && telling > 1 {
        let first = statements.first().map_or("", |piece| &text[piece.at.clone()]);
        let says =
            format!("It has {} statements of a program that the learner has not written.", statements.len());
        return vec![Reason::new(Kind::Code, Risk::High, first, says)];
    }
    let before: Vec<Piece> = guarded.said_by(Who::Tutor).flat_map(pieces_of_prose).collect();
    let mut reasons: Vec<Reason> =
        new.iter().filter_map(|piece| single(known, piece, text, sentences)).collect();
    let all: HashSet<&Vec<String>> = before
        .iter()
        .chain(statements.iter().copied())
        .filter(|piece| known.is_line(piece))
        .map(|piece| &piece.exact)
        .collect();
    if lines > 0 && all.len() > lines {
        let says = "Together with what was said before, this puts lines of the solution together.";
        reasons.push(Reason::new(Kind::Pieces, Risk::High, &text[statements[0].at.clone()], says));
    }
    reasons
}

/// Whether a piece prints. Programs that print demonstrate syntax.
fn is_printing(piece: &Piece) -> bool {
    piece.exact.iter().any(|token| list(List::Printing).contains(&token.as_str()))
}

/// Judges one piece of code in a sentence.
fn single(known: &Known, piece: &Piece, text: &str, sentences: &[Sentence<'_>]) -> Option<Reason> {
    let quote = &text[piece.at.clone()];
    let sentence = sentences.iter().find(|sentence| sentence.at.contains(&piece.at.start));
    let around = sentence.map_or_else(String::new, |sentence| plain(&sentence.text.replace(quote, " ")));
    let is_told = list(List::Edits).iter().any(|word| around.contains(&format!(" {word} ")));
    let is_line = known.is_line(piece);
    let is_asked = sentence.is_some_and(|sentence| sentence.is_question);
    let line = || {
        Reason::new(
            Kind::Line,
            Risk::High,
            quote,
            "It has a line of the solution that the learner has not written.",
        )
    };
    let typed = || Reason::new(Kind::Instruction, Risk::High, quote, "It says what to type.");
    let nudge = || Reason::slight(Kind::Code, quote, "It has code that the learner has not written.");
    match piece.role {
        Role::Head | Role::Data => None,
        Role::Expression if is_line && piece.shape.len() >= LONG_SHAPE => Some(line()),
        _ if !is_asked && is_ordered(&around) => Some(typed()),
        Role::Expression if is_told && !is_asked && piece.has_operator() && known.is_about(&[piece]) => {
            Some(typed())
        }
        Role::Expression => (piece.has_operator() && known.is_about(&[piece])).then(nudge),
        _ if is_told && (piece.role == Role::Return || known.is_about(&[piece])) => Some(typed()),
        Role::Call => (is_line && known.is_about(&[piece])).then(nudge),
        _ if is_line && piece.shape.len() >= SHORT_SHAPE && known.is_about(&[piece]) => Some(line()),
        _ => Some(nudge()),
    }
}

/// Whether a sentence begins with an order.
fn is_ordered(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    list(List::Actions).contains(&first) && !list(List::Exploring).contains(&first)
}

/// Finds the name of a technique that the learner has not named.
fn pattern(guarded: &Guarded<'_>, known: &Known, sentence: &Sentence<'_>) -> Option<Reason> {
    let text = plain(sentence.text);
    let named = techniques(&text);
    let own: HashSet<&str> =
        known.texts.iter().flat_map(|text| techniques(text)).map(|(_, group)| group).collect();
    let new: Vec<(&str, &str)> = named.into_iter().filter(|(_, group)| !own.contains(group)).collect();
    let groups: HashSet<&str> = new.iter().map(|(_, group)| *group).collect();
    let (name, group) = *new.first()?;
    let is_denied =
        [" not ", " don't ", " without ", " isn't ", " doesn't "].iter().any(|word| text.contains(word));
    if groups.len() >= CHOICE || is_denied {
        return None;
    }
    let is_offered = list(List::Offers).iter().any(|offer| text.contains(&format!(" {offer} ")));
    let is_right = guarded.pattern.is_none_or(|pattern| {
        let pattern = plain(pattern);
        techniques(&pattern).iter().any(|(_, of)| *of == group) || techniques(&pattern).is_empty()
    });
    let says = format!("It names {name}, and the learner has not.");
    if is_offered && !sentence.is_question {
        Some(Reason::new(Kind::Pattern, Risk::High, sentence.text, says))
    } else if !guarded.is_planned && is_right && (guarded.pattern.is_some() || name.contains(' ')) {
        Some(Reason::new(Kind::Pattern, Risk::Medium, sentence.text, says))
    } else {
        Some(Reason::slight(Kind::Pattern, sentence.text, says))
    }
}

/// Returns the techniques that a plain text names, each with the name of its group.
fn techniques(text: &str) -> Vec<(&'static str, &'static str)> {
    let entries =
        list(List::Techniques).iter().map(|entry| entry.split_once(" = ").unwrap_or((entry, entry)));
    entries
        .filter(|(name, _)| text.contains(&format!(" {name} ")) || text.contains(&format!(" {name}s ")))
        .collect()
}

/// Finds a statement of how fast a solution can be, before there is a plan.
fn complexity(guarded: &Guarded<'_>, known: &Known, sentence: &Sentence<'_>) -> Option<Reason> {
    if guarded.is_planned {
        return None;
    }
    let text = plain(sentence.text);
    let is_speed = |speed: &&&str| text.contains(&format!(" {speed} ")) && !known.has_said(speed);
    let speed = list(List::Speeds).iter().find(is_speed)?;
    let is_possible = list(List::Possible).iter().any(|word| text.contains(&format!(" {word} ")));
    let is_own =
        list(List::Whose).iter().any(|word| !word.starts_with("you") && text.contains(&format!(" {word} ")));
    let is_yours = text.contains(" your ");
    let says = format!("It says how fast the solution is ({speed}) before the learner has a plan.");
    (is_possible && !is_own && !is_yours)
        .then(|| Reason::new(Kind::Complexity, Risk::Medium, sentence.text, says))
}

/// Finds the steps of a solution in words.
fn instructions(known: &Known, sentences: &[Sentence<'_>]) -> Option<Reason> {
    let mut steps: Vec<(&str, usize)> = Vec::new();
    for sentence in sentences.iter().filter(|sentence| !sentence.is_question) {
        let words = plain(sentence.text);
        if !is_pondered(&words) && !is_repeated(known, &words) {
            let count = actions(sentence.text);
            steps.push((
                sentence.text,
                count + usize::from(count > 0 && places(known, sentence.text, &words)),
            ));
        }
        if turns_sign(sentence.text, &words) {
            steps.push((sentence.text, ENOUGH_STEPS));
        }
    }
    let all: usize = steps.iter().map(|(_, count)| count).sum();
    let (quote, _) = steps.iter().find(|(_, count)| *count > 0)?;
    let says = "It says step by step what to do.";
    Some(match all {
        ENOUGH_STEPS.. => Reason::new(Kind::Instruction, Risk::High, quote, says),
        _ => Reason::slight(Kind::Instruction, quote, says),
    })
}

/// Finds a sentence of the solution, in its own words or in similar ones.
fn secrets(guarded: &Guarded<'_>, sentences: &[Sentence<'_>]) -> Option<Reason> {
    let known: Vec<&str> = guarded.known().collect();
    let is_told = |sentence: &&Sentence<'_>| {
        let told = |secret: &String| {
            let share = share_of(secret, sentence.text, &known);
            share.is_some_and(|(share, news)| share >= TOLD && news >= LEAST_NEWS)
        };
        !sentence.is_question && guarded.secrets.iter().any(told)
    };
    let sentence = sentences.iter().find(is_told)?;
    Some(Reason::new(Kind::Idea, Risk::High, sentence.text, "It says in words what the learner is to find."))
}

/// Finds a sentence that leads through the data and says what to keep on the way.
fn walk(known: &Known, sentence: &Sentence<'_>) -> Option<Reason> {
    let text = plain(sentence.text);
    let has = |name: List| list(name).iter().any(|word| text.contains(&format!(" {word} ")));
    let is_walk = has(List::Walks) && has(List::Keeping) && !has(List::OnPaper);
    (is_walk && !sentence.is_question && !is_repeated(known, &text)).then(|| {
        Reason::new(
            Kind::Instruction,
            Risk::High,
            sentence.text,
            "It says what to do with each element on the way.",
        )
    })
}

/// Whether a sentence tells the learner to look, draw or try, or only raises a question to think about.
fn is_pondered(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    list(List::Exploring).contains(&first)
        || [" how ", " why ", " whether ", " which "].iter().any(|word| text.contains(word))
        || text.contains(" what ") && !text.starts_with(" what ")
}

/// Counts the actions that a sentence orders: a verb of programs after a directing word or at the start of a
/// clause.
fn actions(text: &str) -> usize {
    text.split([',', ';', ':', '(']).map(|clause| actions_in(&plain(clause))).sum()
}

fn actions_in(clause: &str) -> usize {
    let words: Vec<&str> = clause.split_whitespace().collect();
    let is_action = |at: &usize| {
        list(List::Actions).contains(&words[*at])
            && (*at == 0 || list(List::Directing).contains(&words[at - 1]))
            && words.len() > at + 1
    };
    (0..words.len()).filter(is_action).count()
}

/// Whether a sentence names a place in code or beside a name of the reference.
fn places(known: &Known, sentence: &str, text: &str) -> bool {
    let mut words = text.split_whitespace();
    let has_place = list(List::Places).iter().any(|word| text.contains(&format!(" {word} ")));
    has_place && (sentence.contains('`') || words.any(|word| known.names.contains(word)))
}

/// Whether a sentence says which comparison to use instead: "`<=` rather than `<`".
fn turns_sign(sentence: &str, text: &str) -> bool {
    let signs = ["<=", ">=", "==", "!=", "`<`", "`>`", " < ", " > "];
    let is_alone = |sign: &&str| {
        let around =
            |at: usize| [sentence[..at].chars().next_back(), sentence[at + sign.len()..].chars().next()];
        sentence
            .match_indices(*sign)
            .any(|(at, _)| around(at).iter().all(|c| c.is_none_or(|c| !c.is_alphanumeric())))
    };
    let before = |sign: &&str| {
        // In `a <= b` the sign is used; only a sign after a word is mentioned by name.
        sentence
            .split(*sign)
            .next()
            .is_some_and(|before| before.trim_end_matches(['`', ' ']).ends_with(|c: char| c.is_lowercase()))
    };
    let has_sign = signs.iter().any(|sign| is_alone(sign) && before(sign));
    let is_turned =
        [" rather than ", " instead ", " tried ", " replace ", " change ", " use ", " should be "];
    has_sign && is_turned.iter().any(|word| text.contains(word))
}

fn is_repeated(known: &Known, text: &str) -> bool {
    let words: HashSet<&str> = text.split_whitespace().filter(|word| word.len() > 3).collect();
    let share = |line: &String| {
        let same = words.iter().filter(|word| line.contains(&format!(" {word} "))).count();
        same as f32 / words.len().max(1) as f32
    };
    known.texts.iter().skip(1).any(|line| share(line) >= REPEATED)
}
