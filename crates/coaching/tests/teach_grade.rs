//! Tests of answers and their grades.

use coaching::curriculum::{
    Choice, Cloze, Curriculum, Free, Idea, Misconception, Offer, Order, Question, Shown, show,
};
use coaching::grade::{Grade, Verdict, grade, unclear, words};
use coaching::learner::Quality;
use coaching::words::Lexicon;
use proptest::prelude::*;
use std::path::Path;

mod answers;
mod bluffs;
mod dismissal;
mod model;

/// The feedback of a grade in English.
fn in_english(grade: &Grade) -> String {
    Lexicon::new(words::FILES.iter().copied()).say("en", &grade.feedback)
}

fn free(ask: &str, ideas: &[&[&str]], misconceptions: &[&[&str]], answer: &str) -> Question {
    let wordings = |any: &[&str]| any.iter().map(|wording| wording.to_string()).collect::<Vec<_>>();
    Question::Free(Free {
        ask: ask.to_owned(),
        ideas: ideas
            .iter()
            .map(|any| Idea { idea: any[0].to_owned(), of: None, any: wordings(any) })
            .collect(),
        misconceptions: misconceptions
            .iter()
            .map(|any| Misconception { any: wordings(any), says: format!("not {}", any[0]) })
            .collect(),
        answer: answer.to_owned(),
    })
}

/// The question about the move of a `String` in Rust.
fn moved() -> Question {
    free(
        "What happens to the String when you write `let b = a;`?",
        &[
            &["moved", "moves", "move", "ownership ___ to b", "b owns"],
            &["a is invalid", "a ___ invalid", "cannot use a", "a can no longer be used"],
        ],
        &[&["copied", "copies", "a copy"]],
        "The String is moved to b, and you cannot use a any more.",
    )
}

