//! Finds the values of tests in a learner's sentences, and writes them in the coach's.

use crate::text::{Words, shortened};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::HashSet;

/// The number of values that stand for a long input, which need not be repeated whole.
const ENOUGH: usize = 5;
/// The minimum length of a row of numbers whose order is no accident.
const TELLING_ROW: usize = 3;
const QUOTES: [(char, char); 6] = [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('„', '“'), ('‘', '’')];
/// The maximum number of characters of a value that are shown.
const MAX_SHOWN_CHARS: usize = 160;
const NUMBER_WORDS: [&str; 11] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const TRUE_WORDS: &[&str] = &["true", "yes", "wahr", "ja"];
const FALSE_WORDS: &[&str] = &["false", "no", "not", "falsch", "nein", "nicht"];
const EMPTY_WORDS: &[&str] = &["empty", "nothing", "none", "null", "leer", "nichts", "no"];
const RESULTS: &[&str] = &[
    "result", "answer", "output", "gives", "give", "get", "returns", "return", "becomes", "so ", "=", "->",
    "→", "ergebnis", "ergibt", "also", "kommt",
];
/// The words that sentences are made of, whatever they are about.
const LITTLE_WORDS: &[&str] = &[
    "the", "a", "an", "of", "to", "and", "or", "is", "are", "be", "in", "on", "at", "for", "with", "that",
    "this", "it", "its", "we", "you", "i", "they", "their", "which", "whose", "from", "by", "as", "if", "so",
    "not", "but", "have", "has", "must", "can", "may", "do", "does", "then", "than", "into", "all", "each",
    "every", "one", "two", "der", "die", "das", "den", "dem", "ein", "eine", "einen", "und", "oder", "ist",
    "sind", "im", "mit", "zu", "von", "für", "man", "wir", "du", "ich", "sie", "es", "nicht", "aber", "hat",
    "haben", "muss", "kann", "dass",
];
/// Little words that also stand between mere keywords.
const LOOSE_WORDS: &[&str] =
    &["and", "or", "not", "one", "two", "all", "each", "every", "und", "oder", "nicht", "ein", "eine"];
const CLAUSE_ENDS: &[char] = &[',', ';', '.', '!', '?', ':', '\n', '(', ')', '–', '—'];
/// The minimum number of bare pieces that is no accident.
const MIN_PIECES: usize = 3;
/// The percentage of little words below which a text is a heap of words.
const LEAST_LITTLE_PERCENT: usize = 18;
/// The minimum number of words of a heap. A shorter text may do without little words.
const MIN_HEAP_WORDS: usize = 7;
/// The number of leading characters that identify a word, whatever its ending.
const STEM_CHARS: usize = 5;
const REASONS: &[&str] = &[
    "because",
    "since",
    "slow",
    "slower",
    "fails",
    "fail",
    "wrong",
    "misses",
    "miss",
    "breaks",
    "too",
    "cannot",
    "can't",
    "doesn't",
    "does not",
    "would not",
    "overflow",
    "quadratic",
    "exponential",
    "n^2",
    "o(n",
    "weil",
    "langsam",
    "falsch",
    "scheitert",
    "zu viele",
    "zu lange",
    "nicht",
];

/// The numbers and words that a text mentions.
#[derive(Debug)]
pub(super) struct Mentions {
    numbers: HashSet<String>,
    words: HashSet<String>,
    /// The numbers in digits, and the lists that are written out, in their order.
    row: Vec<String>,
    lists: Vec<Value>,
    text: String,
}

impl Mentions {
    pub(super) fn of(text: &str) -> Mentions {
        let words: HashSet<String> = Words::new(text).iter().map(|(_, folded)| folded.to_owned()).collect();
        let row = numbers(text);
        let mut numbers: HashSet<String> = row.iter().cloned().collect();
        let spelled = NUMBER_WORDS.iter().enumerate().filter(|(_, word)| words.contains(**word));
        numbers.extend(spelled.map(|(number, _)| number.to_string()));
        Mentions { numbers, words, row, lists: lists(text), text: folded(text) }
    }

    /// Returns how strongly the text points to an input: it is written out in its order, it has many values, it
    /// comes early.
    pub(super) fn closeness(&self, args: &[Value]) -> (bool, usize, Reverse<usize>) {
        let mut row = Vec::new();
        args.iter().for_each(|arg| flatten(arg, &mut row));
        let is_in_order = !row.is_empty() && self.row.windows(row.len()).any(|part| part == row);
        let is_written = args.iter().any(|arg| !is_empty(arg) && self.lists.contains(arg));
        let values: Vec<Value> = leaves(args).into_iter().filter(|value| !is_empty(value)).collect();
        let places = values.iter().filter_map(|value| self.text.find(&bare(value)));
        (is_in_order || is_written, values.len(), Reverse(places.min().unwrap_or(usize::MAX)))
    }

