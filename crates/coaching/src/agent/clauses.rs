//! Splits a human's own words into clauses, and finds whom each clause is about.

use super::human::sentences;
use super::phrases::{Means, Phrases, words_of};

/// The maximum length of a label in brackets at the beginning of a line. A longer text is more than a label.
const MAX_LABEL_BYTES: usize = 30;
/// The maximum number of words of a name in backticks. A longer span is code.
const MAX_SPAN_WORDS: usize = 3;

/// The person or thing that a clause is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// The agent is told something.
    Agent,
    /// The human says what they do.
    Human,
    /// Something is described: what a program does, or how things are.
    Other,
}

#[derive(Debug)]
pub(super) struct Clause<'t> {
    /// The sentence that the clause is part of.
    pub sentence: &'t str,
    /// The words between the opening and the first subordinate clause.
    pub words: Vec<String>,
    /// The words of the subordinate clauses.
    pub aside: Vec<String>,
    /// The leading words, which have no meaning of their own: "please", "first".
    pub opening: Vec<String>,
    pub subject: Subject,
    /// Whether it follows another clause in the same sentence.
    pub is_joined: bool,
    /// Whether "or" joins it to the clause before, whose negation it shares.
    pub is_alternative: bool,
}

impl<'t> Clause<'t> {
    pub(super) fn all(text: &'t str, phrases: &Phrases) -> Vec<Clause<'t>> {
        let mut clauses: Vec<Clause> = Vec::new();
        for sentence in sentences(text) {
            let mut is_first = true;
            for part in sentence.split([',', ';', ':', '—', '–', '(', ')', '，', '；', '：', '、']) {
                for (connective, words) in connected(words_of(part), phrases) {
                    let before = clauses.last().filter(|_| !is_first);
                    let clause = Clause::new(sentence, connective.as_deref(), words, before, phrases);
                    clauses.extend(clause);
                    is_first = false;
                }
            }
        }
        clauses
    }

    fn new(
        sentence: &'t str,
        connective: Option<&str>,
        words: Vec<String>,
        before: Option<&Clause>,
        phrases: &Phrases,
    ) -> Option<Clause<'t>> {
        let start = opening(&words, phrases);
        let (opening, words) = words.split_at(start);
        let cut = (1..words.len()).find(|at| phrases.at(Means::Subordinates, words, *at) > 0);
        let (own, aside) = words.split_at(cut.unwrap_or(words.len()));
        if own.is_empty() && opening.is_empty() {
            return None;
        }
        let is_joined = before.is_some() && connective.is_some();
        let found = subject(opening, own, phrases);
        // "It retries and then stops": a clause without a subject takes that of the clause before.
        let is_order = phrases.at(Means::Nots, own, 0) > 0 && own[0] != "never";
        let goes_on = is_joined && found == Subject::Agent && !is_order;
        let subject = match before {
            Some(before) if goes_on && before.subject == Subject::Other => Subject::Other,
            _ => found,
        };
        let is_alternative =
            is_joined && matches!(connective, Some("or" | "nor" | "oder" | "ou" | "o" | "ni"));
        Some(Clause {
            sentence,
            words: own.to_vec(),
            aside: aside.to_vec(),
            opening: opening.to_vec(),
            subject,
            is_joined: before.is_some(),
            is_alternative,
        })
    }

    /// Whether any words of the clause belong to a class: before, in or after its main part.
    pub(super) fn mentions(&self, means: Means, phrases: &Phrases) -> bool {
        phrases.has(means, &self.words)
            || phrases.has(means, &self.opening)
            || phrases.has(means, &self.aside)
    }
}

/// Returns the number of leading words without a meaning of their own: "ok, please …". A limit among them can still
/// be read from [`Clause::opening`].
fn opening(words: &[String], phrases: &Phrases) -> usize {
    let mut at = 0;
    while at < words.len() {
        let known = [Means::Openers, Means::Only, Means::First, Means::ForNow];
        let length = known.iter().map(|means| phrases.at(*means, words, at)).max().unwrap_or(0);
        if length == 0 {
            break;
        }
        at += length;
    }
    at
}

/// Splits a part into clauses, each with the word that joins it. "Parser and importer" is one thing; "and stop" is
/// a clause.
fn connected(words: Vec<String>, phrases: &Phrases) -> Vec<(Option<String>, Vec<String>)> {
    let mut found = Vec::new();
    let mut own = (None, Vec::new());
    let mut at = 0;
    while at < words.len() {
        let length = phrases.at(Means::Connectives, &words, at);
        if length > 0 && begins_clause(&words[at + length..], phrases) {
            let joined_by = words[at].clone();
            found.push(std::mem::replace(&mut own, (Some(joined_by), Vec::new())));
            at += length;
        } else {
            own.1.push(words[at].clone());
            at += 1;
        }
    }
    found.push(own);
    found.retain(|(_, words)| !words.is_empty());
    found
}

fn begins_clause(words: &[String], phrases: &Phrases) -> bool {
    let words = &words[opening(words, phrases)..];
    let begins = [
        Means::Work,
        Means::Talk,
        Means::Halts,
        Means::Nots,
        Means::Skips,
        Means::Me,
        Means::Takes,
        Means::Reviews,
    ];
    let first = words.first().map_or("", String::as_str);
    let is_other = phrases.at(Means::Third, words, 0) > 0 && phrases.has(Means::Finite, words);
    is_other
        || matches!(
            first,
            "let" | "you" | "du" | "tu" | "run" | "commit" | "push" | "ask" | "deploy" | "test" | "show"
        )
        || begins.iter().any(|means| phrases.at(*means, words, 0) > 0)
}

