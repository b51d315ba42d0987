//! Turns names of a law into identifiers of a language: valid, and no two alike.

use std::collections::HashMap;

/// Gives every name an identifier. A name that would be like another, or like a reserved word, gets a number.
///
/// `Word` and `WORD` count as alike: some compilers write a file for each identifier, and some disks cannot tell them
/// apart.
pub(super) fn identifiers<'n>(
    names: impl Iterator<Item = &'n str>,
    shape: fn(&str) -> String,
    reserved: &str,
) -> Vec<String> {
    let mut taken: HashMap<String, u32> =
        reserved.split_whitespace().map(|word| (word.to_lowercase(), 1)).collect();
    names.map(|name| distinct(shape(name), &mut taken)).collect()
}

/// Turns `WAIT_STUDENT` and `wait-student` into `WaitStudent`.
pub(super) fn pascal(name: &str) -> String {
    let words = name.split(['_', '-']).filter(|word| !word.is_empty());
    let joined: String = words.map(capitalised).collect();
    match joined.chars().next() {
        None => "Unnamed".into(),
        Some(first) if first.is_ascii_digit() => format!("N{joined}"),
        Some(_) => joined,
    }
}

/// Turns `used_hints` into `usedHints`.
pub(super) fn camel(name: &str) -> String {
    let pascal = pascal(name);
    let mut chars = pascal.chars();
    let first: String = chars.by_ref().take(1).flat_map(char::to_lowercase).collect();
    first + chars.as_str()
}

fn distinct(identifier: String, taken: &mut HashMap<String, u32>) -> String {
    let key = identifier.to_lowercase();
    let Some(last) = taken.get(&key).copied() else {
        taken.insert(key, 1);
        return identifier;
    };
    let mut number = last + 1;
    while taken.contains_key(&format!("{key}{number}")) {
        number += 1;
    }
    // Remembering the number keeps this fast for thousands of names that are alike.
    taken.insert(key.clone(), number);
    taken.insert(format!("{key}{number}"), 1);
    format!("{identifier}{number}")
}

/// Turns `WORD` into `Word`; a word of mixed case keeps its capitals.
fn capitalised(word: &str) -> String {
    let is_shouted = !word.chars().any(char::is_lowercase);
    let mut chars = word.chars();
    let first: String = chars.by_ref().take(1).map(|c| cased(c, c.to_uppercase())).collect();
    let rest = chars.map(|c| if is_shouted { cased(c, c.to_lowercase()) } else { letter(c) });
    first + &rest.collect::<String>()
}

/// Changes the case of a letter, if it is still one letter afterwards.
fn cased(c: char, mut case: impl Iterator<Item = char>) -> String {
    match (case.next(), case.next()) {
        (Some(one), None) => letter(one),
        _ => letter(c),
    }
}

/// Writes a character so that it can stand in an identifier. Languages differ in what counts as a letter, so
/// characters outside the common scripts become numbers.
fn letter(c: char) -> String {
    let is_common = matches!(c,
        '\u{c0}'..='\u{24f}' | '\u{370}'..='\u{52f}' | '\u{3041}'..='\u{3096}'
        | '\u{30a1}'..='\u{30fa}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}');
    if c.is_ascii_alphanumeric() || (is_common && c.is_alphabetic()) {
        c.to_string()
    } else {
        format!("u{:04X}", u32::from(c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(shape: fn(&str) -> String, reserved: &str, names: &[(&str, &str)]) {
        let found = identifiers(names.iter().map(|(name, _)| *name), shape, reserved);
        let wanted: Vec<&str> = names.iter().map(|(_, identifier)| *identifier).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn types_are_spelt_with_capitals() {
        check(
            pascal,
            "String",
            &[
                ("WAIT_STUDENT", "WaitStudent"),
                ("wait-student", "WaitStudent2"),
                ("waitStudent", "WaitStudent3"),
                ("WAITSTUDENT", "Waitstudent4"),
                ("string", "String2"),
                ("_1st", "N1st"),
                ("_", "Unnamed"),
                ("__", "Unnamed2"),
                ("größe", "Größe"),
                ("ñandú_Ω", "ÑandúΩ"),
                ("ß", "ß"),
                ("x²", "Xu00B2"),
                ("कि", "u0915u093F"),
                ("次の語", "次の語"),
            ],
        );
    }

    #[test]
    fn values_begin_small() {
        check(
            camel,
            "in",
            &[("used_hints", "usedHints"), ("in", "in2"), ("IN2", "in22"), ("TRIES", "tries")],
        );
    }
}