    /// Whether a text is clearly about an input: it writes out one of its lists, begins with its numbers, has
    /// several of them in its order, or quotes its text.
    pub(super) fn is_about(&self, args: &[Value]) -> bool {
        let mut row = Vec::new();
        args.iter().for_each(|arg| flatten(arg, &mut row));
        let is_written = |arg: &Value| !is_empty(arg) && self.lists.contains(arg);
        let is_quoted = |arg: &Value| arg.as_str().is_some_and(|text| self.has_quoted(text));
        args.iter().any(|arg| is_written(arg) || is_quoted(arg))
            || row.len() > 1 && self.row.starts_with(&row)
            || row.len() >= TELLING_ROW && self.row.windows(row.len()).any(|part| part == row)
    }

    fn has_quoted(&self, text: &str) -> bool {
        let text = folded(text);
        let is_there = |(open, close)| self.text.contains(&format!("{open}{text}{close}"));
        !text.is_empty() && QUOTES.into_iter().any(is_there)
    }

    /// Whether a text goes through an example of any kind: two values at least, and one of them as the result.
    pub(super) fn is_example(&self) -> bool {
        let has_input = self.numbers.len() > 1 || !self.lists.is_empty() || self.has_quotes();
        has_input && self.told().is_some_and(|told| told.has_values())
    }

    fn has_values(&self) -> bool {
        let is_value = |word: &String| TRUE_WORDS.iter().chain(FALSE_WORDS).any(|value| word == value);
        !self.numbers.is_empty() || self.has_quotes() || self.words.iter().any(is_value)
    }

    fn has_quotes(&self) -> bool {
        let is_there = |(open, close): (char, char)| {
            self.text.split_once(open).is_some_and(|(_, after)| after.contains(close))
        };
        QUOTES.into_iter().any(is_there)
    }

    /// Whether the text has the values of an input, or enough of them.
    pub(super) fn has_input(&self, args: &[Value]) -> bool {
        // Empty values need not be named beside others.
        let (empty, all): (Vec<Value>, Vec<Value>) = leaves(args).into_iter().partition(is_empty);
        let all = if all.is_empty() { empty } else { all };
        let met = all.iter().filter(|value| self.has(value)).count();
        met == all.len() || met >= ENOUGH && met * 2 >= all.len()
    }

    /// Whether the text has the values of the result. Values that are in the input as well prove nothing by
    /// themselves; they have to be said as the result.
    pub(super) fn has_output(&self, args: &[Value], expected: &Value) -> bool {
        let wanted = leaves(std::slice::from_ref(expected));
        let given = leaves(args);
        let is_new = wanted.iter().any(|value| !given.contains(value));
        let is_there = wanted.iter().all(|value| self.has(value));
        let is_told = |told: &Mentions| wanted.iter().all(|value| told.has(value));
        is_there
            && match (expected, self.told()) {
                (Value::Array(_), told) => {
                    self.has_written(args, expected) && (is_new || told.is_some_and(|told| is_told(&told)))
                }
                (Value::Number(_), Some(told)) if !told.numbers.is_empty() => is_told(&told),
                (Value::String(_), Some(told)) if !told.words.is_empty() => is_told(&told),
                _ => true,
            }
    }

    /// Whether the text has a string value. A string that may stand in any sentence has to stand in quotes.
    fn has_text(&self, text: &str) -> bool {
        let lower = text.to_lowercase();
        let spelled = if lower.trim().is_empty() { lower.clone() } else { folded(text) };
        let mut letters = spelled.trim().chars();
        let is_anywhere = |c: char| !c.is_alphanumeric() || matches!(c, 'a' | 'i' | 'o');
        if letters.next().is_none_or(is_anywhere) && letters.next().is_none() {
            let quoted = |(open, close)| self.text.contains(&format!("{open}{spelled}{close}"));
            return QUOTES.into_iter().any(quoted);
        }
        self.text.match_indices(&spelled).any(|place| stands_alone(place, &self.text))
    }

    /// Returns the mentions after the last word that announces a result.
    fn told(&self) -> Option<Mentions> {
        let at = RESULTS.iter().filter_map(|word| Some(self.text.rfind(word)? + word.len())).max()?;
        Some(Mentions::of(&self.text[at..]))
    }