fn subject(opening: &[String], words: &[String], phrases: &Phrases) -> Subject {
    let first = words.first().map_or("", String::as_str);
    let second = words.get(1).map_or("", String::as_str);
    let is_finite = |at: usize| phrases.at(Means::Finite, words, at) > 0;
    let speaks = ["i", "ill", "id", "im", "ich", "je", "yo", "we", "wir", "nous", "eu", "io"];
    if first == "let" && second == "me" || speaks.contains(&first) {
        return Subject::Human;
    }
    // "We'll" and "well" look alike once folded.
    if opening.last().is_some_and(|word| word == "well") && phrases.at(Means::Reviews, words, 0) > 0 {
        return Subject::Human;
    }
    // "The importer I will do."
    let speaks_later = words.iter().position(|word| word == "ill").or_else(|| {
        words.windows(2).position(|two| two[0] == "i" && matches!(two[1].as_str(), "will" | "can" | "shall"))
    });
    if speaks_later.is_some_and(|at| at > 0) && phrases.at(Means::Third, words, 0) > 0 {
        return Subject::Human;
    }
    // "Den Importer mache ich selbst", "c'est moi qui".
    let is_inverted = words.iter().skip(1).any(|word| matches!(word.as_str(), "ich" | "wir" | "je" | "yo"));
    if is_inverted {
        return Subject::Human;
    }
    if matches!(first, "you" | "du" | "tu" | "vous") {
        return Subject::Agent;
    }
    // "The job waits for …", but not "the unit tests only".
    let is_verb =
        words.get(2).is_some_and(|word| word.len() > 3 && word.ends_with('s') && !word.ends_with("ss"));
    let is_verb = is_verb && words.len() > 3 && !phrases.has(Means::Only, words);
    let is_third = phrases.at(Means::Third, words, 0) > 0;
    let is_described = is_third && (is_verb || (1..words.len()).any(is_finite));
    let is_conditional = phrases.at(Means::Subordinates, words, 0) > 0;
    if is_described || is_conditional || (words.len() > 1 && is_finite(1)) {
        return Subject::Other;
    }
    Subject::Agent
}

/// Returns the human's own words, without code, quotations and pasted logs.
pub(super) fn own_words(prompt: &str) -> String {
    let mut kept = String::new();
    let mut is_fenced = false;
    let parts: Vec<&str> = prompt.split("```").collect();
    for (at, part) in parts.iter().enumerate() {
        // A fence that is never closed hides nothing: an order may follow it.
        if at % 2 == 0 || at + 1 == parts.len() {
            kept.push_str(part);
            kept.push('\n');
        }
    }
    let mut lines = Vec::new();
    let kept: Vec<&str> = kept.lines().collect();
    let is_fence = |line: &str| line.trim().starts_with("~~~");
    for (at, line) in kept.iter().enumerate() {
        let bare = line.trim();
        match is_fenced {
            true => is_fenced = !is_fence(line),
            false if is_fence(line) => is_fenced = kept[at + 1..].iter().any(|line| is_fence(line)),
            false if is_pasted(line) => {}
            false => lines.push(without_quotations(without_label(bare))),
        }
    }
    lines.join("\n")
}

/// Removes a label in brackets from the start of a line. In "[System tests] Only fix the crash" the label names the
/// subject and gives no order.
fn without_label(line: &str) -> &str {
    let label = line.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    let is_name =
        |name: &str| name.len() <= MAX_LABEL_BYTES && name.chars().filter(|c| c.is_alphabetic()).count() > 1;
    label.filter(|(name, _)| is_name(name)).map_or(line, |(_, rest)| rest.trim_start())
}

/// Whether a line is quoted, indented, or printed by a program.
fn is_pasted(line: &str) -> bool {
    let bare = line.trim_start();
    let begins = [
        "$ ",
        ">",
        "@@ ",
        "File \"",
        "Traceback",
        "diff --git",
        "+++",
        "---",
        "|",
        "error:",
        "error[",
        "warning:",
    ];
    let levels = ["INFO", "WARN", "WARNING", "ERROR", "DEBUG", "TRACE", "FATAL", "npm"];
    let level = bare.trim_start_matches('[').split([' ', ':', ']']).next().unwrap_or_default();
    let digits = bare.chars().take(19).filter(char::is_ascii_digit).count();
    line.starts_with("    ")
        || line.starts_with('\t')
        || begins.iter().any(|begin| bare.starts_with(begin))
        || (bare.starts_with("at ") && bare.contains('('))
        || digits >= 8
        || levels.contains(&level)
}

/// Replaces quotations in a line with "…", and keeps short names in backticks.
fn without_quotations(line: &str) -> String {
    let pairs = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('『', '』')];
    let mut bare = String::new();
    let mut rest = line;
    while let Some((at, open)) =
        rest.char_indices().find(|(_, c)| *c == '`' || pairs.iter().any(|(open, _)| open == c))
    {
        let after = &rest[at + open.len_utf8()..];
        let close = pairs.iter().find(|(known, _)| *known == open).map_or('`', |(_, close)| *close);
        let Some(end) = after.find(close) else { break };
        let inside = &after[..end];
        bare.push_str(&rest[..at]);
        let is_name = open == '`' && inside.split_whitespace().count() <= MAX_SPAN_WORDS;
        bare.push_str(if is_name { inside } else { " … " });
        rest = &after[end + close.len_utf8()..];
    }
    // A line that is nothing but a quotation still counts as the human's word.
    let bare = bare + rest;
    if bare.chars().any(char::is_alphanumeric) { bare } else { line.to_owned() }
}