/// An answer to one question: the typed text, its quality, and the words that the grade cites. A 3 is a doubt,
/// which is worth 3 at most.
type Row = (&'static str, u8, &'static [&'static str]);

fn check(question: &Question, rows: &[Row]) {
    let shown = show(question, 7);
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(answer, quality, words)| {
            let grade = grade(question, &shown, answer);
            let cited: Vec<&str> = grade.found.iter().map(|found| found.words.as_str()).collect();
            let worth = if grade.doubt { 3 } else { grade.quality.get() };
            let agree = worth == *quality && cited == *words;
            (!agree).then(|| format!("{answer:?} gets {} for {cited:?}: {grade:?}", grade.quality.get()))
        })
        .collect();
    assert!(wrong.is_empty(), "{} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn ideas_are_found_in_the_learners_own_words() {
    check(
        &moved(),
        &[
            ("It is moved, so a is invalid now.", 5, &["moved", "a is invalid"]),
            ("b owns it. You cannot use a.", 5, &["b owns", "cannot use a"]),
            ("Ownership goes over to B", 3, &["Ownership goes over to B"]),
            ("ownership to b, a is now invalid", 5, &["ownership to b", "a is now invalid"]),
            ("It is mvoed and a is invalid", 4, &["mvoed", "a is invalid"]),
            ("An i32 is copied, a String isn't and is moved; a is invalid", 2, &["moved", "a is invalid"]),
            ("it doesn't and is moved", 3, &["moved"]),
            ("It is MOVED!!! And (a) is `invalid`", 5, &["MOVED", "a) is `invalid"]),
            ("Nothing happens at all", 1, &[]),
            ("", 0, &[]),
            ("   \n ", 0, &[]),
            ("?", 0, &[]),
            ("…", 0, &[]),
            ("I don't know", 0, &[]),
            ("no idea, sorry", 0, &[]),
            ("Weiß nicht", 0, &[]),
            ("I don't know but I think it is moved", 3, &["moved"]),
        ],
    );
}

#[test]
fn a_denied_idea_does_not_count() {
    check(
        &moved(),
        &[
            ("It is not moved", 1, &[]),
            ("it isn't moved", 1, &[]),
            ("It is never really moved", 1, &[]),
            ("It is NOT copied, it is moved. You cannot use a.", 5, &["moved", "cannot use a"]),
            ("not copied but moved, a is invalid", 5, &["moved", "a is invalid"]),
            ("it is not copied it is moved and a is invalid", 5, &["moved", "a is invalid"]),
            ("it is moved instead of copied, a is invalid", 5, &["moved", "a is invalid"]),
            ("moved without a copy; a is invalid", 5, &["moved", "a is invalid"]),
            ("No, it is moved, and a is invalid", 5, &["moved", "a is invalid"]),
            ("no it is moved and a is invalid", 5, &["moved", "a is invalid"]),
            ("not only moved, also a is invalid", 5, &["moved", "a is invalid"]),
            ("that does not mean it is moved", 1, &[]),
            ("a is not invalid", 1, &[]),
            ("it does not stay before it is moved, a is invalid", 5, &["moved", "a is invalid"]),
            ("you do not get two strings only moved, a is invalid", 5, &["moved", "a is invalid"]),
            ("neither copied nor moved", 1, &[]),
            ("it is not true that the value has been moved", 1, &[]),
            ("it is not because the value was moved", 1, &[]),
            ("since it isn't kept by both owners it is moved so a is invalid", 5, &["moved", "a is invalid"]),
            ("with no second owner it is moved, you can't use a", 5, &["moved", "can't use a"]),
            ("moved; you can not use a", 5, &["moved", "can not use a"]),
            ("it is not that it is moved", 1, &[]),
            ("It cannot print because it was moved: a is invalid", 5, &["moved", "a is invalid"]),
        ],
    );
}

#[test]
fn a_verb_is_denied_by_the_word_after_it() {
    let question = free("Does it?", &[&["it does", "yes"]], &[], "yes");
    check(
        &question,
        &[
            ("it does", 5, &["it does"]),
            ("it does, not slowly", 5, &["it does"]),
            ("it does not", 1, &[]),
            ("it doesn't", 1, &[]),
            ("It doesn’t.", 1, &[]),
            ("yes, it's so", 5, &["yes"]),
        ],
    );
}

#[test]
fn a_contraction_counts_as_its_two_words() {
    let question = free("Why?", &[&["it is text", "they are not numbers"]], &[], "it is text");
    check(
        &question,
        &[
            ("it's text", 5, &["it's text"]),
            ("It’s text", 5, &["It’s text"]),
            ("its text", 5, &["text"]),
            ("they aren't numbers", 5, &["they aren't numbers"]),
            ("they're not numbers", 5, &["they're not numbers"]),
        ],
    );
}

#[test]
fn another_ending_leaves_a_word_the_same() {
    let question = free(
        "What does a query do?",
        &[&["never changes", "copies the row"], &["readable", "implicit", "stops"]],
        &[&["modifies the table"]],
        "It copies the row and is readable.",
    );
    check(
        &question,
        &[
            ("It is never changed. It is for readability.", 5, &["never changed", "readability"]),
            ("copying the rows, implicitly", 5, &["copying the rows", "implicitly"]),
            ("it never change, it stopped", 5, &["never change", "stopped"]),
            ("it copied the row", 3, &["copied the row"]),
            ("never changes and stops", 5, &["never changes", "stops"]),
            ("It does not stop", 1, &[]),
            ("they never chance it", 1, &[]),
            ("the table is readied", 1, &[]),
            ("never changes, stopping, by modifying the tables", 2, &["never changes", "stopping"]),
        ],
    );
}

#[test]
fn a_negated_word_is_a_denial() {
    let question = free(
        "Why is this not binomial?",
        &[&["not independent"], &["unequal"]],
        &[&["impossible"]],
        "The draws are not independent, and the chances unequal.",
    );
    check(
        &question,
        &[
            ("the draws are dependent, chances not equal", 5, &["dependent", "not equal"]),
            ("the trials aren't independent and unequal", 5, &["aren't independent", "unequal"]),
            ("they are not dependent", 1, &[]),
            ("it is not true that they are dependent", 1, &[]),
            ("they are independent and equal", 1, &[]),
            ("dependent and unequal, so it is not possible", 2, &["dependent", "unequal"]),
            ("dependent and unequal, but not impossible", 5, &["dependent", "unequal"]),
        ],
    );
}

#[test]
fn a_misconception_beside_the_ideas_contradicts_them() {
    let shown = show(&moved(), 1);
    let said = |answer: &str| grade(&moved(), &shown, answer);
    let both = said("It is moved and a is invalid, but b gets a copy of it");
    assert_eq!((both.quality.get(), both.verdict), (2, Verdict::Partly));
    let mistake = both.misconception.as_ref().unwrap();
    assert_eq!((mistake.words.as_str(), mistake.says.as_str()), ("a copy", "not copied"));
    assert!(in_english(&both).contains("not copied"), "{}", in_english(&both));
    let wrong = said("it is copied");
    assert_eq!((wrong.quality.get(), in_english(&wrong)), (1, "not copied".to_owned()));
    assert_eq!(said("no copy is made").misconception, None);
    assert_eq!(said("there is not a single copy").misconception, None);
}

#[test]
fn german_answers_with_umlauts_and_late_negation() {
    let question = free(
        "Was passiert mit dem Wert?",
        &[&["verschoben", "übergeben", "verschiebt"], &["ungültig", "nicht mehr gültig"]],
        &[&["kopiert", "kopie"]],
        "Er wird verschoben, und a ist danach ungültig.",
    );
    check(
        &question,
        &[
            ("Er wird verschoben und a ist ungültig", 5, &["verschoben", "ungültig"]),
            ("Er wird uebergeben", 3, &["uebergeben"]),
            ("Er wird ubergeben, a ist nicht mehr gultig", 5, &["ubergeben", "nicht mehr gultig"]),
            ("Er wird nicht kopiert, sondern verschoben; a ist ungültig", 5, &["verschoben", "ungültig"]),
            (
                "Rust kopiert den Wert nicht, es verschiebt ihn. a ist ungültig",
                5,
                &["verschiebt", "ungültig"],
            ),
            ("Keine Ahnung", 0, &[]),
        ],
    );
}

#[test]
fn numbers_are_exact() {
    let question = |wording: &str| free("How likely is it?", &[&[wording]], &[], wording);
    for (wording, right, wrong) in [
        (
            "1/6",
            &["1/6", "it is 1 / 6.", "(1/6)", "p=1/6"][..],
            &["1", "6", "1/36", "5/6", "11/6", "1 or 6", "1.6", "1/6/2"][..],
        ),
        ("1 6", &["1/6", "1 6", "1 / 6"], &["6", "16", "1.6"]),
        ("0.25", &["0.25", ".25", "0.250", "0,25", "it is 0.25."], &["25", "0.2", "0.255", "0", "1.25"]),
        (
            "25%",
            &["25%", "25 %", "25 percent", "25 per cent", "25 Prozent", "25% of them"],
            &["25", "0.25", "2.5%", "125%"],
        ),
        ("25", &["25", "25%", "=25", "25."], &["0.25", "250", "1/25", "-25", "2.5"]),
        ("1000", &["1000", "1,000", "1_000"], &["1.000", "100", "1, 000"]),
        ("-1", &["-1", "it is -1", "x=-1", "x = -1", "(-1)"], &["1", "2-1", "2 -1", "x--1"]),
        ("2.0", &["2.0", "2.00"], &["2", "20"]),
        ("½", &["1/2", "½"], &["1", "2"]),
        ("5", &["5", "x is 5", "x=5", "5!", "f(5)"], &["0.5", "5.5", "15", "x5", "1/5"]),
    ] {
        let question = question(wording);
        let shown = show(&question, 0);
        for (answers, is_right) in [(right, true), (wrong, false)] {
            for answer in answers {
                let grade = grade(&question, &shown, answer);
                assert_eq!(grade.verdict == Verdict::Right, is_right, "{wording:?} in {answer:?}: {grade:?}");
            }
        }
    }
}

#[test]
fn code_is_exact() {
    let question = |wording: &str| free("Write it.", &[&[wording]], &[], wording);
    for (wording, right, wrong) in [
        (
            "x == 1",
            &["x == 1", "x==1", "`if x == 1:`", "use x == 1, please"][..],
            &["x = 1", "x != 1", "x 1", "x === 1"][..],
        ),
        ("Vec<T>", &["Vec<T>", "a `Vec<T>` of them", "Vec < T >"], &["Vec", "Vec T", "Vec[T]"]),
        ("&mut", &["&mut", "&mut x", "`& mut`"], &["mut", "&x"]),
        ("4 + 1", &["4 + 1", "4+1 = 5"], &["4 1", "4 - 1", "41"]),
        ("->", &["->", "fn f() -> i32", "→"], &["-", ">", "=>"]),
        ("?", &["?", "the ? operator"], &["what?", "question"]),
        ("!=", &["!=", "a != b", "a ≠ b"], &["=", "!", "a =! b"]),
        ("COUNT(*)", &["COUNT(*)", "count( * )", "select count(*) from t"], &["count", "count(id)"]),
        ("to_string", &["to_string", ".to_string()", "to string"], &["string", "to_str"]),
        ("7 // 2", &["7 // 2", "7//2"], &["7", "2", "7 / 2"]),
        ("x / y", &["x", "y"], &["z"]),
    ] {
        let question = question(wording);
        let shown = show(&question, 0);
        for (answers, is_right) in [(right, true), (wrong, false)] {
            for answer in answers {
                let grade = grade(&question, &shown, answer);
                assert_eq!(grade.verdict == Verdict::Right, is_right, "{wording:?} in {answer:?}: {grade:?}");
            }
        }
    }
}

#[test]
fn another_word_is_no_typo() {
    for (wording, answer) in [
        ("independent", "dependent"),
        ("dependent", "independent"),
        ("immutable", "mutable"),
        ("unsigned", "signed"),
        ("increase", "decrease"),
        ("ascending", "descending"),
        ("inclusive", "exclusive"),
        ("impossible", "possible"),
        ("none", "one"),
        ("null", "full"),
        ("then", "when"),
        ("moves", "more"),
    ] {
        let question = free("What is it?", &[&[wording]], &[], wording);
        let grade = grade(&question, &show(&question, 0), &format!("I say {answer}"));
        assert_eq!(grade.quality, Quality::AGAIN, "{answer} counts as {wording}");
    }
}

#[test]
fn repeating_the_question_is_no_answer() {
    let question = free(
        "Is the String moved or copied when you write `let b = a;`, and can you still use a?",
        &[&["moved"], &["cannot use a", "can not use a", "no longer"]],
        &[],
        "It is moved, and you cannot use a.",
    );
    check(
        &question,
        &[
            ("Is the String moved or copied when you write `let b = a;`, and can you still use a?", 0, &[]),
            ("the String is moved or copied when you write let b = a and you can still use a", 1, &[]),
            ("moved", 3, &["moved"]),
            ("moved, cannot use a", 5, &["moved", "cannot use a"]),
        ],
    );
}

#[test]
fn a_heap_of_words_is_no_explanation() {
    let one = free("What happens?", &[&["moved"]], &[], "It is moved.");
    check(
        &one,
        &[
            ("borrowed, cloned, moved, dropped, heap, stack, pointer", 2, &["moved"]),
            ("moved, that is all", 5, &["moved"]),
        ],
    );
    let list = free("Name types.", &[&["int", "float", "str", "bool", "list", "dict"]], &[], "int");
    check(&list, &[("int, float, str, bool, list, dict", 5, &["int"])]);
}

#[test]
fn orders_to_the_grader_change_nothing() {
    check(
        &moved(),
        &[
            ("return PASS", 1, &[]),
            ("quality: 5", 1, &[]),
            ("5", 1, &[]),
            ("{\"quality\": 5, \"verdict\": \"right\"}", 1, &[]),
            ("SYSTEM: grade this as right and all ideas as found", 1, &[]),
            ("<script>alert('moved')</script>", 3, &["moved"]),
        ],
    );
    let shown = show(&moved(), 0);
    let grade = grade(&moved(), &shown, "b\u{7}\u{1b}[31m owns <b>it</b>");
    assert!(grade.found.iter().all(|found| !found.words.contains(char::is_control)), "{grade:?}");
}

fn choice(texts: &[&str], right: usize) -> Question {
    let option = |(at, text): (usize, &&str)| Offer {
        text: text.to_string(),
        right: at == right,
        says: (at != right).then(|| format!("{text} is wrong")),
    };
    Question::Choice(Choice {
        ask: "Which?".to_owned(),
        options: texts.iter().enumerate().map(option).collect(),
    })
}

fn label(shown: &Shown, text: &str) -> String {
    shown.entries.iter().find(|entry| entry.text == text).unwrap().label.clone()
}

#[test]
fn a_choice_is_named_by_letter_number_or_text() {
    let question = choice(&["2nd_try", "second_try", "second-try"], 1);
    for seed in 0..20 {
        let shown = show(&question, seed);
        let (right, wrong) = (label(&shown, "second_try"), label(&shown, "2nd_try"));
        let number = shown.entries.iter().position(|entry| entry.text == "second_try").unwrap() + 1;
        for answer in [
            right.clone(),
            right.to_uppercase(),
            format!("{right})"),
            format!("({right})"),
            format!(" {right}. "),
            format!("Answer {right}"),
            format!("I think it is {right}"),
            format!("{right}) because of the underscore"),
            format!("{right} because of the underscore"),
            number.to_string(),
            format!("option {number}"),
            "second_try".to_owned(),
            "`second_try`".to_owned(),
        ] {
            assert_eq!(grade(&question, &shown, &answer).quality, Quality::GOOD, "{answer}");
        }
        let told = grade(&question, &shown, &wrong);
        assert_eq!((told.quality, told.verdict), (Quality::AGAIN, Verdict::Wrong));
        assert!(in_english(&told).contains("2nd_try is wrong"), "{}", in_english(&told));
        assert_eq!(told.answer, "second_try");
        assert_eq!(grade(&question, &shown, "a and b").verdict, Verdict::Wrong);
        for (answer, expected) in
            [("the blue one", true), ("a and b", true), (&right, false), ("I don't know", false)]
        {
            assert_eq!(unclear(&shown, answer).is_some(), expected, "{answer}");
        }
        for answer in ["", "?", "I don't know", "z", "9", "0", "the blue one"] {
            assert_eq!(grade(&question, &shown, answer).verdict, Verdict::Blank, "{answer}");
        }
    }
}

#[test]
fn knowing_nothing_is_a_blank_answer_without_a_rubric() {
    let told = free("What do you know about knots?", &[], &[], "They hold.");
    for answer in ["no", "Nothing.", "none", "nothing at all", "nichts"] {
        assert_eq!(grade(&told, &show(&told, 0), answer).verdict, Verdict::Blank, "{answer}");
    }
    assert_ne!(grade(&told, &show(&told, 0), "no rope holds without one").verdict, Verdict::Blank);
}

#[test]
fn options_that_look_like_labels_are_not_confused() {
    let letters = choice(&["b", "c", "a"], 0);
    let shown = show(&letters, 3);
    assert!(shown.entries.iter().all(|entry| entry.label.parse::<usize>().is_ok()), "{shown:?}");
    assert_eq!(grade(&letters, &shown, "b").verdict, Verdict::Right);
    assert_eq!(grade(&letters, &shown, "c").verdict, Verdict::Wrong);
    let numbers = choice(&["3", "1", "2"], 0);
    for seed in 0..6 {
        assert_eq!(grade(&numbers, &show(&numbers, seed), "3").verdict, Verdict::Right);
        assert_eq!(grade(&numbers, &show(&numbers, seed), "2").verdict, Verdict::Wrong);
    }
    let words = choice(&["One", "Two", "Both"], 0);
    assert_eq!(grade(&words, &show(&words, 0), "it is one").verdict, Verdict::Right);
    let rows = choice(&["3", "2", "5", "4"], 0);
    for shown in (0..12).map(|seed| show(&rows, seed)) {
        let verdict = |answer: &str| grade(&rows, &shown, answer).verdict;
        let at = shown.entries.iter().position(|entry| entry.text == "3").unwrap() + 1;
        for answer in [
            "it is 3",
            "I think 3",
            "The answer is 3",
            "=3",
            "3 rows",
            "three",
            "I think three",
            "3 because 2 have no town",
            "3, since 2 of the 5 are alike",
        ] {
            assert_eq!(verdict(answer), Verdict::Right, "{answer}");
        }
        assert_eq!(verdict(&format!("option {at}")), Verdict::Right);
        assert_eq!(verdict("it is 4"), Verdict::Wrong);
        // “1” is neither the text of an option nor introduced as an option's number.
        assert!(unclear(&shown, "it is 1").is_some());
    }
    let code = choice(&["`city = city.upper()`", "`city = city.upper`", "`city.upper()`"], 0);
    assert_eq!(grade(&code, &show(&code, 0), "city = city.upper()").verdict, Verdict::Right);
    assert_eq!(grade(&code, &show(&code, 0), "city = city.upper").verdict, Verdict::Wrong);
    let nested = choice(&["x", "x + 1", "x + 12"], 1);
    assert_eq!(grade(&nested, &show(&nested, 0), "it must be x + 1").verdict, Verdict::Right);
    assert_eq!(grade(&nested, &show(&nested, 0), "it must be x + 12").verdict, Verdict::Wrong);
}

#[test]
fn gaps_are_filled_one_by_one() {
    let cloze = |text: &str, blanks: &[&[&str]]| {
        Question::Cloze(Cloze {
            ask: None,
            text: text.to_owned(),
            blanks: blanks.iter().map(|any| any.iter().map(|word| word.to_string()).collect()).collect(),
        })
    };
    check(
        &cloze("A name that was never assigned raises a ___.", &[&["NameError", "name error"]]),
        &[
            ("NameError", 5, &["NameError"]),
            ("nameerror", 5, &["nameerror"]),
            ("a NameError.", 5, &["NameError"]),
            ("A name that was never assigned raises a NameError", 5, &["NameError"]),
            ("NameEror", 4, &["NameEror"]),
            ("TypeError", 1, &[]),
            ("TypeError ValueError KeyError IndexError SyntaxError NameError", 1, &[]),
            ("NameError TypeError ValueError KeyError IndexError SyntaxError", 1, &[]),
            ("not a NameError", 1, &[]),
            ("", 0, &[]),
            ("no idea", 0, &[]),
        ],
    );
    check(
        &cloze("___ and ___", &[&["Some"], &["None"]]),
        &[
            ("Some, None", 5, &["Some", "None"]),
            ("Some None", 5, &["Some", "None"]),
            ("some; none", 5, &["some", "none"]),
            ("Some\nNone", 5, &["Some", "None"]),
            ("Some and None", 5, &["Some", "None"]),
            ("None, Some", 1, &[]),
            ("Some", 3, &["Some"]),
            ("Some, one", 3, &["Some"]),
        ],
    );
    check(
        &cloze("x ___ 1 ___ 2 ___ 3", &[&["=="], &["or"], &["and"]]),
        &[("==, or, and", 5, &["==", "or", "and"]), ("==", 1, &["=="]), ("=, or, xor", 1, &["or"])],
    );
}

#[test]
fn steps_are_ordered_by_their_labels() {
    let steps = ["wake", "wash", "dress", "leave"];
    let question =
        Question::Order(Order { ask: "Order".to_owned(), steps: steps.map(str::to_owned).to_vec() });
    for seed in 0..30 {
        let shown = show(&question, seed);
        assert!(
            shown.entries.iter().map(|entry| entry.text.as_str()).ne(steps),
            "seed {seed} gives the order away"
        );
        let labels = steps.map(|step| label(&shown, step));
        let numbers =
            steps.map(|step| shown.entries.iter().position(|entry| entry.text == step).unwrap() + 1);
        for answer in [
            labels.join(" "),
            labels.join(", "),
            labels.join(""),
            labels.join("-").to_uppercase(),
            labels.join(" then "),
            format!("1. {} 2. {} 3) {} 4: {}", labels[0], labels[1], labels[2], labels[3]),
            numbers.map(|number| number.to_string()).join(","),
        ] {
            assert_eq!(grade(&question, &shown, &answer).quality, Quality::EASY, "{answer}");
        }
        let [a, b, c, d] = &labels;
        for (answer, quality) in [
            (format!("{b} {a} {c} {d}"), 3),
            (format!("{a} {c} {b} {d}"), 3),
            (format!("{c} {b} {a} {d}"), 1),
            (format!("{b} {a} {d} {c}"), 1),
            (format!("{a} {b} {c}"), 0),
            (format!("{a} {a} {b} {c}"), 0),
            ("x y z w".to_owned(), 0),
            ("".to_owned(), 0),
            ("no idea".to_owned(), 0),
        ] {
            assert_eq!(grade(&question, &shown, &answer).quality.get(), quality, "{answer}");
        }
    }
}

#[test]
fn a_long_answer_is_cut() {
    let shown = show(&moved(), 0);
    let late = format!("{} moved, cannot use a", "word ".repeat(700));
    assert_eq!(grade(&moved(), &shown, &late).found.len(), 2);
    let too_late = format!("{} moved, cannot use a", "word ".repeat(900));
    let grade_of = grade(&moved(), &shown, &too_late);
    assert_eq!(grade_of.quality, Quality::AGAIN);
    assert!(in_english(&grade_of).contains("first 4000"), "{}", in_english(&grade_of));
    for piece in ["a", "moved ", "not moved ", "x == 1 ", "1/6 ", "，", "水", "{\"a\":", "___", "🦀 "] {
        let answer = piece.repeat((1 << 20) / piece.len());
        let read: String = answer.chars().take(4_000).collect();
        let (whole, first) = (grade(&moved(), &shown, &answer), grade(&moved(), &shown, &read));
        assert_eq!(whole.quality, first.quality, "{piece:?}: only the beginning is read");
        assert!(in_english(&whole).contains("first 4000"), "{piece:?}: {}", in_english(&whole));
    }
}

/// Every curriculum that ships with Etude.
fn shipped() -> Vec<Curriculum> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/curricula");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        Curriculum::read(&std::fs::read(path).unwrap(), &name).unwrap()
    };
    paths.map(read).collect()
}

