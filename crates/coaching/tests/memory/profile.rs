//! Tests of the changes that a profile refuses, and of the refusals in the learner's language.

use coaching::learner::{Profile, words};
use coaching::words::{Lexicon, problems};
use serde_json::{Map, Value, json};

#[test]
fn every_language_has_every_sentence() {
    assert_eq!(problems(words::FILES, &[words::KEYS, words::REFUSALS].concat()), Vec::<String>::new());
}

#[test]
fn refusals_are_in_the_learners_language() {
    let lexicon = Lexicon::new(words::FILES.iter().copied());
    let check = |field: &str, value: Value, german: [&str; 2]| {
        let mut profile = Profile::default();
        let changes = Map::from_iter([(field.to_owned(), value)]);
        let mut rejected = profile.set_fields(&changes).expect_err("it is refused");
        lexicon.translate("de", &mut rejected);
        let said = [rejected.message.to_string(), rejected.cure.to_string()];
        assert_eq!((rejected.code, said), ("bad_profile", german.map(str::to_owned)), "{field}");
        assert_eq!(profile, Profile::default(), "{field}");
    };
    check("email", json!("ada"), ["eine Mailadresse braucht ein @", "schreib sie wie ada@example.org"]);
    check(
        "time_zone",
        json!("Mars/Olympus"),
        ["„Mars/Olympus“ ist keine Zeitzone", "schreib einen IANA-Namen wie Europe/Berlin"],
    );
    check(
        "desired_retention",
        json!(0.1),
        ["die gewünschte Behaltensquote liegt außerhalb der Grenzen", "gib eine Zahl von 0.7 bis 0.97 an"],
    );
}