    /// Whether one of the lists that are written out beside the input is the result, or a part of it. True if there
    /// is no such list.
    fn has_written(&self, args: &[Value], expected: &Value) -> bool {
        let is_input = |list: &&Value| args.contains(list) || args.iter().any(|arg| has_part(arg, list));
        let mut others = self.lists.iter().filter(|list| !is_input(list)).peekable();
        others.peek().is_none() || others.any(|list| list == expected || has_part(expected, list))
    }

    fn has(&self, value: &Value) -> bool {
        let any = |words: &[&str]| words.iter().any(|word| self.words.contains(*word));
        match value {
            Value::Number(number) => {
                let whole = number.as_f64().filter(|number| number.fract() == 0.0);
                self.numbers.contains(&number.to_string())
                    || whole.is_some_and(|whole| self.numbers.contains(&whole.to_string()))
            }
            Value::Bool(true) => any(TRUE_WORDS),
            Value::Bool(false) => any(FALSE_WORDS),
            Value::Null => any(EMPTY_WORDS),
            Value::String(text) => text.is_empty() && any(EMPTY_WORDS) || self.has_text(text),
            // Only an empty list is a leaf.
            Value::Array(_) | Value::Object(_) => self.text.contains("[]") || any(EMPTY_WORDS),
        }
    }
}

/// Whether a text that was found at a place stands alone there, without a word that goes on before or after it.
fn stands_alone(place: (usize, &str), text: &str) -> bool {
    let (at, part) = place;
    let goes_on = |one: Option<char>, other: Option<char>| {
        one.is_some_and(char::is_alphanumeric) && other.is_some_and(char::is_alphanumeric)
    };
    let (before, after) = (text[..at].chars().next_back(), text[at + part.len()..].chars().next());
    !goes_on(before, part.chars().next()) && !goes_on(part.chars().next_back(), after)
}

/// Returns the lists in a text that are written as JSON.
fn lists(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('[') {
        let inside = &rest[at..];
        let mut stream = serde_json::Deserializer::from_str(inside).into_iter::<Value>();
        match stream.next() {
            Some(Ok(list)) => {
                rest = &inside[stream.byte_offset()..];
                found.push(list);
            }
            _ => rest = &inside[1..],
        }
    }
    found
}

/// Whether a list has another value in it, at any depth.
fn has_part(value: &Value, part: &Value) -> bool {
    value.as_array().is_some_and(|list| list.iter().any(|inner| inner == part || has_part(inner, part)))
}

/// Collects the numbers in a value, in their order.
fn flatten(value: &Value, row: &mut Vec<String>) {
    match value {
        Value::Number(number) => row.push(number.to_string()),
        Value::Array(list) => list.iter().for_each(|inner| flatten(inner, row)),
        _ => {}
    }
}

/// Returns a value as it stands in a folded text.
fn bare(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), folded)
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_str().is_some_and(str::is_empty)
}

/// Returns the single values inside of some values, each once. An empty list is a value.
fn leaves(values: &[Value]) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for value in values {
        let inner = match value {
            Value::Array(list) if !list.is_empty() => leaves(list),
            _ => vec![value.clone()],
        };
        for value in inner {
            if !found.contains(&value) {
                found.push(value);
            }
        }
    }
    found
}

/// Returns the numbers of a text as they are written. A hyphen between words is not a sign.
fn numbers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let letters: Vec<char> = text.chars().collect();
    let mut at = 0;
    while at < letters.len() {
        if !letters[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let begin = at;
        while at < letters.len() && (letters[at].is_ascii_digit() || is_point(&letters, at)) {
            at += 1;
        }
        let number: String = letters[begin..at].iter().collect();
        let is_negative = begin > 0
            && matches!(letters[begin - 1], '-' | '−')
            && (begin < 2 || !letters[begin - 2].is_alphanumeric());
        found.push(if is_negative { format!("-{number}") } else { number });
    }
    found
}

fn is_point(letters: &[char], at: usize) -> bool {
    letters[at] == '.' && letters.get(at + 1).is_some_and(char::is_ascii_digit)
}