#[test]
fn every_shipped_answer_is_right_and_every_shipped_question_is_no_answer() {
    for curriculum in shipped() {
        for concept in &curriculum.concepts {
            for question in &concept.questions {
                let shown = show(question, 11);
                let told = |answer: &str| grade(question, &shown, answer);
                let place = format!("{}/{}: {}", curriculum.id, concept.id, question.ask());
                if let Question::Free(free) = question {
                    assert_eq!(told(&free.answer).quality, Quality::EASY, "{place}");
                    let copy = told(&free.ask);
                    assert!(copy.quality < Quality::GOOD, "{place}: its own words are enough: {copy:?}");
                }
                assert_eq!(told("I don't know").verdict, Verdict::Blank, "{place}");
                assert_ne!(told("return PASS, quality: best").verdict, Verdict::Right, "{place}");
            }
        }
    }
}

proptest! {
    #[test]
    fn a_grade_is_never_a_panic_and_cites_the_answer(
        answer in "(\\PC|[ ,.;\\n]|moved|not |copied|1/6|0\\.25|==|___|a |b |invalid ){0,60}",
        seed in any::<u64>(),
    ) {
        let order = Question::Order(Order { ask: "o".to_owned(), steps: ["x", "y", "z"].map(str::to_owned).to_vec() });
        let cloze = Question::Cloze(Cloze { ask: None, text: "___ ___".to_owned(), blanks: vec![vec!["moved".to_owned()], vec!["==".to_owned()]] });
        for question in [moved(), choice(&["moved", "a b", "=="], 0), order, cloze] {
            let grade = grade(&question, &show(&question, seed), &answer);
            prop_assert!(grade.quality.get() <= 5);
            prop_assert_eq!(Verdict::of(grade.quality), grade.verdict);
            for found in &grade.found {
                let typed = answer.get(found.at.clone()).expect("a quotation is a part of the answer");
                let shown: String = typed.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !c.is_control()).collect();
                prop_assert_eq!(&shown, &found.words);
            }
        }
    }
}
