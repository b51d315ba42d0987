//! Tests of when a message counts as a repetition.

use coaching::agent::near_duplicate;

#[test]
fn near_duplicates_differ_by_little() {
    let long = "I am still working through the type errors in the legacy folder, file by file, and run the tests after each.";
    for (a, b, expected) in [
        ("Done.", "done!", true),
        ("", "  \n", true),
        ("", "Done.", false),
        (long, &long.replace("I am", "I'm"), true),
        (long, &long.replace("still", "currently"), true),
        (long, &long.to_uppercase(), true),
        (long, &long.replace("type errors in the legacy folder", "lint warnings in the new module"), false),
        ("3 of 7 modules converted, continuing", "4 of 7 modules converted, continuing", false),
        ("Let me run the tests.", "Let me fix the parser.", false),
        ("I'll fix the first test now", "I'll fix the second test now", false),
        (
            "ich prüfe jetzt die Tests noch einmal ganz genau",
            "Ich prüfe jetzt die Tests noch einmal genau",
            true,
        ),
    ] {
        assert_eq!(near_duplicate(a, b), expected, "{a:?} and {b:?}");
        assert_eq!(near_duplicate(b, a), expected, "{b:?} and {a:?}");
    }
}

#[test]
fn only_the_end_of_long_messages_is_compared() {
    let end = "same end of the message ".repeat(200);
    assert!(near_duplicate(&format!("one {end}"), &format!("two three {end}")));
}