pub(super) fn folded(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a folded text says why something does not work.
pub(super) fn has_reason(folded: &str) -> bool {
    REASONS.iter().any(|reason| folded.contains(reason))
}

/// Whether a text is a heap of words and no sentence.
pub(super) fn is_heap(text: &str) -> bool {
    let words: Vec<String> = Words::new(text).iter().map(|(_, folded)| folded.to_owned()).collect();
    let little = words.iter().filter(|word| is_little(word)).count();
    words.len() >= MIN_HEAP_WORDS && little * 100 < words.len() * LEAST_LITTLE_PERCENT
}

/// Whether most of a text is words side by side, without anything that would make a sentence of them.
pub(super) fn is_in_pieces(text: &str) -> bool {
    let clauses: Vec<Words> =
        text.split(CLAUSE_ENDS).map(Words::new).filter(|words| words.iter().count() > 1).collect();
    let is_bare =
        |words: &&Words| !words.iter().any(|(_, word)| is_little(word) && !LOOSE_WORDS.contains(&word));
    let bare = clauses.iter().filter(is_bare).count();
    bare >= MIN_PIECES && bare * 2 > clauses.len()
}

/// Returns the beginnings of the words that carry the meaning.
pub(super) fn stems(text: &str) -> HashSet<String> {
    let words = Words::new(text);
    let telling = words.iter().map(|(_, word)| word).filter(|word| !is_little(word));
    telling.map(|word| word.chars().take(STEM_CHARS).collect()).collect()
}

/// Whether a folded word is one that belongs to any sentence.
fn is_little(word: &str) -> bool {
    LITTLE_WORDS.contains(&word)
}

/// Writes a call as `name(1, [2])`.
pub(super) fn call(function: &str, args: &[Value]) -> String {
    let args: Vec<String> = args.iter().map(ToString::to_string).collect();
    short(&format!("{function}({})", args.join(", ")))
}

pub(super) fn short(text: &str) -> String {
    shortened(text, MAX_SHOWN_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_example_has_the_values_of_a_test() {
        let args = [json!([3, 2, 4]), json!(6)];
        let expected = json!([1, 2]);
        for (text, input, output) in [
            ("For [3, 2, 4] and 6 the result is [1, 2]", true, true),
            ("Take three, two, four and six; positions one and two", true, true),
            ("For 3, 2, 4 and 6 the result is 5", true, false),
            ("For 30, 2, 4 and 6 we get 1 and 2", false, true),
            ("nothing at all", false, false),
        ] {
            let mentions = Mentions::of(text);
            assert_eq!(
                (mentions.has_input(&args), mentions.has_output(&args, &expected)),
                (input, output),
                "{text}"
            );
        }
        // Another input has as many of the values, but not in this order.
        let meant = Mentions::of("Prices 3, 2, 4 and voucher 6: 2 and 4 add up, so the result is [1, 2]");
        assert!(meant.closeness(&args) > meant.closeness(&[json!([1, 2, 4, 3]), json!(6)]));
        let wrong = Mentions::of("[1,2,3,1,4]: no neighbours are equal, so all 5");
        assert!(!wrong.has_output(&[json!([1, 2, 3, 1, 4])], &json!(4)), "4 is only in the input");
        let flags = [json!("abba"), json!(-3), json!([])];
        assert!(Mentions::of("\"abba\" with -3 and [] is true").has_input(&flags));
        assert!(Mentions::of("it is true").has_output(&flags, &json!(true)));
        let pairs = [json!([[4, 5], [1, 4]])];
        assert!(Mentions::of("[4,5] and [1,4] touch, so we get [1, 5]").has_output(&pairs, &json!([[1, 5]])));
        assert!(!Mentions::of("[4,5] and [1,4] touch").has_output(&pairs, &json!([[1, 5]])));
        assert!(is_heap(
            "positions indices index return give answer add sum together voucher target exactly two"
        ));
        assert!(!is_heap("find the two crates whose prices add up to the voucher and say where they are"));
        assert!(Mentions::of("2 rows and FF").has_input(&[json!(2), json!([]), json!("FF")]), "no trees");
        assert!(Mentions::of("first 5, then 3.5").has_output(&[json!([2])], &json!([5.0, 3.5])));
        let short = [json!("a"), json!("."), json!("")];
        for one in short {
            assert!(
                !Mentions::of("The word is checked and it is fine.").has_input(std::slice::from_ref(&one)),
                "{one}"
            );
            assert!(
                Mentions::of(&format!("for {one} it is true")).has_input(std::slice::from_ref(&one)),
                "{one}"
            );
        }
        assert!(!Mentions::of("the cabba").has_input(&flags[..1]), "a part of a word");
        assert!(!Mentions::of("a well-3 known abba").has_input(&flags[1..2]), "a hyphen is no sign");
    }
}
