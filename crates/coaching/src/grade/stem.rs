//! Words without the endings that a sentence asks for.
//!
//! A rubric says *modifies* and a learner "it does not modify": the same idea, in another sentence. Only endings that leave
//! the meaning alone are taken off (*-s, -ed, -ing, -ly*, and *-bility* for *-ble*). Both sides are cut by the same rule, so a stem
//! need not be a word, only the same for all forms of one.

/// Words whose stem would be another word.
const WHOLE: &[&str] =
    &["none", "note", "notes", "nothing", "something", "anything", "everything", "others", "being", "during"];

/// Forms of a verb that share no stem: "colours are kept" says of several what "colour is kept" says of one.
const FORMS: &[(&str, &str)] = &[("are", "is"), ("were", "was"), ("have", "has"), ("does", "do")];

/// A shorter stem says too little.
const LEAST_LETTERS: usize = 3;

/// What is compared in place of a folded word.
pub(super) fn stem(word: &str) -> &str {
    if let Some((_, form)) = FORMS.iter().find(|(other, _)| *other == word) {
        return form;
    }
    let is_plain = word.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_plain || word.len() <= LEAST_LETTERS || WHOLE.contains(&word) {
        return word;
    }
    if let Some(root) = word.strip_suffix("ility").filter(|root| root.ends_with('b')) {
        return root;
    }
    let one = singular(word);
    let adverb = one.strip_suffix("ly").filter(|root| root.len() > LEAST_LETTERS);
    let roots = [adverb, one.strip_suffix("ing"), one.strip_suffix("ed")];
    let root = roots.into_iter().flatten().find(|root| is_root(root)).unwrap_or(one);
    undoubled(without_last_vowel(root))
}

/// Without the ending of a plural or of a verb: "copies" and "classes" keep what the last step takes off anyway.
fn singular(word: &str) -> &str {
    let is_other = ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
    match word.strip_suffix('s') {
        Some(one) if !is_other && one.len() >= LEAST_LETTERS => one,
        _ => word,
    }
}

fn is_root(root: &str) -> bool {
    root.len() >= LEAST_LETTERS && root.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// "move" is "mov" as in "moving", "copy" and "copi(ed)" are both "cop", "readable" is "readab" as in "readability".
fn without_last_vowel(word: &str) -> &str {
    let word = word
        .strip_suffix("le")
        .filter(|root| root.ends_with('b') && root.len() > LEAST_LETTERS)
        .unwrap_or(word);
    let word = word.strip_suffix("ie").filter(|root| root.len() >= LEAST_LETTERS).unwrap_or(word);
    let is_left = |root: &&str| root.len() >= LEAST_LETTERS && !root.ends_with(['a', 'e', 'o', 'u']);
    word.strip_suffix(['e', 'i', 'y']).filter(is_left).unwrap_or(word)
}

/// "stopp(ed)" is "stop".
fn undoubled(word: &str) -> &str {
    let mut last = word.bytes().rev();
    match (last.next(), last.next()) {
        (Some(one), Some(other)) if one == other && word.len() > LEAST_LETTERS => &word[..word.len() - 1],
        _ => word,
    }
}

/// A word and the one that it denies.
const OPPOSITES: &[(&str, &str)] = &[
    ("ambiguous", "clear"),
    ("dependent", "independent"),
    ("different", "same"),
    ("illegal", "legal"),
    ("immutable", "mutable"),
    ("impossible", "possible"),
    ("incomplete", "complete"),
    ("incorrect", "correct"),
    ("invalid", "valid"),
    ("unaffected", "affected"),
    ("unallowed", "allowed"),
    ("unchanged", "changed"),
    ("unclear", "clear"),
    ("undefined", "defined"),
    ("unequal", "equal"),
    ("unfair", "fair"),
    ("unknown", "known"),
    ("unlikely", "likely"),
    ("unnecessary", "necessary"),
    ("unordered", "ordered"),
    ("unreachable", "reachable"),
    ("unrelated", "related"),
    ("unsafe", "safe"),
    ("unsorted", "sorted"),
    ("unused", "used"),
];

/// The word that this one denies: "dependent" says "not independent".
pub(super) fn denied_by(word: &str) -> Option<&'static str> {
    OPPOSITES.iter().find(|(opposite, _)| *opposite == word).map(|(_, denied)| *denied)
}
